/// What can be said of a measure over comparable reports (`docs/progress.md`).
package struct Trend: Sendable, Equatable {
    package enum Verdict: String, Sendable, CaseIterable {
        /// There are fewer comparable reports with a valid value than it takes.
        case notEnoughYet = "not-enough-yet"
        /// No change that could not be chance, or none beyond the repeatability.
        case steady
        case improved
        case declined
    }

    /// How many comparable reports it takes.
    package static let least = 5
    /// How many of them are looked at, the newest.
    package static let window = 30
    /// A change in one direction counts when it would be at most so likely where nothing changed. Of five reports only an unbroken rise
    /// or fall is that rare: 1 of 120 orders.
    package static let chance = 0.01
    /// How many reports the beginning and the present have in ``firstMedian`` and ``lastMedian``.
    package static let few = 5

    package let verdict: Verdict
    /// How many values were looked at.
    package let reports: Int
    /// By how much the measure changed over what was looked at, in its unit: the Theil-Sen slope times the steps. Nil as long as there
    /// are not enough reports.
    package let change: Double?
    /// How likely the order of the values, or a clearer one, is where nothing changes; nil as long as there are not enough reports.
    package let chance: Double?
    /// The medians of the first five and of the last five comparable reports; nil below ten, where they would share some.
    package let firstMedian: Double?
    package let lastMedian: Double?

    /// - Parameters:
    ///   - all: the valid values of comparable reports, the oldest first; those in the middle may be left out.
    ///   - seen: those of them that the newest ``window`` comparable reports have.
    package init(_ measure: TrackedMeasure, all: [Double], seen: [Double]) {
        reports = seen.count
        let isLong = all.count >= 2 * Self.few
        firstMedian = isLong ? RankTrend.median(Array(all.prefix(Self.few))) : nil
        lastMedian = isLong ? RankTrend.median(Array(all.suffix(Self.few))) : nil
        guard seen.count >= Self.least else {
            (verdict, change, chance) = (.notEnoughYet, nil, nil)
            return
        }
        let shortfalls = seen.map(measure.shortfall)
        let trend = RankTrend(shortfalls)
        let moved = RankTrend.slope(shortfalls) * Double(seen.count - 1)
        change =
            switch measure.better {
            case .higher: -moved
            case .lower: moved
            case .within: RankTrend.slope(seen) * Double(seen.count - 1)
            }
        chance = min(trend.chanceOfFall, trend.chanceOfRise)
        // Two values may differ by the repeatability and be the same.
        let counts = moved.magnitude > measure.repeatability
        switch (counts, trend.chanceOfFall <= Self.chance, trend.chanceOfRise <= Self.chance) {
        case (true, true, _): verdict = .improved
        case (true, _, true): verdict = .declined
        default: verdict = .steady
        }
    }
}
