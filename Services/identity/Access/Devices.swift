import Crypto
package import EventStore
import HTTPServer
package import Postgres
package import Primitives
package import Runtime
import ServiceKit

/// Anonymous devices, in the table `devices`, by keyed hashes of the ids that they chose. A device's secret follows from
/// its user, so that none is kept.
@Loop package struct Devices {
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

    /// The secret that a device is told once.
    package func secret(of user: UUID) -> String { Base64URL.encode(secretBytes(user)) }

    /// Whether a text is the secret of the user's device.
    package func isSecret(_ text: String?, of user: UUID) -> Bool {
        guard let text, let bytes = Base64URL.decode(text) else { return false }
        return ConstantTime.equal(bytes, secretBytes(user))
    }

    /// The row of a new device, for the append that makes its user; refused with `device-secret-invalid` when the same
    /// device was quicker on another connection: only one of its calls gets the secret.
    package func adding(_ hash: [UInt8], of user: UUID) -> RowCall {
        AccessRows.putDevice(user, Hex.encode(hash))
    }

    private func secretBytes(_ user: UUID) -> [UInt8] {
        HMACSHA256.authenticate(Array("secret \(user)".utf8), key: key)
    }
}
