import EventStore
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit

/// What happens to sessions without anybody asking for it.
extension SessionsService {
    /// Ends what nobody goes on with: sessions that were not finalized in time, and work that nobody answers.
    @Loop static func clock(_ store: EventStore) -> OverdueClock<Session> {
        OverdueClock(
            Session.self, store, Logger(label: "clock"), actor: "sessions-clock",
            candidates: "select session_id, owner_id, is_work, now() from overdue_sessions()"
        ) { row in
            let id = row.uuid(0)
            let isWork = row.bool(2)
            return OverdueClock.Due(
                isWork ? .failOverdue(at: row.time(3)) : .expire(at: row.time(3)), on: Session.stream(id),
                owner: row.uuid(1), id: UUID.v5(namespace: id, name: isWork ? "fail-overdue" : "expire"))
        } rows: { _, events in
            rows(events)
        }
    }

    /// Forgets what the service has of a user.
    @Loop static func erasure(_ store: EventStore, _ sweeper: ObjectSweeper) -> SubjectErasure<Session> {
        SubjectErasure(
            Session.self, store, sweeper, service: name, forget: .erase,
            record: { (Session.subjectStream($0), .recordErasure(subject: $0, removed: $1)) },
            belongings: { try await .streams(of: $0, "session", store) })
    }
}
