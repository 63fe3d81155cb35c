package import Contracts
package import EventConsumer
package import EventSourcing
package import EventStore
import JSON
import ObjectStorage
import Postgres
package import Primitives
package import Runtime

/// Erases what a user has in a service: nothing new on their behalf first, then bytes and aggregates, and the word that it
/// is done. Every step has an id of its own and can be repeated; the watermark moves with the last.
@Loop package struct SubjectErasure<D: Decider> {
    /// What a service has of a subject.
    package struct Belongings: Sendable {
        package let streams: [StreamName]
        /// Rows about the subject, for the receipt.
        package let rows: Int64

        package init(streams: [StreamName], rows: Int64) {
            self.streams = streams
            self.rows = rows
        }

        /// The streams of a category that the log has of a subject: no read model, which may be behind, is asked.
        @Loop package static func streams(of subject: UUID, _ category: String, _ store: EventStore) async throws
            -> Self
        {
            let rows = try await store.pool.query(
                "select distinct stream from events where metadata ->> 'owner' = $1 and stream like $2",
                [.text(subject.description), .text("\(category)-%")]
            ).rows
            return Belongings(streams: rows.map { StreamName(rawValue: $0.text(0)) }, rows: Int64(rows.count))
        }
    }

    private let store: EventStore
    private let sweeper: ObjectSweeper
    private let service: ServiceName
    private let belongings: @Loop (UUID) async throws -> Belongings
    private let forget: D.Command
    private let record: (UUID, SubjectErased.Removed) -> (StreamName, D.Command)
    private let last: (UUID) -> [RowCall]

    /// - Parameters:
    ///   - belongings: finds the subject's aggregates; asked after nothing new can come.
    ///   - forget: the command to each of them.
    ///   - record: the stream and the command of the word that it is done.
    ///   - last: row writes that go with that word.
    package init(
        _: D.Type, _ store: EventStore, _ sweeper: ObjectSweeper, service: ServiceName, forget: D.Command,
        record: @escaping (UUID, SubjectErased.Removed) -> (StreamName, D.Command),
        last: @escaping (UUID) -> [RowCall] = { _ in [] },
        belongings: @escaping @Loop (UUID) async throws -> Belongings
    ) {
        self.store = store
        self.sweeper = sweeper
        self.service = service
        self.forget = forget
        self.record = record
        self.last = last
        self.belongings = belongings
    }

    /// Erases in appends of which the last carries the calls.
    package func erase(_ subject: UUID, _ message: ReceivedMessage, _ calls: [RowCall]) async throws {
        var metadata = message.metadata(actor: service.rawValue)
        metadata.owner = subject
        let argument: JSONObject = ["subject": .uuid(subject)]
        try await store.append(
            Append(
                id: .v7(), requestHash: [], metadata: metadata, writes: [],
                calls: [RowCall("erase_subject", argument), RowCall("discard_objects", argument)], thoughErased: true))
        let found = try await belongings(subject)
        let objects = try await store.pool.query(
            "select count(*) from object_intents where subject = $1", [.uuid(subject)]
        ).rows[0].int(0)
        do {
            try await sweeper.sweep(of: subject)
        } catch let error as ObjectStoreError {
            throw RetriableFailure("object-store", error.description)
        }
        let commands = CommandHandler<D>(store)
        for stream in found.streams {
            let id = UUID.v5(namespace: message.appendID, name: stream.description)
            _ = try await commands.handle(
                forget, on: stream, id: id, requestHash: id.bytes, metadata: metadata, thoughErased: true)
        }
        let (stream, command) = record(subject, SubjectErased.Removed(rows: found.rows, objects: objects))
        _ = try await commands.handle(
            command, on: stream, id: message.appendID, requestHash: message.incoming.id.bytes, metadata: metadata,
            thoughErased: true
        ) { _, _ in calls + last(subject) }
    }
}
