package import HTTPServer
import JSON
import Primitives

/// What is left of a limit, as every answer says it that says so (draft-ietf-httpapi-ratelimit-headers-11).
package struct RateLimitStanding: Sendable {
    /// The limit's name.
    private let name: String
    /// How many in a window; nil where whoever answers does not know.
    private let limit: Int64?
    /// How long a window is; nil where that is not one number.
    private let window: Duration?
    private let remaining: Int64
    /// Seconds until the window ends, or everything is there again; nil when no window is open.
    private let resetsIn: Int64?

    /// - Parameter resetsIn: seconds until the window ends; below zero it counts as zero.
    package init(_ name: String, limit: Int64?, window: Duration? = nil, remaining: Int64, resetsIn: Int64?) {
        self.name = name
        self.limit = limit
        self.window = window
        self.remaining = remaining
        self.resetsIn = resetsIn
    }

    /// Adds the headers that say it.
    package func add(to headers: inout Headers) {
        if let limit {
            let seconds = window.map { ";w=\(max(1, $0.milliseconds / 1_000))" } ?? ""
            headers["RateLimit-Policy"] = "\"\(name)\";q=\(limit)\(seconds)"
        }
        headers["RateLimit"] = "\"\(name)\";r=\(remaining)" + (resetsIn.map { ";t=\(max(0, $0))" } ?? "")
    }
}

extension Problem {
    /// A problem 429 that says when to come again, in its header `Retry-After` and its member `retryAfterSeconds`.
    ///
    /// - Parameter seconds: how long that is; told in whole seconds, and never as less than one.
    package static func limited(_ code: ProblemCode, wait seconds: Double) -> Problem {
        let whole = max(1, Int64(seconds.rounded(.up)))
        return Problem(
            code, members: [("retryAfterSeconds", .int(whole))], headers: ["Retry-After": String(whole)])
    }
}
