import Contracts
import EventConsumer
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime

/// Removes all that this service has of a user.
@Loop struct ReportErasure {
    private let store: EventStore

    init(_ store: EventStore) { self.store = store }

    /// Closes the service for the user, then removes everything in one append that also says so. A repeat after an
    /// interruption does what is left.
    func erase(_ subject: UUID, because message: ReceivedMessage, _ calls: [RowCall]) async throws {
        // First, and on its own: what is listed below can then only become less.
        try await store.append(
            append(.v5(namespace: message.appendID, name: "close"), message, [], closing(subject)))

        let handler = CommandHandler<Report>(store)
        let receipt = try await handler.load(Report.subjectStream(subject))
        let rows = try await store.pool.query("select session_id from reports where owner_id = $1", [.uuid(subject)])
        var writes: [StreamWrite] = []
        for row in rows.rows {
            let stream = Report.stream(row.uuid(0))
            let report = try await handler.load(stream)
            let events = Report.decide(.erase, report.state)
            writes.append(StreamWrite(stream, after: report.version, events))
        }
        let removed = SubjectErased.Removed(rows: Int64(rows.count), objects: 0)
        let events = Report.decide(.recordErasure(subject: subject, removed: removed), receipt.state)
        writes.append(StreamWrite(Report.subjectStream(subject), after: receipt.version, events))
        let forget = RowCall("forget_subject", ["subject": .uuid(subject)])
        try await store.append(append(message.appendID, message, writes, [forget] + calls))
    }

    private func closing(_ subject: UUID) -> [RowCall] {
        [
            RowCall("erase_subject", ["subject": .uuid(subject)]),
            RowCall("discard_objects", ["subject": .uuid(subject)]),
        ]
    }

    private func append(
        _ id: UUID, _ message: ReceivedMessage, _ writes: [StreamWrite], _ calls: [RowCall]
    ) -> Append {
        Append(
            id: id, requestHash: message.incoming.id.bytes,
            metadata: message.metadata(actor: ServiceName.reporting.rawValue), writes: writes, calls: calls,
            thoughErased: true)
    }
}
