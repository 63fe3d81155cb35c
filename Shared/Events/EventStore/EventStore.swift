package import EventSourcing
import JSON
import Observability
package import Postgres
package import Primitives
package import Runtime

/// A service's log in PostgreSQL: appends for commands and messages, streams for decisions, the whole log in order for its
/// readers.
@Loop package final class EventStore: AppendGate {
    /// The pool for the service's own work, in the row-level security scope `system`.
    package let pool: PostgresPool
    /// The end of the log, as far as this process knows, and a way to wait for its growth.
    package let head: HeadWatch
    private let appender: Appender
    private let appended = Metrics.shared.counter(
        "events_appended_total", help: "Events that this process appended.", labels: ["type"])

    /// - Parameters:
    ///   - settings: the service's login role; `search_path` must lead to its schema.
    ///   - appendDeadline: how long an append may wait for the database.
    package init(_ settings: PostgresSettings, poolSize: Int = 6, appendDeadline: Duration = .seconds(10)) {
        let system = settings.with("mirrormate.scope", "system")
        let pool = PostgresPool(system, size: poolSize)
        let head = HeadWatch(pool)
        self.pool = pool
        self.head = head
        appender = Appender(deadline: appendDeadline) { position in
            head.raise(to: position)
        } connect: {
            try await PostgresConnection.open(system)
        }
    }

    /// Appends, all or nothing, and answers once it is durable.
    ///
    /// - Throws: ``AppendError``.
    @discardableResult
    package func append(_ append: Append) async throws(AppendError) -> AppendReceipt {
        try await self.append(together: [append])[0].get()
    }

    /// Appends a group atomically, and answers once it is durable; the results are in the group's order.
    ///
    /// A repeat does not make its group fail. If one append is refused, the others fail with ``AppendError/groupRefused``,
    /// unless they have their own reason.
    package func append(together appends: [Append]) async -> [AppendResult] {
        let results = await appender.append(appends)
        for case (let append, .success(let receipt)) in zip(appends, results) where !receipt.isRepeat {
            for write in append.writes { for event in write.events { appended.increment([event.type.name]) } }
        }
        return results
    }

    /// The receipt of an earlier append with this id; nil if there is none.
    ///
    /// - Throws: `PostgresError`, or ``AppendError/idReused`` when the id belongs to another request.
    package func receipt(id: UUID, requestHash: [UInt8]) async throws -> AppendReceipt? {
        let result = try await pool.query(
            "select position, recorded_at, coalesce(request_hash = $2, false) from events where id = $1",
            [.uuid(Append.eventID(id, 0)), .bytes(requestHash)])
        guard let row = result.first else { return nil }
        guard row.bool(2) else { throw AppendError.idReused }
        return AppendReceipt(position: row.int(0), recordedAt: row.time(1), isRepeat: true)
    }

    /// A stream's events after a version, in order.
    ///
    /// - Throws: `PostgresError`.
    package func read(_ stream: StreamName, after version: Int64 = 0) async throws -> [RecordedEvent] {
        let result = try await pool.query(
            """
            select \(RecordedEvent.columns)
            from events where stream = $1 and version > $2 order by version
            """, [.text(stream.description), .int(version)])
        return try result.rows.map { try RecordedEvent($0) }
    }

    /// The log's events after a position, in order, at most `limit`.
    ///
    /// - Throws: `PostgresError`.
    package func readLog(after position: Int64, limit: Int) async throws -> [RecordedEvent] {
        try await pool.query(RecordedEvent.logQuery, [.int(position), .int(Int64(limit))]).rows.map {
            try RecordedEvent($0)
        }
    }

    /// Waits for queued appends and closes all connections.
    package func close() async {
        await appender.close()
        head.stop()
        pool.close()
    }
}
