import Access
import EventStore
import HTTPServer
import JSON
import Mail
import Primitives
import Runtime
import ServiceKit

/// The proof that an address is the account's.
@Loop struct EmailRoutes {
    private let users: CommandHandler<User>
    private let tokens: TokenVerifier
    private let security: SecurityLog
    private let credentials: Credentials
    private let codes: OneTimeCodes
    private let limits: RateLimits
    private let mailLimit: RateLimit
    private let outbox: MailOutbox

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials, _ limits: RateLimits,
        _ outbox: MailOutbox
    ) {
        users = CommandHandler(context.store)
        tokens = context.tokens
        security = context.security
        self.credentials = credentials
        codes = OneTimeCodes(context.store, settings)
        self.limits = limits
        mailLimit = settings.limits.accountMail
        self.outbox = outbox
    }

    /// Mails the caller a code, or takes the code back and notes that the address is the caller's.
    func verify(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("token")
        if let text = try body.optionalString("token") {
            _ = try await verify(text, request)
            return .noContent
        }
        let caller = try await tokens.caller(of: request)
        let address = try await credentials.requireAddress(of: caller.user)
        let kind = AccountMails.Kind.verifyEmail.rawValue
        try await limits.take(mailLimit, "\(kind) \(address)")
        try await outbox.queue(kind, to: caller.user)
        return .mailed
    }

    /// Takes back a code that was mailed, and notes that the address is its user's.
    ///
    /// - Returns: the user.
    /// - Throws: the problem `code-invalid` (401), or `PostgresError`.
    func verify(_ text: String, _ request: Request) async throws -> UUID {
        let code = try await security.watching(request, of: nil) {
            try await codes.check(text, for: AccountMails.Kind.verifyEmail.rawValue)
        }
        try await users.put(.verifyEmail, by: code, request, rows: [credentials.verifying(of: code.user)])
        return code.user
    }

    /// Mails another code to an address that is not confirmed yet. Whoever asks learns nothing: an address without such an account takes
    /// the same way with a user that does not exist.
    ///
    /// - Throws: a problem 429, or `PostgresError`.
    func sendAgain(to email: EmailAddress) async throws {
        let kind = AccountMails.Kind.verifyEmail.rawValue
        try await limits.take(mailLimit, "\(kind) \(email.key)")
        var user = try await credentials.user(of: email)
        if let known = user, try await credentials.confirmedAddress(of: known) != nil { user = nil }
        try await outbox.queue(kind, to: user ?? .v7())
    }
}
