import Access
import Contracts
import EventStore
import HTTPServer
import JSON
import Mail
import Primitives
import Runtime
import ServiceKit

/// New passwords, and the mails with which they are chosen without the old one.
@Loop struct PasswordRoutes {
    private let users: CommandHandler<User>
    private let tokens: TokenVerifier
    private let security: SecurityLog
    private let credentials: Credentials
    private let codes: OneTimeCodes
    private let logins: LoginSessions
    private let limits: RateLimits
    private let mailLimit: AccountLimit
    private let changeLimit: RateLimit
    private let devices: KnownDevices
    private let warnings: OwnerWarnings
    private let outbox: MailOutbox
    private let fresh: FreshSignIn

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials, _ limits: RateLimits,
        _ devices: KnownDevices, _ warnings: OwnerWarnings, _ outbox: MailOutbox
    ) {
        users = CommandHandler(context.store)
        tokens = context.tokens
        security = context.security
        self.credentials = credentials
        codes = OneTimeCodes(context.store, settings)
        logins = LoginSessions(context.store, settings)
        self.limits = limits
        mailLimit = settings.limits.resetMail
        changeLimit = settings.limits.accountChanges
        self.devices = devices
        self.warnings = warnings
        self.outbox = outbox
        fresh = FreshSignIn(context.settings)
    }

    /// Queues a mail with a code. Whoever asks learns nothing, neither from the answer nor from its time: an address
    /// without an account takes the same way with a user that does not exist. Its limit is of this kind of mail alone, and
    /// strangers cannot use up the one of a device that the account knows.
    func requestReset(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("email")
        return try await requestReset(of: EmailAddress(body.string("email")), request)
    }

    /// Queues the mail of ``requestReset(_:)``.
    ///
    /// - Throws: a problem 429, or `PostgresError`.
    func requestReset(of email: EmailAddress, _ request: Request) async throws -> Response {
        let kind = AccountMails.Kind.passwordReset.rawValue
        let user = try await credentials.user(of: email)
        try await limits.take(mailLimit, "\(kind) \(email.key)", by: Visitor(request, for: user, devices))
        try await outbox.queue(kind, to: user ?? .v7())
        return .mailed
    }

    /// Changes the password and ends all other login sessions. Who may is shown by a mailed code, or by an access token
    /// and the current password.
    func change(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        if body["resetToken"] != nil {
            try body.allow("resetToken", "newPassword")
            return try await reset(request, code: body.string("resetToken"), to: body.string("newPassword"))
        }
        let caller = try await tokens.caller(of: request)
        try body.allow("currentPassword", "newPassword")
        let chosen = try body.string("newPassword")
        let current = try body.string("currentPassword")
        let checked = try await security.watching(request, of: caller.user) {
            try await credentials.check(current, of: caller, request)
        }
        guard let account = checked else { throw try await credentials.withoutAddress(caller.user) }
        return try await limits.counting(changeLimit, provenBy: caller) {
            let hash = try await credentials.hash(chosen, for: account.address, request)
            return try await change(
                caller, request, at: account.address, row: credentials.changing(account, to: hash))
        }
    }

    /// Changes the password of a caller who has shown a moment ago who they are, and need not know the one before.
    ///
    /// - Parameters:
    ///   - current: the one before, where the client sends it: it is enough by itself.
    ///   - shortest: the fewest characters of the new one.
    /// - Throws: the problem `confirmation-needed` (401) for who has not, 401 for a wrong `current`, 409 for an account without an
    ///   address, 422 for a password that is none, 429.
    func change(
        to chosen: String, current: String?, shortest: Int, by caller: Caller, _ request: Request
    ) async throws -> Response {
        guard let address = try await credentials.address(of: caller.user) else {
            throw try await credentials.withoutAddress(caller.user)
        }
        var row: (String) -> RowCall = { credentials.replacing(of: caller.user, by: $0) }
        if let current {
            let checked = try await security.watching(request, of: caller.user) {
                try await credentials.check(current, of: caller, request)
            }
            guard let checked else { throw try await credentials.withoutAddress(caller.user) }
            row = { credentials.changing(checked, to: $0) }
        } else {
            try await fresh.require(caller) { try await credentials.proofs(of: caller.user).map(\.rawValue) }
        }
        return try await limits.counting(changeLimit, provenBy: caller) {
            let hash = try await credentials.hash(chosen, for: address, shortest: shortest, request)
            return try await change(caller, request, at: address, row: row(hash))
        }
    }

    private func change(
        _ caller: Caller, _ request: Request, at address: String, row: RowCall
    ) async throws -> Response {
        let mail = try await warnings.mail(.passwordChanged, to: caller.user, at: address)
        try await put(
            .changePassword, to: caller.user, request, but: caller.session, because: .passwordChanged,
            requestHash: caller.session.bytes, rows: [caller.stands, row] + mail)
        security.note(.passwordChanged, of: caller.user, request)
        outbox.wake()
        return .noContent
    }

    /// Replaces the password by means of a mailed code and ends all login sessions.
    private func reset(_ request: Request, code: String, to chosen: String) async throws -> Response {
        let code = try await security.watching(request, of: nil) {
            try await codes.check(code, for: AccountMails.Kind.passwordReset.rawValue)
        }
        guard let address = try await credentials.address(of: code.user) else { throw Problem(.codeInvalid) }
        let hash = try await credentials.hash(chosen, for: address, request)
        do {
            try await put(
                .resetPassword, to: code.user, request, but: nil, because: .passwordReset, requestHash: code.id.bytes,
                rows: [
                    code.use, credentials.replacing(of: code.user, by: hash), credentials.verifying(of: code.user),
                    AccountMails.Kind.passwordChanged.queueing(to: code.user),
                ])
        } catch AppendError.erased {
            throw Problem(.codeInvalid)
        }
        security.note(.passwordReset, of: code.user, request)
        outbox.wake()
        // Who guesses may be quick to use the new attempts up: the owner comes from a known device.
        var response = Response.noContent
        devices.remember(code.user, code.id, provenBy: .password, request, in: &response)
        return response
    }

    /// Puts a command to a user and ends all of their login sessions but one in the same append.
    private func put(
        _ command: UserCommand, to user: UUID, _ request: Request, but session: UUID?, because reason: LoginEnding,
        requestHash: [UInt8], rows: [RowCall]
    ) async throws {
        let metadata = request.metadata(owner: user)
        try await logins.end(of: user, but: session, because: reason, metadata) { ends, noOther in
            Append(
                id: .v7(), requestHash: requestHash, metadata: metadata,
                decisions: [try await users.load(User.stream(user)).decide(command)] + ends, calls: rows + [noOther])
        }
    }
}
