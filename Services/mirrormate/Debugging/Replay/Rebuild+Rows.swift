import EventSourcing
import History
import JSON
import Postgres
import Primitives
import Runtime

extension Rebuild {
    /// How many rows are written at a time, so that there can be a rest between them.
    private static let rowsInPiece = 5_000

    /// Reads a batch in two threads: parsing is most of the work.
    func steps(of entries: [LogEntry]) async throws -> [FoldSteps] {
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
    func fetch(_ steps: FoldSteps) async throws {
        let missing = steps.keys.filter { !fold.knows($0) }
        if missing.isEmpty { return }
        var rows: [String: JSONObject] = [:]
        let stored = try await connection.query(
            "select key, row_to_json(t) from \(fresh) t where key = any($1)", [.texts(missing)])
        for row in stored.rows { rows[row.text(0)] = try JSONObject.parse(row.bytes(1)) }
        for key in missing { try fold.supply(key, rows[key], for: steps) }
    }

    /// Writes the rows in memory and forgets them.
    func putDown(resting: Bool) async throws {
        if fold.count == 0 { return }
        var pieces = [Piece()]
        fold.drain { key, row in
            if pieces[pieces.count - 1].keys.count == Self.rowsInPiece { pieces.append(Piece()) }
            pieces[pieces.count - 1].add(key, row, model.columns)
        }
        for piece in pieces {
            // What is in the table already is taken out first: COPY cannot replace.
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
}

/// Rows that are written together: their keys, and what of them is not gone.
private struct Piece {
    var keys: [String] = []
    var text = CopyText()

    mutating func add(_ key: String, _ row: JSONObject?, _ columns: [String]) {
        keys.append(key)
        if let row { text.add(key, row, columns) }
    }
}
