import Configuration
import Crypto
package import Postgres
package import Runtime

/// The keys that authenticate tokens, codes and devices, in the table `kept_keys`, sealed.
@Loop package struct KeptKeys {
    private let pool: PostgresPool
    private let secrets: AccessSecrets

    /// - Parameter secrets: as they follow from the variables.
    package init(_ pool: PostgresPool, _ secrets: AccessSecrets) {
        self.pool = pool
        self.secrets = secrets
    }

    /// The secrets with the keys that the rows hold; what has no row yet gets one.
    ///
    /// - Throws: `ConfigurationError` when none of the given keys opens a row, `CryptoError` or `PostgresError`.
    package func open() async throws -> AccessSecrets {
        for name in AccessSecrets.Name.allCases {
            let sealed = try secrets.kept.seal(secrets.value(name), associatedData: Array(name.rawValue.utf8))
            _ = try await pool.query(
                "insert into kept_keys (name, sealed) values ($1, $2) on conflict (name) do nothing",
                [.text(name.rawValue), .bytes(sealed)])
        }
        var keys: [AccessSecrets.Name: [UInt8]] = [:]
        for row in try await pool.query("select name, sealed from kept_keys").rows {
            // One that only a newer program knows.
            guard let name = AccessSecrets.Name(rawValue: row.text(0)) else { continue }
            do {
                keys[name] = try secrets.kept.open(row.bytes(1), associatedData: Array(name.rawValue.utf8))
            } catch {
                throw ConfigurationError(problems: [
                    "KEY_ENCRYPTION_KEY has none of the keys that \(name.rawValue) may be sealed with; add that one."
                ])
            }
        }
        return secrets.with(keys)
    }
}
