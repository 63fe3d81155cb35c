import Contracts
import EventSourcing
import EventStore
import Postgres
import Primitives
import Runtime
import ServiceKit

/// What this service has of a user, and how it forgets it.
enum SessionErasure {
    @Loop static func make(_ store: EventStore, _ sweeper: ObjectSweeper) -> SubjectErasure<Session> {
        SubjectErasure(
            Session.self, store, sweeper, service: .sessions, forget: .erase,
            record: { (Session.subjectStream($0), .recordErasure(subject: $0, removed: $1)) },
            belongings: { subject in
                // From the log, not from the list: the list may be behind.
                let rows = try await store.pool.query(
                    "select distinct stream from events where metadata ->> 'owner' = $1 and stream like 'session-%'",
                    [.text(subject.description)])
                return .init(
                    streams: rows.rows.map { StreamName(rawValue: $0.text(0)) }, rows: Int64(rows.count))
            })
    }
}
