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
    /// The fillers, where the moment is theirs.
    var fillers: [String] = []
    /// Words per minute, where the moment is about them.
    var pace: Double?

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
        // Of what the report says cannot be judged, no moment is good or poor.
        let unjudged: [Area] = [.noSound, .noSpeech, .littleSpeech, .drownedVoice]
        guard !areas.contains(where: unjudged.contains) else { return [] }
        let quote = Quote(findings)
        let fillers =
            areas.contains(.fillers) || areas.contains(.fillerStops) ? fillers(findings, figures) : nil
        let isUneven = areas.contains(.waveringVolume) || areas.contains(.fadingEnd)
        // A stop beside the fillers is the same moment.
        let stop = stop(findings, figures, quote).flatMap { stop in
            fillers.map { stop.start < $0.end + 2 && $0.start < stop.end + 2 } == true ? nil : stop
        }
        let found = [
            liveliest(findings, figures, quote), flattest(findings, figures, quote, isUneven: isUneven),
            clearPause(findings, figures, quote), stop, fillers,
            areas.contains(.noPauses) || areas.contains(.breathless) ? longRun(findings, quote) : nil,
            areas.contains(.tooFast) || areas.contains(.gettingFaster) ? fastest(findings, quote) : nil,
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

    /// - Parameter isUneven: whether the report says that the volume is: then its quietest stretch is shown, however loud.
    private static func flattest(
        _ findings: Findings, _ figures: Figures, _ quote: Quote, isUneven: Bool
    ) -> KeyMoment? {
        // A voice that is praised for being even is not blamed for sinking.
        guard figures[.volumeConsistency] ?? 1 < 0.7 else { return nil }
        let points = findings.timeline.filter { ($0.energy ?? 1) <= (isUneven ? 1 : 0.45) }
        // Where nothing is much stronger, nothing is weak.
        guard let low = points.min(by: { ($0.energy ?? 1) < ($1.energy ?? 1) }), let lowest = low.energy,
            let highest = findings.timeline.compactMap(\.energy).max(), highest - lowest >= (isUneven ? 0.05 : 0.15)
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

    /// The ten seconds with the most words for the time that is not silent.
    private static func fastest(_ findings: Findings, _ quote: Quote) -> KeyMoment? {
        guard findings.transcriptProblem == nil else { return nil }
        let points = PaceOverTime(findings.words, findings.pauses).points
        guard let top = points.max(by: { $0.wordsPerMin < $1.wordsPerMin }) else { return nil }
        let end = min(top.time + PaceOverTime.stretch, max(Double(findings.durationMs) / 1000, top.time))
        return KeyMoment(
            key: .fastest, start: top.time, end: end, figures: [.paceWordsPerMin], quote: quote.during(top.time, end),
            pace: top.wordsPerMin)
    }

    /// The pause nearest to one second that ends a thought.
    private static func clearPause(_ findings: Findings, _ figures: Figures, _ quote: Quote) -> KeyMoment? {
        // Words that sink pass for pauses.
        guard figures[.pauseEffectiveness] ?? 0 >= 0.6, figures[.volumeConsistency] ?? 1 >= AreaRules.steady else {
            return nil
        }
        let clear = findings.pauses.filter { pause in
            // A silence beside a filler is a search for words.
            (0.7...1.6).contains(pause.seconds) && pause.kind != "hesitant"
                && !findings.fillerTimes.contains { $0.start < pause.end + 2 && pause.start < $0.end + 2 }
        }
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

    /// The ten seconds with the most fillers, if there are three; else two within four.
    private static func fillers(_ findings: Findings, _ figures: Figures) -> KeyMoment? {
        guard figures[.fillerCount] != nil else { return nil }
        func most(within seconds: Double) -> [Findings.Word] {
            var best: [Findings.Word] = []
            for first in findings.fillerTimes {
                let near = findings.fillerTimes.filter { $0.start >= first.start && $0.start < first.start + seconds }
                if near.count > best.count { best = near }
            }
            return best
        }
        let ten = most(within: 10)
        let best = ten.count >= 3 ? ten : most(within: 4)
        guard best.count >= 2, let first = best.first, let last = best.last else { return nil }
        let shown = best.map(\.text).prefix(Quote.longest)
        return KeyMoment(
            key: .fillers, start: first.start, end: last.end, figures: [.fillerCount],
            quote: shown.joined(separator: " … "), fillers: best.map(\.text))
    }
}
