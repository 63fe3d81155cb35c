import Foundation

extension Call {
    /// For ten seconds the same refresh token gives the same answer again, because the first one may have been lost.
    static func refresh(with token: String) throws -> Call {
        try .post("/v1/auth/refresh", Bodies.Refresh(refreshToken: token), isRepeatable: true)
    }
}

extension MirrorMate {
    func answer<Answer: Decodable>(_ call: Call) async throws -> Answer {
        try Documents.decode(from: try await send(call))
    }

    @discardableResult
    func send(_ call: Call) async throws -> Data {
        try await withToken { try await server.send(call, token: $0) }
    }

    /// Does something with an access token, and again with a new one when that is all that is wrong.
    func withToken<Result>(_ work: (String) async throws -> Result) async throws -> Result {
        let token = try await login.accessToken()
        do {
            return try await work(token)
        } catch let problem as Problem where problem.code.isRenewable {
            return try await work(try await login.accessToken(insteadOf: token))
        } catch let problem as Problem where problem.code.endsLogin {
            try await login.forget(token)
            throw problem
        }
    }
}
