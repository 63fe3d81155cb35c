import EventSourcing
import EventStore
import JSON
import Observability
import Postgres
import Primitives
import Runtime

/// Ends what nobody goes on with: sessions that were not finalized in time, and work that nobody answers.
///
/// It finds candidates in the read model by PostgreSQL's clock; the decider judges each, so a late read model does no harm,
/// and two instances that find the same one agree by the command's id.
@Loop final class SessionClock {
    private static let interval = Duration.seconds(1)

    private let store: EventStore
    private let log: Logger

    init(_ store: EventStore, _ log: Logger) {
        self.store = store
        self.log = log
    }

    /// Looks every second until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await endOverdue()
            } catch {
                log.warning("overdue sessions could not be ended", ["reason": .string("\(error)")])
            }
            try? await Loop.sleep(for: Self.interval)
        }
    }

    func endOverdue() async throws {
        let rows = try await store.pool.query(
            """
            select key, owner_id, status, now() from session_list
            where status in ('queued', 'awaitingUpload', 'processing') and least(expires_at, deadline) <= now()
                and (status = 'processing' and deadline <= now() or status <> 'processing' and expires_at <= now())
            limit 100
            """
        ).rows
        for row in rows {
            guard let id = UUID(row.text(0)) else { continue }
            let processing = row.text(2) == "processing"
            let command = UUID.v5(namespace: id, name: processing ? "fail-overdue" : "expire")
            let metadata = EventMetadata(owner: row.uuid(1), correlation: .v7(), actor: "sessions-clock")
            _ = try await CommandHandler<Session>(store).handle(
                processing ? .failOverdue(at: row.time(3)) : .expire(at: row.time(3)), on: Session.stream(id),
                id: command, requestHash: command.bytes, metadata: metadata
            ) { _, events in SessionsService.rows(events) }
        }
    }
}
