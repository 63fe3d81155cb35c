import EventSourcing
package import History
import JSON
package import Postgres
import Primitives
package import Runtime

/// Rebuilds a read model from the log, in a fresh table beside the live one.
///
/// Rows are folded in memory and written with COPY; if they do not fit, they are spilled to the table and fetched again by
/// key. Indexes are created after the rows. While the service appends, ``Pace`` throttles the rebuild. The connection
/// holds the rebuild's lock: if the process dies, the lock is released, and the next rebuild removes what is left.
@Loop package final class Rebuild {
    /// How many rows may be in memory.
    package static let rowsInMemory = 50_000
    private let batchSize: Int

    /// What was built.
    package struct Outcome: Sendable {
        /// The id of its row in `rebuilds`.
        package let id: Int64
        /// The position up to which it is folded.
        package internal(set) var position: Int64 = 0
        package internal(set) var events: Int64 = 0
        package internal(set) var rows: Int64 = 0
    }

    private let store: HistoryStore
    private let model: ReadModelHistory
    private let rowLimit: Int
    private let progress: @Loop (_ share: Double, _ events: Int64) -> Void
    private let writer: PostgresSettings
    /// The connection that holds the lock and writes, and the process id of its backend.
    private let connection: PostgresConnection
    private let process: Int64
    private let reader: PostgresConnection
    private let pace: Pace
    private(set) var outcome: Outcome
    private var fold: any RowFolding
    /// Whether the table already contains rows.
    private var hasSpilled = false

    /// Claims the read model and creates its fresh table.
    ///
    /// - Parameters:
    ///   - writer: the service's login role.
    ///   - who: recorded as the one who started it.
    ///   - cost: the share of the service's appends that it may cost; see ``Pace``.
    /// - Throws: ``RebuildRefusal`` if another rebuild is running or there is nothing to rebuild, or `PostgresError`.
    package static func begin(
        _ store: HistoryStore, _ model: ReadModelHistory, writer: PostgresSettings, who: String, code: String,
        rowLimit: Int = rowsInMemory, cost: Double = Pace.cost,
        progress: @escaping @Loop (_ share: Double, _ events: Int64) -> Void = { _, _ in }
    ) async throws -> Rebuild {
        // What a crash of the database loses is rebuilt, so only the switch waits for the disk.
        var settings = writer.with("statement_timeout", "0").with("lock_timeout", "5s")
            .with("idle_in_transaction_session_timeout", "0").with("synchronous_commit", "off")
        settings.statementDeadline = .seconds(3_600)
        let connection = try await PostgresConnection.open(settings)
        do {
            try await compressQuickly(connection)
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

    /// Long values are compressed as they are written: in half the time by LZ4, which most servers have. How is noted with each value.
    private static func compressQuickly(_ connection: PostgresConnection) async throws {
        _ = try await connection.query(
            """
            select set_config(name, 'lz4', false) from pg_settings
            where name = 'default_toast_compression' and 'lz4' = any (enumvals)
            """)
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
        // Rows are spilled between batches, so a batch must not touch many more than may be in memory.
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

    /// Closes the rebuild's connections; without a switch, the fresh table stays until the next rebuild.
    package func close() {
        connection.close()
        reader.close()
    }

    /// Folds the log up to the live read model's position and completes the table.
    ///
    /// - Throws: `PostgresError`, or ``FoldError`` if this build cannot read an event: as live, nothing is skipped.
    package func build() async throws -> Outcome {
        try await catchUp(to: try await livePosition())
        try await connection.script("select complete_rebuild('\(model.name)', false)")
        outcome.rows = try await connection.query("select count(*) from \(fresh)").rows[0].int(0)
        try await note()
        return outcome
    }

    private var fresh: String { "\(model.name)_fresh" }

    private func livePosition() async throws -> Int64 {
        try await connection.query("select position from projections where name = $1", [.text(model.name)])
            .first?.int(0) ?? 0
    }

    /// Continues folding to a position; afterwards all rows are in the table.
    ///
    /// - Parameter resting: whether to yield to appends; not while others are waiting.
    private func catchUp(to end: Int64, resting: Bool = true) async throws {
        var next = Loop.task { [reader, outcome, batchSize] in
            try await LogReader.read(reader, after: outcome.position, upTo: end, limit: batchSize)
        }
        while outcome.position < end {
            let entries = try await next.value
            guard let last = entries.last else { break }
            // The database reads the next batch while this one is being folded.
            next = Loop.task { [reader, batchSize] in
                try await LogReader.read(reader, after: last.position, upTo: end, limit: batchSize)
            }
            do {
                try Task.checkCancellation()
                for piece in parsing(entries) {
                    let steps = try await piece.value
                    if hasSpilled { try await fetch(steps) }
                    fold.fold(steps, only: nil)
                }
            } catch {
                _ = try? await next.value
                throw error
            }
            outcome.position = last.position
            outcome.events += Int64(entries.count)
            // Reading ahead is part of the work.
            _ = try? await next.value
            if resting { try await pace.rest() }
            if fold.count > rowLimit { try await spill(resting: resting) }
            progress(Double(last.position) / Double(max(end, 1)), outcome.events)
        }
        _ = try? await next.value
        try await spill(resting: resting)
    }
}

extension Rebuild {
    /// Records the progress and the result: the fresh table is complete.
    private func note(differences: Int64? = nil, first: String? = nil) async throws {
        _ = try await connection.query(
            "select note_rebuild($1, $2, $3, $4, $5, $6)::text",
            [
                .int(outcome.id), .int(outcome.position), .int(outcome.events), .int(outcome.rows),
                .optional(differences, PostgresValue.int), .optional(first, PostgresValue.text),
            ])
    }

    /// Cleans up a rebuild whose task was cancelled: ends its backend, removes its table and closes its record.
    ///
    /// - Throws: `PostgresError`; then the next rebuild cleans up.
    package func abandon() async throws {
        close()
        let connection = try await PostgresConnection.open(writer)
        defer { connection.close() }
        // A statement, such as creating an index, may keep running for long without its client.
        _ = try await connection.query("select pg_terminate_backend($1::bigint::integer, 10000)", [.int(process)])
        _ = try await connection.query("select abandon_rebuild($1)", [.int(outcome.id)])
    }
}

extension Rebuild {
    /// How many rows are written at a time, with a rest in between.
    private static let rowsInPiece = 1_000
    /// How many events are parsed at a time.
    private static let eventsInPiece = 2_500

    /// Parses a batch on two threads, because parsing is most of the work; in pieces, so that the first ones are folded while the
    /// next are parsed.
    private func parsing(_ entries: [LogEntry]) -> [Task<FoldSteps, any Error>] {
        let model = model
        return stride(from: 0, to: entries.count, by: Self.eventsInPiece).map { start in
            let piece = Array(entries[start..<min(start + Self.eventsInPiece, entries.count)])
            return Loop.task { try await Offload.shared.run { try model.steps(of: piece) } }
        }
    }

    /// Fetches spilled rows that are needed again.
    private func fetch(_ steps: FoldSteps) async throws {
        let missing = steps.keys.filter { !fold.knows($0) }
        if missing.isEmpty { return }
        var rows: [String: JSONObject] = [:]
        let stored = try await connection.query(
            "select key, row_to_json(t) from \(fresh) t where key = any($1)", [.texts(missing)])
        for row in stored.rows { rows[row.text(0)] = try JSONObject.parse(row.bytes(1)) }
        for key in missing { try fold.supply(key, rows[key], for: steps) }
    }

    /// Writes the rows in memory to the table and drops them from memory.
    private func spill(resting: Bool) async throws {
        if fold.count == 0 { return }
        var left = fold.drain(by: Self.rowsInPiece)[...]
        // The database writes one piece while the next two are being encoded.
        var encoding = [left.popFirst(), left.popFirst()].compactMap { $0 }.map(encode)
        while !encoding.isEmpty {
            let piece = try await encoding.removeFirst().value
            if let next = left.popFirst() { encoding.append(encode(next)) }
            // Deletes rows that are already in the table, because COPY cannot replace them.
            if hasSpilled {
                _ = try await connection.query("delete from \(fresh) where key = any($1)", [.texts(piece.keys)])
            }
            try await connection.copy(
                "copy \(fresh) (key, \(model.columns.joined(separator: ", "))) from stdin", piece.text.bytes)
            if resting { try await pace.rest() }
        }
        if !hasSpilled {
            hasSpilled = true
            try await connection.script("select complete_rebuild('\(model.name)', true)")
        }
    }

    private func encode(_ rows: RowPiece) -> Task<Piece, any Error> {
        let columns = model.columns
        return Loop.task { try await Offload.shared.run { Piece(rows, columns) } }
    }
}

// MARK: Comparing and switching

extension Rebuild {
    /// Compares all rows of both tables at one position; neither table is locked.
    ///
    /// - Throws: `PostgresError`, or ``FoldError``.
    package func compare() async throws -> TableComparison {
        // Reads the live rows and their position in one snapshot, and folds the fresh table to exactly that position.
        let live = try await PostgresConnection.open(store.settings)
        defer { live.close() }
        try await live.script("begin isolation level repeatable read read only")
        let position =
            try await live.query("select position from projections where name = $1", [.text(model.name)])
            .first?.int(0) ?? 0
        try await catchUp(to: position)
        let result = try await TableComparison(at: position, live: (live, model.name), fresh: (connection, fresh))
        try await live.script("commit")
        return result
    }

    /// Records the result of a comparison.
    ///
    /// - Throws: `PostgresError`.
    package func record(_ comparison: TableComparison, first: String?) async throws {
        try await note(differences: Int64(comparison.differenceCount), first: first)
    }

    /// Replaces the live table with the fresh one in one transaction: locks out other folds, folds what has been appended
    /// meanwhile, and renames.
    ///
    /// - Returns: the position at which the tables were switched.
    /// - Throws: ``RebuildRefusal`` or `PostgresError`; nothing has changed then.
    package func switchOver() async throws -> Int64 {
        try await catchUp(to: try await livePosition())
        try await connection.script("begin; set local synchronous_commit = on")
        do {
            let fence =
                try await connection.query(
                    "select position from projections where name = $1 for update", [.text(model.name)]
                ).first?.int(0) ?? 0
            try await catchUp(to: fence, resting: false)
            try await note()
            _ = try await connection.query("select switch_rebuild($1)::text", [.int(outcome.id)])
            try await connection.script("commit")
            return fence
        } catch {
            if !connection.isBroken { try? await connection.script("rollback") }
            throw RebuildRefusal(error, model.name) ?? error
        }
    }

    /// Goes back to the table before the last switch; the running service continues folding from its position.
    ///
    /// - Returns: the position from which folding continues.
    /// - Throws: ``RebuildRefusal`` or `PostgresError`.
    package static func undo(_ model: ReadModelHistory, writer: PostgresSettings) async throws -> Int64 {
        try await call("select undo_rebuild($1)", model, writer)
    }

    /// Drops the tables of a read model that are not in service.
    ///
    /// - Returns: how many there were.
    /// - Throws: ``RebuildRefusal`` or `PostgresError`.
    package static func dropOld(_ model: ReadModelHistory, writer: PostgresSettings) async throws -> Int64 {
        try await call("select drop_rebuild($1)", model, writer)
    }

    private static func call(_ sql: String, _ model: ReadModelHistory, _ writer: PostgresSettings) async throws -> Int64
    {
        let connection = try await PostgresConnection.open(writer)
        defer { connection.close() }
        do {
            return try await connection.query(sql, [.text(model.name)]).rows[0].int(0)
        } catch {
            throw RebuildRefusal(error, model.name) ?? error
        }
    }
}

/// Rows that are written together: their keys, and the text of those that still exist.
private struct Piece: Sendable {
    let keys: [String]
    let text: CopyText

    init(_ rows: RowPiece, _ columns: [String]) {
        var keys: [String] = []
        var text = CopyText()
        rows.encode { key, row in
            keys.append(key)
            if let row { text.add(key, row, columns) }
        }
        self.keys = keys
        self.text = text
    }
}
