import Access
import EventStore
import Mail
import Postgres
import Primitives
import Runtime

/// Who gets a mail: the account's address, or one of the two that a change of it is about.
@Loop struct MailRecipients {
    private let pool: PostgresPool
    private let changes: EmailChanges

    init(_ store: EventStore, _ changes: EmailChanges) {
        pool = store.pool
        self.changes = changes
    }

    /// Whom a mail goes to.
    struct Recipient {
        let address: String
        /// Which kind of mail it is.
        let kind: AccountMails.Kind
    }

    /// The address, and which kind of mail it gets; nil if there is nobody to write to any more.
    ///
    /// - Throws: `PostgresError`.
    func recipient(of kind: AccountMails.Kind, _ entry: MailOutbox.Entry) async throws -> Recipient? {
        switch kind {
        case .newAddress, .addressTaken:
            guard let new = try await changes.newAddress(entry.id, of: entry.owner) else { return nil }
            // Where another account has the address, its owner is told that somebody wanted it, and gets no code.
            return Recipient(address: new.address, kind: new.isFree ? .newAddress : .addressTaken)
        case .keepAddress:
            return try await changes.oldAddress(entry.id, of: entry.owner).map { Recipient(address: $0, kind: kind) }
        case .passwordReset, .verifyEmail, .confirm, .passwordChanged, .signUpAttempted, .secondFactorAdded,
            .secondFactorRemoved, .changeWithdrawn, .newDevice, .refreshTokenReused, .identityLinked, .identityUnlinked,
            .exportRequested:
            let row = try await pool.query(
                "select email from profiles where user_id = $1 and email is not null", [.uuid(entry.owner)]
            ).first
            return row.map { Recipient(address: $0.text(0), kind: kind) }
        }
    }
}
