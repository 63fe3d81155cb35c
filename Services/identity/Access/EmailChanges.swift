import EventSourcing
package import EventStore
import Postgres
package import Primitives
package import Runtime
import ServiceKit

/// Changes of accounts' addresses, in the table `email_changes`, which hangs on the service's table `profiles`. The new
/// address shows by a mailed code whose it is. Where the old one was ever confirmed, the change waits then, until the old one has
/// confirmed it by a code of its own, or was silent for long enough; meanwhile, and for some days after the change, a code that was
/// mailed to the old one keeps the account.
@Loop package struct EmailChanges {
    /// What a mail about a change tells its old address.
    package struct Notice {
        /// The address so far.
        package let address: String
        /// The id of the code that keeps the account.
        package let keep: UUID
        /// When the change takes effect, or has.
        package let takesEffectAt: Timestamp
        /// Until when the address so far can keep the account.
        package let keepsUntil: Timestamp
    }

    /// A change whose time has come, or nearly.
    package struct Due {
        package let id: UUID
        package let user: UUID
        /// The mail that reminds of it, and the one that tells of it.
        package let remind: UUID
        package let tell: UUID
    }

    private let store: EventStore
    private let lifetime: Duration
    private let keepLifetime: Duration
    private let wait: Duration
    /// How long before a change the old address is reminded of it.
    private var reminderLead: Duration { min(.seconds(86_400), wait / 2) }

    package init(_ store: EventStore, _ settings: AccessSettings) {
        self.store = store
        // The new address has its code's life at least, whatever is set for the old one.
        lifetime = max(settings.emailKeepLifetime, settings.codeLifetime)
        keepLifetime = settings.emailKeepLifetime
        wait = settings.emailChangeWait
    }

    /// When a change takes effect whose new address has just shown whose it is, if the old one stays silent.
    package func takesEffect(after now: Timestamp = .now()) -> Timestamp { now + wait }

    /// The row of a change that somebody asked for; refused with `user-gone` when there is no such account.
    ///
    /// - Parameters:
    ///   - id: the change's, and that of the mail to the new address.
    ///   - keep: the id of the mail to the old address.
    ///   - session: the login session that asks.
    package func asking(
        _ id: UUID, of user: UUID, for email: EmailAddress, keep: UUID, in session: UUID
    ) -> RowCall {
        AccessRows.askEmailChange(id, user, email.text, keep, .now() + lifetime, session)
    }

    /// Guards what the code of the new address allows: refused with `code-invalid` when the account has had another address since the
    /// change was asked for, or the login session that asked is over.
    package func standing(_ code: OneTimeCodes.Code) -> RowCall { AccessRows.oldEmailStands(code.id, code.user) }

    /// Notes that the new address has shown whose it is, and keeps it for the account. Refused with `email-taken` when another account
    /// has it meanwhile, with `code-invalid` when the change is over.
    ///
    /// - Parameters:
    ///   - keep: the id of the mail to an address that was confirmed only after the change was asked for.
    ///   - confirm: the id of the mail that asks the old address.
    ///   - moment: as of ``takesEffect(after:)``.
    package func proving(_ code: OneTimeCodes.Code, keep: UUID, confirm: UUID, due moment: Timestamp) -> RowCall {
        AccessRows.proveEmailChange(
            code.id, code.user, keep, confirm, .v7(), .v7(), moment, moment + keepLifetime)
    }

    /// Makes the new address the account's, and ends every code that was mailed to the old one. Refused with `email-taken`
    /// when another account has it meanwhile, with `code-invalid` when the change is over.
    package func changing(_ id: UUID, of user: UUID) -> RowCall {
        AccessRows.changeEmail(id, user, .now() + keepLifetime)
    }

    /// For the append that makes another address the account's, after ``changing(_:of:)``: what was asked for before, and was not
    /// confirmed, comes to nothing.
    package func forgettingAsked(of user: UUID) -> RowCall { AccessRows.forgetAskedEmailChanges(user) }

    /// Whether the old address was mailed a code that keeps the account.
    ///
    /// - Throws: `PostgresError`.
    package func canBeStopped(_ id: UUID) async throws -> Bool {
        try await store.pool.query(
            "select from email_changes where id = $1 and keep_id is not null", [.uuid(id)]
        ).count > 0
    }

    /// Guards the mail that reminds of a change: refused with `code-invalid` when it was queued before.
    package func reminding(of id: UUID) -> RowCall { AccessRows.remindOfEmailChange(id) }

    /// Notes that the old address was told of a change, when its mails have left, or moves the change that is due though they have
    /// not: it comes no sooner than a reminder is old. Refused with `code-invalid` when there is nothing to note.
    package func telling(of id: UUID) -> RowCall { AccessRows.tellOfEmailChange(id, .now() + reminderLead) }

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

    /// What the old address is told of a change, by the id of the mail that asks, reminds or tells; nil when that is over.
    ///
    /// - Throws: `PostgresError`.
    package func notice(_ mail: UUID, of user: UUID) async throws -> Notice? {
        try await store.pool.query(
            """
            select old_email, keep_id, coalesce(changed_at, due_at), expires_at from email_changes
            where user_id = $2 and keep_id is not null and due_at is not null
                and case when changed_at is null then $1 in (confirm_id, remind_id) else $1 = tell_id end
            """, [.uuid(mail), .uuid(user)]
        ).first.map { row in
            Notice(
                address: row.text(0), keep: row.uuid(1), takesEffectAt: row.time(2), keepsUntil: row.time(3))
        }
    }

    /// The change that the code of a mail to the old address agrees to; nil when it waits no more.
    ///
    /// - Throws: `PostgresError`.
    package func confirmed(by code: OneTimeCodes.Code) async throws -> Due? {
        try await store.pool.query(
            Self.dues + "confirm_id = $1 and user_id = $2", [.uuid(code.id), .uuid(code.user)]
        ).first.map(Self.due)
    }

    /// The address that waits to be the account's, and when it is at the latest; nil when none does.
    ///
    /// - Throws: `PostgresError`.
    package func waiting(of user: UUID) async throws -> (email: String, takesEffectAt: Timestamp)? {
        try await store.pool.query(
            """
            select new_email, due_at from email_changes
            where user_id = $1 and changed_at is null and due_at is not null
            """, [.uuid(user)]
        ).first.map { ($0.text(0), $0.time(1)) }
    }

    /// How many changes are found at a time.
    package nonisolated static let most = 100

    /// The first changes that have waited long enough, and of which the old address was told long enough before.
    ///
    /// - Parameter seen: which are left out.
    /// - Throws: `PostgresError`.
    package func overdue(but seen: [UUID] = []) async throws -> [Due] {
        try await store.pool.query(
            Self.dues + "id <> all($1) and told_at is not null and due_at <= now() order by due_at limit \(Self.most)",
            [.uuids(seen)]
        ).rows.map(Self.due)
    }

    /// The first changes that come within a day, or within half of the time that they wait, and of which the old address was not
    /// reminded.
    ///
    /// - Parameter seen: which are left out.
    /// - Throws: `PostgresError`.
    package func soon(but seen: [UUID]) async throws -> [Due] {
        try await store.pool.query(
            Self.dues + """
                id <> all($1) and reminded_at is null
                and due_at - least(interval '1 day', (due_at - proven_at) / 2) <= now()
                order by due_at limit \(Self.most)
                """, [.uuids(seen)]
        ).rows.map(Self.due)
    }

    /// The first changes of which the old address was told by now, or should have been: their mails have left, or they are due.
    ///
    /// - Parameter seen: which are left out.
    /// - Throws: `PostgresError`.
    package func untold(but seen: [UUID]) async throws -> [Due] {
        try await store.pool.query(
            Self.dues + """
                id <> all($1) and told_at is null and (due_at <= now() or (reminded_at is not null and not exists (
                    select from mail_outbox where id in (keep_id, confirm_id, remind_id))))
                order by due_at limit \(Self.most)
                """, [.uuids(seen)]
        ).rows.map(Self.due)
    }

    // MARK: Putting somebody else out

    /// Whether a change waits that another login session asked for.
    ///
    /// - Parameter session: nil when none is the owner's for certain.
    /// - Throws: `PostgresError`.
    package func waits(of user: UUID, askedOutside session: UUID?) async throws -> Bool {
        try await store.pool.query(
            """
            select from email_changes where user_id = $1 and proven_at is not null and changed_at is null
                and session is distinct from $2
            """, [.uuid(user), .uuid(session ?? .zero)]
        ).count > 0
    }

    /// Guards the append that ends other login sessions: refused, as one that begins meanwhile is, while a change waits that one of
    /// them asked for.
    package func noneWaits(of user: UUID, askedOutside session: UUID?) -> RowCall {
        AccessRows.noOtherEmailChange(user, session ?? .zero)
    }

    /// Whether a change waits that one login session asked for.
    ///
    /// - Throws: `PostgresError`.
    package func waits(of user: UUID, askedIn session: UUID) async throws -> Bool {
        try await store.pool.query(
            """
            select from email_changes where user_id = $1 and proven_at is not null and changed_at is null
                and session = $2
            """, [.uuid(user), .uuid(session)]
        ).count > 0
    }

    /// Guards the append that ends one login session: refused with `login-begun` while a change waits that it asked for.
    package func noneWaits(of user: UUID, askedIn session: UUID) -> RowCall {
        AccessRows.noEmailChangeOf(user, session)
    }

    /// Since when a second factor must have been there so that the old address need not fear it: whoever added a later one may have
    /// meant to change the address next.
    package func factorsDoubted(at now: Timestamp = .now()) -> Timestamp { now - wait - keepLifetime }

    /// Whose changes wait.
    ///
    /// - Throws: `PostgresError`.
    package static func waitingUsers(_ store: EventStore) async throws -> [UUID] {
        try await store.pool.query(
            "select distinct user_id from email_changes where proven_at is not null and changed_at is null"
        ).rows.map { $0.uuid(0) }
    }

    private nonisolated static let dues =
        """
        select id, user_id, remind_id, tell_id from email_changes
        where changed_at is null and due_at is not null and

        """

    private nonisolated static func due(_ row: PostgresRow) -> Due {
        Due(id: row.uuid(0), user: row.uuid(1), remind: row.uuid(2), tell: row.uuid(3))
    }

    /// The address that can keep the account, by the id of the mail to it; nil when it was never confirmed, or that is over.
    ///
    /// - Throws: `PostgresError`.
    package func oldAddress(_ keep: UUID, of user: UUID) async throws -> String? {
        try await store.pool.query(
            "select old_email from email_changes where keep_id = $1 and user_id = $2", [.uuid(keep), .uuid(user)]
        ).first?.text(0)
    }

    /// Removes what is over. A change that waits is not over by time alone: somebody may have to be told first, or the database may
    /// have been away. It goes when nothing has completed it for a month.
    ///
    /// - Throws: `PostgresError`.
    package func sweep() async throws {
        _ = try await store.pool.query(
            """
            delete from email_changes where expires_at < now()
                and (changed_at is not null or due_at is null or due_at < now() - interval '30 days')
            """)
    }
}
