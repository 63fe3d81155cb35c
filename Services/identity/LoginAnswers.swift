import Access
import Crypto
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import SigningKeys

/// The answers that let somebody in: the tokens of a login session.
@Loop struct LoginAnswers {
    private let pool: PostgresPool
    private let owners: OwnerReads
    private let issuer: TokenIssuer
    private let logins: LoginSessions

    init(_ context: ServiceContext, _ settings: AccessSettings, _ keyring: SigningKeyring) {
        pool = context.store.pool
        owners = context.owners
        issuer = TokenIssuer(keyring, settings)
        logins = LoginSessions(context.store, settings)
    }

    /// Begins a login session of somebody who has shown who they are.
    ///
    /// - Throws: as ``welcome(_:_:_:status:adding:)``, or a problem 401 when the user is erased meanwhile.
    func begin(
        _ user: UUID, _ kind: AccessTokenClaims.Kind, _ request: Request, status: Int
    ) async throws -> Response {
        let session = try await logins.begin(user, request.metadata(owner: user))
        return try await welcome(user, kind, session, status: status)
    }

    /// The first tokens of a login session, with the user.
    ///
    /// - Throws: a problem 503 while there is no key to sign with, 401 when the user is gone, or `PostgresError`.
    func welcome(
        _ user: UUID, _ kind: AccessTokenClaims.Kind, _ session: UUID, status: Int, adding members: JSONObject = [:]
    ) async throws -> Response {
        let view = try await UserView(user, owners)
        let tokens = try await tokens(of: user, kind, session, logins.firstToken(session))
        return .personal(
            JSONObject().adding(["user": view.json]).adding(membersOf: tokens).adding(membersOf: members),
            status: status)
    }

    /// The next tokens of a login session.
    ///
    /// - Throws: a problem 503 while there is no key to sign with, or `PostgresError`.
    func next(_ turn: LoginSessions.Turn) async throws -> Response {
        .personal(
            try await tokens(of: turn.user, turn.hasAccount ? .user : .device, turn.session, turn.refreshToken))
    }

    private func tokens(
        of user: UUID, _ kind: AccessTokenClaims.Kind, _ session: UUID, _ refreshToken: String
    ) async throws -> JSONObject {
        let row = try await pool.query("select time_zone from profiles where user_id = $1", [.uuid(user)]).first
        return try issuer.members(
            of: user, kind, session: session, refreshToken: refreshToken, timeZone: row?.text(0))
    }
}
