import Contracts
import EventSourcing
import JSON
import Postgres
import Primitives
import Replay
import Runtime

/// Reads the personal content of a case: the profiles of its users and the reports of its sessions.
@Loop struct CaseContent {
    private let logs: ServiceLogs

    init(_ logs: ServiceLogs) { self.logs = logs }

    /// The rows that are still there; what was erased is gone.
    func read(_ capture: Capture) async throws -> [Capture.Content] {
        let owners = Set(capture.entries.compactMap { $0.event.metadata.owner })
        let subjects = Set(capture.entries.compactMap { $0.event.stream.id })
        return try await rows(.identity, "profiles", "user_id", owners.union(subjects))
            + rows(.reporting, "reports", "session_id", subjects)
    }

    private func rows(
        _ service: ServiceName, _ table: String, _ column: String, _ ids: Set<UUID>
    ) async throws -> [Capture.Content] {
        let store = logs.store(service)
        // The role that only looks may not see content; its own service may.
        let connection = try await PostgresConnection.open(try logs.writer(store))
        defer { connection.close() }
        let found = try await connection.query(
            "select row_to_json(t) from \(table) t where \(column)::text = any($1) order by \(column)",
            [.texts(ids.map(\.description))])
        return try found.rows.map { row in
            Capture.Content(service: store.service, table: table, columns: try JSONObject.parse(row.bytes(0)))
        }
    }
}
