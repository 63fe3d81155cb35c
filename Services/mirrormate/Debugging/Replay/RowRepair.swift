import EventSourcing
package import History
package import JSON
package import Postgres
import Primitives
package import Runtime

/// Repairs one row of a read model from its events.
@Loop package struct RowRepair {
    private let store: HistoryStore
    private let model: ReadModelHistory
    /// The service's login role.
    private let writer: PostgresSettings

    package init(_ store: HistoryStore, _ model: ReadModelHistory, writer: PostgresSettings) {
        self.store = store
        self.model = model
        self.writer = writer
    }

    /// Writes the row of a key as folded from the log; the service's own fold waits meanwhile.
    ///
    /// - Returns: the repaired row; nil if there is none.
    /// - Throws: ``UnknownRow`` if there is no row and no event is about one, `PostgresError`, or ``FoldError`` if this
    ///   build cannot read an event.
    package func run(_ key: String) async throws -> JSONObject? {
        let connection = try await PostgresConnection.open(writer)
        defer { connection.close() }
        try await connection.script("begin")
        let position =
            try await connection.query(
                "select position from projections where name = $1 for update", [.text(model.name)]
            ).first?.int(0) ?? 0
        let changes = try await StateFold(store).changes(of: key, in: model, upTo: position)
        let row = changes.last?.after
        if var row {
            let columns = model.columns.joined(separator: ", ")
            let excluded = model.columns.map { "excluded.\($0)" }.joined(separator: ", ")
            row["key"] = .string(key)
            _ = try await connection.query(
                """
                insert into \(model.name) (key, \(columns))
                select key, \(columns) from json_populate_record(null::\(model.name), $1)
                on conflict (key) do update set (\(columns)) = row(\(excluded))
                """, [.json(JSONValue.object(row).bytes)])
        } else {
            let removed = try await connection.query("delete from \(model.name) where key = $1", [.text(key)])
            if removed.affected == 0 && changes.isEmpty { throw UnknownRow() }
        }
        try await connection.script("commit")
        return row
    }
}

/// There is no such row, and there never was one.
package struct UnknownRow: Error {
    package init() {}
}
