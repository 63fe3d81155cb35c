package import Primitives

/// The days that somebody asks about, the first and the last included.
package struct PracticeRange: Sendable, Equatable {
    package var first: LocalDay
    package var last: LocalDay

    package init(first: LocalDay, last: LocalDay) {
        self.first = first
        self.last = last
    }

    /// How long ranges can be that end today.
    package enum Span: String, Sendable, CaseIterable {
        case week = "7d"
        case month = "1m"
        case quarter = "3m"
        case halfYear = "6m"
        case year = "1y"
        case threeYears = "3y"
        case fiveYears = "5y"

        private var months: Int64? {
            switch self {
            case .week: nil
            case .month: 1
            case .quarter: 3
            case .halfYear: 6
            case .year: 12
            case .threeYears: 36
            case .fiveYears: 60
            }
        }

        /// The range that ends with a day: a month ends on the 23rd and begins on the 24th of the month before.
        package func range(through today: LocalDay) -> PracticeRange {
            PracticeRange(first: months.map { today.earlier(months: $0) + 1 } ?? today - 6, last: today)
        }
    }

    /// How many days it has.
    package var days: Int64 { last - first + 1 }

    package func contains(_ day: LocalDay) -> Bool { first <= day && day <= last }
}
