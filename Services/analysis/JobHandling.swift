import Contracts
import EventConsumer
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// What this service does about messages, with the rows that go along.
@Loop enum JobHandling {
    static func handler(_ store: EventStore, _ sweeper: ObjectSweeper) -> ReactionHandler<Job> {
        ReactionHandler(
            Job.self, store: store, service: .analysis, react: { try JobReactions.reaction(to: $0.incoming) },
            rows: rows, takeBack: takeBack,
            erase: { [erasure = erasure(store, sweeper)] in try await erasure.erase($0, $1, $2) })
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

    /// The answer when `sessions` was restored to a time before the message that caused an event.
    static func takeBack(_ recorded: RecordedEvent) throws -> Reaction<JobCommand> {
        if KeyEvent.isOne(recorded.type) { return .ignore }
        guard case .queued(let job, _, _) = try recorded.decoded(as: JobEvent.self) else { return .ignore }
        return .apply(recorded.stream, .cancel(job, .orphaned))
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
