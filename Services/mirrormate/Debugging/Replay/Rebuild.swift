import EventSourcing
package import History
import JSON
package import Postgres
import Primitives
package import Runtime

/// Builds a read model anew beside the live one, from the log alone.
///
/// Rows are folded in memory and written by COPY; when they are more than fit, they are put down and fetched again by key.
/// Indexes come after the rows. While the service appends, the rebuild makes way for it as ``Pace`` says. The connection
/// holds the lock of the rebuild: when the process dies, the lock goes with it, and the next rebuild removes what it left.
@Loop package final class Rebuild {
    /// How much memory rows may take, in rows.
    package static let rowsInMemory = 50_000
    private let batchSize: Int

    /// What was built.
    package struct Outcome: Sendable {
        /// The number of its record in `rebuilds`.
        package let id: Int64
        /// The position up to which it is folded.
        package internal(set) var position: Int64 = 0
        package internal(set) var events: Int64 = 0
        package internal(set) var rows: Int64 = 0
    }

    let store: HistoryStore
    let model: ReadModelHistory
    private let rowLimit: Int
    private let progress: @Loop (_ share: Double, _ events: Int64) -> Void
    let writer: PostgresSettings
    /// The connection that holds the lock and writes, and the number of its process in the database.
    let connection: PostgresConnection
    let process: Int64
    private let reader: PostgresConnection
    let pace: Pace
    private(set) var outcome: Outcome
    var fold: any RowFolding
    /// Whether rows lie in the table already.
    var hasSpilled = false

    /// Claims the read model and makes its fresh table.
    ///
    /// - Parameters:
    ///   - writer: the service's login role.
    ///   - who: who does it, for the record.
    ///   - cost: the share of the service's appends that it may cost, as for ``Pace``.
    /// - Throws: ``RebuildRefusal`` when another rebuild runs or there is nothing to rebuild, or `PostgresError`.
    package static func begin(
        _ store: HistoryStore, _ model: ReadModelHistory, writer: PostgresSettings, who: String, code: String,
        rowLimit: Int = rowsInMemory, cost: Double = Pace.cost,
        progress: @escaping @Loop (_ share: Double, _ events: Int64) -> Void = { _, _ in }
    ) async throws -> Rebuild {
        // What a crash of the database takes away is built anew, so nobody waits for the disk but the switch.
        var settings = writer.with("statement_timeout", "0").with("lock_timeout", "5s")
            .with("idle_in_transaction_session_timeout", "0").with("synchronous_commit", "off")
        settings.statementDeadline = .seconds(3_600)
        let connection = try await PostgresConnection.open(settings)
        do {
            let begun = try await connection.query(
                "select begin_rebuild($1, $2, $3), pg_backend_pid()::bigint",
                [.text(model.name), .text(who), .text(code)]
            ).rows[0]
            let reader = try await PostgresConnection.open(store.settings)
            return Rebuild(
                store, model, rowLimit, writer, connection, begun.int(1), reader, Pace(reader, cost: cost),
                Outcome(id: begun.int(0)), progress)
        } catch {
            connection.close()
            throw RebuildRefusal(error, model.name) ?? error
        }
    }

    private init(
        _ store: HistoryStore, _ model: ReadModelHistory, _ rowLimit: Int, _ writer: PostgresSettings,
        _ connection: PostgresConnection, _ process: Int64, _ reader: PostgresConnection, _ pace: Pace,
        _ outcome: Outcome,
        _ progress: @escaping @Loop (_ share: Double, _ events: Int64) -> Void
    ) {
        self.store = store
        self.model = model
        self.rowLimit = rowLimit
        // Rows are put down between batches, so a batch must not touch many more than may be held.
        batchSize = min(10_000, max(rowLimit, 1) * 4)
        self.writer = writer
        self.connection = connection
        self.process = process
        self.reader = reader
        self.pace = pace
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
    ///
    /// - Parameter resting: whether it makes way for appends; not while others wait for it.
    func catchUp(to end: Int64, resting: Bool = true) async throws {
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
                try Task.checkCancellation()
                for steps in try await steps(of: entries) {
                    if hasSpilled { try await fetch(steps) }
                    fold.fold(steps, only: nil)
                }
            } catch {
                _ = try? await next.value
                throw error
            }
            outcome.position = last.position
            outcome.events += Int64(entries.count)
            // What is read ahead is work too.
            _ = try? await next.value
            if resting { try await pace.rest() }
            if fold.count > rowLimit { try await putDown(resting: resting) }
            progress(Double(last.position) / Double(max(end, 1)), outcome.events)
        }
        _ = try? await next.value
        try await putDown(resting: resting)
    }
}
