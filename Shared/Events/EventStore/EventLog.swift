package import EventSourcing
package import Postgres
package import Runtime

/// A log as whoever extends and follows it knows it: ``EventStore``, or a simulated one.
@Loop package protocol EventLog: AppendGate {
    /// The end of the log, as far as this process knows, and the news of its growth.
    var head: HeadWatch { get }

    /// Appends a group atomically, and answers once it is durable; the results are in the group's order.
    func append(together appends: [Append]) async -> [AppendResult]

    /// The log's events after a position, in order, at most `limit`.
    ///
    /// - Throws: `PostgresError`.
    func readLog(after position: Int64, limit: Int) async throws -> [RecordedEvent]
}

extension EventStore: EventLog {}

/// A connection over which batches are committed, one at a time.
@Loop package protocol AppendConnection: AnyObject {
    /// Whether it is better to open another one.
    var isStale: Bool { get }

    /// Commits a batch in one statement; the results are in the order of its appends.
    ///
    /// - Throws: `PostgresError`; with the code `connection` it is unknown whether the batch was committed.
    func append(_ batch: AppendBatch) async throws -> [AppendResult]

    /// Closes the connection; a second call does nothing.
    func close()
}

extension PostgresConnection: AppendConnection {
    package func append(_ batch: AppendBatch) async throws -> [AppendResult] {
        let result = try await query(AppendBatch.sql, batch.parameters)
        guard result.count == batch.appends.count else {
            throw PostgresError(.wrongAnswer, "a verdict is missing")
        }
        return result.rows.map(AppendBatch.result)
    }
}

/// A log whose growth ``HeadWatch`` looks at.
@Loop package protocol GrowingLog: AnyObject {
    /// The highest position; 0 when the log is empty.
    ///
    /// - Throws: `PostgresError`.
    func end() async throws -> Int64

    /// Positions and streams of some events after a position, in order.
    ///
    /// - Throws: `PostgresError`.
    func growth(after position: Int64) async throws -> [(position: Int64, stream: String)]
}

extension PostgresPool: GrowingLog {
    package func end() async throws -> Int64 {
        try await query("select coalesce(max(position), 0) from events").first?.int(0) ?? 0
    }

    package func growth(after position: Int64) async throws -> [(position: Int64, stream: String)] {
        try await query(
            "select position, stream from events where position > $1 order by position limit 1000", [.int(position)]
        ).rows.map { ($0.int(0), $0.text(1)) }
    }
}

extension PostgresConnection {
    /// As ``EventLog/readLog(after:limit:)``, on this connection.
    ///
    /// - Throws: `PostgresError`.
    package func readLog(after position: Int64, limit: Int) async throws -> [RecordedEvent] {
        try await query(RecordedEvent.logQuery, [.int(position), .int(Int64(limit))]).rows.map { try RecordedEvent($0) }
    }
}
