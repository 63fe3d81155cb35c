import JSON

/// Moments worth revisiting, found in the energy timeline, the pauses and the words.
enum KeyMoments {
    private struct Moment {
        let seconds: Double
        let isStrength: Bool
        let description: String
    }

    /// At most one of each kind, in chronological order.
    static func json(_ findings: Findings, _ figures: Figures) -> JSONValue {
        let moments = [
            liveliest(findings), flattest(findings), clearPause(findings, figures), stall(findings, figures),
            fillers(findings, figures),
        ].compactMap { $0 }
        return .array(
            moments.sorted { ($0.seconds, $0.description) < ($1.seconds, $1.description) }.map { moment in
                [
                    "timestamp": .int(Int64(moment.seconds)),
                    "type": .string(moment.isStrength ? "strength" : "improvement"),
                    "description": .string(moment.description),
                ]
            })
    }

    private static func liveliest(_ findings: Findings) -> Moment? {
        let points = findings.timeline.filter { ($0.energy ?? 0) >= 0.6 }
        guard let top = points.max(by: { ($0.energy ?? 0) < ($1.energy ?? 0) }), let energy = top.energy else {
            return nil
        }
        return Moment(
            seconds: top.time, isStrength: true,
            description: "Your voice carried most energy here, \(text(energy, 2)) of 1 (toneTimeline).")
    }

    private static func flattest(_ findings: Findings) -> Moment? {
        let points = findings.timeline.filter { ($0.energy ?? 1) <= 0.4 }
        guard let low = points.min(by: { ($0.energy ?? 1) < ($1.energy ?? 1) }), let energy = low.energy else {
            return nil
        }
        return Moment(
            seconds: low.time, isStrength: false,
            description: "Your voice carried least energy here, \(text(energy, 2)) of 1 (toneTimeline).")
    }

    /// The pause nearest to one second, long enough to be heard as one.
    private static func clearPause(_ findings: Findings, _ figures: Figures) -> Moment? {
        guard figures[.pauseCount] != nil else { return nil }
        let clear = findings.pauses.filter { (0.5...1.6).contains($0.seconds) }
        guard let best = clear.min(by: { abs($0.seconds - 1) < abs($1.seconds - 1) }) else { return nil }
        return Moment(
            seconds: best.start, isStrength: true,
            description: "A clear pause of \(text(best.seconds, 1)) s lets the thought land (pauseEffectiveness).")
    }

    private static func stall(_ findings: Findings, _ figures: Figures) -> Moment? {
        guard figures[.pauseLongestSeconds] != nil,
            let longest = findings.pauses.max(by: { $0.seconds < $1.seconds }), longest.seconds >= 2.5
        else { return nil }
        return Moment(
            seconds: longest.start, isStrength: false,
            description:
                "A pause of \(text(longest.seconds, 1)) s is long enough to lose listeners (pauseLongestSeconds).")
    }

    /// The ten seconds with the most unambiguous fillers, if there are at least two.
    private static func fillers(_ findings: Findings, _ figures: Figures) -> Moment? {
        guard figures[.fillerCount] != nil else { return nil }
        let times = findings.words.filter { FillerWord(rawValue: $0.text.lowercased())?.isUnambiguous == true }
            .map(\.start)
        var best: (start: Double, count: Int) = (0, 1)
        for start in times {
            let count = times.count { $0 >= start && $0 < start + 10 }
            if count > best.count { best = (start, count) }
        }
        guard best.count >= 2 else { return nil }
        return Moment(
            seconds: best.start, isStrength: false,
            description: "At least \(best.count) filler words stand within 10 s from here (fillerWords).")
    }

    private static func text(_ value: Double, _ places: Int) -> String { NumberText.text(value, places: places) }
}
