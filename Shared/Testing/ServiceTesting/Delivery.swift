package import Contracts
package import EventConsumer
package import EventStore
import JSON
import Kafka
import Observability
import Postgres
import Primitives
package import Projections
package import Runtime
import ServiceKit

/// A topic as a test writes it: messages get positions one after another.
@Loop package struct TestTopic {
    private let incarnation = UUID.v4()
    private var position: Int64 = 0

    package init() {}

    /// A message as a consumer would receive it from its record.
    package mutating func message(_ outgoing: Outgoing) throws -> ReceivedMessage {
        position += 1
        let headers = [
            (MessageHeaders.id, "\(UUID.v4())"), (MessageHeaders.type, "\(outgoing.type)"),
            (MessageHeaders.time, Timestamp.now().rfc3339), (MessageHeaders.correlationID, "\(UUID.v7())"),
            (MessageHeaders.position, "\(position)"), (MessageHeaders.previous, "\(position - 1)"),
            (MessageHeaders.incarnation, "\(incarnation)"), (MessageHeaders.epoch, "1"),
        ]
        let record = KafkaRecord(
            topic: "test", partition: 0, offset: position, timestampMs: 0, key: Array("\(outgoing.key)".utf8),
            value: JSONValue.object(outgoing.data).bytes, headers: headers.map { ($0, Array($1.utf8)) })
        return try ReceivedMessage(record)
    }

    /// A message of a type of its own.
    package mutating func message(_ message: some PublishedMessage) throws -> ReceivedMessage {
        try self.message(Outgoing(message))
    }
}

extension ServiceGroup {
    /// Hands a message to an instance's handler until no conflict stands in the way, as a consumer does.
    ///
    /// - Returns: whether the log has grown.
    @discardableResult
    package func deliver(
        _ message: ReceivedMessage, to instance: Instance? = nil, calls: [RowCall] = []
    ) async throws -> Bool {
        let before = try await head
        let handler = (instance ?? first).parts.handler
        while true {
            do {
                try await handler.handle(message, calls: calls)
                return try await head > before
            } catch AppendError.conflict {
                continue
            }
        }
    }

    /// Folds a read model up to the end of the log.
    package func fold<Model: ReadModel>(_: Model.Type) async throws {
        let projector = Projector(
            Model.self, store: first.store, log: Logger(label: "test"), foreign: { KeyEvent.isOne($0) })
        let head = try await head
        while projector.position < head { _ = try await projector.step() }
    }

    private var head: Int64 {
        get async throws {
            try await first.store.pool.query("select coalesce(max(position), 0) from events").rows[0].int(0)
        }
    }

    /// A number that a statement answers, asked as the administrator.
    package func count(_ sql: String) async throws -> Int64 { try await administrator.query(sql).rows[0].int(0) }
}
