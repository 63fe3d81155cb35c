import EventSourcing
package import History
package import JSON
import Postgres
import Primitives
package import Runtime

/// A row that differs from a fresh fold of the log.
package struct Drift: Sendable {
    package let key: String
    /// The row in the table; nil if it is missing.
    package let live: JSONObject?
    /// The row folded from the log; nil if there should be none.
    package let folded: JSONObject?
}

/// Compares a read model's rows with a fresh fold of the log, in one snapshot, while services keep running.
///
/// Keys are processed in several passes, so memory is bounded however many rows there are.
@Loop package final class ReadModelCheck {
    /// What was found.
    package struct Findings: Sendable {
        package var rows = 0
        package var events: Int64 = 0
        /// The position at which rows and log were compared.
        package var position: Int64 = 0
        /// At most the first hundred.
        package var drifts: [Drift] = []
        package var driftCount = 0
    }

    private static let rowsInMemory: Int64 = 50_000
    private static let batchSize = 5_000

    private let store: HistoryStore
    private let model: ReadModelHistory
    private let progress: @Loop (_ share: Double, _ events: Int64) -> Void

    package init(
        _ store: HistoryStore, _ model: ReadModelHistory,
        progress: @escaping @Loop (_ share: Double, _ events: Int64) -> Void = { _, _ in }
    ) {
        self.store = store
        self.model = model
        self.progress = progress
    }

    /// Compares all rows, or a sample.
    ///
    /// - Parameter sample: 1 for all keys; n for those whose hash is divisible by n.
    /// - Throws: `PostgresError`, or ``FoldError`` if this build cannot read an event.
    package func run(sample: UInt64 = 1) async throws -> Findings {
        let connection = try await PostgresConnection.open(store.settings)
        defer { connection.close() }
        try await connection.script("begin isolation level repeatable read read only")
        var findings = Findings()
        findings.position =
            try await connection.query("select position from projections where name = $1", [.text(model.name)])
            .first?.int(0) ?? 0
        let rows = try await connection.query("select count(*) from \(model.name)").rows[0].int(0)
        // Estimates by events too, because missing rows are not among the rows.
        let passes = UInt64(max(rows, findings.position / 20) / Self.rowsInMemory / Int64(sample) + 1)
        for pass in 0..<passes {
            try await run(connection, &findings, (pass, passes), parts: passes * sample) { hash in
                hash % sample == 0 && hash / sample % passes == pass
            }
        }
        try await connection.script("commit")
        return findings
    }

    private func run(
        _ connection: PostgresConnection, _ findings: inout Findings, _ pass: (number: UInt64, count: UInt64),
        parts: UInt64, _ chosen: @escaping (UInt64) -> Bool
    ) async throws {
        let fold = model.open()
        let wanted: ((String) -> Bool)? = parts == 1 ? nil : { chosen(StableHash.fnv1a64($0)) }
        var read: Int64 = 0
        while read < findings.position {
            let entries = try await LogReader.read(
                connection, after: read, upTo: findings.position, limit: Self.batchSize)
            guard let last = entries.last else { break }
            fold.fold(try model.steps(of: entries), only: wanted)
            read = last.position
            findings.events += Int64(entries.count)
            let share = Double(read) / Double(findings.position)
            progress((Double(pass.number) + share) / Double(pass.count), findings.events)
        }
        try await compare(fold, connection, &findings, wanted)
    }

    private func compare(
        _ fold: any RowFolding, _ connection: PostgresConnection, _ findings: inout Findings,
        _ wanted: ((String) -> Bool)?
    ) async throws {
        var last = ""
        var seen: Set<String> = []
        while true {
            let rows = try await connection.query(
                "select key, row_to_json(t) from \(model.name) t where key > $1 order by key limit $2",
                [.text(last), .int(Int64(Self.batchSize))]
            ).rows
            guard let end = rows.last else { break }
            for row in rows {
                let key = row.text(0)
                guard wanted?(key) ?? true else { continue }
                findings.rows += 1
                seen.insert(key)
                let live = try JSONObject.parse(row.bytes(1))
                let folded = fold.row(key)
                // A row that this build cannot read at all is shown as it is.
                let normal = try? fold.normalised(live)
                if normal != folded { note(key, normal ?? live, folded, &findings) }
            }
            last = end.text(0)
        }
        for piece in fold.drain(by: Self.batchSize) {
            piece.encode { key, row in
                if let row, !seen.contains(key), wanted?(key) ?? true { note(key, nil, row, &findings) }
            }
        }
    }

    private func note(_ key: String, _ live: JSONObject?, _ folded: JSONObject?, _ findings: inout Findings) {
        findings.driftCount += 1
        if findings.drifts.count < 100 { findings.drifts.append(Drift(key: key, live: live, folded: folded)) }
    }
}
