import Configuration
import Crypto
package import Observability
package import Postgres
import Primitives
package import Runtime
import ServiceKit

/// The keys that authenticate tokens, codes and devices, in the table `kept_keys`, sealed.
///
/// Those of what ends by itself can be changed while everything runs: a new key is a row `NAME.NUMBER`, which every instance believes as
/// soon as it has looked, and makes things with some minutes later, when all others have looked. The one before is believed until what
/// it has made is over, or, after a theft, no longer.
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
        for name in AccessSecrets.Name.all {
            let sealed = try secrets.kept.seal(beginning.value(name), associatedData: Array(name.text.utf8))
            _ = try await pool.query(
                "insert into kept_keys (name, sealed) values ($1, $2) on conflict (name) do nothing",
                [.text(name.text), .bytes(sealed)])
        }
        let (keys, unopened) = try await read()
        guard unopened.isEmpty else { throw Self.error(unopened) }
        return secrets.with(keys)
    }

    private nonisolated static func error(_ unopened: [String]) -> ConfigurationError {
        ConfigurationError(
            problems: unopened.map {
                "KEY_ENCRYPTION_KEY has none of the keys that \($0) may be sealed with; add that one."
            })
    }

    /// The keys that count now, of each name the one first with which things are made, and the names of the rows that none of the given
    /// keys opens. A name has no keys when the row of its present one is among them: whoever made that one may have meant to
    /// end the earlier ones.
    ///
    /// - Throws: `PostgresError`.
    private func read() async throws -> (keys: [AccessSecrets.Name: [[UInt8]]], unopened: [String]) {
        var keys: [AccessSecrets.Name: [[UInt8]]] = [:]
        var (distrusted, unopened): (Set<AccessSecrets.Name>, [String]) = ([], [])
        let rows = try await pool.query(
            """
            select name, sealed from kept_keys where ends_at is null or ends_at > now()
            order by signs_from <= now() desc, nullif(split_part(name, '.', 2), '')::integer desc nulls last
            """)
        for row in rows.rows {
            // One that only a newer program knows.
            let text = row.text(0)
            let plain = text.prefix { $0 != "." }
            guard let name = AccessSecrets.Name.all.first(where: { $0.text == plain }) else { continue }
            do {
                let key = try secrets.kept.open(row.bytes(1), associatedData: Array(text.utf8))
                if !distrusted.contains(name) { keys[name, default: []].append(key) }
            } catch {
                unopened.append(text)
                if keys[name] == nil { distrusted.insert(name) }
            }
        }
        return (keys, unopened)
    }

    // MARK: Changing them

    /// How soon after a change every instance knows the new key.
    private static let pollInterval = Duration.seconds(30)
    /// How long after a change it is made use of: some times as long as instances need to know it.
    private static let lead = Duration.seconds(300)

    /// Lets secrets that were opened use the keys that there are by now, and no others, whatever rows cannot be opened.
    ///
    /// - Throws: `ConfigurationError` when none of the given keys opens a row, after that; or `PostgresError`.
    package func refresh(_ opened: AccessSecrets) async throws {
        let (keys, unopened) = try await read()
        opened.adopt(keys)
        guard unopened.isEmpty else { throw Self.error(unopened) }
    }

    /// Looks for other keys until the task is cancelled.
    package func watch(_ opened: AccessSecrets, _ log: Logger) async {
        await RepeatedWork(log, orElse: "the keys could not be looked at").run(every: Self.pollInterval) {
            try await refresh(opened)
        }
    }

    /// Makes another key for a purpose.
    ///
    /// - Parameters:
    ///   - purpose: what they make.
    ///   - lifetime: how long what the earlier ones made may last; nil to believe in them no longer.
    /// - Throws: `CryptoError` or `PostgresError`.
    package func change(_ purpose: AccessSecrets.Changeable, lasting lifetime: Duration?) async throws {
        let name = purpose.rawValue
        let last = try await pool.query(
            """
            select coalesce(max(nullif(split_part(name, '.', 2), '')::integer), 0) from kept_keys
            where name = $1 or name like $1 || '.%'
            """, [.text(name)]
        ).rows[0].int(0)
        let row = "\(name).\(last + 1)"
        let sealed = try secrets.kept.seal(SecureRandom.bytes(AESGCM.keyLength), associatedData: Array(row.utf8))
        let now = Timestamp.now()
        let begin = lifetime == nil ? now : now + Self.lead
        // Both or none of it.
        _ = try await pool.query(
            """
            with ended as (update kept_keys set ends_at = least(ends_at, $4::timestamptz)
                where name = $5 or name like $5 || '.%')
            insert into kept_keys (name, sealed, signs_from) values ($1, $2, $3)
            """, [.text(row), .bytes(sealed), .time(begin), .time(begin + (lifetime ?? .zero)), .text(name)])
    }
}
