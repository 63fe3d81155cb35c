import Crypto
import EventStore
package import HTTPServer
import JSON
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
    /// When the token ends.
    package let expiresAt: Timestamp
    /// When the bearer last showed who they are; nil in a token of a login session for which that is not known.
    package let authenticatedAt: Timestamp?
    /// Whether the user has confirmed their address, when the token was made; nil for a user without one.
    package let isEmailVerified: Bool?
}

/// Checks access tokens from the service's own copy of the public keys and what it heard of ended login sessions, without
/// asking identity, even while it is down.
///
/// Each surface has one, and none accepts what was made for another (`docs/decisions/tokens.md`).
@Loop package final class TokenVerifier {
    /// The issuer and audience of all access tokens.
    package static let issuer = "mirrormate"
    package static let audience = "mirrormate"

    /// Why a caller whose token is good is refused nevertheless; nil while the login session lasts.
    package typealias Refusal = @Loop (Caller) async throws -> ProblemCode?

    /// Which tokens are accepted.
    package enum Surface: Sendable {
        /// Those of the native API.
        case native
        /// Those of the compatible surface, of one issuer.
        case compatible(issuer: String)
    }

    private let pool: PostgresPool
    private let surface: Surface
    private let wait: Duration
    private let security: SecurityLog
    private let refusal: Refusal
    private var keys: [String: ES256PublicKey] = [:]
    private var readAt: Int64 = 0
    private var reading: Task<Void, any Error>?
    private let unknown = UnknownKeys()
    /// How often the keys were read; at most every `UnknownKeys.pollInterval`, whatever tokens come.
    package private(set) var keyReads = 0

    /// - Parameters:
    ///   - surface: which tokens are accepted.
    ///   - wait: how long a token with an unknown key may wait for the key to arrive.
    ///   - security: what is told of refused tokens.
    ///   - refusal: looks for the end of a caller's login session.
    package init(
        _ pool: PostgresPool, of surface: Surface = .native, wait: Duration = .seconds(2), _ security: SecurityLog,
        refusal: @escaping Refusal
    ) {
        self.pool = pool
        self.surface = surface
        self.wait = wait
        self.security = security
        self.refusal = refusal
    }

    /// The caller of a request.
    ///
    /// - Parameter thoughErased: whether somebody who was erased may call too, as long as their token lasts.
    /// - Throws: a problem 401 when there is no valid token, or its login session has ended; 503 when its key is unknown and too
    ///   many such requests wait already.
    package func caller(of request: Request, thoughErased: Bool = false) async throws -> Caller {
        let caller = try await bearer(of: request)
        if let code = try await refusal(caller), !(thoughErased && code == .userGone) {
            throw unauthorized(code, request, of: caller.user)
        }
        return caller
    }

    /// Whom a request's token names, whether their login session lasts or not.
    ///
    /// - Throws: a problem 401 when there is no valid token; 503 as ``caller(of:thoughErased:)``.
    package func bearer(of request: Request) async throws -> Caller {
        guard let token = request.bearerToken else { throw unauthorized(.unauthenticated, request) }
        try await readKeys(olderThan: .seconds(5))
        var finding = look(at: token)
        if case .unknownKey(let name) = finding, UnknownKeys.isName(name) {
            // The key's own message may still be on its way.
            finding =
                try await unknown.waiting(for: name, from: request.clientNetworks, atMost: wait) {
                    try await readKeys(olderThan: UnknownKeys.pollInterval)
                    let finding = look(at: token)
                    if case .unknownKey = finding { return nil }
                    return finding
                } ?? finding
        }
        switch finding {
        case .caller(let caller): return caller
        case .refused(let code): throw unauthorized(code, request)
        case .unknownKey: throw unauthorized(.tokenUnknownKey, request)
        }
    }

    private enum Finding {
        case caller(Caller)
        case refused(ProblemCode)
        case unknownKey(String)
    }

    /// What the known keys say of a token.
    private func look(at token: String) -> Finding {
        let keys = keys
        var name = ""
        do throws(TokenError) {
            let key: (String) -> ES256PublicKey? = {
                name = $0
                return keys[$0]
            }
            switch surface {
            case .native:
                let claims = try AccessToken.verify(
                    token, keys: key, issuer: Self.issuer, audience: Self.audience, now: .now())
                return .caller(
                    Caller(
                        user: claims.subject, isDevice: claims.kind == .device, session: claims.session,
                        timeZone: claims.timeZone, expiresAt: claims.expiresAt,
                        authenticatedAt: claims.authenticatedAt, isEmailVerified: claims.isEmailVerified))
            case .compatible(let issuer):
                let claims = try CompatibleAccessToken.verify(token, keys: key, issuer: issuer, now: .now())
                return .caller(
                    Caller(
                        user: claims.subject, isDevice: claims.isAnonymous, session: claims.session,
                        timeZone: claims.timeZone, expiresAt: claims.expiresAt,
                        authenticatedAt: claims.methods.first?.at, isEmailVerified: claims.isEmailVerified))
            }
        } catch {
            return error == .unknownKey ? .unknownKey(name) : .refused(Self.code(of: error))
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

    /// The answer to a request without a good token. That there is none, or one that is over, is everyday; anything else
    /// stands in the security log.
    private func unauthorized(_ code: ProblemCode, _ request: Request, of user: UUID? = nil) -> Problem {
        if code != .unauthenticated, code != .tokenExpired {
            security.note(.tokenRefused, of: user, request, ["code": .string(code.description)])
        }
        return .unauthorized(code)
    }
}
