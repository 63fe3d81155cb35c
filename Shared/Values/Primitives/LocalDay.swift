/// A calendar day somewhere, without a place: which one it is follows from a moment and the clock that is looked at.
package struct LocalDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Days since 1 January 1970; negative before.
    package let number: Int64

    package static let seconds: Int64 = 86_400

    package init(number: Int64) { self.number = number }

    /// The day that a clock shows at a moment.
    ///
    /// - Parameter utcOffsetSeconds: how far the clock is ahead of UTC; negative in the west.
    package init(of moment: Timestamp, utcOffsetSeconds: Int64) {
        number = Timestamp.floored(moment.seconds + utcOffsetSeconds, Self.seconds)
    }

    /// A day as ISO 8601 writes it, `2026-11-23`; nil for anything else and for days that do not exist.
    package init?(_ text: String) {
        var text = text
        guard let date = text.withUTF8(Self.date) else { return nil }
        number = date.daysSince1970
    }

    /// The same from UTF-8 bytes.
    package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        guard let date = Self.date(text) else { return nil }
        number = date.daysSince1970
    }

    private static func date(_ text: UnsafeBufferPointer<UInt8>) -> CalendarDate? {
        guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            let year = number(text[0..<4]), let month = number(text[5..<7]), let day = number(text[8..<10])
        else { return nil }
        return CalendarDate(year: year, month: month, day: day)
    }

    /// The first moment of the day on a clock that is so far ahead of UTC.
    package func start(utcOffsetSeconds: Int64) -> Timestamp {
        Timestamp(seconds: number * Self.seconds - utcOffsetSeconds)
    }

    /// As ISO 8601 writes it, `2026-11-23`.
    package var description: String {
        let date = CalendarDate(daysSince1970: number)
        return Self.text(date.year, 4) + "-" + Self.text(date.month, 2) + "-" + Self.text(date.day, 2)
    }

    /// Its month, `2026-11`.
    package var month: String {
        let date = CalendarDate(daysSince1970: number)
        return Self.text(date.year, 4) + "-" + Self.text(date.month, 2)
    }

    /// The days of its month.
    package var wholeMonth: ClosedRange<LocalDay> {
        let date = CalendarDate(daysSince1970: number)
        let first = self - (date.day - 1)
        return first...(first + (CalendarDate.length(ofMonth: date.month, year: date.year) - 1))
    }

    /// The days of its week (ISO 8601).
    package var wholeWeek: ClosedRange<LocalDay> { monday...(monday + 6) }

    /// The Monday of its week (ISO 8601).
    package var monday: LocalDay { LocalDay(number: number - (weekday - 1)) }

    /// 1 for Monday to 7 for Sunday (ISO 8601).
    package var weekday: Int64 { (number + 3) - Timestamp.floored(number + 3, 7) * 7 + 1 }

    /// Its week as ISO 8601 writes it, `2026-W48`: the year is that of the week's Thursday.
    package var week: String {
        let thursday = LocalDay(number: monday.number + 3)
        let year = CalendarDate(daysSince1970: thursday.number).year
        let first = CalendarDate(year: year, month: 1, day: 1)?.daysSince1970 ?? 0
        return Self.text(year, 4) + "-W" + Self.text((thursday.number - first) / 7 + 1, 2)
    }

    /// The same day so many months earlier, or the last one of that month where it has no such day.
    package func earlier(months: Int64) -> LocalDay {
        let date = CalendarDate(daysSince1970: number)
        let month = date.year * 12 + date.month - 1 - months
        let year = Timestamp.floored(month, 12)
        for day in stride(from: date.day, to: 27, by: -1) {
            if let earlier = CalendarDate(year: year, month: month - year * 12 + 1, day: day) {
                return LocalDay(number: earlier.daysSince1970)
            }
        }
        let day = min(date.day, 28)
        return LocalDay(
            number: CalendarDate(year: year, month: month - year * 12 + 1, day: day)?.daysSince1970 ?? number)
    }

    package static func < (left: LocalDay, right: LocalDay) -> Bool { left.number < right.number }

    /// The day so many days later.
    package static func + (day: LocalDay, days: Int64) -> LocalDay { LocalDay(number: day.number + days) }

    /// The day so many days earlier.
    package static func - (day: LocalDay, days: Int64) -> LocalDay { LocalDay(number: day.number - days) }

    /// How many days lie between the right day and the left one; negative when the left is earlier.
    package static func - (left: LocalDay, right: LocalDay) -> Int64 { left.number - right.number }

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return number
    }

    /// A number with zeros before it. Answers name thousands of days, so no memory is taken for what is as long as usual.
    private static func text(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return text.utf8.count < digits ? zeros[digits - text.utf8.count] + text : text
    }

    private static let zeros = ["", "0", "00", "000"]
}
