import Access
import EventStore
import Mail
import Postgres
import Primitives
import Runtime

/// Who gets a mail: the account's address, or one of the two that a change of it is about.
///
/// What the old one is told of a change is in `notice`.
@Loop struct MailRecipients {
    private let pool: PostgresPool
    private let changes: EmailChanges

    init(_ store: EventStore, _ settings: AccessSettings) {
        pool = store.pool
        changes = EmailChanges(store, settings)
    }

    /// Whom a mail goes to.
    struct Recipient {
        let address: String
        /// Which kind of mail it is.
        let kind: AccountMails.Kind
        /// What an old address is told of a change.
        var notice: EmailChanges.Notice?
    }

    /// The address, and which kind of mail it gets; nil if there is nobody to write to any more.
    ///
    /// - Throws: `PostgresError`.
    func recipient(of kind: AccountMails.Kind, _ entry: MailOutbox.Entry) async throws -> Recipient? {
        switch kind {
        case .newAddress, .addressTaken:
            guard let new = try await changes.newAddress(entry.id, of: entry.owner) else { return nil }
            // Whose the address is already, hears that somebody wanted it, and gets no code.
            return Recipient(address: new.address, kind: new.isFree ? .newAddress : .addressTaken)
        case .keepAddress:
            return try await changes.oldAddress(entry.id, of: entry.owner).map { Recipient(address: $0, kind: kind) }
        case .oldAddress, .addressWaits, .addressChanged:
            return try await changes.notice(entry.id, of: entry.owner).map {
                Recipient(address: $0.address, kind: kind, notice: $0)
            }
        case .passwordReset, .verifyEmail, .confirm, .passwordChanged, .signUpAttempted, .secondFactorAdded,
            .secondFactorRemoved, .newDevice, .refreshTokenReused, .identityLinked, .identityUnlinked,
            .exportRequested:
            let row = try await pool.query(
                "select email from profiles where user_id = $1 and email is not null", [.uuid(entry.owner)]
            ).first
            return row.map { Recipient(address: $0.text(0), kind: kind) }
        }
    }
}
