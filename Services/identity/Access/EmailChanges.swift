import EventSourcing
package import EventStore
import Postgres
package import Primitives
package import Runtime
import ServiceKit

/// Changes of accounts' addresses, in the table `email_changes`, which hangs on the service's table `profiles`. The new
/// address is the account's once a code that was mailed there comes back; the old one, when it was confirmed, is mailed a
/// code that keeps the account, also for some days after the change.
@Loop package struct EmailChanges {
    private let store: EventStore
    private let lifetime: Duration

    package init(_ store: EventStore, _ settings: AccessSettings) {
        self.store = store
        // The new address has its code's life at least, whatever is set for the old one.
        lifetime = max(settings.emailKeepLifetime, settings.codeLifetime)
    }

    /// The row of a change that somebody asked for; refused with `user-gone` when there is no such account.
    ///
    /// - Parameters:
    ///   - id: the change's, and that of the mail to the new address.
    ///   - keep: the id of the mail to the old address.
    package func asking(_ id: UUID, of user: UUID, for email: EmailAddress, keep: UUID) -> RowCall {
        AccessRows.askEmailChange(id, user, email.text, keep, .now() + lifetime)
    }

    /// Makes the new address the account's, and ends every code that was mailed to the old one. Refused with `email-taken`
    /// when another account has it meanwhile, with `code-invalid` when the change is over.
    package func changing(_ code: OneTimeCodes.Code) -> RowCall { AccessRows.changeEmail(code.id, code.user) }

    /// Makes the old address the account's again, and ends every later change and every code but those of older changes;
    /// refused with `code-invalid` when that is no longer possible.
    package func keeping(_ code: OneTimeCodes.Code) -> RowCall { AccessRows.keepEmail(code.id, code.user) }

    /// Whom the mail about a change goes to that is told the new address's code.
    ///
    /// - Returns: the address, and whether it may become the account's: not when it belongs to another one; nil when the
    ///   change is over.
    /// - Throws: `PostgresError`.
    package func newAddress(_ id: UUID, of user: UUID) async throws -> (address: String, isFree: Bool)? {
        let row = try await store.pool.query(
            """
            select new_email, not is_kept_address(new_email, user_id) and not exists (
                select from credentials c where c.email_key = lower(new_email) and c.user_id <> e.user_id)
            from email_changes e where id = $1 and user_id = $2 and changed_at is null
            """, [.uuid(id), .uuid(user)]
        ).first
        return row.map { ($0.text(0), $0.bool(1)) }
    }

    /// The address that can keep the account, by the id of the mail to it; nil when it was never confirmed, or that is over.
    ///
    /// - Throws: `PostgresError`.
    package func oldAddress(_ keep: UUID, of user: UUID) async throws -> String? {
        try await store.pool.query(
            "select old_email from email_changes where keep_id = $1 and user_id = $2", [.uuid(keep), .uuid(user)]
        ).first?.text(0)
    }

    /// Removes what is over.
    ///
    /// - Throws: `PostgresError`.
    package func sweep() async throws {
        _ = try await store.pool.query("delete from email_changes where expires_at < now()")
    }
}
