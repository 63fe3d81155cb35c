package import Contracts
import EventStore
package import HTTPServer
import JSON
import Postgres
import Primitives
package import Runtime

/// Checks the tokens of apps, by one indexed read of what identity has announced.
@Loop package final class AppTokens {
    private let pool: PostgresPool
    private let wait: Duration
    private let security: SecurityLog
    private let refusal: TokenVerifier.Refusal
    private let unknown = UnknownKeys()
    /// How often a token was looked for.
    package private(set) var lookups = 0

    /// - Parameters: as of ``TokenVerifier``.
    init(_ pool: PostgresPool, wait: Duration, _ security: SecurityLog, refusal: @escaping TokenVerifier.Refusal) {
        self.pool = pool
        self.wait = wait
        self.security = security
        self.refusal = refusal
    }

    /// The caller of a request to an app's routes.
    ///
    /// - Throws: a problem 401 when there is no token, or one that was not made for this surface or is over; 503 when too many
    ///   requests with unknown tokens wait already; `PostgresError`.
    package func caller(of request: Request, on surface: AppSurface) async throws -> Caller {
        guard let text = request.bearerToken else { throw Problem.unauthorized(.unauthenticated) }
        guard let token = AppToken(text) else { throw refused(.tokenMalformed, request) }
        var found = try await find(token, surface)
        if found == nil {
            // A token may be used before its announcement is here.
            found = try await unknown.waiting(
                for: Hex.encode(token.hash), from: request.clientNetworks, atMost: wait
            ) { try await find(token, surface) }
        }
        guard let caller = found else { throw refused(.appTokenUnknown, request) }
        guard try await refusal(caller) == nil else { throw refused(.appTokenUnknown, request, of: caller) }
        return caller
    }

    /// Removes tokens that are over.
    ///
    /// - Throws: `PostgresError`.
    package func sweep() async throws { _ = try await pool.query("delete from app_tokens where expires_at < now()") }

    private func find(_ token: AppToken, _ surface: AppSurface) async throws -> Caller? {
        lookups += 1
        return try await pool.query(
            """
            select owner_id, session, time_zone, expires_at from app_tokens
            where hash = $1 and surface = $2 and expires_at > clock_timestamp()
                and not exists (select from erased_subjects where subject = owner_id)
            """, [.bytes(token.hash), .text(surface.rawValue)]
        ).first.map { row in
            Caller(
                user: row.uuid(0), isDevice: false, session: row.uuid(1), timeZone: row.optional(2, PostgresRow.text),
                expiresAt: row.time(3), authenticatedAt: nil, isEmailVerified: nil)
        }
    }

    /// The answer to a token that opens nothing here; it stands in the security log.
    private func refused(_ code: ProblemCode, _ request: Request, of caller: Caller? = nil) -> Problem {
        security.note(.tokenRefused, of: caller?.user, request, ["code": .string(code.description)])
        return .unauthorized(code)
    }
}
