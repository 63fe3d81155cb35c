import Access
import EventStore
import HTTPServer
import Primitives
import Runtime
import ServiceKit

/// Mails that warn the owner of an account of what somebody did with it, as often as they like. An address that nobody confirmed
/// may be a stranger's, and gets none; beyond what an account gets of one kind, the owner has been told already.
@Loop struct OwnerWarnings {
    private let credentials: Credentials
    private let limits: RateLimits
    private let mailLimit: RateLimit

    init(_ settings: AccessSettings, _ credentials: Credentials, _ limits: RateLimits) {
        self.credentials = credentials
        self.limits = limits
        mailLimit = settings.limits.accountMail
    }

    /// The mail, for the append of what it warns of; none where none is due.
    ///
    /// - Throws: `PostgresError`.
    func mail(_ kind: AccountMails.Kind, to user: UUID) async throws -> [RowCall] {
        let mail = try await mailOfRare(kind, to: user)
        if mail.isEmpty { return [] }
        do {
            try await limits.take(mailLimit, "\(kind.rawValue) \(user)")
        } catch is Problem {
            return []
        }
        return mail
    }

    /// A mail that also an address gets which nobody confirmed, for the append that brings it about; none where it had as many. Counted for
    /// the address, so that nobody fills a stranger's mailbox with accounts that they make and erase again and again.
    ///
    /// - Parameter address: the account's, in small letters.
    /// - Throws: `PostgresError`.
    func mail(_ kind: AccountMails.Kind, to user: UUID, at address: String) async throws -> [RowCall] {
        do {
            try await limits.take(mailLimit, "at \(kind.rawValue) \(address)")
        } catch is Problem {
            return []
        }
        return [kind.queueing(to: user)]
    }

    /// As ``mail(_:to:)`` for what is bounded by a rule of its own: a message that is handled again and again uses up none of a limit.
    ///
    /// - Throws: `PostgresError`.
    func mailOfRare(_ kind: AccountMails.Kind, to user: UUID) async throws -> [RowCall] {
        try await credentials.proofs(of: user).contains(.mail) ? [kind.queueing(to: user)] : []
    }
}
