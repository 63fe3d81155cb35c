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
    }

    private var users: CommandHandler<User> { CommandHandler(context.store) }
    private var logins: LoginSessions { LoginSessions(context.store, settings) }

    /// Makes an account; of an anonymous device when the request carries its token, and the device has shown a moment ago
    /// that it is the one: with an account its secret opens nothing any more, so a token alone must not take it away.
    func signUp(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("email", "password", "displayName", "timeZone", "deviceName", "acceptedTerms")
        let email = try EmailAddress(body.string("email"))
        let password = try body.string("password")
        let name = try DisplayName.checked(body.optionalString("displayName"))
        let deviceName = try DeviceName.of(request, body)
        let accepted = try body.optionalObject("acceptedTerms").map { try terms.acceptance($0, at: .now()) }
        let timeZone = try body.optionalString("timeZone") ?? "UTC"
        try await context.zones.check(timeZone)
        let device = request.headers["authorization"] == nil ? nil : try await context.tokens.caller(of: request)
        if let device { try await requireFresh(device) }
        try settings.signUpRule.requireOpen(to: email.key)
        let hash = try await credentials.hash(password, for: email.text, request)

        let blinded = settings.secrets.blinded
        let somebody = device?.user ?? UUID.v5(namespace: .zero, name: Hex.encode(blinded(email.key)))
        let id = context.hashes.commandID(request, owner: somebody)
        let user = device?.user ?? UUID.v5(namespace: id, name: "user")
        let session = UUID.v4()
        let command = UserCommand.signUp(user, method: .password, timeZone: timeZone, terms: accepted)
        // Never over the password: this hash is kept for ever and is quick to try.
        let requestHash = blinded(
            "sign-up \(email.key) \(timeZone) \(name ?? "")" + (accepted.map { " \($0.version)" } ?? ""))
        let rows = [
            IdentityRows.putProfile(of: user, email: email.text, displayName: name, timeZone: timeZone),
            credentials.adding(user, email, hash: hash),
        ]
        // Where only listed addresses are let in, this one has to be shown first: anybody can type it.
        let begun =
            settings.signUpRule.hasList
            ? [] : [logins.beginning(session, of: user, by: [.password], on: deviceName)]
        let isRepeat = try await claiming(email, request) {
            let all = rows + (try await confirmation(of: email, to: user)) + begun
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
                try await credentials.open(email, password: password, request)
            }
            return try await entry.enter(account.factor, on: deviceName, request, status: 201)
        }
        if begun.isEmpty { return .mailed }
        return try await answers.welcome(user, .user, session, request, status: 201)
    }

    /// Refuses a device that has to show anew that it is the one. Of one that has an account nothing is asked: it is told so,
    /// or repeats its own sign-up, which the password lets in.
    private func requireFresh(_ device: Caller) async throws {
        if try await credentials.hasAccount(device.user) { return }
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
