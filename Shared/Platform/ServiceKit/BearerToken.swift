package import HTTPServer

extension Request {
    /// The token of the header `Authorization: Bearer …` (RFC 6750); nil when there is none.
    package var bearerToken: String? {
        guard let header = headers["authorization"], header.lowercased().hasPrefix("bearer ") else { return nil }
        return String(header.dropFirst(7))
    }
}

extension Problem {
    /// A problem 401, which asks for a bearer token.
    package static func unauthorized(_ code: ProblemCode) -> Problem {
        Problem(code, headers: ["WWW-Authenticate": "Bearer"])
    }
}
