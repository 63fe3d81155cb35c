import Crypto
package import EventStore
import JSON
package import Observability
import Postgres
import Primitives
package import Runtime
import ServiceKit

/// Seals with the present key what an earlier one has sealed: private signing keys, the secrets of second factors, tokens
/// that providers of identities gave, and the kept keys. So the earlier one can be taken away.
@Loop package struct Resealing {
    /// What came of it.
    package struct Outcome: Sendable, Equatable {
        /// Sealed anew, by table.
        package var resealed: [String: Int] = [:]
        /// What none of the keys opens, by table.
        package var unopened: [String: Int] = [:]
    }

    /// A table with a column `sealed`, and how its rows are told apart.
    private struct Table {
        let name: String
        let key: String
        let type: String
        /// Before all of them.
        let start: String
        let keys: SealingKeys
        /// What a row's bytes are bound to.
        let associatedData: (PostgresRow) -> [UInt8]
    }

    /// How many rows are read at a time.
    private static let page: Int64 = 500
    private static let pause = Duration.seconds(300)

    private let pool: PostgresPool
    private let tables: [Table]
    private let log: Logger

    package init(_ store: EventStore, _ secrets: AccessSecrets, _ log: Logger) {
        pool = store.pool
        tables = [
            Self.byID("signing_private_keys", "kid", secrets.sealing),
            Self.byID("second_factors", "user_id", secrets.secondFactors),
            Self.byID("provider_tokens", "id", secrets.providerTokens),
            Table(name: "kept_keys", key: "name", type: "text", start: "", keys: secrets.kept) {
                Array($0.text(1).utf8)
            },
        ]
        self.log = log
    }

    private static func byID(_ name: String, _ key: String, _ keys: SealingKeys) -> Table {
        Table(name: name, key: key, type: "uuid", start: UUID.zero.description, keys: keys) { $0.uuid(1).bytes }
    }

    /// Looks every few minutes until the task is cancelled: an instance that was started before the change may still seal
    /// with the earlier key.
    package func run() async {
        await RepeatedWork(log, orElse: "what is sealed could not be looked at").run(every: Self.pause) {
            let outcome = try await step()
            for (table, count) in outcome.resealed {
                log.notice("sealed with the present key", ["table": .string(table), "count": .int(Int64(count))])
            }
            for (table, count) in outcome.unopened {
                log.error(
                    "no key opens these rows; add the one that they are sealed with to KEY_ENCRYPTION_KEY",
                    ["table": .string(table), "count": .int(Int64(count))])
            }
        }
    }

    /// Seals anew whatever the first key has not sealed.
    ///
    /// - Throws: `CryptoError` or `PostgresError`.
    package func step() async throws -> Outcome {
        var outcome = Outcome()
        for table in tables {
            var last = table.start
            while true {
                let rows = try await pool.query(
                    """
                    select \(table.key)::text as row_name, \(table.key), sealed from \(table.name)
                    where \(table.key) > $1::text::\(table.type) order by \(table.key) limit $2
                    """, [.text(last), .int(Self.page)]
                ).rows
                for row in rows { try await reseal(row, of: table, &outcome) }
                guard let end = rows.last else { break }
                last = end.text(0)
            }
        }
        return outcome
    }

    private func reseal(_ row: PostgresRow, of table: Table, _ outcome: inout Outcome) async throws {
        let (old, bound) = (row.bytes(2), table.associatedData(row))
        guard (try? table.keys.open(old, associatedData: bound)) != nil else {
            outcome.unopened[table.name, default: 0] += 1
            return
        }
        guard let new = try table.keys.resealed(old, associatedData: bound) else { return }
        // Unless it is another one meanwhile.
        let done = try await pool.query(
            "update \(table.name) set sealed = $2 where \(table.key) = $1::text::\(table.type) and sealed = $3",
            [.text(row.text(0)), .bytes(new), .bytes(old)])
        if done.affected > 0 { outcome.resealed[table.name, default: 0] += done.affected }
    }
}
