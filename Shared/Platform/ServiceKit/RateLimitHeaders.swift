package import HTTPServer

extension Headers {
    /// Adds headers that say what is left of a limit (draft-ietf-httpapi-ratelimit-headers).
    ///
    /// - Parameters:
    ///   - name: the limit's name.
    ///   - limit: how many in a window; nil if unlimited, and then no header is written.
    ///   - resetsIn: seconds until the window ends, when one is open.
    package mutating func setRateLimit(_ name: String, limit: Int64?, remaining: Int64, resetsIn: Int64?) {
        guard let limit else { return }
        self["RateLimit-Policy"] = "\"\(name)\";q=\(limit)"
        self["RateLimit"] = "\"\(name)\";r=\(remaining)" + (resetsIn.map { ";t=\(max(0, $0))" } ?? "")
    }
}
