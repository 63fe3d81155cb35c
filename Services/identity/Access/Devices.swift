import Crypto
package import EventStore
import HTTPServer
package import Postgres
package import Primitives
package import Runtime
import ServiceKit

/// Anonymous devices, in the table `devices`, by keyed hashes of the ids that they chose. A device's secret follows from
/// its user and a number, so that none is kept.
@Loop package struct Devices {
    /// A device whose secret was checked, for what that allows.
    package struct Checked {
        fileprivate let user: UUID
        /// How often the secret was changed before it was checked.
        fileprivate let number: Int64

        /// For the append that the secret allows: refuses it with `device-has-account` when the device has become an account
        /// meanwhile, and with `device-secret-invalid` when the secret is another one.
        package var stands: RowCall { AccessRows.deviceStands(user, number) }
    }

    /// A device's secret as the one sees it who may end it; never the secret.
    package struct Entry {
        /// The anonymous user of the device.
        package let user: UUID
        package let createdAt: Timestamp
        /// When the secret was last changed; nil when never.
        package let changedAt: Timestamp?
        /// When it last let somebody in; nil when it did not, or that is not known.
        package let usedAt: Timestamp?
        /// When what was practised on the device last came to an account.
        package let handedOverAt: Timestamp?
        /// Since when it lets nobody in any more.
        package let revokedAt: Timestamp?
    }

    private let pool: PostgresPool
    private let key: [UInt8]

    package init(_ pool: PostgresPool, _ settings: AccessSettings) {
        self.pool = pool
        key = settings.secrets.device
    }

    /// The hash by which a device is known.
    ///
    /// - Throws: a problem 422 for an id that others could guess.
    package func hash(_ id: String) throws -> [UInt8] {
        guard (16...128).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Problem(.deviceIdInvalid)
        }
        return HMACSHA256.authenticate(Array("id \(id)".utf8), key: key)
    }

    /// The user of a device; nil for a new one.
    ///
    /// - Throws: `PostgresError`.
    package func user(of hash: [UInt8]) async throws -> UUID? {
        try await pool.query("select user_id from devices where device_key = $1", [.bytes(hash)]).first?.uuid(0)
    }

    /// Whether a user is a device that was told a secret.
    ///
    /// - Throws: `PostgresError`.
    package func isKnown(_ user: UUID) async throws -> Bool {
        try await pool.query("select exists (select from devices where user_id = $1)", [.uuid(user)]).rows[0].bool(0)
    }

    /// The secret that a device is told once.
    ///
    /// - Parameter number: how often it was changed.
    package func secret(of user: UUID, number: Int64 = 0) -> String { Base64URL.encode(secretBytes(user, number)) }

    /// Checks that a text is the present secret of the user's device, and was not revoked.
    ///
    /// - Throws: the problem `device-secret-invalid` (401) when it is not, or `PostgresError`.
    package func check(_ text: String?, of user: UUID) async throws -> Checked {
        guard let text, let bytes = Base64URL.decode(text), let number = try await secretNumber(of: user),
            ConstantTime.equal(bytes, secretBytes(user, number))
        else { throw Problem(.deviceSecretInvalid) }
        return Checked(user: user, number: number)
    }

    /// How often the secret of a user's device was changed; nil when the user has none, or none that counts.
    ///
    /// - Throws: `PostgresError`.
    package func secretNumber(of user: UUID) async throws -> Int64? {
        try await pool.query(
            "select secret_number from devices where user_id = $1 and revoked_at is null", [.uuid(user)]
        ).first?.int(0)
    }

    /// The devices whose secrets a user may end: the user, as an anonymous device, and those whose practice came to the user's
    /// account last. What has become an account is none.
    ///
    /// - Throws: `PostgresError`.
    package func list(of user: UUID) async throws -> [Entry] {
        try await pool.query(
            """
            select d.user_id, p.created_at, d.changed_at, d.used_at, d.handed_over_at, d.revoked_at
            from devices d join profiles p using (user_id)
            where (d.user_id = $1 or d.account_id = $1) and not has_account(d.user_id)
            order by coalesce(d.used_at, p.created_at) desc, d.user_id
            """, [.uuid(user)]
        ).rows.map { row in
            Entry(
                user: row.uuid(0), createdAt: row.time(1), changedAt: row.optional(2, PostgresRow.time),
                usedAt: row.optional(3, PostgresRow.time), handedOverAt: row.optional(4, PostgresRow.time),
                revokedAt: row.optional(5, PostgresRow.time))
        }
    }

    /// Makes the secret with the next number the device's; refused with `device-secret-invalid` when it has that already.
    package func changingSecret(of user: UUID, to number: Int64) -> RowCall {
        AccessRows.changeDeviceSecret(user, number)
    }

    /// The row of a new device, for the append that makes its user; refused with `device-secret-invalid` when the same
    /// device was quicker on another connection: only one of its calls gets the secret.
    package func adding(_ hash: [UInt8], of user: UUID) -> RowCall {
        AccessRows.putDevice(user, Hex.encode(hash))
    }

    private func secretBytes(_ user: UUID, _ number: Int64) -> [UInt8] {
        // The first one is as it was before there were others.
        let text = number == 0 ? "secret \(user)" : "secret \(number) \(user)"
        return HMACSHA256.authenticate(Array(text.utf8), key: key)
    }
}
