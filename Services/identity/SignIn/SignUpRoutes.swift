import Access
import Contracts
import Crypto
import EventStore
import HTTPServer
import JSON
import Mail
import Primitives
import Runtime
import ServiceKit

/// Signing up.
@Loop struct SignUpRoutes {
    private let context: ServiceContext
    private let settings: AccessSettings
    private let terms: Terms
    private let credentials: Credentials
    private let limits: RateLimits
    private let warnings: OwnerWarnings
    private let outbox: MailOutbox
    private let answers: LoginAnswers
    private let entry: AccountEntry
    private let fresh: FreshSignIn
    private let devices: Devices

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ terms: Terms, _ credentials: Credentials,
        _ limits: RateLimits, _ warnings: OwnerWarnings, _ outbox: MailOutbox, _ answers: LoginAnswers,
        _ entry: AccountEntry
    ) {
        self.context = context
        self.settings = settings
        self.terms = terms
        self.credentials = credentials
        self.limits = limits
        self.warnings = warnings
        self.outbox = outbox
        self.answers = answers
        self.entry = entry
        fresh = FreshSignIn(context.settings)
        devices = Devices(context.store.pool, settings)
    }

    private var users: CommandHandler<User> { CommandHandler(context.store) }
    private var logins: LoginSessions { LoginSessions(context.store, settings) }

    /// What somebody says of themselves who signs up.
    struct Application {
        let email: EmailAddress
        let password: String
        /// The fewest characters of a password.
        var shortestPassword = PasswordRules.shortest
        var displayName: String?
        /// What clients of the compatible surface keep with an account.
        var metadata: JSONObject = [:]
        var deviceName: String?
        var timeZone = "UTC"
        var terms: TermsAcceptance?
        /// The anonymous device that becomes the account.
        var device: Caller?
        /// Whether a login session begins with the account.
        var beginsSession = true
        /// Whether the address is confirmed, as the operator says who makes the account; nil for who signs up themselves.
        var vouched: Bool?
    }

    /// What came of it.
    enum Outcome {
        /// An account, and the login session that began with it.
        case made(UUID, session: UUID?)
        /// The answer to a repeat.
        case repeated(Response)
    }

    /// Makes an account; of an anonymous device when the request carries its token, and the device has shown a moment ago
    /// that it is the one: with an account its secret opens nothing any more, so a token alone must not take it away.
    func signUp(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("email", "password", "displayName", "timeZone", "deviceName", "acceptedTerms")
        var application = Application(
            email: try EmailAddress(body.string("email")), password: try body.string("password"),
            displayName: try DisplayName.checked(body.optionalString("displayName")),
            deviceName: try DeviceName.of(request, body),
            timeZone: try body.optionalString("timeZone") ?? "UTC",
            terms: try body.optionalObject("acceptedTerms").map { try terms.acceptance($0, at: .now()) })
        try await context.zones.check(application.timeZone)
        application.device =
            request.headers["authorization"] == nil ? nil : try await context.tokens.caller(of: request)
        switch try await signUp(application, request) {
        case .repeated(let answer): return answer
        case .made(_, session: nil): return .mailed
        case .made(let user, session: let session?): return try await welcome(user, session, request)
        }
    }

    /// Lets in who has just signed up.
    ///
    /// - Throws: as `LoginAnswers.welcome`.
    func welcome(_ user: UUID, _ session: UUID, _ request: Request) async throws -> Response {
        try await answers.welcome(user, .user, session, request, status: 201)
    }

    /// Makes the account.
    ///
    /// - Throws: a problem 401 for a device that has to show itself anew, 403 where nobody signs up, 409 when the address has an account,
    ///   422 for a password that is none, 429; as `LoginAnswers.begin` for a repeat.
    func signUp(_ application: Application, _ request: Request) async throws -> Outcome {
        let (email, timeZone, device) = (application.email, application.timeZone, application.device)
        if let device { try await requireFresh(device) }
        if application.vouched == nil { try settings.signUpRule.requireOpen(to: email.key) }
        let hash = try await credentials.hash(
            application.password, for: email.text, shortest: application.shortestPassword, request)

        let blinded = settings.secrets.blinded
        let somebody = device?.user ?? UUID.v5(namespace: .zero, name: Hex.encode(blinded(email.key)))
        let id = context.hashes.commandID(request, owner: somebody)
        let user = device?.user ?? UUID.v5(namespace: id, name: "user")
        let isVerified = application.vouched == true
        let command = UserCommand.signUp(
            user, method: .password, timeZone: timeZone, terms: application.terms, isEmailVerified: isVerified)
        // Never over the password: this hash is kept for ever and is quick to try.
        let requestHash = blinded(
            "sign-up \(email.key) \(timeZone) \(application.displayName ?? "")"
                + (application.terms.map { " \($0.version)" } ?? ""))
        var rows = [
            IdentityRows.putProfile(
                of: user, email: email.text, displayName: application.displayName, timeZone: timeZone),
            credentials.adding(user, email, hash: hash),
        ]
        if isVerified { rows.append(credentials.verifying(of: user)) }
        if !application.metadata.isEmpty { rows.append(IdentityRows.mergeMetadata(of: user, application.metadata)) }
        // Where only listed addresses are let in, this one has to be shown first: anybody can type it.
        let login =
            settings.signUpRule.hasList || !application.beginsSession
            ? nil : answers.login(of: user, by: [.password], on: application.deviceName, in: timeZone)
        let begun = login?.rows ?? []
        let isRepeat = try await claiming(email, request) {
            let all = rows + (isVerified ? [] : try await confirmation(of: email, to: user)) + begun
            if let device {
                return try await upgrade(device, command, request, id: id, requestHash: requestHash, rows: all)
            }
            return try await users.put(
                command, to: user, request, id: id, requestHash: requestHash, rows: all
            ).receipt?.isRepeat == true
        }
        outbox.wake()
        if isRepeat {
            // A repeat proves nothing but that it knows its key: it signs in like everybody.
            let account = try await context.security.watching(request, of: user) {
                try await credentials.open(email, password: application.password, request)
            }
            return .repeated(
                try await entry.enter(account.factor, on: application.deviceName, request, status: 201))
        }
        return .made(user, session: login?.session)
    }

    /// Refuses a device that has to show anew that it is the one. Of one that has an account nothing is asked: it is told so,
    /// or repeats its own sign-up, which the password lets in.
    private func requireFresh(_ device: Caller) async throws {
        if try await credentials.hasAccount(device.user) { return }
        // One that was never told a secret, as on the compatible surface, has nothing else to show.
        guard try await devices.isKnown(device.user) else { return }
        try await fresh.require(device) { try await credentials.proofs(of: device.user).map(\.rawValue) }
    }

    /// Makes an account of an anonymous device. Its other login sessions end: whoever knew the device's secret may have begun
    /// them, and with an account it opens nothing any more.
    ///
    /// - Returns: whether it was made by an earlier request of the same id.
    private func upgrade(
        _ device: Caller, _ command: UserCommand, _ request: Request, id: UUID, requestHash: [UInt8], rows: [RowCall]
    ) async throws -> Bool {
        let user = device.user
        let metadata = request.metadata(owner: user)
        do {
            return try await logins.end(of: user, but: device.session, because: .signedOut, metadata) { ends, noOther in
                Append(
                    id: id, requestHash: requestHash, metadata: metadata,
                    decisions: [try await users.load(User.stream(user)).decide(command)] + ends,
                    calls: [device.stands, noOther] + rows)
            }.isRepeat
        } catch UserRefusal.exists {
            guard try await context.store.receipt(id: id, requestHash: requestHash) != nil else {
                throw UserRefusal.exists
            }
            return true
        } catch AppendError.erased {
            throw Problem.userGone
        }
    }

    /// The mail that confirms the address of a new account. One that gets none asks for it later.
    private func confirmation(of email: EmailAddress, to user: UUID) async throws -> [RowCall] {
        // Whoever tries an address that has an account uses up nothing of what its next one gets.
        guard try await credentials.user(of: email) == nil else { return [] }
        return try await warnings.mail(.verifyEmail, to: user, at: email.key)
    }

    /// Does what needs an address without an account. Of one that has an account the owner hears, and whoever asked may not
    /// try many more.
    private func claiming<T>(_ email: EmailAddress, _ request: Request, _ work: () async throws -> T) async throws -> T
    {
        let limit = settings.limits.emailTaken
        try await limits.take(limit, from: request.clientNetworks)
        do {
            let value = try await work()
            try await limits.giveBack(limit, from: request.clientNetworks)
            return value
        } catch AppendError.guarded(.emailTaken) {
            try await warnOwner(of: email)
            throw Problem(.emailTaken)
        }
    }

    /// Tells the owner of an address that somebody wanted to sign up with it; not more often than an account gets mail.
    private func warnOwner(of email: EmailAddress) async throws {
        guard let owner = try await credentials.user(of: email) else { return }
        do {
            try await limits.take(
                settings.limits.accountMail, "\(AccountMails.Kind.signUpAttempted.rawValue) \(email.key)")
        } catch is Problem {
            return
        }
        try await outbox.queue(AccountMails.Kind.signUpAttempted.rawValue, to: owner)
    }
}
