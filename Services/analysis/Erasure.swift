import Contracts
import EventConsumer
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Removes all that a user has in this service; begun again after an interruption, it does what was left.
@Loop struct Erasure {
    let store: EventStore
    let sweeper: ObjectSweeper
    let subject: UUID
    let message: ReceivedMessage

    /// Erases and says so, in an append that carries the calls.
    ///
    /// - Returns: whether the calls went into an append.
    func run(_ calls: [RowCall]) async throws -> Bool {
        let argument: JSONObject = ["subject": .uuid(subject)]
        let counts = try await store.pool.query(
            """
            select (select count(*) from job_owners where owner_id = $1),
                (select count(*) from object_intents where subject = $1)
            """, [.uuid(subject)]
        ).rows[0]
        // From here on nothing of the subject comes back; a worker's document is refused.
        try await store.append(
            Append(
                id: .v7(), requestHash: [], metadata: metadata, writes: [],
                calls: [RowCall("erase_subject", argument), RowCall("discard_objects", argument)], thoughErased: true))
        let commands = CommandHandler<Job>(store)
        for session in try await sessions() {
            let stream = Job.stream(session)
            let id = UUID.v5(namespace: message.appendID, name: "erase/\(stream)")
            _ = try await commands.handle(
                .erase, on: stream, id: id, requestHash: id.bytes, metadata: metadata, thoughErased: true)
        }
        try await sweeper.sweep(of: subject)
        let outcome = try await commands.handle(
            .recordErasure(subject: subject, removed: .init(rows: counts.int(0), objects: counts.int(1))),
            on: Job.subjectStream(subject), id: message.appendID, requestHash: message.incoming.id.bytes,
            metadata: metadata, thoughErased: true
        ) { _, _ in calls + [RowCall("forget_subject", argument)] }
        return outcome.receipt.map { !$0.isRepeat } ?? false
    }

    private var metadata: EventMetadata { message.metadata(actor: "analysis") }

    private func sessions() async throws -> [UUID] {
        try await store.pool.query(
            "select session_id from job_owners where owner_id = $1 order by session_id", [.uuid(subject)]
        ).rows.map { $0.uuid(0) }
    }
}
