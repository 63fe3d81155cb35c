package import JSON

/// One part of the confidence score.
package struct ScorePart: Sendable, Equatable {
    /// One thing that a part judges.
    package struct Value: Sendable, Equatable {
        /// Its name in the report.
        package let name: String
        /// The figure that it is based on.
        package let figure: Figure
        /// Its points of the published 100.
        package let weight: Double
        /// 0 to 1; nil if it cannot be judged.
        package let value: Double?
        /// Whose doing it is that it cannot be judged.
        package let fault: Fault?

        /// The percentage of this score that rests on it, to a tenth; 0 if it does not count or there is no score.
        package internal(set) var share: Double = 0

        /// Whether it counts: judged, or against a speaker who could have made it possible to judge.
        var counts: Bool { value != nil || fault == .speaker }
    }

    /// The part's name in the report.
    package let name: String
    /// The published weight; all together add up to 100.
    package let weight: Double
    package internal(set) var values: [Value]
    /// Why it cannot be judged.
    package let cause: Cause?

    /// The percentage of this score that rests on it: what its values have together; 0 without a score.
    package var share: Double { NumberText.rounded(values.reduce(0) { $0 + $1.share }, places: 1) }

    /// The figures that it rests on: those that were judged, and those that count against the speaker.
    package var figures: [Figure] { values.filter(\.counts).map(\.figure) }

    /// The weighted mean of what counts, 0 to 1; nil if nothing could be judged.
    package var value: Double? {
        let counted = values.filter(\.counts)
        guard counted.contains(where: { $0.value != nil }) else { return nil }
        return counted.reduce(0) { $0 + $1.weight * ($1.value ?? 0) } / counted.reduce(0) { $0 + $1.weight }
    }

    /// The points of 100 that count.
    var covered: Double { values.reduce(0) { $0 + ($1.counts ? $1.weight : 0) } }
    /// The points of 100 that were earned.
    var earned: Double { values.reduce(0) { $0 + $1.weight * ($1.value ?? 0) } }
}

/// The confidence score: published weights and formulas (`docs/scoring.md`).
package struct Scoring: Sendable, Equatable {
    /// The points of 100 that the engines on this machine can judge: all but posture and gestures.
    package static let judgeable = 65.0
    /// The share of them below which there is no score, whoever has seen posture and gestures.
    package static let leastShare = 0.6
    /// What fillers can take away.
    package static let mostForFillers = 10.0
    /// The percentage of cut samples from which sound is called overdriven.
    static let overdriven = 0.9
    /// The points of the volume.
    private static let volumePoints = 5.0
    /// How far a score of the same recording may differ, encoded by another phone.
    package static let repeatability: Int64 = 2

    /// The parts, heaviest first.
    package private(set) var parts: [ScorePart]
    /// The points that fillers take away, 0 to 10; nil if they could not be counted, which takes away all ten: what is not
    /// known must not raise a score.
    package let deduction: Double?
    /// 0 to 100; nil if too little is valid.
    package let score: Int64?
    /// Where the score would lie if all that the machine could not judge were known; nil without a score.
    package let range: ClosedRange<Int64>?
    /// The points of 100 that could be judged.
    package let coverage: Int64
    /// Why there is no score.
    package let cause: Cause?
    private let fillersCause: Cause
    /// The points of 100 that the score is made of: ``judgeable``, and those of posture and gestures where somebody has seen them.
    private let points: Double

    package init(_ figures: Figures, scenario: Scenario = .general) {
        parts = Self.parts(figures, scenario)
        let covered = parts.reduce(0) { $0 + $1.covered }
        let seen = parts.reduce(0) { $0 + (Self.seen.contains($1.name) ? $1.covered : 0) }
        let judgeable = Self.judgeable + seen
        points = judgeable
        coverage = Int64(covered.rounded())
        deduction = figures[.fillersPer100Words].map { Self.mostForFillers * Self.ramp($0, 1, 8) }
        fillersCause = figures.cause(.fillersPer100Words)
        cause = Self.problem(figures, parts, covered - seen)
        guard cause == nil else {
            score = nil
            range = nil
            return
        }
        let earned = parts.reduce(0) { $0 + $1.earned }
        let exact = Self.stretched(earned, of: judgeable) - (deduction ?? Self.mostForFillers)
        let openly = figures.fault(.fillersPer100Words) == .machine ? 0 : deduction ?? Self.mostForFillers
        let open = Self.stretched(earned + judgeable - covered, of: judgeable) - openly
        let score = Self.whole(exact)
        self.score = score
        range = max(score - Self.repeatability, 0)...min(Self.whole(open) + Self.repeatability, 100)
        share()
    }

    /// Gives each value that counts its percentage of the score. Each is the nearest tenth but for the few that make all of
    /// them add up to 100.
    private mutating func share() {
        let counted = parts.indices.flatMap { part in
            parts[part].values.indices.filter { parts[part].values[$0].counts }.map { (part: part, value: $0) }
        }
        let covered = parts.reduce(0) { $0 + $1.covered }
        let exact = counted.map { 1_000 * parts[$0.part].values[$0.value].weight / covered }
        var tenths = exact.map { $0.rounded(.down) }
        let left = 1_000 - Int(tenths.reduce(0, +))
        let cutMost = exact.indices.sorted { (exact[$1] - tenths[$1], $0) < (exact[$0] - tenths[$0], $1) }
        for index in cutMost.prefix(left) { tenths[index] += 1 }
        for (place, tenth) in zip(counted, tenths) { parts[place.part].values[place.value].share = tenth / 10 }
    }

    /// The parts that a provider sees.
    private static let seen: Set<String> = ["posture", "gestures"]

    private static func parts(_ figures: Figures, _ scenario: Scenario) -> [ScorePart] {
        func value(
            _ name: String, _ figure: Figure, _ weight: Double, _ read: (Double) -> Double = { $0 }
        ) -> ScorePart.Value {
            ScorePart.Value(
                name: name, figure: figure, weight: weight, value: figures[figure].map { min(max(read($0), 0), 1) },
                fault: figures.fault(figure))
        }
        func part(_ name: String, _ weight: Double, _ values: [ScorePart.Value], _ problem: Cause) -> ScorePart {
            let isJudged = values.contains { $0.value != nil }
            return ScorePart(name: name, weight: weight, values: values, cause: isJudged ? nil : problem)
        }
        // What nobody has seen is no part of this score, so it has no value to be open.
        func seen(_ name: String, _ weight: Double, _ figure: Figure, else reason: Reason) -> ScorePart {
            let problem = figures.code(figure) == nil ? .known(reason) : figures.cause(figure)
            return part(name, weight, figures[figure] == nil ? [] : [value(name, figure, weight)], problem)
        }
        return [
            part(
                "voice", 25,
                [
                    value("pace", .paceWordsPerMin, 10, scenario.pace),
                    value("pauses", .pauseEffectiveness, 10), volume(figures),
                ], .known(.noVoiceValue)),
            seen("posture", 20, .postureScore, else: .posture),
            part(
                "eyeContact", 20,
                [
                    value("eyeContact", .eyeContactPct, 14) { ramp($0, 0.2, 0.95) },
                    value("liveliness", .faceLiveliness, 6),
                ], .framed(.contact, figures.cause(.eyeContactPct))),
            seen("gestures", 15, .gestureNaturalness, else: .gestures),
            part(
                "vocalVariety", 10, [value("melody", .tonalVariety, 10)],
                .framed(.melody, figures.cause(.tonalVariety))),
            part(
                "recording", 10, [value("sound", .soundQuality, 5), value("picture", .pictureQuality, 5)],
                .known(.noRecordingValue)),
        ]
    }

    /// Overdriven sound is even because its peaks are cut off: it counts no more than the sound does.
    private static func volume(_ figures: Figures) -> ScorePart.Value {
        let isOverdriven = figures[.clippedPct].map { $0 >= overdriven } ?? false
        let judged: [Figure] = isOverdriven ? [.volumeConsistency, .soundQuality] : [.volumeConsistency]
        let values = judged.compactMap { figures[$0].map { min(max($0, 0), 1) } }
        return ScorePart.Value(
            name: "volume", figure: .volumeConsistency, weight: volumePoints,
            value: values.count == judged.count ? values.min() : nil, fault: judged.compactMap(figures.fault).first)
    }

    /// Why there is no score; nil if there is one.
    private static func problem(_ figures: Figures, _ parts: [ScorePart], _ covered: Double) -> Cause? {
        let hasVoice = parts.contains { $0.value != nil && ["voice", "vocalVariety"].contains($0.name) }
        let hasFace = figures[.eyeContactPct] != nil
        switch (hasVoice, hasFace) {
        case (true, false): return .framed(.needsFace, figures.cause(.eyeContactPct))
        case (false, true): return .framed(.needsVoice, figures.cause(.paceWordsPerMin))
        case (false, false): return .known(.neitherVoiceNorFace)
        case (true, true): break
        }
        guard covered < leastShare * judgeable else { return nil }
        return .tooFewPoints(
            judged: Int64(covered.rounded()), needed: Int64((leastShare * judgeable).rounded(.up)))
    }

    /// From points earned to 0...100: what is not very bad earns 46 % of the points, and the best
    /// reach 96 %.
    private static func stretched(_ earned: Double, of points: Double) -> Double {
        100 * (earned / points - 0.46) / stretch
    }
    private static let stretch = 0.5

    private static func whole(_ points: Double) -> Int64 { Int64(min(max(points, 0), 100).rounded()) }

    /// The percentage of the score that rests on a figure, judged or not; nil if none does.
    package func weight(of figure: Figure) -> Double? {
        for part in parts {
            for value in part.values where value.figure == figure && value.share > 0 { return value.share }
        }
        return nil
    }

    /// How many points a score would gain if so many of the 100 were earned as well, at most up to 100; nil without a score.
    ///
    /// - Parameter deducted: points that would not be taken away from it.
    func gain(_ lost: Double, deducted: Double = 0) -> Double? {
        score.map { min(Double(100 - $0), 100 * lost / points / Self.stretch + deducted) }
    }

    /// The points of 100 that these figures have not earned; nothing for what is left open.
    func lost(_ figures: Figure...) -> Double {
        parts.reduce(0) { sum, part in
            part.values.reduce(sum) { sum, value in
                guard value.counts, figures.contains(value.figure) else { return sum }
                return sum + value.weight * (1 - (value.value ?? 0))
            }
        }
    }

    /// The points of 100 that the volume has lost because the sound is overdriven, not because it wavers.
    func volumeCut(_ figures: Figures) -> Double {
        guard let volume = figures[.volumeConsistency] else { return 0 }
        return max(lost(.volumeConsistency) - Self.volumePoints * (1 - min(max(volume, 0), 1)), 0)
    }

    /// The JSON form in the report: the parts, and the fillers as what they take away.
    package func json(_ catalogue: any Catalogue) -> JSONValue {
        var rows = parts.map { part in
            var object = Self.row(
                part.name, part.weight, part.share, part.value, part.figures, part.cause?.text(catalogue))
            object["values"] = .object(
                JSONObject(
                    part.values.map { ($0.name, .optional($0.value.map { NumberText.rounded($0, places: 3) })) }))
            return object
        }
        var fillers = Self.row(
            "fewFillers", 0, 0, deduction.map { 1 - $0 / Self.mostForFillers },
            deduction == nil ? [] : [.fillersPer100Words],
            deduction == nil ? Cause.framed(.fillers, fillersCause).text(catalogue) : nil)
        fillers["deduction"] = .optional(deduction.map { NumberText.rounded($0, places: 1) })
        rows.append(fillers)
        return .array(rows.map(JSONValue.object))
    }

    private static func row(
        _ name: String, _ weight: Double, _ share: Double, _ value: Double?, _ figures: [Figure], _ reason: String?
    ) -> JSONObject {
        var object: JSONObject = [
            "part": .string(name), "weight": .int(Int64(weight)),
            "share": .double(share),
            "value": .optional(value.map { NumberText.rounded($0, places: 3) }), "valid": .bool(value != nil),
            "measures": .array(figures.map { .string($0.rawValue) }),
        ]
        if let reason { object["reason"] = .string(reason) }
        return object
    }

    /// 0 up to `low`, 1 from `high`, linear between.
    static func ramp(_ value: Double, _ low: Double, _ high: Double) -> Double {
        min(max((value - low) / (high - low), 0), 1)
    }
}
