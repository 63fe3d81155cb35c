import Access
import Contracts
import EventStore
import Federation
import HTTPServer
import JSON
import Mail
import Photos
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
    private let federated: FederatedSignIn
    private let identities: LinkedIdentityRoutes
    private let devices: DeviceRoutes
    private let passwords: PasswordRoutes
    private let emails: EmailRoutes
    private let emailChanges: EmailChangeRoutes
    private let deviceSecrets: DeviceSecretRoutes
    private let revocations: DeviceRevocationRoutes
    private let preferences: PreferenceRoutes
    private let consents: ConsentRoutes
    private let profiles: ProfileRoutes
    private let photos: PhotoRoutes
    private let loginSessions: LoginSessionRoutes
    private let accountEntry: AccountEntry
    private let logins: LoginSessions
    private let enrolment: SecondFactorEnrolment
    private let secondFactors: SecondFactorRoutes
    private let confirmations: ConfirmationRoutes
    private let erasures: ErasureRoutes
    private let apps: AppSignInRoutes
    private let cookie: RefreshCookie
    /// Nil where there is no such surface.
    private let compatible: CompatibleAuth?
    /// What owners are told by mail.
    let warnings: OwnerWarnings

    init(
        _ context: ServiceContext, _ settings: IdentitySettings, _ keyring: SigningKeyring, _ outbox: MailOutbox,
        _ federation: Federation, _ photoMaker: PhotoMaker
    ) {
        let access = settings.access
        let limits = RateLimits(context.store.pool, access)
        let devices = KnownDevices(access, publicURL: context.settings.publicURL)
        // One of them, as the processors are: what waits for one surface waits for both.
        let hashing = Passwords(limit: access.passwordQueue)
        let credentials = Credentials(context.store, context.owners, hashing, limits, devices, access)
        let answers = LoginAnswers(context, access, keyring)
        let factors = SecondFactors(context.store, limits, access)
        let warnings = OwnerWarnings(access, credentials, limits)
        self.warnings = warnings
        let newDevices = NewDevices(context, devices, warnings, outbox)
        let enrolment = SecondFactorEnrolment(context, access, credentials, factors, limits, outbox, answers)
        let entry = AccountEntry(context, access, credentials, factors, devices, newDevices, enrolment, answers)
        cookie = RefreshCookie(publicURL: context.settings.publicURL)
        pool = context.store.pool
        tokens = context.tokens
        self.limits = limits
        rate = access.limits
        signUp = SignUpRoutes(
            context, access, settings.terms, credentials, limits, warnings, outbox, answers, entry)
        signIn = SignInRoutes(context, access, credentials, warnings, outbox, answers, entry)
        federated = FederatedSignIn(
            context, access, settings.terms, federation, credentials, limits, answers, entry)
        identities = LinkedIdentityRoutes(context, access, federation, credentials, warnings, limits, outbox)
        apps = AppSignInRoutes(context, access, federation) { timeZone in
            let form = LoginAnswers.Form.app(.practice, timeZone: timeZone)
            let answers = LoginAnswers(context, access, keyring, as: form)
            let devices = form.devices(context, access)
            let newDevices = NewDevices(
                context, devices, warnings, outbox, appLogins: LoginSessions(context.store, access))
            let entry = AccountEntry(
                context, access, credentials, factors, devices, newDevices, enrolment, answers)
            return FederatedSignIn(
                context, access, settings.terms, federation, credentials, limits, answers, entry)
        }
        self.enrolment = enrolment
        accountEntry = entry
        logins = LoginSessions(context.store, access)
        self.devices = DeviceRoutes(context, access, credentials, limits, answers)
        passwords = PasswordRoutes(context, access, credentials, limits, devices, warnings, outbox)
        emails = EmailRoutes(context, access, credentials, limits, outbox)
        emailChanges = EmailChangeRoutes(context, access, credentials, limits, outbox)
        deviceSecrets = DeviceSecretRoutes(context, access, credentials, limits)
        revocations = DeviceRevocationRoutes(context, access, credentials)
        let states = KeptStates<User>(context.store)
        preferences = PreferenceRoutes(context, settings.terms, states)
        consents = ConsentRoutes(context, settings.consents, states)
        profiles = ProfileRoutes(context)
        photos = PhotoRoutes(context, credentials, photoMaker)
        loginSessions = LoginSessionRoutes(context, access, outbox)
        secondFactors = SecondFactorRoutes(context, access, credentials, factors, limits, outbox)
        confirmations = ConfirmationRoutes(
            context, access, federation, credentials, factors, limits, outbox, answers)
        erasures = ErasureRoutes(context, settings, credentials, outbox, states)
        compatible =
            context.settings.hasCompatibleSurface
            ? CompatibleAuth(
                context, settings, keyring, outbox, federation, limits, hashing, factors, enrolment, warnings,
                erasures) : nil
    }

    /// Ends what rests on a sign-in that would be refused today, where nobody asks again.
    ///
    /// - Throws: `AppendError` or `PostgresError`.
    func endRefusedAppLogins() async throws { try await accountEntry.endRefusedAppLogins(logins) }

    func add(to router: Router) {
        compatible?.add(to: router)
        let callers = CallerRoutes(router, tokens)
        router.on("GET", "/.well-known/jwks.json", SigningKeyring.keySet(pool))
        // What lets in, refreshes or signs out may have the refresh token in the page's cookie.
        router.on("POST", "/v1/auth/sign-up", cookie.guarding(limits.perAddress(rate.signUp, signUp.signUp)))
        router.on("POST", "/v1/auth/sign-in", cookie.guarding(limits.perAddress(rate.signIn, signIn.signIn)))
        for provider in IdentityProvider.allCases {
            router.on(
                "POST", "/v1/auth/\(provider.rawValue)",
                cookie.guarding(limits.perAddress(rate.signIn, federated.route(provider))))
        }
        apps.add(to: router) { limits.perAddress(rate.signIn, $0) }
        router.on("GET", "/v1/auth/providers", federated.providers)
        router.on("POST", "/v1/auth/nonce", limits.perAddress(rate.nonce, federated.nonce))
        router.on(
            "POST", "/v1/auth/second-factor", cookie.guarding(limits.perAddress(rate.signIn, accountEntry.finish)))
        router.on("POST", "/v1/auth/second-factor/enrolment", limits.perAddress(rate.signIn, enrolment.begin))
        router.on("POST", "/v1/auth/refresh", cookie.guarding(limits.perAddress(rate.refresh, signIn.refresh)))
        // By the refresh token, else by the access token.
        router.on("POST", "/v1/auth/sign-out", cookie.guarding(signIn.signOut))
        router.on("POST", "/v1/auth/password-reset", limits.perAddress(rate.passwordReset, passwords.requestReset))
        // These two by a mailed code, else by the access token.
        router.on("POST", "/v1/auth/password", limits.perAddress(rate.code, passwords.change))
        router.on("POST", "/v1/auth/verify-email", limits.perAddress(rate.code, emails.verify))
        router.on("POST", "/v1/auth/device", cookie.guarding(devices.enter))
        // As a sign-in, for the limit.
        router.on(
            "POST", "/v1/auth/confirm",
            limits.perAddress(rate.signIn) {
                try await confirmations.confirm($0, try await tokens.caller(of: $0))
            })
        router.on(
            "POST", "/v1/me/email",
            limits.perAddress(rate.code) {
                try await emailChanges.change($0, try await tokens.caller(of: $0))
            })
        callers.on("GET", "/v1/me/email/change", emailChanges.read)
        callers.on("DELETE", "/v1/me/email/change", emailChanges.withdraw)
        // By a mailed code alone: whoever lost the account is not signed in.
        router.on("POST", "/v1/auth/keep-email", limits.perAddress(rate.code, emailChanges.keep))
        callers.on("POST", "/v1/me/device/secret", deviceSecrets.change)
        callers.on("GET", "/v1/me/devices", revocations.list)
        callers.on("DELETE", "/v1/me/devices/{id}", changing(revocations.revoke))
        callers.on("GET", "/v1/me/notifications", preferences.notifications)
        callers.on("PUT", "/v1/me/notifications", changing(preferences.setNotifications))
        callers.on("GET", "/v1/me/terms", preferences.readTerms)
        callers.on("PUT", "/v1/me/terms", changing(preferences.acceptTerms))
        callers.on("GET", "/v1/consents", consents.read)
        callers.on("PUT", "/v1/consents", consents.set(changing))
        callers.on("GET", "/v1/me/identities", identities.list)
        router.on(
            "POST", "/v1/me/identities",
            limits.perAddress(rate.signIn) {
                try await identities.link($0, try await tokens.caller(of: $0))
            })
        callers.on("DELETE", "/v1/me/identities/{provider}", identities.unlink)
        callers.on("GET", "/v1/me", profiles.read)
        callers.on("PATCH", "/v1/me", changing(profiles.change))
        callers.on("GET", "/v1/me/photo", photos.read)
        callers.on("PUT", "/v1/me/photo", changing(photos.set))
        callers.on("DELETE", "/v1/me/photo", changing(photos.remove))
        callers.on("GET", "/v1/me/login-sessions", loginSessions.list)
        callers.on("DELETE", "/v1/me/login-sessions", loginSessions.endOthers)
        callers.on("DELETE", "/v1/me/login-sessions/{id}", loginSessions.end)
        callers.on("GET", "/v1/me/second-factor", secondFactors.read)
        callers.on("POST", "/v1/me/second-factor", secondFactors.begin)
        callers.on("DELETE", "/v1/me/second-factor", secondFactors.remove)
        callers.on("POST", "/v1/me/second-factor/confirm", changing(secondFactors.confirm))
        callers.on("POST", "/v1/me/second-factor/recovery-codes", secondFactors.replaceCodes)
        // The receipt is for somebody who is erased.
        callers.on("DELETE", "/v1/me", thoughErased: true, erasures.erase)
        callers.on("GET", "/v1/me/erasure", thoughErased: true, erasures.read)
        // Whoever has the address may: it is signed, and outlives every token.
        router.on("GET", "/v1/erasures/{user}", erasures.readByAddress)
    }

    /// What adds to the history of a user, or costs as much, however often it is changed to and fro, and for which a token is enough; what needs
    /// a proof counts itself once it has seen that. Nobody is kept from ending login sessions or from being erased, which both
    /// come to an end by themselves.
    private func changing(_ answer: @escaping CallerRoutes.Answer) -> CallerRoutes.Answer {
        limits.perLogin(rate.accountChanges, ofUser: AccessLimits.loginsThatChange, answer)
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

    /// Puts a command to the caller, whose login session must still go on when it is committed.
    ///
    /// - Throws: a problem 401 when the user is erased or the login session ended meanwhile, or as
    ///   ``put(_:to:_:id:requestHash:rows:)``.
    @discardableResult
    func put(
        _ command: UserCommand, by caller: Caller, _ request: Request, requestHash: [UInt8], rows: [RowCall] = []
    ) async throws -> Outcome {
        do {
            return try await put(
                command, to: caller.user, request, requestHash: requestHash, rows: [caller.stands] + rows)
        } catch AppendError.erased {
            throw Problem.userGone
        }
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
