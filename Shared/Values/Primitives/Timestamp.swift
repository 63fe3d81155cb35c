import CClock

/// A moment in UTC, counted in microseconds since 1 January 1970.
///
/// Arithmetic saturates at the ends of the range, about 292,000 years, instead of trapping.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since 1 January 1970 UTC; negative before.
    package let microseconds: Int64

    /// The first moment of 1970, UTC.
    package static let epoch = Timestamp(microseconds: 0)

    /// A moment from microseconds since 1970.
    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// A moment from milliseconds since 1970.
    package init(milliseconds: Int64) {
        self.init(microseconds: Self.product(milliseconds, 1_000))
    }

    /// A moment from seconds since 1970, such as a token's `exp`.
    package init(seconds: Int64) {
        self.init(microseconds: Self.product(seconds, 1_000_000))
    }

    /// The current time, from the system's real-time clock.
    package static func now() -> Timestamp {
        Timestamp(microseconds: mm_wall_microseconds())
    }

    /// Whole seconds since 1970, rounded down.
    package var seconds: Int64 { Self.floored(microseconds, 1_000_000) }

    /// Whole milliseconds since 1970, rounded down.
    package var milliseconds: Int64 { Self.floored(microseconds, 1_000) }

    /// The moment so many seconds later.
    package func adding(seconds: Int64) -> Timestamp {
        Timestamp(microseconds: Self.sum(microseconds, Self.product(seconds, 1_000_000)))
    }

    /// The moment so many milliseconds later.
    package func adding(milliseconds: Int64) -> Timestamp {
        Timestamp(microseconds: Self.sum(microseconds, Self.product(milliseconds, 1_000)))
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The moment a duration later, to the microsecond.
    package static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(microseconds: sum(moment.microseconds, duration.microseconds))
    }

    /// The moment a duration earlier, to the microsecond.
    package static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        let (difference, overflow) = moment.microseconds.subtractingReportingOverflow(duration.microseconds)
        return Timestamp(microseconds: overflow ? (moment.microseconds < 0 ? .min : .max) : difference)
    }

    /// The time from the right moment to the left one; negative when the left is earlier.
    package static func - (left: Timestamp, right: Timestamp) -> Duration {
        .microseconds(left.microseconds) - .microseconds(right.microseconds)
    }

    /// Division that rounds down, for negative numbers too.
    static func floored(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private static func product(_ left: Int64, _ right: Int64) -> Int64 {
        let (product, overflow) = left.multipliedReportingOverflow(by: right)
        return overflow ? (left < 0 ? .min : .max) : product
    }

    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? (left < 0 ? .min : .max) : sum
    }
}
