import Crypto
import EventStore
package import HTTPServer
package import Postgres
package import Primitives
package import Runtime

/// The caller of a request, as its verified access token names it.
package struct Caller: Sendable, Equatable {
    /// The user, or the anonymous device, which is a user too.
    package let user: UUID
    package let isDevice: Bool
    /// The login session.
    package let session: UUID
    /// The user's IANA time zone, when identity knows it.
    package let timeZone: String?
}

/// Checks access tokens from the service's own copy of the public keys, without asking identity, even while it is down.
@Loop package final class TokenVerifier {
    /// The issuer and audience of all access tokens.
    package static let issuer = "mirrormate"
    package static let audience = "mirrormate"

    private let pool: PostgresPool
    private let wait: Duration
    private var keys: [String: ES256PublicKey] = [:]
    private var readAt: Int64 = 0
    private var reading: Task<Void, any Error>?
    /// How often the keys were read; at most every ``pollInterval``, whatever tokens come.
    package private(set) var keyReads = 0

    /// How often a token with an unknown key has the keys read again, all such tokens together.
    package static let pollInterval = Duration.milliseconds(50)

    /// - Parameter wait: how long a token with an unknown key may wait for the key to arrive.
    package init(_ pool: PostgresPool, wait: Duration = .seconds(2)) {
        self.pool = pool
        self.wait = wait
    }

    /// The caller of a request.
    ///
    /// - Throws: a problem 401 when there is no valid token.
    package func caller(of request: Request) async throws -> Caller {
        guard let header = request.headers["authorization"], header.lowercased().hasPrefix("bearer ") else {
            throw Self.unauthorized(.unauthenticated)
        }
        let token = String(header.dropFirst(7))
        let deadline = monotonicNanoseconds() + wait.nanosecondsClamped
        try await readKeys(olderThan: .seconds(5))
        while true {
            do throws(TokenError) {
                let keys = keys
                let claims = try AccessToken.verify(
                    token, keys: { keys[$0] }, issuer: Self.issuer, audience: Self.audience, now: .now())
                return Caller(
                    user: claims.subject, isDevice: claims.kind == .device, session: claims.session,
                    timeZone: claims.timeZone)
            } catch {
                // The key's own message may still be on its way.
                guard error == .unknownKey, monotonicNanoseconds() < deadline else {
                    throw Self.unauthorized(Self.code(of: error))
                }
            }
            try await Loop.sleep(for: Self.pollInterval)
            try await readKeys(olderThan: Self.pollInterval)
        }
    }

    /// Reads the keys when what is known is older; whoever comes meanwhile waits for the same answer.
    private func readKeys(olderThan age: Duration) async throws {
        if let reading { return try await reading.value }
        guard readAt == 0 || monotonicNanoseconds() - readAt >= age.nanosecondsClamped else { return }
        let task = Task { try await fetchKeys() }
        reading = task
        defer { reading = nil }
        try await task.value
    }

    private func fetchKeys() async throws {
        keyReads += 1
        let rows = try await pool.query("select kid, x, y from good_signing_keys").rows
        readAt = monotonicNanoseconds()
        keys = [:]
        for row in rows { keys[row.text(0)] = try? ES256PublicKey(jwkX: row.text(1), jwkY: row.text(2)) }
    }

    /// What is wrong with a token, as clients see it.
    nonisolated static func code(of error: TokenError) -> ProblemCode {
        switch error {
        case .malformed: .tokenMalformed
        case .unknownKey: .tokenUnknownKey
        case .badSignature: .tokenBadSignature
        case .expired: .tokenExpired
        case .notYetValid: .tokenNotYetValid
        case .wrongIssuer: .tokenWrongIssuer
        case .wrongAudience: .tokenWrongAudience
        }
    }

    private static func unauthorized(_ code: ProblemCode) -> Problem {
        Problem(code, headers: ["WWW-Authenticate": "Bearer"])
    }
}
