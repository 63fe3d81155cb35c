package import Primitives

/// The field `Retry-After` of an answer (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// The longest pause that is believed.
    private static let most: Int64 = 86_400
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// How long to wait: from seconds, or until an HTTP date; nil for anything else, and for what is over.
    package static func read(_ text: String, at now: Timestamp) -> Duration? {
        if text.utf8.count <= 9, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int64(text).map { .seconds(min($0, most)) }
        }
        guard let moment = date(text), moment > now else { return nil }
        return min(moment - now, .seconds(most))
    }

    /// A date in the preferred form, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func date(_ text: String) -> Timestamp? {
        guard let parts = text.wholeMatch(of: #/[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT/#),
            let month = months.firstIndex(of: String(parts.2))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return Timestamp(rfc3339: "\(parts.3)-\(number)-\(parts.1)T\(parts.4)Z")
    }
}
