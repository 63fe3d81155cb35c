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
    private let compatibleIssuer: String
    private let form: Form

    /// What whoever is let in gets.
    enum Form {
        /// An access token and a refresh token, which is in the cookie for who asks for that.
        case native
        /// One token that lasts, for an app whose client cannot refresh, and where it says it is; nil for the user's own zone.
        case app(AppSurface, timeZone: String?)
        /// An access token of the compatible surface and a refresh token, with the user, in the words of its clients.
        case compatible

        /// The devices that were let in so before.
        @Loop func devices(_ context: ServiceContext, _ settings: AccessSettings) -> KnownDevices {
            let url = context.settings.publicURL
            return switch self {
            case .native: KnownDevices(settings, publicURL: url)
            case .app: KnownDevices(settings, publicURL: url, on: .app)
            case .compatible: KnownDevices(settings, publicURL: url, on: .compatible)
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
        compatibleIssuer = context.settings.compatibleIssuer
    }

    /// Whether who is let in is never asked again: what a refresh would ask for has to be there now.
    var isForGood: Bool {
        switch form {
        case .native, .compatible: false
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
            user, by: proofs, on: device, for: app(of: user), isCompatible: isCompatible,
            request.metadata(owner: user), if: proven, with: company)
        return try await welcome(user, kind, login, request, status: status)
    }

    /// Whether answers have the words of the compatible surface.
    private var isCompatible: Bool {
        if case .compatible = form { true } else { false }
    }

    /// Where the client of a request has and wants its refresh token.
    func refreshTokenPlace(of request: Request) -> RefreshToken.Place {
        isCompatible ? .compatible : request.refreshTokenPlace
    }

    /// A login session of somebody new, for the append that makes them, in the form that the client's surface has.
    ///
    /// - Parameter timeZone: the new user's, in which an app's requests count.
    func login(of user: UUID, by proofs: [Proof], on device: String?, in timeZone: String) -> LoginSessions.New {
        switch form {
        case .native, .compatible:
            logins.new(of: user, by: proofs, on: device, for: nil, isCompatible: isCompatible)
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
        if isCompatible {
            security.note(.signedIn, of: user, request)
            return try await compatible(
                user, session, logins.firstToken(session, in: .compatible), request, over: .loginSessionEnded)
        }
        let view = try await UserView(user, owners)
        // What was shown was right, and what came with the login session stands.
        let tokens = try await accessToken(of: user, kind, session, over: .loginSessionEnded)
        security.note(.signedIn, of: user, request, ["secondFactor": .bool(tokens.strength == .secondFactor)])
        let others = JSONObject().adding(["user": view.json]).adding(membersOf: members)
        return answer(
            user, kind, session, tokens, logins.firstToken(session, in: refreshTokenPlace(of: request)), request,
            status: status, adding: others)
    }

    /// The next tokens of a login session.
    ///
    /// - Throws: a problem 503 while there is no key to sign with, 401 when the login session ended meanwhile, or
    ///   `PostgresError`.
    func next(_ rotation: LoginSessions.Rotation, _ request: Request) async throws -> Response {
        if isCompatible {
            return try await compatible(
                rotation.user, rotation.session, rotation.refreshToken, request, over: Problem(.refreshTokenInvalid))
        }
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
        let place = refreshTokenPlace(of: request)
        let members = others.adding(membersOf: access.members)
        var response = Response.personal(
            place == .body ? members.adding(["refreshToken": .string(refreshToken)]) : members, status: status)
        if kind == .user { devices.remember(user, session, provenBy: access.strength, request, in: &response) }
        if place == .cookie { cookie.put(refreshToken, until: access.end, in: &response) }
        return response
    }

    /// Both tokens and the user, as clients of the compatible surface read them.
    private func compatible(
        _ user: UUID, _ session: UUID, _ refreshToken: String, _ request: Request, over: Problem
    ) async throws -> Response {
        guard let view = try await CompatibleUser(user, pool) else { throw over }
        let row = try await pool.query(
            """
            select least(expires_at, turned_at + $3 * interval '1 microsecond'), time_zone, auth_time, amr
            from logins join profiles using (user_id) where session = $1 and user_id = $2
            """, [.uuid(session), .uuid(user), .double(Double(idleLimit.microseconds))]
        ).first
        guard let row else { throw over }
        let token = try issuer.compatible(until: row.time(0)) { issuedAt, expiresAt in
            view.claims(
                issuer: compatibleIssuer, from: issuedAt, until: expiresAt, session: session,
                shown: row.optional(2, PostgresRow.time) ?? issuedAt, by: row.optional(3, PostgresRow.text) ?? "",
                timeZone: row.text(1))
        }
        var response = Response.personal([
            "access_token": .string(token.text), "token_type": "bearer",
            "expires_in": .int(max(1, token.expiresAt.seconds - Timestamp.now().seconds)),
            "expires_at": .int(token.expiresAt.seconds), "refresh_token": .string(refreshToken), "user": view.json,
        ])
        let strength: KnownDevices.Strength =
            Proof.hasSecondFactor(row.optional(3, PostgresRow.text) ?? "") ? .secondFactor : .password
        if view.hasAccount { devices.remember(user, session, provenBy: strength, request, in: &response) }
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
