import Access
import EventStore
import HTTPServer
import JSON
import Mail
import Primitives
import Runtime
import ServiceKit

/// What goes by mail: a new password, and the proof that an address is the account's.
extension IdentityRoutes {
    /// Queues a mail with a code. Whoever asks learns nothing, neither from the answer nor from its time: an address
    /// without an account takes the same way with a user that does not exist.
    func requestPasswordReset(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("email")
        let email = try EmailAddress(body.string("email"))
        try await limits.take(settings.access.limits.accountMail, email.key)
        try await outbox.queue(
            AccountMails.Kind.passwordReset.rawValue, to: try await credentials.user(of: email) ?? .v7())
        return Self.mailed
    }

    /// Replaces the password by means of a mailed code and ends all login sessions.
    func resetPassword(_ request: Request, code: String, to chosen: String) async throws -> Response {
        let code = try await codes.check(code, for: AccountMails.Kind.passwordReset.rawValue)
        guard let address = try await credentials.address(of: code.user) else { throw Problem(.codeInvalid) }
        let hash = try await credentials.hash(chosen, for: address)
        try await change(
            code, by: .resetPassword, request,
            rows: [
                credentials.replacing(of: code.user, by: hash), logins.ending(of: code.user, but: nil),
                AccountMails.Kind.passwordChanged.queueing(to: code.user),
            ])
        outbox.wake()
        try await credentials.forgive(address)
        return .noContent
    }

    /// Tells the owner of an address that somebody wanted to sign up with it; not more often than an account gets mail.
    func warnOwner(of email: EmailAddress) async throws {
        guard let owner = try await credentials.user(of: email) else { return }
        do {
            try await limits.take(settings.access.limits.accountMail, email.key)
        } catch is Problem {
            return
        }
        try await outbox.queue(AccountMails.Kind.signUpAttempted.rawValue, to: owner)
    }

    /// Mails the caller a code, or takes the code back and notes that the address is the caller's.
    func verifyEmail(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("token")
        if let text = try body.optionalString("token") {
            let code = try await codes.check(text, for: AccountMails.Kind.verifyEmail.rawValue)
            try await change(code, by: .verifyEmail, request, rows: [credentials.verifying(of: code.user)])
            return .noContent
        }
        let caller = try await context.tokens.caller(of: request)
        guard let address = try await credentials.address(of: caller.user) else { throw UserRefusal.noAccount }
        try await limits.take(settings.access.limits.accountMail, address)
        try await outbox.queue(AccountMails.Kind.verifyEmail.rawValue, to: caller.user)
        return Self.mailed
    }

    /// What a code allows, once.
    private func change(
        _ code: OneTimeCodes.Code, by command: UserCommand, _ request: Request, rows: [RowCall]
    ) async throws {
        do {
            try await handle(command, of: code.user, request, requestHash: code.id.bytes, rows: [code.use] + rows)
        } catch AppendError.erased {
            throw Problem(.codeInvalid)
        }
    }

    private static let mailed = Response.json(["status": "accepted"], status: 202)
}
