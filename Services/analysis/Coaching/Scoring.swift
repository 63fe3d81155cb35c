package import JSON

/// One of the six parts of the confidence score.
package struct ScorePart: Sendable, Equatable {
    /// The part's name in the report.
    package let name: String
    /// The published weight; all six add up to 100.
    package let weight: Double
    /// The figures that it is based on.
    package let figures: [Figure]
    /// 0 to 1; nil if it cannot be judged.
    package let value: Double?
    /// Why it cannot be judged.
    package let reason: String?
    /// The weight after renormalization over the valid parts, in percent; 0 if the part or the score is not valid.
    package internal(set) var share: Double = 0
}

/// The confidence score: published weights and formulas (`docs/scoring.md`), renormalized over the valid parts.
package struct Scoring: Sendable, Equatable {
    /// The six parts, heaviest first.
    package private(set) var parts: [ScorePart]
    /// 0 to 100; nil if too little is valid.
    package let score: Int64?
    /// Why there is no score.
    package let reason: String?

    package init(_ figures: Figures) {
        let voice = [Self.pace(figures), figures[.volumeConsistency], figures[.pauseEffectiveness]].compactMap { $0 }
        parts = [
            Self.part(
                "voice", 25, [.paceWordsPerMin, .volumeConsistency, .pauseEffectiveness].filter { figures[$0] != nil },
                voice.isEmpty ? nil : voice.reduce(0, +) / Double(voice.count),
                "neither pace nor volume nor pauses could be rated"),
            Self.part("posture", 20, [], nil, "posture is not measured"),
            Self.part(
                "eyeContact", 20, [.eyeContactPct], figures[.eyeContactPct],
                "facing the camera could not be rated, because \(figures.reason(.eyeContactPct))"),
            Self.part("gestures", 15, [], nil, "gestures are not measured"),
            Self.part(
                "fewFillers", 10, [.fillersPer100Words], figures[.fillersPer100Words].map { 1 - Self.ramp($0, 1, 10) },
                "filler words could not be counted, because \(figures.reason(.fillersPer100Words))"),
            Self.part(
                "vocalVariety", 10, [.tonalVariety], figures[.tonalVariety],
                "pitch could not be rated, because \(figures.reason(.tonalVariety))"),
        ]
        let hasVoice = parts.contains { $0.value != nil && ["voice", "vocalVariety"].contains($0.name) }
        let hasFace = parts.contains { $0.value != nil && $0.name == "eyeContact" }
        guard hasVoice, hasFace else {
            score = nil
            reason =
                switch (hasVoice, hasFace) {
                case (true, _): "a score needs a face figure, and \(figures.reason(.eyeContactPct))"
                case (_, true): "a score needs a voice figure, and \(figures.reason(.paceWordsPerMin))"
                default: "a score needs a voice and a face figure, and neither could be rated"
                }
            return
        }
        let total = parts.reduce(0) { $0 + ($1.value == nil ? 0 : $1.weight) }
        for index in parts.indices where parts[index].value != nil {
            parts[index].share = 100 * parts[index].weight / total
        }
        score = Int64(parts.reduce(0) { $0 + $1.share * ($1.value ?? 0) }.rounded())
        reason = nil
    }

    /// The share of the score that is based on a figure, in percent; nil if none is. A part's figures count equally.
    package func weight(of figure: Figure) -> Double? {
        for part in parts where part.share > 0 && part.figures.contains(figure) {
            return NumberText.rounded(part.share / Double(part.figures.count), places: 1)
        }
        return nil
    }

    /// The JSON form in the report.
    package var json: JSONValue {
        .array(
            parts.map { part in
                var object: JSONObject = [
                    "part": .string(part.name), "weight": .int(Int64(part.weight)),
                    "share": .double(NumberText.rounded(part.share, places: 1)),
                    "value": .optional(part.value.map { NumberText.rounded($0, places: 3) }),
                    "valid": .bool(part.value != nil),
                    "measures": .array(part.figures.map { .string($0.rawValue) }),
                ]
                if let reason = part.reason { object["reason"] = .string(reason) }
                return .object(object)
            })
    }

    /// 1 between 120 and 180 words per minute, falling to 0 at 60 and at 240.
    static func pace(_ figures: Figures) -> Double? {
        figures[.paceWordsPerMin].map { min(ramp($0, 60, 120), 1 - ramp($0, 180, 240)) }
    }

    /// 0 up to `low`, 1 from `high`, linear between.
    static func ramp(_ value: Double, _ low: Double, _ high: Double) -> Double {
        min(max((value - low) / (high - low), 0), 1)
    }

    private static func part(
        _ name: String, _ weight: Double, _ figures: [Figure], _ value: Double?, _ problem: String
    ) -> ScorePart {
        ScorePart(
            name: name, weight: weight, figures: figures, value: value.map { min(max($0, 0), 1) },
            reason: value == nil ? problem : nil)
    }
}
