import EventSourcing
package import History
import JSON
package import Postgres
import Primitives
package import Runtime

/// Builds a read model anew beside the live one, from the log alone.
///
/// Rows are folded in memory and written by COPY; when they are more than fit, they are put down and fetched again by key.
/// Indexes come after the rows. The connection holds the lock of the rebuild: when the process dies, the lock goes with it,
/// and the next rebuild removes what it left.
@Loop package final class Rebuild {
    /// How much memory rows may take, in rows.
    package static let rowsInMemory = 50_000
    private let batchSize: Int

    /// What was built.
    package struct Outcome: Sendable {
        /// The number of its record in `rebuilds`.
        package let id: Int64
        /// The position up to which it is folded.
        package fileprivate(set) var position: Int64 = 0
        package fileprivate(set) var events: Int64 = 0
        package fileprivate(set) var rows: Int64 = 0
    }

    let store: HistoryStore
    let model: ReadModelHistory
    private let rowLimit: Int
    private let progress: @Loop (_ share: Double, _ events: Int64) -> Void
    let connection: PostgresConnection
    private let reader: PostgresConnection
    private(set) var outcome: Outcome
    private var fold: any RowFolding
    private var hasSpilled = false

    /// Claims the read model and makes its fresh table.
    ///
    /// - Parameters:
    ///   - writer: the service's login role.
    ///   - who: who does it, for the record.
    /// - Throws: ``RebuildRefusal`` when another rebuild runs or there is nothing to rebuild, or `PostgresError`.
    package static func begin(
        _ store: HistoryStore, _ model: ReadModelHistory, writer: PostgresSettings, who: String, code: String,
        rowLimit: Int = rowsInMemory, progress: @escaping @Loop (_ share: Double, _ events: Int64) -> Void = { _, _ in }
    ) async throws -> Rebuild {
        var settings = writer.with("statement_timeout", "0").with("lock_timeout", "5s")
            .with("idle_in_transaction_session_timeout", "0")
        settings.statementDeadline = .seconds(3_600)
        let connection = try await PostgresConnection.open(settings)
        do {
            let id = try await connection.query(
                "select begin_rebuild($1, $2, $3)", [.text(model.name), .text(who), .text(code)]
            ).rows[0].int(0)
            let reader = try await PostgresConnection.open(store.settings)
            return Rebuild(store, model, rowLimit, connection, reader, Outcome(id: id), progress)
        } catch {
            connection.close()
            throw RebuildRefusal(error, model.name) ?? error
        }
    }

    private init(
        _ store: HistoryStore, _ model: ReadModelHistory, _ rowLimit: Int, _ connection: PostgresConnection,
        _ reader: PostgresConnection, _ outcome: Outcome,
        _ progress: @escaping @Loop (_ share: Double, _ events: Int64) -> Void
    ) {
        self.store = store
        self.model = model
        self.rowLimit = rowLimit
        // Rows are put down between batches, so a batch must not touch many more than may be held.
        batchSize = min(10_000, max(rowLimit, 1) * 4)
        self.connection = connection
        self.reader = reader
        self.outcome = outcome
        self.progress = progress
        fold = model.open()
    }

    /// Ends the rebuild's connections; what is not switched stays beside the live table until the next rebuild.
    package func close() {
        connection.close()
        reader.close()
    }

    /// Folds the log up to where the live read model stands, and completes the table.
    ///
    /// - Throws: `PostgresError`, or ``FoldError`` when this build cannot read an event: as live, nothing is skipped.
    package func build() async throws -> Outcome {
        try await catchUp(to: try await livePosition())
        try await connection.script("select complete_rebuild('\(model.name)', false)")
        outcome.rows = try await connection.query("select count(*) from \(fresh)").rows[0].int(0)
        try await note("built")
        return outcome
    }

    var fresh: String { "\(model.name)_fresh" }

    func livePosition() async throws -> Int64 {
        try await connection.query("select position from projections where name = $1", [.text(model.name)])
            .first?.int(0) ?? 0
    }

    /// Folds on to a position; the rows are in the table afterwards.
    func catchUp(to end: Int64) async throws {
        var next = Loop.task { [reader, outcome, batchSize] in
            try await LogReader.read(reader, after: outcome.position, upTo: end, limit: batchSize)
        }
        while outcome.position < end {
            let entries = try await next.value
            guard let last = entries.last else { break }
            // The database reads the next batch while this one is folded.
            next = Loop.task { [reader, batchSize] in
                try await LogReader.read(reader, after: last.position, upTo: end, limit: batchSize)
            }
            do {
                for steps in try await steps(of: entries) {
                    if hasSpilled { try await fetch(steps) }
                    fold.fold(steps, only: nil)
                }
                if fold.count > rowLimit { try await putDown() }
            } catch {
                _ = try? await next.value
                throw error
            }
            outcome.position = last.position
            outcome.events += Int64(entries.count)
            progress(Double(last.position) / Double(max(end, 1)), outcome.events)
        }
        _ = try? await next.value
        try await putDown()
    }

    /// Reads a batch in two threads: parsing is most of the work.
    private func steps(of entries: [LogEntry]) async throws -> [FoldSteps] {
        let model = model
        let halves = [entries[..<(entries.count / 2)], entries[(entries.count / 2)...]].map { Array($0) }
        let tasks = halves.map { half in
            Loop.task { try await Offload.shared.run { try model.steps(of: half) } }
        }
        var steps: [FoldSteps] = []
        for task in tasks { steps.append(try await task.value) }
        return steps
    }

    /// Gets the rows that were put down and are needed again.
    private func fetch(_ steps: FoldSteps) async throws {
        let missing = steps.keys.filter { !fold.knows($0) }
        if missing.isEmpty { return }
        var rows: [String: JSONObject] = [:]
        let stored = try await connection.query(
            "select key, row_to_json(t) from \(fresh) t where key = any($1)", [.texts(missing)])
        for row in stored.rows { rows[row.text(0)] = try JSONObject.parse(row.bytes(1)) }
        for key in missing { try fold.supply(key, rows[key], for: steps) }
    }

    /// Writes the rows in memory and forgets them.
    private func putDown() async throws {
        if fold.count == 0 { return }
        var text = CopyText()
        var gone: [String] = []
        var keys: [String] = []
        fold.drain { key, row in
            if hasSpilled { keys.append(key) }
            if let row { text.add(key, row, model.columns) } else { gone.append(key) }
        }
        // What is fresh in the table already is taken out first: COPY cannot replace.
        if hasSpilled {
            _ = try await connection.query("delete from \(fresh) where key = any($1)", [.texts(keys)])
        }
        try await connection.copy(
            "copy \(fresh) (key, \(model.columns.joined(separator: ", "))) from stdin", text.bytes)
        if !hasSpilled {
            hasSpilled = true
            try await connection.script("select complete_rebuild('\(model.name)', true)")
        }
    }

    func note(_ state: String, differences: Int64? = nil, first: String? = nil) async throws {
        _ = try await connection.query(
            """
            update rebuilds set state = $2, position = $3, events = $4, row_count = $5,
                differences = coalesce($6, differences), first_difference = coalesce($7, first_difference),
                ended_at = clock_timestamp()
            where id = $1
            """,
            [
                .int(outcome.id), .text(state), .int(outcome.position), .int(outcome.events), .int(outcome.rows),
                .optional(differences, PostgresValue.int), .optional(first, PostgresValue.text),
            ])
    }
}
