import Contracts
import EventConsumer
import EventSourcing
import EventStore
import JSON
import ObjectStorage
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Erases what a user has here: no new events on their behalf first, then bytes and sessions, and the word that it is done.
@Loop struct SessionErasure {
    private let store: EventStore

    private let sweeper: ObjectSweeper

    init(_ store: EventStore, _ sweeper: ObjectSweeper) {
        self.store = store
        self.sweeper = sweeper
    }

    /// Repeatable: every step has an id of its own, and the watermark moves with the last.
    func erase(_ subject: UUID, _ message: ReceivedMessage, _ calls: [RowCall]) async throws -> Bool {
        var metadata = message.metadata(actor: "sessions")
        metadata.owner = subject
        try await store.append(
            Append(
                id: .v7(), requestHash: [], metadata: metadata, writes: [],
                calls: [
                    RowCall("erase_subject", ["subject": .uuid(subject)]),
                    RowCall("discard_objects", ["subject": .uuid(subject)]),
                ], thoughErased: true))
        let sessions = try await streams(of: subject)
        let objects = try await store.pool.query(
            "select count(*) from object_intents where subject = $1", [.uuid(subject)]
        ).rows[0].int(0)
        do {
            try await sweeper.sweep(of: subject)
        } catch let error as ObjectStoreError {
            throw RetriableFailure("object-store", error.description)
        }
        for stream in sessions {
            let id = UUID.v5(namespace: message.appendID, name: stream.description)
            _ = try await CommandHandler<Session>(store).handle(
                .erase, on: stream, id: id, requestHash: id.bytes, metadata: metadata, thoughErased: true)
        }
        let removed = SubjectErased.Removed(rows: Int64(sessions.count), objects: objects)
        let outcome = try await CommandHandler<Session>(store).handle(
            .recordErasure(subject: subject, removed: removed), on: Session.subjectStream(subject),
            id: message.appendID, requestHash: message.appendID.bytes, metadata: metadata, thoughErased: true
        ) { _, _ in calls }
        return outcome.receipt.map { !$0.isRepeat } ?? false
    }

    /// From the log, not from the list: the list may be behind.
    private func streams(of subject: UUID) async throws -> [StreamName] {
        try await store.pool.query(
            "select distinct stream from events where metadata ->> 'owner' = $1 and stream like 'session-%'",
            [.text(subject.description)]
        ).rows.map { StreamName(rawValue: $0.text(0)) }
    }
}
