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
    /// The change that moves the score by ``pointsThatCount`` on its own, in the measure's unit.
    package let twoPoints: Double
    /// How far the same recording may differ when another phone encodes it; no less than ``twoPoints``. Only a larger change counts.
    package let repeatability: Double
    /// The engines whose change makes values another thing, by their names in a report's `engines`.
    package let engines: [String]
    /// Whether what was spoken for changes what the value means.
    package let isOfScenario: Bool
    /// From where on the score gains nothing more; nil of what is better within a range, and of the score itself.
    package let best: Double?
    /// How far from the best the score still loses more.
    package let reach: Double
    /// Targets are multiples of this.
    package let step: Double

    /// - Parameter encoding: how far it was seen to differ in the same recording, encoded again (`make accuracy`).
    private init(
        _ name: String, unit: String, _ better: Better, twoPoints: Double, encoding: Double = 0, engines: [String],
        isOfScenario: Bool = false, best: Double?, reach: Double, step: Double
    ) {
        self.best = best
        self.reach = reach
        self.step = step
        self.name = name
        self.unit = unit
        self.better = better
        self.twoPoints = twoPoints
        repeatability = max(twoPoints, encoding)
        self.engines = engines + ["thresholds"]
        self.isOfScenario = isOfScenario
    }

    /// The points of the score that a change must be worth to matter.
    static let pointsThatCount = 2.0

    private static let words = ["asr", "model", "aligner"]
    private static let face = ["face"]
    private static let vision = ["vision", "video"]
    /// All engines that measure.
    static let everyEngine = words + face + vision + ["thresholds"]

    /// All of them: the score, and the figures that it rests on.
    ///
    /// - Parameter pace: the words per minute between which pace is right.
    package static func all(pace: ClosedRange<Double>) -> [TrackedMeasure] {
        [
            TrackedMeasure(
                "confidenceScore", unit: "points of 100", .higher, twoPoints: 2, engines: words + face + vision,
                isOfScenario: true, best: nil, reach: 0, step: 1),
            TrackedMeasure(
                "paceWordsPerMin", unit: "words/min", .within(pace), twoPoints: 3.6, encoding: 6, engines: words,
                best: nil, reach: 55, step: 5),
            TrackedMeasure(
                "fillersPer100Words", unit: "per 100 words", .lower, twoPoints: 1.4, encoding: 5.2,
                engines: words, best: 1, reach: 7, step: 0.5),
            share("pauseEffectiveness", twoPoints: 0.065, engines: words),
            share("volumeConsistency", twoPoints: 0.13, engines: []),
            share("tonalVariety", twoPoints: 0.065, engines: []),
            share("eyeContactPct", twoPoints: 0.035, engines: face, best: 0.95, reach: 0.75),
            share("faceLiveliness", twoPoints: 0.11, engines: face),
            share("soundQuality", twoPoints: 0.13, engines: []),
            share("pictureQuality", twoPoints: 0.13, engines: face),
        ]
    }

    /// One from 0 to 1 of which more is better.
    private static func share(
        _ name: String, twoPoints: Double, engines: [String], best: Double = 1, reach: Double = 1
    ) -> TrackedMeasure {
        TrackedMeasure(
            name, unit: "0-1", .higher, twoPoints: twoPoints, engines: engines, best: best, reach: reach,
            step: 0.05)
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
