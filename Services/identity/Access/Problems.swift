package import HTTPServer
package import JSON
import ServiceKit

extension Problem {
    /// 429 with the time to wait.
    static func tooManyAttempts(seconds: Int64) -> Problem {
        Problem(
            .tooManyAttempts, members: [("retryAfterSeconds", .int(seconds))],
            headers: ["Retry-After": String(seconds)])
    }

    /// 503 while too many passwords wait to be hashed.
    static let passwordsBusy = Problem(.busy, headers: ["Retry-After": "2"])
}

extension JSONObject {
    /// Refuses members that a route does not know, so that nobody thinks to have set what was not.
    package func allow(_ names: String...) throws(Problem) {
        for key in keys where !names.contains(key) {
            throw Problem(.memberUnknown, detail: "Send only what this route knows: \(names.joined(separator: ", ")).")
        }
    }
}
