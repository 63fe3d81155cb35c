/// A measure that progress is told of: which way is better, and how much is more than the same recording can differ by.
package struct TrackedMeasure: Sendable, Equatable {
    package enum Better: Sendable, Equatable {
        case higher, lower
        /// Inside the range there is nothing to gain; outside, nearer is better.
        case within(ClosedRange<Double>)

        /// As clients read it.
        package var name: String {
            switch self {
            case .higher: "higher"
            case .lower: "lower"
            case .within: "within"
            }
        }
    }

    /// As in a report's `measures`.
    package let name: String
    package let unit: String
    package let better: Better
    /// The least change that counts, in the measure's unit. For the score it is how far the score of one recording differs when
    /// another phone encodes it; for what the score rests on it is the change that moves the score by as much on its own.
    package let repeatability: Double
    /// The engines whose change makes values another thing, by their names in a report's `engines`.
    package let engines: [String]
    /// Whether what was spoken for changes what the value means.
    package let isOfScenario: Bool

    private init(
        _ name: String, unit: String, _ better: Better, repeatability: Double, engines: [String],
        isOfScenario: Bool = false
    ) {
        self.name = name
        self.unit = unit
        self.better = better
        self.repeatability = repeatability
        self.engines = engines + ["thresholds"]
        self.isOfScenario = isOfScenario
    }

    private static let words = ["asr", "model", "aligner"]
    private static let face = ["face"]
    /// All engines that measure.
    static let everyEngine = words + face + ["thresholds"]

    /// All of them: the score, and the figures that it rests on.
    ///
    /// - Parameter pace: the words per minute between which pace is right.
    package static func all(pace: ClosedRange<Double>) -> [TrackedMeasure] {
        [
            TrackedMeasure(
                "confidenceScore", unit: "points of 100", .higher, repeatability: 2, engines: words + face,
                isOfScenario: true),
            TrackedMeasure("paceWordsPerMin", unit: "words/min", .within(pace), repeatability: 3.6, engines: words),
            TrackedMeasure("fillersPer100Words", unit: "per 100 words", .lower, repeatability: 1.4, engines: words),
            TrackedMeasure("pauseEffectiveness", unit: "0-1", .higher, repeatability: 0.065, engines: words),
            TrackedMeasure("volumeConsistency", unit: "0-1", .higher, repeatability: 0.13, engines: []),
            TrackedMeasure("tonalVariety", unit: "0-1", .higher, repeatability: 0.065, engines: []),
            TrackedMeasure("eyeContactPct", unit: "0-1", .higher, repeatability: 0.035, engines: face),
            TrackedMeasure("faceLiveliness", unit: "0-1", .higher, repeatability: 0.11, engines: face),
            TrackedMeasure("soundQuality", unit: "0-1", .higher, repeatability: 0.13, engines: []),
            TrackedMeasure("pictureQuality", unit: "0-1", .higher, repeatability: 0.13, engines: face),
        ]
    }

    /// How much worse than best a value is, so that lower is better whichever way the measure goes.
    package func shortfall(_ value: Double) -> Double {
        switch better {
        case .higher: -value
        case .lower: value
        case .within(let range): max(range.lowerBound - value, value - range.upperBound, 0)
        }
    }
}
