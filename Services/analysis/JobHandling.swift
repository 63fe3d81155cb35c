import Contracts
import EventConsumer
import EventSourcing
import EventStore
import JSON
import Postgres
import Runtime
import ServiceKit

/// What this service does about messages, with the rows that go along.
@Loop enum JobHandling {
    static func handler(_ store: EventStore, _ sweeper: ObjectSweeper) -> ReactionHandler<Job> {
        ReactionHandler(
            Job.self, store: store, service: .analysis, react: { try Job.reactions.reaction(to: $0.incoming) },
            rows: rows,
            takeBack: { KeyEvent.isOne($0.type) ? .ignore : Job.takingBack(try $0.decoded()) },
            erase: erasure(store, sweeper).erase)
    }

    private static func erasure(_ store: EventStore, _ sweeper: ObjectSweeper) -> SubjectErasure<Job> {
        SubjectErasure(
            Job.self, store, sweeper, service: .analysis, forget: .erase,
            record: { (Job.subjectStream($0), .recordErasure(subject: $0, removed: $1)) },
            last: { [RowCall("forget_subject", ["subject": .uuid($0)])] },
            belongings: { subject in
                let rows = try await store.pool.query(
                    "select session_id from job_owners where owner_id = $1 order by session_id", [.uuid(subject)]
                ).rows
                return .init(streams: rows.map { Job.stream($0.uuid(0)) }, rows: Int64(rows.count))
            })
    }

    /// The rows that go with a job's new events.
    static func rows(_ job: Job, _ events: [JobEvent]) -> [RowCall] {
        var calls: [RowCall] = []
        if job.phase == .absent, let identity = events.first?.job {
            calls.append(
                RowCall("own_job", ["sessionId": .uuid(identity.sessionId), "ownerId": .uuid(identity.ownerId)]))
        }
        for case .resultDiscarded in events {
            if let document = job.document { calls.append(.discardObject(document.key)) }
        }
        return calls
    }
}
