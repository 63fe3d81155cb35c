import Access
import EventStore
import HTTPServer
import JSON
import Mail
import Postgres
import Primitives
import Runtime
import ServiceKit
import SigningKeys

/// What clients do with accounts: all routes, with the limits of each. What they do is in the groups.
@Loop struct IdentityRoutes {
    private let pool: PostgresPool
    private let tokens: TokenVerifier
    private let limits: RateLimits
    private let rate: AccessLimits
    private let signUp: SignUpRoutes
    private let signIn: SignInRoutes
    private let devices: DeviceRoutes
    private let passwords: PasswordRoutes
    private let emails: EmailRoutes
    private let profiles: ProfileRoutes
    private let erasures: ErasureRoutes

    init(
        _ context: ServiceContext, _ settings: IdentitySettings, _ keyring: SigningKeyring, _ outbox: MailOutbox
    ) {
        let access = settings.access
        let limits = RateLimits(context.store.pool, access)
        let credentials = Credentials(
            context.store, context.owners, Passwords(limit: access.passwordQueue), limits, access)
        let answers = LoginAnswers(context, access, keyring)
        pool = context.store.pool
        tokens = context.tokens
        self.limits = limits
        rate = access.limits
        signUp = SignUpRoutes(context, access, credentials, limits, outbox, answers)
        signIn = SignInRoutes(context, access, credentials, answers)
        devices = DeviceRoutes(context, access, credentials, limits, answers)
        passwords = PasswordRoutes(context, access, credentials, limits, outbox)
        emails = EmailRoutes(context, access, credentials, limits, outbox)
        profiles = ProfileRoutes(context)
        erasures = ErasureRoutes(context, outbox, wait: settings.erasureWait)
    }

    func add(to router: Router) {
        let callers = CallerRoutes(router, tokens)
        router.on("GET", "/.well-known/jwks.json", SigningKeyring.keySet(pool))
        router.on("POST", "/v1/auth/sign-up", limits.perAddress(rate.signUp, signUp.signUp))
        router.on("POST", "/v1/auth/sign-in", limits.perAddress(rate.signIn, signIn.signIn))
        router.on("POST", "/v1/auth/refresh", limits.perAddress(rate.refresh, signIn.refresh))
        // By the refresh token, else by the access token.
        router.on("POST", "/v1/auth/sign-out", signIn.signOut)
        router.on("POST", "/v1/auth/password-reset", limits.perAddress(rate.passwordReset, passwords.requestReset))
        // These two by a mailed code, else by the access token.
        router.on("POST", "/v1/auth/password", limits.perAddress(rate.code, passwords.change))
        router.on("POST", "/v1/auth/verify-email", limits.perAddress(rate.code, emails.verify))
        router.on("POST", "/v1/auth/device", devices.enter)
        callers.on("GET", "/v1/me", profiles.read)
        callers.on("PATCH", "/v1/me", profiles.change)
        callers.on("DELETE", "/v1/me", erasures.erase)
        callers.on("GET", "/v1/me/erasure", erasures.read)
    }
}

// MARK: What the groups have in common

extension CommandHandler<User> {
    /// Puts a command to the user whose request it is. The rows are committed atomically with what it decides.
    ///
    /// - Throws: `UserRefusal`, `AppendError` or `PostgresError`.
    @discardableResult
    func put(
        _ command: UserCommand, to user: UUID, _ request: Request, id: UUID = .v7(), requestHash: [UInt8],
        rows: [RowCall]
    ) async throws -> Outcome {
        try await handle(
            command, on: User.stream(user), id: id, requestHash: requestHash, metadata: request.metadata(owner: user)
        ) { _, _ in rows }
    }

    /// Puts what a mailed code allows to its user, once.
    ///
    /// - Throws: a problem 401 when the user is erased meanwhile, or as ``put(_:to:_:id:requestHash:rows:)``.
    func put(
        _ command: UserCommand, by code: OneTimeCodes.Code, _ request: Request, rows: [RowCall]
    ) async throws {
        do {
            try await put(command, to: code.user, request, requestHash: code.id.bytes, rows: [code.use] + rows)
        } catch AppendError.erased {
            throw Problem(.codeInvalid)
        }
    }
}

extension Response {
    /// An answer that holds tokens or personal content.
    static func personal(_ object: JSONObject, status: Int = 200) -> Response {
        .json(.object(object), status: status, headers: ["Cache-Control": "no-store"])
    }

    /// A mail will be sent, if there is somebody to send it to.
    static let mailed = Response.json(["status": "accepted"], status: 202)
}
