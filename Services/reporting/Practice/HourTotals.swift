package import JSON

/// Seconds practised by the hour in which sessions began, over many days.
///
/// Five years of days have 44,000 hours in all, so a column is scanned for its figures and no JSON value is made.
package struct HourTotals: Sendable {
    /// By hour of the day, 0 to 23.
    package private(set) var seconds = [Int64](repeating: 0, count: 24)

    package init() {}

    /// The hours that have any, the earliest first.
    package var practised: [(hour: Int64, seconds: Int64)] {
        seconds.enumerated().filter { $0.element > 0 }.map { (Int64($0.offset), $0.element) }
    }

    /// The hour that has most, the earlier one of equals; nil when there is none.
    package var best: Int64? { practised.max { ($0.seconds, $1.hour) < ($1.seconds, $0.hour) }?.hour }

    /// Adds a day's column `hours`, such as `{"7": 600, "21": 900}`.
    ///
    /// - Throws: `JSONError` for anything but an object of hours with whole seconds.
    package mutating func add(_ column: [UInt8]) throws(JSONError) {
        var rest = column[...]
        try Self.take("{", &rest)
        if Self.next(&rest) == UInt8(ascii: "}") { return }
        while true {
            try Self.take("\"", &rest)
            let hour = try Self.number(&rest)
            try Self.take("\"", &rest)
            try Self.take(":", &rest)
            let practised = try Self.number(&rest)
            guard hour < 24 else { throw Self.unknown }
            seconds[Int(hour)] += practised
            if Self.next(&rest) == UInt8(ascii: "}") { return }
            try Self.take(",", &rest)
        }
    }

    private static let unknown = JSONError(.type, at: "hours", "must be an object of hours with whole seconds")

    /// The first byte that is no blank.
    private static func next(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
        while let byte = rest.first, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") { rest.removeFirst() }
        return rest.first
    }

    private static func take(_ mark: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) throws(JSONError) {
        guard next(&rest) == UInt8(ascii: mark) else { throw unknown }
        rest.removeFirst()
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) throws(JSONError) -> Int64 {
        var number: Int64 = 0
        var digits = 0
        _ = next(&rest)
        while let byte = rest.first, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
            digits += 1
            rest.removeFirst()
        }
        guard digits > 0, digits <= 15 else { throw unknown }
        return number
    }
}
