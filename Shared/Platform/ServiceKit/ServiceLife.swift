import EventSourcing
package import EventStore
package import Observability
import Postgres
package import Primitives
package import Runtime

/// Tells when instances of the service start and end: at a start as events, in between by a heartbeat.
@Loop package final class ServiceLife {
    /// The time between two heartbeats.
    private static let interval = Duration.seconds(1)

    /// This process. The names of its database connections end with it, by which others see that it runs.
    package nonisolated let instance: UUID
    private let store: EventStore
    private let log: Logger
    private var hasBegun = false

    package init(_ instance: UUID, _ store: EventStore, log: Logger) {
        self.instance = instance
        self.store = store
        self.log = log
    }

    /// Tells that this instance starts, and before that which ones have ended since somebody last told.
    ///
    /// - Throws: `AppendError` or `PostgresError`.
    package func begin() async throws {
        while true {
            let ended = try await store.pool.query(
                """
                select instance, started_at, coalesce(ended_at, beat_at), ended_at is not null from service_instances i
                where not told and instance <> $1 and (ended_at is not null or not exists (
                    select from pg_stat_activity a
                    where a.datname = current_database() and a.application_name like '% ' || i.instance))
                order by beat_at
                """, [.uuid(instance)]
            ).rows.map { row in
                LifeEvent.ended(
                    instance: row.uuid(0), row.bool(3) ? .clean : .killed, startedAt: row.time(1),
                    lastSeenAt: row.time(2))
            }
            do {
                try await append(ended + [.started(instance: instance)])
                hasBegun = true
                return
            } catch AppendError.guarded(.instanceTold) {
                // Another instance that starts now has told the same.
            }
        }
    }

    /// Sends heartbeats until the task is cancelled, and makes up for a start that could not be told.
    package func run() async {
        while !Task.isCancelled {
            do {
                try await beat()
            } catch {
                // Without the database, or while the store refuses appends, others have the word.
            }
            try? await Loop.sleep(for: Self.interval)
        }
    }

    /// Says that this instance runs.
    ///
    /// - Throws: `AppendError` or `PostgresError`.
    package func beat() async throws {
        guard hasBegun else { return try await begin() }
        let stands = try await store.pool.query("select beat_instance($1)", [.uuid(instance)]).rows[0].bool(0)
        if !stands { try await append([.returned(instance: instance)]) }
    }

    /// Notes that this instance ends in order; the next start tells it.
    package func end() async {
        do {
            _ = try await store.pool.query("select end_instance($1)", [.uuid(instance)])
        } catch {
            log.warning("the next start takes this end for a kill", ["reason": .string("\(error)")])
        }
    }

    private func append(_ events: [LifeEvent]) async throws {
        let id = UUID.v7()
        let writes = events.enumerated().map { index, event in
            // A stream for each event, as of what is learned: nothing is decided on it.
            StreamWrite(
                StreamName("life", Append.eventID(id, index)), expectedVersion: 0, events: [NewEvent(event)])
        }
        try await store.append(
            Append(
                id: id, requestHash: id.bytes,
                metadata: EventMetadata(owner: nil, correlation: id, actor: "service"), writes: writes,
                calls: events.map { event in
                    switch event {
                    case .started(let instance), .returned(let instance): KitRows.begin(instance)
                    case .ended(let instance, _, _, _): KitRows.tell(instance)
                    }
                }))
    }
}
