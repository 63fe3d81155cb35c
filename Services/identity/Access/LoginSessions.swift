package import EventSourcing
package import EventStore
import HTTPServer
import Postgres
package import Primitives
package import Runtime
import ServiceKit

/// Login sessions and their refresh tokens, in the table `logins`, which hangs on the service's table `profiles`.
///
/// Using a refresh token gives the one with the next number; using it again within the grace gives the same next one,
/// because the first answer may have been lost; using an older one ends the session (RFC 9700, section 4.14.2).
@Loop package struct LoginSessions {
    /// What a refresh token came to.
    package struct Turn {
        package let session: UUID
        package let user: UUID
        /// Whether the user has an account, so is more than an anonymous device.
        package let hasAccount: Bool
        /// The next refresh token.
        package let refreshToken: String
    }

    private let store: EventStore
    private let key: [UInt8]
    private let lifetime: Duration
    private let grace: Duration

    package init(_ store: EventStore, _ settings: AccessSettings) {
        self.store = store
        key = settings.secrets.refresh
        lifetime = settings.loginLifetime
        grace = settings.refreshGrace
    }

    /// The row of a new session, for the append that lets somebody in.
    package func beginning(_ session: UUID, of user: UUID) -> RowCall {
        AccessRows.beginLogin(session, user, .now() + lifetime)
    }

    /// Begins a session of somebody who has shown who they are.
    ///
    /// - Returns: the session's id.
    /// - Throws: a problem 401 when the user is erased meanwhile, `AppendError` or `PostgresError`.
    package func begin(_ user: UUID, _ metadata: EventMetadata) async throws -> UUID {
        let session = UUID.v4()
        do {
            try await store.append(
                Append(
                    id: .v7(), requestHash: [], metadata: metadata, writes: [],
                    calls: [beginning(session, of: user)]))
        } catch AppendError.erased, AppendError.data("logins_user_id_fkey") {
            throw Problem(.credentialsInvalid)
        }
        return session
    }

    /// For the append that makes earlier sessions worthless: ends all of a user's but one.
    package func ending(of user: UUID, but session: UUID?) -> RowCall {
        AccessRows.endOtherLogins(user, session ?? .zero)
    }

    /// The first refresh token of a session.
    package func firstToken(_ session: UUID) -> String { RefreshToken(session: session, number: 1).text(key: key) }

    /// Uses a refresh token.
    ///
    /// - Throws: a problem 401 when the session is over, or `PostgresError`.
    package func turn(_ token: String) async throws -> Turn {
        guard let token = RefreshToken(token, key: key) else { throw Problem(.refreshTokenInvalid) }
        let result = try await store.pool.query(
            "select verdict, owner, number, is_account from turn_login($1, $2, $3 * interval '1 microsecond')",
            [.uuid(token.session), .int(token.number), .double(Double(grace.microseconds))])
        let row = result.rows[0]
        switch row.text(0) {
        case "turned", "repeated":
            let next = RefreshToken(session: token.session, number: row.int(2)).text(key: key)
            return Turn(session: token.session, user: row.uuid(1), hasAccount: row.bool(3), refreshToken: next)
        case "reused": throw Problem(.refreshTokenReused)
        default: throw Problem(.refreshTokenInvalid)
        }
    }

    /// Ends the session of a refresh token; nothing happens when the token is not one of ours.
    ///
    /// - Throws: `PostgresError`.
    package func end(_ token: String) async throws {
        guard let token = RefreshToken(token, key: key) else { return }
        try await end(token.session)
    }

    /// Ends a session.
    ///
    /// - Throws: `PostgresError`.
    package func end(_ session: UUID) async throws {
        _ = try await store.pool.query("delete from logins where session = $1", [.uuid(session)])
    }

    /// Removes the sessions that are over.
    ///
    /// - Throws: `PostgresError`.
    package func sweep() async throws { _ = try await store.pool.query("delete from logins where expires_at < now()") }
}
