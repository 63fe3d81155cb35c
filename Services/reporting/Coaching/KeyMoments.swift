import Contracts
import JSON

/// A moment worth revisiting.
struct KeyMoment {
    let key: MomentKey
    /// Seconds.
    let start: Double
    let end: Double
    let figures: [Figure]
    /// What was said there; nil if nothing was, or too little is certain.
    let quote: String?
    /// How many, where the moment counts something.
    var count: Int?

    /// Whether it shows what went well.
    var isStrength: Bool { key == .liveliest || key == .clearPause }

    /// The seconds that its sentence tells.
    var seconds: Double { end - start }
}

/// Finds moments worth revisiting in the energy over time, the pauses and the fillers.
enum KeyMoments {
    /// At most one of each kind, in chronological order. Nothing is shown as good that the report does not praise.
    ///
    /// - Parameter areas: what the report says is to be improved.
    static func find(_ findings: Findings, _ figures: Figures, _ areas: [Area]) -> [KeyMoment] {
        let quote = Quote(findings)
        let fillers = fillers(findings, figures, quote)
        // A stop beside the fillers is the same moment.
        let stop = stop(findings, figures, quote).flatMap { stop in
            fillers.map { stop.start < $0.end + 2 && $0.start < stop.end + 2 } == true ? nil : stop
        }
        let found = [
            liveliest(findings, figures, quote), flattest(findings, figures, quote),
            clearPause(findings, figures, quote), stop, fillers,
            areas.contains(.noPauses) ? longRun(findings, quote) : nil,
            areas.contains(.flatVoice) ? monotone(findings, quote) : nil,
        ].compactMap { $0 }
        return found.sorted { ($0.start, $0.key.rawValue) < ($1.start, $1.key.rawValue) }
    }

    private static func liveliest(_ findings: Findings, _ figures: Figures, _ quote: Quote) -> KeyMoment? {
        // A voice that wavers or a recording full of noise has loud moments too.
        guard figures[.volumeConsistency] ?? 0 >= 0.7, figures[.soundQuality] ?? 0 >= 0.75 else { return nil }
        let points = findings.timeline.filter { ($0.energy ?? 0) >= 0.6 }
        guard let top = points.max(by: { ($0.energy ?? 0) < ($1.energy ?? 0) }) else { return nil }
        return moment(.liveliest, top, findings, [.volumeConsistency], quote)
    }

    private static func flattest(_ findings: Findings, _ figures: Figures, _ quote: Quote) -> KeyMoment? {
        // A voice that is praised for being even is not blamed for sinking.
        guard figures[.volumeConsistency] ?? 1 < 0.7 else { return nil }
        let points = findings.timeline.filter { ($0.energy ?? 1) <= 0.45 }
        // Where nothing is much stronger, nothing is weak.
        guard let low = points.min(by: { ($0.energy ?? 1) < ($1.energy ?? 1) }), let lowest = low.energy,
            let highest = findings.timeline.compactMap(\.energy).max(), highest - lowest >= 0.15
        else { return nil }
        return moment(.flattest, low, findings, [.volumeConsistency], quote)
    }

    /// The five seconds of a point of the timeline.
    private static func moment(
        _ key: MomentKey, _ point: Findings.EnergyPoint, _ findings: Findings, _ figures: [Figure], _ quote: Quote
    ) -> KeyMoment {
        let end = min(point.time + 5, max(Double(findings.durationMs) / 1000, point.time))
        return KeyMoment(
            key: key, start: point.time, end: end, figures: figures, quote: quote.during(point.time, end))
    }

    /// The longest stretch between two pauses, if it is long.
    private static func longRun(_ findings: Findings, _ quote: Quote) -> KeyMoment? {
        guard let first = findings.words.first, let last = findings.words.last else { return nil }
        let starts = [first.start] + findings.pauses.map(\.end)
        let ends = findings.pauses.map(\.start) + [last.end]
        let runs = zip(starts, ends).filter { $1 - $0 >= leastRun }
        guard let run = runs.max(by: { $0.1 - $0.0 < $1.1 - $1.0 }) else { return nil }
        return KeyMoment(
            key: .longRun, start: run.0, end: run.1, figures: [.pauseCount], quote: quote.beginning(run.0, run.1))
    }

    /// The seconds from which speaking without a pause is long.
    private static let leastRun = 12.0

    /// The stretch in which the pitch moves least, if it is monotone.
    private static func monotone(_ findings: Findings, _ quote: Quote) -> KeyMoment? {
        guard let melody = findings.melody else { return nil }
        let stretches = MelodyOverTime(melody, findings.words, findings.pauses).stretches.filter(\.isMonotone)
        guard let flat = stretches.min(by: { $0.rangeSemitones < $1.rangeSemitones }) else { return nil }
        return KeyMoment(
            key: .monotone, start: flat.start, end: flat.end, figures: [.tonalVariety],
            quote: quote.during(flat.start, flat.end))
    }

    /// The pause nearest to one second that ends a thought.
    private static func clearPause(_ findings: Findings, _ figures: Figures, _ quote: Quote) -> KeyMoment? {
        guard figures[.pauseEffectiveness] ?? 0 >= 0.6 else { return nil }
        let clear = findings.pauses.filter { (0.7...1.6).contains($0.seconds) && $0.kind != "hesitant" }
        guard let best = clear.min(by: { abs($0.seconds - 1) < abs($1.seconds - 1) }) else { return nil }
        return KeyMoment(
            key: .clearPause, start: best.start, end: best.end, figures: [.pauseEffectiveness],
            quote: quote.before(best.start))
    }

    /// The longest silence, if it is long; otherwise the longest that seems to break a thought.
    private static func stop(_ findings: Findings, _ figures: Figures, _ quote: Quote) -> KeyMoment? {
        guard figures[.pauseLongestSeconds] != nil else { return nil }
        if let longest = findings.pauses.max(by: { $0.seconds < $1.seconds }), longest.seconds >= 2.5 {
            return KeyMoment(
                key: .longPause, start: longest.start, end: longest.end, figures: [.pauseLongestSeconds],
                quote: quote.before(longest.start))
        }
        // A pause counts as hesitant behind any word that seldom ends a sentence; only where the transcript goes on does it show.
        let hesitant = findings.pauses.filter {
            $0.kind == "hesitant" && $0.seconds >= 1 && quote.goesOn(over: $0.start)
        }
        guard let longest = hesitant.max(by: { $0.seconds < $1.seconds }) else { return nil }
        return KeyMoment(
            key: .hesitation, start: longest.start, end: longest.end, figures: [.hesitantPauseCount],
            quote: quote.before(longest.start))
    }

    /// The ten seconds with the most fillers, if there are at least two.
    private static func fillers(_ findings: Findings, _ figures: Figures, _ quote: Quote) -> KeyMoment? {
        guard figures[.fillerCount] != nil else { return nil }
        var best: [Findings.Word] = []
        for first in findings.fillerTimes {
            let near = findings.fillerTimes.filter { $0.start >= first.start && $0.start < first.start + 10 }
            if near.count > best.count { best = near }
        }
        guard best.count >= 2, let first = best.first, let last = best.last else { return nil }
        return KeyMoment(
            key: .fillers, start: first.start, end: last.end, figures: [.fillerCount],
            quote: best.map(\.text).prefix(Quote.longest).joined(separator: ", "), count: best.count)
    }
}
