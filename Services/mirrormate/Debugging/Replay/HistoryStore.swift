package import Contracts
package import EventSourcing
package import History
import JSON
package import Postgres
package import Primitives
package import Runtime

/// One service's log and read models, accessed with a read-only role.
@Loop package final class HistoryStore {
    package let history: ServiceHistory
    package let pool: PostgresPool
    /// The role's settings, with the service's schema as search path.
    package let settings: PostgresSettings

    package nonisolated var service: ServiceName { history.service }

    /// - Parameter reader: a role that may read the schemas of all services.
    package init(_ history: ServiceHistory, reader: PostgresSettings) {
        self.history = history
        settings = reader.with("search_path", history.service.rawValue).with("mirrormate.scope", "system")
        pool = PostgresPool(settings, size: 2)
    }

    package func close() { pool.close() }

    private static let columns = "position, stream, version, id, type, schema_version, data, metadata, recorded_at"

    /// The events that match a condition on the table's columns, in order of position.
    ///
    /// - Throws: `PostgresError`, or `JSONError` if metadata cannot be read.
    package func events(
        where condition: String, _ parameters: [PostgresValue], limit: Int = .max, descending: Bool = false
    ) async throws -> [RecordedEvent] {
        let order = descending ? "desc" : "asc"
        let result = try await pool.query(
            "select \(Self.columns) from events where \(condition) order by position \(order) limit \(limit)",
            parameters)
        return try result.rows.map(Self.event)
    }

    /// A stream's events up to a version and a moment.
    ///
    /// - Throws: `PostgresError`; `JSONError` for metadata that nobody of ours has written.
    package func stream(
        _ stream: StreamName, upTo version: Int64 = .max, at moment: Timestamp? = nil
    ) async throws -> [RecordedEvent] {
        try await events(
            where: "stream = $1 and version <= $2 and ($3::timestamptz is null or recorded_at <= $3)",
            [.text(stream.description), .int(version), .optional(moment, PostgresValue.time)])
    }

    /// The position of the last event; 0 for an empty log.
    ///
    /// - Throws: `PostgresError`.
    package func head() async throws -> Int64 {
        try await pool.query("select coalesce(max(position), 0) from events").rows[0].int(0)
    }

    /// The types of the events that are there, without their versions, in alphabetical order.
    ///
    /// - Throws: `PostgresError`.
    package func types() async throws -> [String] {
        try await pool.query("select distinct type from events order by type").rows.map { $0.text(0) }
    }

    /// The last position at or before a moment; 0 if there is none.
    ///
    /// Times never decrease along the log, so a binary search finds it.
    ///
    /// - Throws: `PostgresError`.
    package func position(at moment: Timestamp) async throws -> Int64 {
        var low: Int64 = 0
        var high = try await head()
        while low < high {
            let middle = low + (high - low + 1) / 2
            let row = try await pool.query(
                "select recorded_at from events where position = $1", [.int(middle)]
            ).first
            guard let row else { return low }
            if row.time(0) <= moment { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// The incarnations under which the store has published, the current one first.
    ///
    /// - Throws: `PostgresError`.
    package func incarnations() async throws -> [UUID] {
        try await pool.query("select incarnation from incarnations order by started_at desc").rows.map { $0.uuid(0) }
    }

    static func event(_ row: PostgresRow) throws -> RecordedEvent {
        RecordedEvent(
            position: row.int(0), stream: StreamName(rawValue: row.text(1)), version: row.int(2), id: row.uuid(3),
            type: EventType(row.text(4), Int(row.int(5))), data: row.bytes(6),
            metadata: try EventMetadata(JSONObject.parse(row.bytes(7))), recordedAt: row.time(8))
    }
}
