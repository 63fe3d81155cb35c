import Configuration
import Crypto
package import Postgres
import Primitives
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

    /// The place among the given keys of the one from which the kept keys follow: the one with which what is there is sealed.
    /// A program without such rows knew one key alone, sealed with it, and made everything else from it; so the order in which
    /// the keys are given now says nothing, and the oldest sealed row does. Where nothing is sealed, nothing was made either,
    /// and the first key is as good as any.
    ///
    /// To be asked before a signing key is made or goes.
    ///
    /// - Throws: `PostgresError`.
    package func root() async throws -> Int {
        let signing = try await pool.query(
            "select kid, sealed from signing_private_keys order by not_before, kid limit 1"
        ).first
        if let row = signing {
            return secrets.sealing.place(ofKeyOf: row.bytes(1), associatedData: row.uuid(0).bytes) ?? 0
        }
        let factor = try await pool.query(
            "select user_id, sealed from second_factors order by begun_at, user_id limit 1"
        ).first
        guard let row = factor else { return 0 }
        return secrets.secondFactors.place(ofKeyOf: row.bytes(1), associatedData: row.uuid(0).bytes) ?? 0
    }

    /// The secrets with the keys that the rows hold; what has no row yet gets one.
    ///
    /// - Parameter root: what ``root()`` said.
    /// - Throws: `ConfigurationError` when none of the given keys opens a row, `CryptoError` or `PostgresError`.
    package func open(from root: Int) async throws -> AccessSecrets {
        let beginning = secrets.following(from: root)
        for name in AccessSecrets.Name.allCases {
            let sealed = try secrets.kept.seal(beginning.value(name), associatedData: Array(name.rawValue.utf8))
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
