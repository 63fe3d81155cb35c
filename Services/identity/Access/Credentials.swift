import Crypto
package import EventStore
package import HTTPServer
import Postgres
package import Primitives
package import Runtime
package import ServiceKit

/// The addresses and passwords of accounts, in the table `credentials`, which hangs on the service's table `profiles`: one
/// account for an address, whatever its case.
@Loop package struct Credentials {
    /// An account whose password was checked, for what that allows.
    package struct Checked {
        package let user: UUID
        /// The account's address in small letters.
        package let address: String
        fileprivate let hash: String
        /// Since when it is the password.
        let changedAt: Timestamp

        /// What it shows of the account.
        package var factor: FirstFactor { FirstFactor(user, .password, since: changedAt) }

        /// For the append that the password allows: refuses it with the code `password-changed` when another password was
        /// chosen meanwhile.
        package var stands: RowCall { factor.stands }
    }

    private let store: EventStore
    private let owners: OwnerReads
    private let passwords: Passwords
    private let limits: RateLimits
    private let devices: KnownDevices
    private let failures: AccountLimit
    private let leaks: PasswordLeaks

    package init(
        _ store: EventStore, _ owners: OwnerReads, _ passwords: Passwords, _ limits: RateLimits,
        _ devices: KnownDevices, _ settings: AccessSettings
    ) {
        self.store = store
        self.owners = owners
        self.passwords = passwords
        self.limits = limits
        self.devices = devices
        failures = settings.limits.password
        leaks = PasswordLeaks(settings)
    }

    // MARK: Asking

    /// The account that an address belongs to.
    ///
    /// - Throws: `PostgresError`.
    package func user(of email: EmailAddress) async throws -> UUID? {
        try await store.pool.query("select user_id from credentials where email_key = $1", [.text(email.key)])
            .first?.uuid(0)
    }

    /// An account's address in small letters; nil for an anonymous device.
    ///
    /// - Throws: `PostgresError`.
    package func address(of user: UUID) async throws -> String? {
        try await owners.query(of: user, "select email_key from credentials where user_id = $1", [.uuid(user)])
            .first?.text(0)
    }

    /// The ways in which a user can show who they are while signed in.
    ///
    /// - Throws: `PostgresError`.
    package func proofs(of user: UUID) async throws -> [Proof] {
        let row = try await owners.query(
            of: user,
            """
            select coalesce(bool_or(has_password), false), coalesce(bool_or(verified_at is not null), false),
                exists (select from linked_identities where user_id = $1 and provider = 'google'),
                exists (select from linked_identities where user_id = $1 and provider = 'apple')
            from credentials where user_id = $1
            """, [.uuid(user)]
        ).rows[0]
        let proofs: [Proof] = [.password, .mail, .google, .apple]
        let shown = proofs.indices.filter { row.bool($0) }.map { proofs[$0] }
        return shown.isEmpty ? [.device] : shown
    }

    /// Whether a user is more than an anonymous device.
    ///
    /// - Throws: `PostgresError`.
    package func hasAccount(_ user: UUID) async throws -> Bool {
        try await store.pool.query("select has_account($1)", [.uuid(user)]).rows[0].bool(0)
    }

    /// The address of an account, in small letters, if it is confirmed; nil for a user without one.
    ///
    /// - Throws: `PostgresError`.
    package func confirmedAddress(of user: UUID) async throws -> String? {
        try await owners.query(
            of: user, "select email_key from credentials where user_id = $1 and verified_at is not null", [.uuid(user)]
        ).first?.text(0)
    }

    /// The account that an address and a password open. An address without an account gets the same answer after the same
    /// work.
    ///
    /// - Throws: a problem 401, 429 after too many failures, 503 while too many wait, or `PostgresError`.
    package func open(_ email: EmailAddress, password: String, _ request: Request) async throws -> Checked {
        try await open(email, password: password, from: request.clientNetworks) { Visitor(request, for: $0, devices) }
    }

    /// As ``open(_:password:_:)``, by whoever it is for the account; nil without one.
    ///
    /// - Throws: as ``open(_:password:_:)``.
    package func open(
        _ email: EmailAddress, password: String, from networks: [ClientNetwork], by visitor: (UUID?) -> Visitor
    ) async throws -> Checked {
        let row = try await store.pool.query(
            "select user_id, password_hash, changed_at from credentials where email_key = $1", [.text(email.key)]
        ).first
        let renewed = try await check(
            password, against: row?.text(1), since: row?.time(2), of: email.key, by: visitor(row?.uuid(0)),
            from: networks)
        guard let row else { throw Problem(.credentialsInvalid) }
        let (user, old) = (row.uuid(0), row.text(1))
        if let renewed {
            _ = try await store.pool.query(
                "update credentials set password_hash = $3 where user_id = $1 and password_hash = $2",
                [.uuid(user), .text(old), .text(renewed)])
        }
        return Checked(user: user, address: email.key, hash: renewed ?? old, changedAt: row.time(2))
    }

    /// Checks the password of somebody who is signed in; nil for an anonymous device.
    ///
    /// - Throws: as ``open(_:password:_:)``.
    package func check(_ password: String, of caller: Caller, _ request: Request) async throws -> Checked? {
        let row = try await owners.query(
            of: caller.user, "select email_key, password_hash, changed_at from credentials where user_id = $1",
            [.uuid(caller.user)]
        ).first
        guard let row else { return nil }
        _ = try await check(
            password, against: row.text(1), since: row.time(2), of: row.text(0), by: Visitor(caller),
            from: request.clientNetworks)
        return Checked(user: caller.user, address: row.text(0), hash: row.text(1), changedAt: row.time(2))
    }

    /// A new password's hash.
    ///
    /// - Parameter shortest: the fewest characters.
    /// - Throws: a problem 422 when it is no good password, or 503 while too many wait; `BreachedPasswords.Unreadable`.
    package func hash(
        _ password: String, for address: String, shortest: Int = PasswordRules.shortest, _ request: Request
    ) async throws -> String {
        try PasswordRules.check(password, email: address, shortest: shortest)
        if try await leaks.know(password) {
            throw Problem(
                .passwordTooCommon,
                detail: "Choose another password: this one was made public in a leak of another site.")
        }
        return try await passwords.hash(password, from: request.clientNetworks)
    }

    /// Checks a password; gives a new hash when the stored one is out of date.
    ///
    /// - Parameter changed: since when it is the password. Failures count against this password alone, so another one opens
    ///   the account again, wherever somebody failed.
    private func check(
        _ password: String, against hash: String?, since changed: Timestamp?, of address: String, by visitor: Visitor,
        from networks: [ClientNetwork]
    ) async throws -> String? {
        let account = "\(address) \(changed?.microseconds ?? 0)"
        try await limits.take(failures, account, by: visitor)
        let matches: Bool
        let renewed: String?
        do {
            (matches, renewed) = try await passwords.check(password, against: hash, from: networks)
        } catch {
            // Whoever keeps everybody waiting does not use up the owner's attempts.
            try await limits.untake(failures, account, by: visitor)
            throw error
        }
        guard matches else { throw Problem(.credentialsInvalid) }
        try await limits.succeed(failures, account, by: visitor)
        return renewed
    }

    // MARK: Rows of appends

    /// Gives an account its address and its first password; refused with `email-taken` when another has the address.
    package func adding(_ user: UUID, _ email: EmailAddress, hash: String) -> RowCall {
        AccessRows.putCredentials(user, email.key, hash)
    }

    /// Gives an account that has no password the address that its provider has confirmed; refused with `email-taken` when
    /// another has it.
    package func adding(_ user: UUID, confirmed email: EmailAddress) -> RowCall {
        AccessRows.putAddress(user, email.key, PasswordHash.decoy.encoded)
    }

    /// Replaces the password that was checked; refused with `password-changed` when it is another meanwhile.
    package func changing(_ account: Checked, to hash: String) -> RowCall {
        AccessRows.changePassword(account.user, hash, account.hash)
    }

    /// Replaces the password, whatever it was.
    package func replacing(of user: UUID, by hash: String) -> RowCall {
        AccessRows.resetPassword(user, hash)
    }

    /// Puts the password out of force: only a mailed code lets its owner choose a new one.
    package func disabling(of user: UUID) -> RowCall {
        AccessRows.disablePassword(user, PasswordHash.decoy.encoded)
    }

    /// Notes that the address is the user's.
    package func verifying(of user: UUID) -> RowCall { AccessRows.verifyEmail(user) }
}
