import Access
import EventStore
import Mail
import Postgres
import Primitives
import Runtime

/// The mails that accounts get, put together when they are sent.
@Loop struct AccountMails {
    /// Why somebody is written to; the raw value is durable, and the purpose of the code in the mail.
    enum Kind: String, Sendable {
        case passwordReset = "password-reset"
        case verifyEmail = "verify-email"
        case passwordChanged = "password-changed"
        case signUpAttempted = "sign-up-attempted"

        /// Whether the mail carries a code.
        var hasCode: Bool { self == .passwordReset || self == .verifyEmail }

        func queueing(to user: UUID) -> RowCall { MailOutbox.queueing(rawValue, to: user) }
    }

    private let pool: PostgresPool
    private let codes: OneTimeCodes
    private let links: [Kind: String]

    init(_ pool: PostgresPool, _ codes: OneTimeCodes, links: [Kind: String]) {
        self.pool = pool
        self.codes = codes
        self.links = links
    }

    /// The mail; nil if the user is gone or never existed, or its code has expired.
    ///
    /// - Throws: `MailError`, `PostgresError` or `AppendError`.
    func compose(_ entry: MailOutbox.Entry) async throws -> MailMessage? {
        guard let kind = Kind(rawValue: entry.kind) else {
            throw MailError(.unreadable, "This build knows no mail of this kind; start the one that queued it.")
        }
        guard
            let row = try await pool.query(
                "select email from profiles where user_id = $1 and email is not null",
                [.uuid(entry.owner)]
            ).first
        else { return nil }
        // Without the display name: whoever signed up may have entered somebody else's address, and a text of their own.
        guard let address = MailAddress(row.text(0)) else {
            throw MailError(.address, "The account's address cannot be used for mail.")
        }
        if kind.hasCode {
            // Under the mail's own id: a mail that is sent again tells the same code, and makes its life no longer.
            guard try await codes.open(entry.id, of: entry.owner, for: kind.rawValue) else { return nil }
        }
        let (subject, text) = text(kind, entry.id)
        return MailMessage(to: address, subject: subject, text: "Hello,\n\n\(text)\n")
    }

    private func text(_ kind: Kind, _ id: UUID) -> (subject: String, text: String) {
        let code = codes.text(id, for: kind.rawValue)
        let link = links[kind].map { "Open this link:\n\n\($0.replacing("{code}", with: code))" }
        let offer = """
            \(link ?? "Your code:\n\n\(code)")

            It can be used once, within \(codes.minutes) minutes. If it was not you, nothing has to be done.
            """
        return switch kind {
        case .passwordReset:
            ("Choose a new password", "somebody wants a new password for your MirrorMate account. \(offer)")
        case .verifyEmail:
            ("Confirm your address", "please confirm that this is the address of your MirrorMate account. \(offer)")
        case .passwordChanged:
            (
                "Your password was changed",
                """
                the password of your MirrorMate account was changed, and other devices were signed out.

                If it was not you, choose a new one at once: "Forgot password" mails you a code.
                """
            )
        case .signUpAttempted:
            (
                "Somebody tried to sign up with your address",
                """
                somebody wanted to make a MirrorMate account with this address, which has one already. They were told so.

                If it was you, sign in instead; "Forgot password" mails you a code for a new password. If it was not \
                you, nothing has to be done.
                """
            )
        }
    }
}
