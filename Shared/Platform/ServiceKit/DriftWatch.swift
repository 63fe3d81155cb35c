import EventSourcing
package import EventStore
package import History
import JSON
package import Observability
import Postgres
import Primitives
package import Runtime

/// Checks samples of a read model's rows again and again against their events.
///
/// It takes keys of a stretch of the log, so that a missing row is found, and keys of the table, so that a surplus row is.
/// Differences are logged and stay in `read_model_drifted_rows` until it is right again.
@Loop package final class DriftWatch {
    private static let interval = Duration.seconds(60)
    private static let sample: Int64 = 10
    /// How many differing rows are checked again; when there are more, single ones no longer matter.
    private static let remembered = 100

    private let model: ReadModelHistory
    private let store: EventStore
    private let log: Logger
    private var drifted: Set<String> = []

    package init(_ model: ReadModelHistory, store: EventStore, log: Logger) {
        self.model = model
        self.store = store
        self.log = log
    }

    /// Checks once a minute until the task is cancelled.
    package func run() async {
        try? await Loop.sleep(for: Self.interval)
        await RepeatedWork(log, orElse: "read model not checked", ["model": .string(model.name)])
            .run(every: Self.interval) { _ = try await look() }
    }

    /// Checks a sample and all rows that differed before.
    ///
    /// - Returns: the keys of the rows that differ now.
    /// - Throws: `PostgresError`, or `FoldError` when this build cannot read an event.
    package func look() async throws -> Set<String> {
        let found = try await store.pool.transaction { connection in
            // Rows and position as they were at one moment, whatever is folded meanwhile.
            _ = try await connection.query("set transaction isolation level repeatable read, read only")
            // Before the moment is chosen: no rebuilt table takes this one's place in between.
            _ = try await connection.query("lock table \(model.name) in access share mode")
            let position =
                try await connection.query("select position from projections where name = $1", [.text(model.name)])
                .first?.int(0) ?? 0
            var found: Set<String> = []
            let keys = try await sample(connection, upTo: position).union(drifted)
            for key in keys where try await differs(key, connection, at: position) { found.insert(key) }
            Metrics.shared.counter(
                "read_model_checked_rows_total", help: "Rows that were compared with their events.", labels: ["model"]
            ).increment(by: Double(keys.count), [model.name])
            return found
        }
        for key in found.subtracting(drifted).sorted() {
            log.error("row differs from its events", ["model": .string(model.name), "key": .string(key)])
        }
        drifted = Set(found.prefix(Self.remembered))
        Metrics.shared.gauge(
            "read_model_drifted_rows", help: "Rows that are known to differ from their events.", labels: ["model"]
        ).set(Double(found.count), [model.name])
        return found
    }

    private func sample(_ connection: PostgresConnection, upTo position: Int64) async throws -> Set<String> {
        let start = Int64.random(in: 0...max(position - Self.sample, 0))
        let events = try await store.readLog(after: start, limit: Int(Self.sample)).filter { $0.position <= position }
        let rows = try await connection.query(
            "select key from \(model.name) where key > $1 order by key limit $2",
            [.text(UUID.v4().description), .int(Self.sample)]
        ).rows
        return Set(try model.steps(of: events.map { LogEntry($0) }).keys).union(rows.map { $0.text(0) })
    }

    private func differs(_ key: String, _ connection: PostgresConnection, at position: Int64) async throws -> Bool {
        let events = try await connection.query(
            """
            select position, type, schema_version, data, recorded_at from events
            where stream = any($1) and position <= $2 order by position
            """, [.texts(model.streams(key).map(\.description)), .int(position)]
        ).rows.map { row in
            LogEntry(
                position: row.int(0), type: EventType(row.text(1), Int(row.int(2))), data: row.bytes(3),
                recordedAt: row.time(4))
        }
        let fold = model.open()
        fold.fold(try model.steps(of: events)) { $0 == key }
        let live = try await connection.query("select row_to_json(t) from \(model.name) t where key = $1", [.text(key)])
        guard let row = live.first else { return fold.row(key) != nil }
        // A row that this build cannot read differs too.
        return (try? fold.normalised(JSONObject.parse(row.bytes(0)))) != fold.row(key)
    }
}
