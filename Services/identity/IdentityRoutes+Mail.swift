import Access
import EventStore
import HTTPServer
import JSON
import Mail
import Postgres
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
        try await limits.take(settings.limits.accountMail, email.key)
        let row = try await context.store.pool.query(
            "select user_id from credentials where email_key = $1", [.text(email.key)]
        ).first
        try await outbox.queue(AccountMails.Kind.passwordReset.rawValue, to: row?.uuid(0) ?? .v7())
        return Self.mailed
    }

    /// Replaces the password by means of a mailed code and ends all login sessions.
    func resetPassword(_ request: Request, code: String, to chosen: String) async throws -> Response {
        let code = try await codes.check(code, for: AccountMails.Kind.passwordReset.rawValue)
        let row = try await context.store.pool.query(
            "select email_key from credentials where user_id = $1", [.uuid(code.user)]
        ).first
        guard let row else { throw Problem(.codeInvalid) }
        try PasswordRules.check(chosen, email: row.text(0))
        let hash = try await passwords.hash(chosen)
        try await change(
            code, by: .resetPassword, request,
            [
                RowCall("reset_password", ["userId": .uuid(code.user), "passwordHash": .string(hash)]),
                logins.ending(of: code.user, but: nil), AccountMails.Kind.passwordChanged.queueing(to: code.user),
            ])
        outbox.wake()
        try await limits.clear(settings.limits.account, row.text(0))
        return .noContent
    }

    /// Mails the caller a code, or takes the code back and notes that the address is the caller's.
    func verifyEmail(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("token")
        if let text = try body.optionalString("token") {
            let code = try await codes.check(text, for: AccountMails.Kind.verifyEmail.rawValue)
            try await change(code, by: .verifyEmail, request, [RowCall("verify_email", ["userId": .uuid(code.user)])])
            return .noContent
        }
        let caller = try await context.tokens.caller(of: request)
        let row = try await context.owners.query(
            of: caller.user, "select email_key from credentials where user_id = $1", [.uuid(caller.user)]
        ).first
        guard let row else { throw UserRefusal.noAccount }
        try await limits.take(settings.limits.accountMail, row.text(0))
        try await outbox.queue(AccountMails.Kind.verifyEmail.rawValue, to: caller.user)
        return Self.mailed
    }

    /// What a code allows, once.
    private func change(
        _ code: OneTimeCodes.Code, by command: UserCommand, _ request: Request, _ calls: [RowCall]
    ) async throws {
        do {
            _ = try await CommandHandler<User>(context.store).handle(
                command, on: User.stream(code.user), id: .v7(), requestHash: code.id.bytes,
                metadata: metadata(code.user, request)
            ) { _, _ in [code.use] + calls }
        } catch AppendError.guarded("code-invalid"), AppendError.erased {
            throw Problem(.codeInvalid)
        }
    }

    private static let mailed = Response.json(["status": "accepted"], status: 202)
}
