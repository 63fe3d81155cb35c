import Access
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
    private let credentials: Credentials
    private let codes: OneTimeCodes
    private let logins: LoginSessions
    private let limits: RateLimits
    private let mailLimit: RateLimit
    private let outbox: MailOutbox

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials, _ limits: RateLimits,
        _ outbox: MailOutbox
    ) {
        users = CommandHandler(context.store)
        tokens = context.tokens
        self.credentials = credentials
        codes = OneTimeCodes(context.store, settings)
        logins = LoginSessions(context.store, settings)
        self.limits = limits
        mailLimit = settings.limits.accountMail
        self.outbox = outbox
    }

    /// Queues a mail with a code. Whoever asks learns nothing, neither from the answer nor from its time: an address
    /// without an account takes the same way with a user that does not exist.
    func requestReset(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("email")
        let email = try EmailAddress(body.string("email"))
        try await limits.take(mailLimit, email.key)
        try await outbox.queue(
            AccountMails.Kind.passwordReset.rawValue, to: try await credentials.user(of: email) ?? .v7())
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
        guard let account = try await credentials.check(body.string("currentPassword"), of: caller.user) else {
            throw UserRefusal.noAccount
        }
        let hash = try await credentials.hash(chosen, for: account.address)
        try await users.put(
            .changePassword, to: caller.user, request, requestHash: caller.session.bytes,
            rows: [
                credentials.changing(account, to: hash), logins.ending(of: caller.user, but: caller.session),
                AccountMails.Kind.passwordChanged.queueing(to: caller.user),
            ])
        outbox.wake()
        return .noContent
    }

    /// Replaces the password by means of a mailed code and ends all login sessions.
    private func reset(_ request: Request, code: String, to chosen: String) async throws -> Response {
        let code = try await codes.check(code, for: AccountMails.Kind.passwordReset.rawValue)
        guard let address = try await credentials.address(of: code.user) else { throw Problem(.codeInvalid) }
        let hash = try await credentials.hash(chosen, for: address)
        try await users.put(
            .resetPassword, by: code, request,
            rows: [
                credentials.replacing(of: code.user, by: hash), logins.ending(of: code.user, but: nil),
                AccountMails.Kind.passwordChanged.queueing(to: code.user),
            ])
        outbox.wake()
        try await credentials.forgive(address)
        return .noContent
    }
}
