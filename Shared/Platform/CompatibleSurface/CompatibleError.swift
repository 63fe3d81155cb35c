package import HTTPServer
package import JSON

/// A refusal on the compatible surface. Codes are those that its clients know; each prefix writes them in a form of its own.
package struct CompatibleError: Error, Sendable {
    /// The HTTP status, 400 to 599.
    package var status: Int
    /// What programs tell refusals by, such as `invalid_credentials`, `PGRST116` or `NoSuchKey`.
    package var code: String
    /// What went wrong and what to do about it.
    package var message: String
    /// `details` and `hint` of REST.
    package var details: String?
    package var hint: String?
    /// `error` of storage; by default the code.
    package var title: String?
    /// Further members of the body, such as `weak_password` or `remaining`.
    package var members: JSONObject
    /// Fields of the answer, such as `Retry-After`.
    package var headers: Headers
    /// Whether it has the form of OAuth, `error` and `error_description`, as the grants of identity tokens do.
    package var isOAuth = false

    package init(
        _ status: Int, _ code: String, _ message: String, details: String? = nil, hint: String? = nil,
        title: String? = nil, members: JSONObject = [:], headers: Headers = [:]
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.hint = hint
        self.title = title
        self.members = members
        self.headers = headers
    }

    /// A refusal in OAuth's form (RFC 6749, section 5.2), 400.
    package static func oauth(_ error: String, _ description: String) -> CompatibleError {
        var refusal = CompatibleError(400, error, description)
        refusal.isOAuth = true
        return refusal
    }

    /// The answer as clients of a prefix read it.
    package func response(on prefix: CompatiblePrefix) -> Response {
        var headers = headers
        headers["Cache-Control"] = "no-store"
        let body: JSONObject
        switch prefix {
        case .auth where isOAuth: body = ["error": .string(code), "error_description": .string(message)]
        case .auth:
            // Both names of each, because some clients look at one and some at the other.
            body = [
                "code": .string(code), "error_code": .string(code), "msg": .string(message),
                "message": .string(message),
            ]
        case .rest:
            body = [
                "code": .string(code), "message": .string(message), "details": .optional(details),
                "hint": .optional(hint),
            ]
            headers["Proxy-Status"] = "PostgREST; error=\(code)"
            if status == 401 { headers["WWW-Authenticate"] = "Bearer error=\"invalid_token\"" }
        case .storage:
            body = [
                "statusCode": .string(String(status)), "error": .string(title ?? code), "message": .string(message),
                "code": .string(code),
            ]
        case .functions:
            body = [
                "error": .string(message), "code": .string(code), "message": .string(message),
                "msg": .string(message),
            ]
        }
        return .json(.object(body.adding(membersOf: members)), status: status, headers: headers)
    }
}

extension CompatibleError {
    /// What a problem of the platform is called on a prefix. A route that knows a better word throws that instead.
    package static func of(_ problem: Problem, on prefix: CompatiblePrefix) -> CompatibleError {
        let (status, code, title) = name(problem, prefix)
        var error = CompatibleError(status, code, problem.detail, title: title, headers: problem.headers)
        error.headers["WWW-Authenticate"] = nil
        return error
    }

    /// Status, code and, on storage, title.
    private static func name(_ problem: Problem, _ prefix: CompatiblePrefix) -> (Int, String, String?) {
        let status = problem.status
        return switch prefix {
        case .auth: auth(problem)
        case .rest:
            switch (problem.code.description, status) {
            case ("token-expired", _): (401, "PGRST303", nil)
            case (_, 401): (401, "PGRST301", nil)
            // PostgreSQL's own words, where PostgREST has none: no privilege, another was faster, a limit was reached.
            case (_, 403): (403, "42501", nil)
            case (_, 404): (404, "PGRST125", nil)
            case (_, 405): (405, "PGRST117", nil)
            case (_, 409): (409, "40001", nil)
            case (_, 429): (429, "53400", nil)
            case ("invalid-json", _), (_, 413), (_, 415), (_, 422): (400, "PGRST102", nil)
            case (_, 503): (503, "PGRST002", nil)
            default: (status, status >= 500 ? "XX000" : "PGRST100", nil)
            }
        case .storage:
            switch status {
            case 401: (401, "InvalidJWT", "Unauthorized")
            case 403: (403, "AccessDenied", "Unauthorized")
            case 404: (404, "NoSuchKey", "not_found")
            case 409: (409, "ResourceAlreadyExists", "Duplicate")
            case 413: (413, "EntityTooLarge", "Payload too large")
            case 415: (415, "InvalidMimeType", "invalid_mime_type")
            case 429, 503: (status, "SlowDown", "slow_down")
            case 500...: (status, "InternalError", "internal")
            default: (status, "InvalidRequest", "invalid_request")
            }
        case .functions: (status, problem.code.description, nil)
        }
    }

    private static func auth(_ problem: Problem) -> (Int, String, String?) {
        switch (problem.code.description, problem.status) {
        case ("unauthenticated", _): (401, "no_authorization", nil)
        case ("login-session-ended", _): (403, "session_not_found", nil)
        case ("user-gone", _): (403, "user_not_found", nil)
        case ("confirmation-needed", _): (400, "reauthentication_needed", nil)
        case (_, 401): (403, "bad_jwt", nil)
        case ("invalid-json", _): (400, "bad_json", nil)
        case (_, 429): (429, "over_request_rate_limit", nil)
        // A method that is not there is told apart from a path that is not.
        case (_, 404), (_, 405): (problem.status, "not_found", nil)
        case (_, 500...): (problem.status, "unexpected_failure", nil)
        default: (400, "validation_failed", nil)
        }
    }
}
