/// What somebody wants a measure to be, in how many recordings, within how many days.
package struct GoalTarget: Sendable, Equatable {
    /// Fillers a minute, which no report has among its measures: those that were counted, by the length.
    package static let fillersPerMinute = "fillersPerMin"
    /// All that can be aimed at.
    package static let measures = TrackedMeasure.all(pace: 0...1).map(\.name) + [fillersPerMinute]
    /// How many recordings a goal can ask for, and how many days it can take.
    package static let recordingLimit: Int64 = 50
    package static let dayLimit: Int64 = 92

    /// One of ``measures``.
    package var measure: String
    /// In the measure's unit; at least one of the two is there.
    package var atLeast: Double?
    package var atMost: Double?
    /// In so many recordings.
    package var recordings: Int64
    /// Local days, the one on which the goal is set among them.
    package var days: Int64

    package init(measure: String, atLeast: Double?, atMost: Double?, recordings: Int64, days: Int64) {
        self.measure = measure
        self.atLeast = atLeast
        self.atMost = atMost
        self.recordings = recordings
        self.days = days
    }

    /// Whether anybody can meet it, and it says anything.
    package var isPossible: Bool {
        guard Self.measures.contains(measure), atLeast != nil || atMost != nil else { return false }
        let range = Self.range(of: measure)
        guard [atLeast, atMost].allSatisfy({ $0.map(range.contains) ?? true }) else { return false }
        return (atLeast ?? range.lowerBound) <= (atMost ?? range.upperBound)
            && (1...Self.recordingLimit).contains(recordings) && (1...Self.dayLimit).contains(days)
    }

    /// Between what values of a measure lie.
    private static func range(of measure: String) -> ClosedRange<Double> {
        switch measure {
        case "confidenceScore", "fillersPer100Words", fillersPerMinute: 0...100
        case "paceWordsPerMin": 0...1_000
        default: 0...1
        }
    }

    /// The unit of its values.
    package var unit: String {
        measure == Self.fillersPerMinute
            ? "per minute" : TrackedMeasure.all(pace: 0...1).first { $0.name == measure }?.unit ?? ""
    }

    /// Whether a recording with this value counts.
    package func isMet(by value: Double) -> Bool { (atLeast ?? value) <= value && value <= (atMost ?? value) }
}

/// The goal that is worth most next.
package struct GoalProposal: Sendable, Equatable {
    package let target: GoalTarget
    /// The median of the newest values, from which it starts.
    package let from: Double
    /// About how many points the score would gain if the measure were as good as counts.
    package let points: Double

    /// In how many recordings, and within how many days.
    package static let recordings: Int64 = 5
    package static let days: Int64 = 7
    /// How many values it starts from.
    package static let values = 5

    /// The way to where nothing is gained any more, half of it; nil where all of it is worth no more than two points.
    ///
    /// - Parameter values: the newest comparable ones, any order.
    package init?(_ measure: TrackedMeasure, _ values: [Double]) {
        guard !values.isEmpty else { return nil }
        let from = RankTrend.median(values)
        let gap: Double
        let target: (atLeast: Double?, atMost: Double?)
        switch measure.better {
        case .higher:
            guard let best = measure.best else { return nil }
            gap = best - from
            let wanted = measure.rounded(from + max(gap / 2, measure.twoPoints), .up)
            target = (min(wanted, best), nil)
        case .lower:
            guard let best = measure.best else { return nil }
            gap = from - best
            let wanted = measure.rounded(from - max(gap / 2, measure.twoPoints), .down)
            target = (nil, max(wanted, best))
        case .within(let range):
            gap = measure.shortfall(from)
            // The last step leads into the range.
            let left = gap / 2 > measure.twoPoints ? gap / 2 : 0
            target =
                from < range.lowerBound
                ? (measure.rounded(range.lowerBound - left, .up), range.upperBound)
                : (range.lowerBound, measure.rounded(range.upperBound + left, .down))
        }
        guard gap > measure.twoPoints else { return nil }
        self.from = from
        points = min(gap, measure.reach) / measure.twoPoints * TrackedMeasure.pointsThatCount
        self.target = GoalTarget(
            measure: measure.name, atLeast: target.atLeast, atMost: target.atMost, recordings: Self.recordings,
            days: Self.days)
    }
}

extension TrackedMeasure {
    /// A target that is easy to remember.
    func rounded(_ value: Double, _ rule: FloatingPointRoundingRule) -> Double {
        // What is a multiple but for its last binary digits stays one.
        let steps = (value / step * 1e6).rounded() / 1e6
        return (steps.rounded(rule) * step * 1e4).rounded() / 1e4
    }
}
