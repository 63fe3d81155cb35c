package import HTTPServer
package import JSON

extension Problem {
    /// 422 for a request that is well-formed and yet not acceptable.
    package static func unacceptable(_ code: String, _ detail: String) -> Problem {
        Problem(status: 422, code: code, title: "The request cannot be accepted", detail: detail)
    }

    /// 429 with the time to wait.
    static func tooManyAttempts(seconds: Int64) -> Problem {
        Problem(
            status: 429, code: "too-many-attempts", title: "Too many attempts",
            detail: "Wait for as many seconds as Retry-After says, then try again.",
            members: [("retryAfterSeconds", .int(seconds))], headers: ["Retry-After": String(seconds)])
    }

    /// 401 for a refresh token that lets nobody in.
    static let refreshTokenInvalid = Problem(
        status: 401, code: "refresh-token-invalid", title: "The login session is over", detail: "Sign in again.")

    /// 401 for a refresh token that was used before.
    static let refreshTokenReused = Problem(
        status: 401, code: "refresh-token-reused", title: "The login session was ended",
        detail: "This refresh token was used before, so somebody else may have it: sign in again.")

    /// 401 for a mailed code that cannot be used.
    package static let codeInvalid = Problem(
        status: 401, code: "code-invalid", title: "The code cannot be used",
        detail: "A code can be used once and not for long; ask for another mail.")

    /// 503 while too many passwords wait to be hashed.
    static let passwordsBusy = Problem(
        status: 503, code: "busy", title: "Too many sign-ins at once",
        detail: "Try the same request again in a moment.", headers: ["Retry-After": "2"])
}

extension JSONObject {
    /// Refuses members that a route does not know, so that nobody thinks to have set what was not.
    package func allow(_ names: String...) throws(Problem) {
        for key in keys where !names.contains(key) {
            throw .unacceptable("member-unknown", "Send only what this route knows: \(names.joined(separator: ", ")).")
        }
    }
}
