import Access
import Contracts
import Crypto
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import SigningKeys

/// The answers that let somebody in: the tokens of a login session, in the form that the client's surface has.
@Loop struct LoginAnswers {
    private let pool: PostgresPool
    private let security: SecurityLog
    private let owners: OwnerReads
    private let issuer: TokenIssuer
    private let logins: LoginSessions
    /// How long a login session lasts that nobody refreshes.
    private let idleLimit: Duration
    private let devices: KnownDevices
    private let cookie: RefreshCookie
    private let form: Form

    /// What whoever is let in gets.
    enum Form {
        /// An access token and a refresh token, which is in the cookie for who asks for that.
        case native
        /// One token that lasts, for an app whose client cannot refresh, and where it says it is; nil for the user's own zone.
        case app(AppSurface, timeZone: String?)

        /// The devices that were let in so before.
        @Loop func devices(_ context: ServiceContext, _ settings: AccessSettings) -> KnownDevices {
            let url = context.settings.publicURL
            return switch self {
            case .native: KnownDevices(settings, publicURL: url)
            case .app: KnownDevices(settings, publicURL: url, on: .app)
            }
        }
    }

    init(_ context: ServiceContext, _ settings: AccessSettings, _ keyring: SigningKeyring, as form: Form = .native) {
        self.form = form
        pool = context.store.pool
        security = context.security
        owners = context.owners
        issuer = TokenIssuer(keyring, settings)
        logins = LoginSessions(context.store, settings)
        idleLimit = settings.loginIdleLimit
        devices = form.devices(context, settings)
        cookie = RefreshCookie(publicURL: context.settings.publicURL)
    }

    /// Whether who is let in is never asked again: what a refresh would ask for has to be there now.
    var isForGood: Bool {
        switch form {
        case .native: false
        case .app: true
        }
    }

    /// Begins a login session of somebody who has shown who they are.
    ///
    /// - Parameters:
    ///   - device: what the client says of its device.
    ///   - proven: as of `LoginSessions.begin`.
    /// - Throws: as ``welcome(_:_:_:_:status:adding:)``, or a problem 401 when what was shown holds no longer.
    func begin(
        _ user: UUID, _ kind: AccessTokenClaims.Kind, by proofs: [Proof], on device: String?, _ request: Request,
        status: Int, if proven: [RowCall], with company: LoginSessions.Company = LoginSessions.Company()
    ) async throws -> Response {
        let login = try await logins.begin(
            user, by: proofs, on: device, for: app(of: user), request.metadata(owner: user), if: proven, with: company)
        return try await welcome(user, kind, login, request, status: status)
    }

    /// A login session of somebody new, for the append that makes them, in the form that the client's surface has.
    ///
    /// - Parameter timeZone: the new user's, in which an app's requests count.
    func login(of user: UUID, by proofs: [Proof], on device: String?, in timeZone: String) -> LoginSessions.New {
        switch form {
        case .native: logins.new(of: user, by: proofs, on: device, for: nil)
        case .app(let surface, _):
            logins.new(of: user, by: proofs, on: device, for: LoginSessions.App(surface, timeZone: timeZone))
        }
    }

    /// The app that somebody signs in with, in the time zone that it says, else in the user's own; nil for a client that refreshes.
    ///
    /// - Throws: a problem 401 when the user is gone, or `PostgresError`.
    private func app(of user: UUID) async throws -> LoginSessions.App? {
        guard case .app(let surface, let told) = form else { return nil }
        if let told { return LoginSessions.App(surface, timeZone: told) }
        let row = try await pool.query("select time_zone from profiles where user_id = $1", [.uuid(user)]).first
        guard let row else { throw Problem(.credentialsInvalid) }
        return LoginSessions.App(surface, timeZone: row.text(0))
    }

    /// What lets somebody in to a login session that has begun: an app's token, or the first tokens with the user.
    ///
    /// - Throws: as ``welcome(_:_:_:_:status:adding:)``.
    func welcome(
        _ user: UUID, _ kind: AccessTokenClaims.Kind, _ login: LoginSessions.New, _ request: Request, status: Int
    ) async throws -> Response {
        if let token = login.appToken {
            security.note(.signedIn, of: user, request)
            var response = Response.personal(["apiToken": .string(token.text)])
            if kind == .user { devices.remember(user, login.session, provenBy: .password, request, in: &response) }
            return response
        }
        return try await welcome(user, kind, login.session, request, status: status)
    }

    /// The first tokens of a login session, with the user.
    ///
    /// - Throws: a problem 503 while there is no key to sign with, the problem `user-gone` or `login-session-ended` (401) when the
    ///   user is gone or the login session ended meanwhile, or `PostgresError`.
    func welcome(
        _ user: UUID, _ kind: AccessTokenClaims.Kind, _ session: UUID, _ request: Request, status: Int,
        adding members: JSONObject = [:]
    ) async throws -> Response {
        let view = try await UserView(user, owners)
        // What was shown was right, and what came with the login session stands.
        let tokens = try await accessToken(of: user, kind, session, over: .loginSessionEnded)
        security.note(.signedIn, of: user, request, ["secondFactor": .bool(tokens.strength == .secondFactor)])
        let others = JSONObject().adding(["user": view.json]).adding(membersOf: members)
        return answer(
            user, kind, session, tokens, logins.firstToken(session, in: request.refreshTokenPlace), request,
            status: status, adding: others)
    }

    /// The next tokens of a login session.
    ///
    /// - Throws: a problem 503 while there is no key to sign with, 401 when the login session ended meanwhile, or
    ///   `PostgresError`.
    func next(_ rotation: LoginSessions.Rotation, _ request: Request) async throws -> Response {
        let kind: AccessTokenClaims.Kind = rotation.hasAccount ? .user : .device
        let tokens = try await accessToken(
            of: rotation.user, kind, rotation.session, over: Problem(.refreshTokenInvalid))
        return answer(rotation.user, kind, rotation.session, tokens, rotation.refreshToken, request)
    }

    /// Another access token of a login session whose bearer has shown anew who they are.
    ///
    /// - Throws: a problem 503 while there is no key to sign with, 401 when the login session ended meanwhile, or
    ///   `PostgresError`.
    func confirmed(_ user: UUID, _ kind: AccessTokenClaims.Kind, _ session: UUID) async throws -> Response {
        .personal(try await accessToken(of: user, kind, session, over: .loginSessionEnded).members)
    }

    /// Both tokens, the refresh token where the client wants it, and what the client shows the next time that somebody signs in
    /// to the account; an anonymous device has none.
    private func answer(
        _ user: UUID, _ kind: AccessTokenClaims.Kind, _ session: UUID, _ access: Shown, _ refreshToken: String,
        _ request: Request, status: Int = 200, adding others: JSONObject = [:]
    ) -> Response {
        let place = request.refreshTokenPlace
        let members = others.adding(membersOf: access.members)
        var response = Response.personal(
            place == .body ? members.adding(["refreshToken": .string(refreshToken)]) : members, status: status)
        if kind == .user { devices.remember(user, session, provenBy: access.strength, request, in: &response) }
        if place == .cookie { cookie.put(refreshToken, until: access.end, in: &response) }
        return response
    }

    /// An access token, what its bearer has shown, and when the login session ends unless it is refreshed.
    private typealias Shown = (members: JSONObject, strength: KnownDevices.Strength, end: Timestamp)

    private func accessToken(
        of user: UUID, _ kind: AccessTokenClaims.Kind, _ session: UUID, over: Problem
    ) async throws -> Shown {
        let row = try await pool.query(
            """
            select least(expires_at, turned_at + $3 * interval '1 microsecond'), time_zone, auth_time, amr,
                (select c.verified_at is not null from credentials c where c.user_id = $2)
            from logins join profiles using (user_id) where session = $1 and user_id = $2
            """, [.uuid(session), .uuid(user), .double(Double(idleLimit.microseconds))]
        ).first
        // Ended a moment ago, by somebody else.
        guard let row else { throw over }
        let proofs = row.optional(3, PostgresRow.text) ?? ""
        let members = try issuer.members(
            of: user, kind, session: session, until: row.time(0), shown: row.optional(2, PostgresRow.time),
            by: Proof.methods(proofs), timeZone: row.text(1), isEmailVerified: row.optional(4, PostgresRow.bool))
        return (members, Proof.hasSecondFactor(proofs) ? .secondFactor : .password, row.time(0))
    }
}
