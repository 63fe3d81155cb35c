import EventStore
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Ends what nobody goes on with: sessions that were not finalized in time, and work that nobody answers.
enum SessionClock {
    private static let candidates = """
        select key::uuid, owner_id, status, now() from session_list
        where status in ('queued', 'awaitingUpload', 'processing') and least(expires_at, deadline) <= now()
            and (status = 'processing' and deadline <= now() or status <> 'processing' and expires_at <= now())
        limit 100
        """

    @Loop static func make(_ store: EventStore) -> OverdueClock<Session> {
        OverdueClock(Session.self, store, Logger(label: "clock"), actor: "sessions-clock", candidates: candidates) {
            row in
            let id = row.uuid(0)
            let isWork = row.text(2) == "processing"
            return OverdueClock.Due(
                isWork ? .failOverdue(at: row.time(3)) : .expire(at: row.time(3)), on: Session.stream(id),
                owner: row.uuid(1), id: UUID.v5(namespace: id, name: isWork ? "fail-overdue" : "expire"))
        } rows: { _, events in
            SessionsService.rows(events)
        }
    }
}
