/// Times in header fields (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// The time as an HTTP date, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Parameter seconds: since 1970.
    package static func text(seconds: Int64) -> String { ResponseHead.date(seconds: Int(seconds)) }
}
