import EventSourcing
import History
import Postgres
import Primitives
import Runtime

/// Reads a log for folding, without metadata.
@Loop enum LogReader {
    /// At most `limit` events after one position, up to another.
    static func read(
        _ connection: PostgresConnection, after place: Int64, upTo end: Int64, limit: Int
    ) async throws -> [LogEntry] {
        let result = try await connection.query(
            """
            select position, type, schema_version, data, recorded_at from events
            where position > $1 and position <= $2 order by position limit $3
            """, [.int(place), .int(end), .int(Int64(limit))])
        var entries: [LogEntry] = []
        entries.reserveCapacity(result.count)
        for row in result.rows {
            entries.append(
                LogEntry(
                    position: row.int(0), type: EventType(row.text(1), Int(row.int(2))), data: row.bytes(3),
                    recordedAt: row.time(4)))
        }
        return entries
    }
}
