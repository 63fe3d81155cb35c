import Glibc

/// Writes a response's status line and fields.
enum ResponseHead {
    /// Fields that only the server sets.
    private static let own = ["Content-Length", "Transfer-Encoding", "Connection", "Date"]

    /// What browsers are told unless the handler says otherwise: nothing is guessed, shown in a frame, run, told to the next
    /// site (OWASP ASVS 5, section 3.4), or kept: nearly all answers are about somebody (section 14.3), and a refusal of one
    /// token must not answer the request that comes with another.
    private static let cautious = [
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
        ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
    ]

    /// The bytes of a head, including the empty line; nil if the handler set a field that cannot be sent.
    static func bytes(_ response: Response, framing: [(String, String)], keepsAlive: Bool, date: String) -> [UInt8]? {
        var out: [UInt8] = []
        out.reserveCapacity(512)
        out += "HTTP/1.1 \(response.status) \(reason(response.status))\r\nDate: \(date)\r\n".utf8
        for (name, value) in response.headers.fields where !own.contains(where: { Headers.same($0, name) }) {
            guard !name.isEmpty, name.utf8.allSatisfy(Token.contains), value.utf8.allSatisfy(isSafe) else { return nil }
            append(name, value, to: &out)
        }
        for (name, value) in cautious where response.headers[name] == nil { append(name, value, to: &out) }
        for (name, value) in framing { append(name, value, to: &out) }
        if !keepsAlive { append("Connection", "close", to: &out) }
        out += [0x0D, 0x0A]
        return out
    }

    private static func append(_ name: String, _ value: String, to out: inout [UInt8]) {
        out += name.utf8
        out += [0x3A, 0x20]
        out += value.utf8
        out += [0x0D, 0x0A]
    }

    private static func isSafe(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }

    /// The reason phrase of RFC 9110, section 15, of WebDAV's 423 and of tus's 460.
    static func reason(_ status: Int) -> String { reasons[status] ?? "" }

    private static let reasons = [
        100: "Continue", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type",
        416: "Range Not Satisfiable", 417: "Expectation Failed", 422: "Unprocessable Content",
        423: "Locked", 425: "Too Early", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 460: "Checksum Mismatch", 500: "Internal Server Error",
        501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
        507: "Insufficient Storage",
    ]

    /// The time as an HTTP date (RFC 9110, section 5.6.7).
    static func date(seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(day), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1_900) \(clock) GMT"
    }
}
