import JSON
import Primitives

/// Small texts of the commands that look at history.
enum Format {
    /// The time of day with milliseconds, in UTC.
    static func clock(_ moment: Timestamp) -> String { String(moment.rfc3339.dropFirst(11).prefix(12)) }

    /// Day and time of day with milliseconds, in UTC.
    static func moment(_ moment: Timestamp) -> String {
        let text = moment.rfc3339
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(12))"
    }

    /// A length of time in a unit that fits.
    static func length(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        switch abs(milliseconds) {
        case 0..<1_000: return "\(milliseconds) ms"
        case 1_000..<120_000: return "\(milliseconds / 1_000).\(abs(milliseconds) % 1_000 / 100) s"
        default: return "\(milliseconds / 60_000) min"
        }
    }

    /// Something counted: `1 event`, `2 events`.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// A value on one line, texts without quotes.
    static func value(_ value: JSONValue) -> String { value.stringValue ?? (value.isNull ? "–" : value.text) }
}
