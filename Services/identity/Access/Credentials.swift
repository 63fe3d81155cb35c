package import EventStore
import HTTPServer
import Postgres
package import Primitives
package import Runtime
package import ServiceKit

/// The addresses and passwords of accounts, in the table `credentials`, which hangs on the service's table `profiles`: one
/// account for an address, whatever its case.
@Loop package struct Credentials {
    /// An account whose password was checked, for the change that it allows.
    package struct Checked {
        package let user: UUID
        /// The account's address in small letters.
        package let address: String
        fileprivate let hash: String
    }

    private let store: EventStore
    private let owners: OwnerReads
    private let passwords: Passwords
    private let limits: RateLimits
    private let failures: RateLimit

    package init(
        _ store: EventStore, _ owners: OwnerReads, _ passwords: Passwords, _ limits: RateLimits,
        _ settings: AccessSettings
    ) {
        self.store = store
        self.owners = owners
        self.passwords = passwords
        self.limits = limits
        failures = settings.limits.account
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

    /// The account that an address and a password open. An address without an account gets the same answer after the same
    /// work.
    ///
    /// - Throws: a problem 401, 429 after too many failures, 503 while too many wait, or `PostgresError`.
    package func open(_ email: EmailAddress, password: String) async throws -> UUID {
        let row = try await store.pool.query(
            "select user_id, password_hash from credentials where email_key = $1", [.text(email.key)]
        ).first
        let renewed = try await check(password, against: row?.text(1), of: email.key)
        guard let user = row?.uuid(0) else { throw Problem(.credentialsInvalid) }
        if let renewed, let old = row?.text(1) {
            _ = try await store.pool.query(
                "update credentials set password_hash = $3 where user_id = $1 and password_hash = $2",
                [.uuid(user), .text(old), .text(renewed)])
        }
        return user
    }

    /// Checks the password of somebody who is signed in; nil for an anonymous device.
    ///
    /// - Throws: as ``open(_:password:)``.
    package func check(_ password: String, of user: UUID) async throws -> Checked? {
        let row = try await owners.query(
            of: user, "select email_key, password_hash from credentials where user_id = $1", [.uuid(user)]
        ).first
        guard let row else { return nil }
        _ = try await check(password, against: row.text(1), of: row.text(0))
        return Checked(user: user, address: row.text(0), hash: row.text(1))
    }

    /// A new password's hash.
    ///
    /// - Throws: a problem 422 when it is no good password, or 503 while too many wait.
    package func hash(_ password: String, for address: String) async throws -> String {
        try PasswordRules.check(password, email: address)
        return try await passwords.hash(password)
    }

    /// Forgets the failures of an account whose owner has shown who they are in another way.
    ///
    /// - Throws: `PostgresError`.
    package func forgive(_ address: String) async throws { try await limits.clear(failures, address) }

    private func check(_ password: String, against hash: String?, of address: String) async throws -> String? {
        try await limits.take(failures, address)
        let (matches, renewed) = try await passwords.check(password, against: hash)
        guard matches else { throw Problem(.credentialsInvalid) }
        try await forgive(address)
        return renewed
    }

    // MARK: Rows of appends

    /// Gives an account its address and its first password; refused with `email-taken` when another has the address.
    package func adding(_ user: UUID, _ email: EmailAddress, hash: String) -> RowCall {
        AccessRows.putCredentials(user, email.key, hash)
    }

    /// Replaces the password that was checked; refused with `password-changed` when it is another meanwhile.
    package func changing(_ account: Checked, to hash: String) -> RowCall {
        AccessRows.changePassword(account.user, hash, account.hash)
    }

    /// Replaces the password, whatever it was.
    package func replacing(of user: UUID, by hash: String) -> RowCall {
        AccessRows.resetPassword(user, hash)
    }

    /// Notes that the address is the user's.
    package func verifying(of user: UUID) -> RowCall { AccessRows.verifyEmail(user) }
}
