import Access
import Crypto
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Login sessions and their tokens.
///
/// Using a refresh token gives the one with the next number; using it again within the grace gives the same next one,
/// because the first answer may have been lost; using an older one ends the session (RFC 9700, section 4.14.2).
@Loop struct Logins {
    private let pool: PostgresPool
    private let settings: IdentitySettings
    private let keyring: SigningKeyring

    init(_ pool: PostgresPool, _ settings: IdentitySettings, _ keyring: SigningKeyring) {
        self.pool = pool
        self.settings = settings
        self.keyring = keyring
    }

    /// The row of a new login session, for the append that lets somebody in.
    func beginning(_ session: UUID, of user: UUID) -> RowCall {
        RowCall(
            "begin_login",
            [
                "session": .uuid(session), "userId": .uuid(user),
                "expiresAt": .time(.now() + settings.loginLifetime),
            ])
    }

    /// Access token and refresh token, as all answers that let somebody in have them.
    func tokens(
        of user: UUID, _ kind: AccessTokenClaims.Kind, session: UUID, number: Int64 = 1
    ) async throws -> JSONObject {
        let zone = try await pool.query("select time_zone from profiles where user_id = $1", [.uuid(user)]).first
        let now = Timestamp.now()
        let claims = AccessTokenClaims(
            subject: user, issuer: TokenVerifier.issuer, audience: [TokenVerifier.audience], issuedAt: now,
            expiresAt: now + settings.accessTokenLifetime, id: .v7(), session: session, kind: kind,
            timeZone: zone?.text(0))
        return [
            "accessToken": .string(try keyring.sign(claims, at: now)),
            "refreshToken": .string(RefreshToken(session: session, number: number).text(key: settings.secrets.refresh)),
            "expiresIn": .int(settings.accessTokenLifetime.milliseconds / 1_000),
            "tokenType": "Bearer",
        ]
    }

    /// New tokens for a refresh token.
    ///
    /// - Throws: a problem 401 when the login session is over.
    func refresh(_ token: String) async throws -> JSONObject {
        guard let token = RefreshToken(token, key: settings.secrets.refresh) else { throw Problems.refreshTokenInvalid }
        let result = try await pool.query(
            "select verdict, owner, number, is_account from turn_login($1, $2, $3 * interval '1 microsecond')",
            [.uuid(token.session), .int(token.number), .double(Double(settings.refreshGrace.microseconds))])
        let row = result.rows[0]
        switch row.text(0) {
        case "turned", "repeated":
            return try await tokens(
                of: row.uuid(1), row.bool(3) ? .user : .device, session: token.session, number: row.int(2))
        case "reused": throw Problems.refreshTokenReused
        default: throw Problems.refreshTokenInvalid
        }
    }

    /// Ends the login session of a refresh token; nothing happens when the token is not one of ours.
    func end(_ token: String) async throws {
        guard let token = RefreshToken(token, key: settings.secrets.refresh) else { return }
        try await end(token.session)
    }

    /// Ends a login session.
    func end(_ session: UUID) async throws {
        _ = try await pool.query("delete from logins where session = $1", [.uuid(session)])
    }

    /// Removes the sessions that are over.
    func sweep() async throws { _ = try await pool.query("delete from logins where expires_at < now()") }
}
