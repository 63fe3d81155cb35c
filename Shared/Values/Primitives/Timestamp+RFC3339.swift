extension Timestamp: CustomStringConvertible {
    private static let earliestWritten: Int64 = -62_167_219_200_000_000
    private static let latestWritten: Int64 = 253_402_300_799_999_999

    /// The moment as RFC 3339 text in UTC with six fractional digits, `2026-11-21T10:02:03.123456Z`.
    ///
    /// The format has four digits for the year: moments outside the years 0 to 9999 are clamped to that range.
    package var rfc3339: String {
        let moment = min(max(microseconds, Self.earliestWritten), Self.latestWritten)
        let days = Self.floored(moment, 86_400_000_000)
        let date = CalendarDate(daysSince1970: days)
        let time = moment - days * 86_400_000_000
        return String(unsafeUninitializedCapacity: 27) { buffer in
            var end = 0
            func put(_ number: Int64, digits: Int, then separator: Unicode.Scalar) {
                var rest = number
                for position in stride(from: end + digits - 1, through: end, by: -1) {
                    buffer[position] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                buffer[end + digits] = UInt8(ascii: separator)
                end += digits + 1
            }
            put(date.year, digits: 4, then: "-")
            put(date.month, digits: 2, then: "-")
            put(date.day, digits: 2, then: "T")
            put(time / 3_600_000_000, digits: 2, then: ":")
            put(time / 60_000_000 % 60, digits: 2, then: ":")
            put(time / 1_000_000 % 60, digits: 2, then: ".")
            put(time % 1_000_000, digits: 6, then: "Z")
            return end
        }
    }

    /// The same as ``rfc3339``.
    package var description: String { rfc3339 }

    /// A moment from RFC 3339 text with `Z` or an offset; nil for anything else.
    ///
    /// Fractional digits beyond the sixth are dropped. A leap second is read as the first moment of the next minute.
    package init?(rfc3339 text: some StringProtocol) {
        self.init(rfc3339: String(text))
    }

    /// The same for `String`: generic code is not specialized across modules, and every message has a time.
    package init?(rfc3339 text: String) {
        var text = text
        guard let read = text.withUTF8(Self.read) else { return nil }
        self = read
    }

    /// The same from UTF-8 bytes.
    package init?(rfc3339 text: UnsafeBufferPointer<UInt8>) {
        guard let read = Self.read(text) else { return nil }
        self = read
    }

    private static func read(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        var reader = DigitReader(text)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), let date = CalendarDate(year: year, month: month, day: day),
            reader.take("T") || reader.take("t"), let hour = reader.number(2), hour < 24, reader.take(":"),
            let minute = reader.number(2), minute < 60, reader.take(":"), let second = reader.number(2), second < 61,
            let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let minutes = date.daysSince1970 * 1_440 + hour * 60 + minute - offset
        // Leap seconds are only ever inserted at the end of a UTC day.
        if second == 60, floored(minutes, 1_440) * 1_440 + 1_439 != minutes { return nil }
        return Timestamp(microseconds: (minutes * 60 + second) * 1_000_000 + (second == 60 ? 0 : fraction))
    }
}

/// A cursor over the characters of an RFC 3339 string. It borrows them: a copy of each time would cost as much as reading it.
private struct DigitReader {
    private let text: UnsafeBufferPointer<UInt8>
    private var place = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    var isAtEnd: Bool { place == text.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard place < text.count, text[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    /// A number of exactly `digits` digits.
    mutating func number(_ digits: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// The microseconds after the decimal point; zero without a point, nil for a point without digits.
    mutating func fraction() -> Int64? {
        guard take(".") else { return 0 }
        guard var fraction = digit() else { return nil }
        var places = 1
        while let digit = digit() {
            guard places < 6 else { continue }
            fraction = fraction * 10 + digit
            places += 1
        }
        for _ in places..<6 { fraction *= 10 }
        return fraction
    }

    /// Minutes east of UTC.
    mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let sign: Int64
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard let hours = number(2), hours < 24, take(":"), let minutes = number(2), minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes)
    }

    private mutating func digit() -> Int64? {
        guard place < text.count, text[place] >= UInt8(ascii: "0"), text[place] <= UInt8(ascii: "9") else { return nil }
        place += 1
        return Int64(text[place - 1] - UInt8(ascii: "0"))
    }
}
