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

    init(_ store: EventStore, _ settings: AccessSettings) {
        pool = store.pool
        changes = EmailChanges(store, settings)
    }

    /// The address, and which kind of mail it gets; nil if there is nobody to write to any more.
    ///
    /// - Throws: `PostgresError`.
    func recipient(
        of kind: AccountMails.Kind, _ entry: MailOutbox.Entry
    ) async throws -> (address: String, kind: AccountMails.Kind)? {
        switch kind {
        case .newAddress, .addressTaken:
            guard let new = try await changes.newAddress(entry.id, of: entry.owner) else { return nil }
            // Whose the address is already, hears that somebody wanted it, and gets no code.
            return (new.address, new.isFree ? .newAddress : .addressTaken)
        case .keepAddress:
            return try await changes.oldAddress(entry.id, of: entry.owner).map { ($0, kind) }
        case .passwordReset, .verifyEmail, .confirm, .passwordChanged, .signUpAttempted, .secondFactorAdded,
            .secondFactorRemoved, .newDevice, .refreshTokenReused, .identityLinked, .identityUnlinked,
            .exportRequested:
            let row = try await pool.query(
                "select email from profiles where user_id = $1 and email is not null", [.uuid(entry.owner)]
            ).first
            return row.map { ($0.text(0), kind) }
        }
    }
}
