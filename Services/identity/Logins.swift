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
/// A refresh token is the session's id, its number in the session's family and an HMAC over both. Using one gives the next
/// number; using it again within the grace gives the same next one, because the first answer may have been lost; using an
/// older one ends the session (RFC 9700, section 4.14.2).
@Loop struct Logins {
    private static let macLength = 32

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
    ) throws -> JSONObject {
        let now = Timestamp.now()
        let claims = AccessTokenClaims(
            subject: user, issuer: TokenVerifier.issuer, audience: [TokenVerifier.audience], issuedAt: now,
            expiresAt: now + settings.accessTokenLifetime, id: .v7(), session: session, kind: kind)
        return [
            "accessToken": .string(try keyring.sign(claims, at: now)),
            "refreshToken": .string(refreshToken(session, number)),
            "expiresIn": .int(settings.accessTokenLifetime.milliseconds / 1_000),
            "tokenType": "Bearer",
        ]
    }

    /// New tokens for a refresh token.
    ///
    /// - Throws: a problem 401 when the login session is over.
    func refresh(_ token: String) async throws -> JSONObject {
        guard let (session, number) = read(token) else { throw Problems.refreshTokenInvalid }
        let result = try await pool.query(
            "select verdict, owner, number, is_account from turn_login($1, $2, $3 * interval '1 microsecond')",
            [.uuid(session), .int(number), .double(Double(settings.refreshGrace.microseconds))])
        let row = result.rows[0]
        switch row.text(0) {
        case "turned", "repeated":
            return try tokens(of: row.uuid(1), row.bool(3) ? .user : .device, session: session, number: row.int(2))
        case "reused": throw Problems.refreshTokenReused
        default: throw Problems.refreshTokenInvalid
        }
    }

    /// Ends the login session of a refresh token; nothing happens when the token is not one of ours.
    func end(_ token: String) async throws {
        guard let (session, _) = read(token) else { return }
        try await end(session)
    }

    /// Ends a login session.
    func end(_ session: UUID) async throws {
        _ = try await pool.query("delete from logins where session = $1", [.uuid(session)])
    }

    private func refreshToken(_ session: UUID, _ number: Int64) -> String {
        let content = session.bytes + withUnsafeBytes(of: number.bigEndian) { Array($0) }
        return Base64URL.encode(content + HMACSHA256.authenticate(content, key: settings.secrets.refresh))
    }

    private func read(_ token: String) -> (session: UUID, number: Int64)? {
        guard token.utf8.count <= 128, let bytes = Base64URL.decode(token), bytes.count == 24 + Self.macLength,
            HMACSHA256.verify(
                Array(bytes.suffix(Self.macLength)), message: Array(bytes.prefix(24)), key: settings.secrets.refresh),
            let session = UUID(bytes: bytes.prefix(16))
        else { return nil }
        return (session, bytes[16..<24].reduce(0) { $0 << 8 | Int64($1) })
    }
}
