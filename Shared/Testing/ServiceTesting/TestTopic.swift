package import Contracts
package import EventConsumer
import JSON
import Kafka
package import Primitives

/// The topics of other services as a test writes them: messages get positions one after another.
package struct TestTopic {
    private let incarnation = UUID.v4()
    private var position: Int64 = 0

    package init() {}

    /// A message as a consumer would receive it from its record.
    ///
    /// - Parameter time: when it was recorded; by default now.
    /// - Throws: `UnreadableRecord` if a consumer could not read the record.
    package mutating func message(_ outgoing: Outgoing, at time: Timestamp = .now()) throws -> ReceivedMessage {
        position += 1
        let headers = [
            (MessageHeaders.id, "\(UUID.v4())"), (MessageHeaders.type, "\(outgoing.type)"),
            (MessageHeaders.subject, outgoing.subject),
            (MessageHeaders.time, time.rfc3339), (MessageHeaders.correlationID, "\(UUID.v7())"),
            (MessageHeaders.position, "\(position)"), (MessageHeaders.previous, "\(position - 1)"),
            (MessageHeaders.incarnation, "\(incarnation)"), (MessageHeaders.epoch, "1"),
        ]
        let record = KafkaRecord(
            topic: "test", partition: 0, offset: position, timestampMs: 0, key: Array("\(outgoing.key)".utf8),
            value: JSONValue.object(outgoing.data).bytes, headers: headers.map { ($0, Array($1.utf8)) })
        return try ReceivedMessage(record)
    }

    /// A message of any published type.
    ///
    /// - Throws: as ``message(_:)``.
    package mutating func message(_ message: some PublishedMessage) throws -> ReceivedMessage {
        try self.message(Outgoing(message))
    }
}
