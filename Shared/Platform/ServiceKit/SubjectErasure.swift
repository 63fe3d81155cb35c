package import Contracts
import EventConsumer
package import EventSourcing
package import EventStore
import JSON
import ObjectStorage
import Postgres
package import Primitives
import Runtime

/// How a service removes all that it has of a user.
package struct Erasure<A: Aggregate>: Sendable {
    /// What a service has of a subject.
    package struct Belongings: Sendable {
        /// The aggregates that are to be forgotten one by one.
        package let streams: [StreamName]
        /// Rows about the subject, for the receipt.
        package let rows: Int64

        package init(streams: [StreamName], rows: Int64) {
            self.streams = streams
            self.rows = rows
        }

        /// The streams of some categories that were begun on behalf of a subject: no read model, which may be behind, is
        /// asked, and no log searched, however long it is.
        ///
        /// - Throws: `PostgresError`, `CancellationError` if the task is cancelled.
        @Loop package static func streams(of subject: UUID, _ categories: [String], _ store: EventStore) async throws
            -> Self
        {
            let rows = try await store.pool.query(
                """
                select stream from stream_owners
                where owner = $1 and exists (select from unnest($2::text[]) c where starts_with(stream, c || '-'))
                order by stream
                """, [.uuid(subject), .texts(categories)]
            ).rows
            return Belongings(streams: rows.map { StreamName(rawValue: $0.text(0)) }, rows: Int64(rows.count))
        }
    }

    let belongings: @Loop @Sendable (UUID, EventStore) async throws -> Belongings
    let forget: A.Command?
    let record: @Sendable (UUID, SubjectErased.Removed) -> A.Command
    let stream: @Sendable (UUID) -> StreamName
    let last: @Sendable (UUID) -> [RowCall]
    let isAtOnce: @Sendable (StreamName) -> Bool

    /// - Parameters:
    ///   - belongings: finds the subject's aggregates; asked after nothing new can come.
    ///   - forget: the command to each of them; nil when there are none.
    ///   - record: the command that records the finished erasure.
    ///   - stream: where it is recorded; by default in a stream of its own, ``StreamName/subject(_:)``.
    ///   - last: row writes in the same append.
    ///   - isAtOnce: which aggregates are forgotten in the very append that says so: those of which a user has few.
    package init(
        belongings: @escaping @Loop @Sendable (UUID, EventStore) async throws -> Belongings, forget: A.Command?,
        record: @escaping @Sendable (UUID, SubjectErased.Removed) -> A.Command,
        on stream: @escaping @Sendable (UUID) -> StreamName = StreamName.subject,
        last: @escaping @Sendable (UUID) -> [RowCall] = { _ in [] },
        isAtOnce: @escaping @Sendable (StreamName) -> Bool = { _ in false }
    ) {
        self.belongings = belongings
        self.forget = forget
        self.record = record
        self.stream = stream
        self.last = last
        self.isAtOnce = isAtOnce
    }
}

/// Erases what a user has in a service: first nothing new is accepted on their behalf and no app's token counts any more, then
/// objects and aggregates are removed, and the finished erasure is recorded. Every step has its own id and can be repeated; the
/// watermark moves with the last.
@Loop struct SubjectErasure<A: Aggregate> {
    private let erasure: Erasure<A>
    private let store: EventStore
    private let sweeper: ObjectSweeper?
    private let service: ServiceName

    init(_ erasure: Erasure<A>, _ store: EventStore, _ sweeper: ObjectSweeper?, service: ServiceName) {
        self.erasure = erasure
        self.store = store
        self.sweeper = sweeper
        self.service = service
    }

    /// Erases; the last append goes through the gate.
    func erase(_ subject: UUID, _ message: ReceivedMessage, through gate: any AppendGate) async throws {
        var metadata = message.metadata(actor: service.rawValue)
        metadata.owner = subject
        try await store.append(
            Append(
                id: .v7(), requestHash: [], metadata: metadata, writes: [],
                calls: [
                    EventStoreRows.eraseSubject(subject), KitRows.discardObjects(subject),
                    KitRows.forgetAppTokens(of: subject), ConsentRows.forget(subject),
                ], thoughErased: true))
        CrashPoint.reached("erasure.after-guard")
        let found = try await erasure.belongings(subject, store)
        let objects = try await store.pool.query(
            "select count(*) from object_intents where subject = $1", [.uuid(subject)]
        ).rows[0].int(0)
        do {
            try await sweeper?.sweep(of: subject)
        } catch let error as ObjectStoreError {
            throw RetriableFailure("object-store", error.description)
        }
        CrashPoint.reached("erasure.after-objects")
        let commands = CommandHandler<A>(store)
        var decisions: [Decision] = []
        if let forget = erasure.forget {
            for stream in found.streams {
                if erasure.isAtOnce(stream) {
                    decisions.append(try await commands.load(stream).decide(forget))
                } else {
                    let id = UUID.v5(namespace: message.appendID, name: stream.description)
                    _ = try await commands.handle(
                        forget, on: stream, id: id, requestHash: id.bytes, metadata: metadata, thoughErased: true)
                }
            }
        }
        CrashPoint.reached("erasure.after-aggregates")
        let done = erasure.record(subject, SubjectErased.Removed(rows: found.rows, objects: objects))
        decisions.append(try await commands.load(erasure.stream(subject)).decide(done))
        try await gate.append(
            Append(
                id: message.appendID, requestHash: message.requestHash, metadata: metadata, decisions: decisions,
                calls: erasure.last(subject) + [KitRows.forgetAppTokens(of: subject), ConsentRows.forget(subject)],
                thoughErased: true))
    }
}
