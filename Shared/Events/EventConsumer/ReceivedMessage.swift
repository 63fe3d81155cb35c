package import Contracts
import EventRelay
package import EventSourcing
import JSON
package import Kafka
package import Primitives

/// A message of another service with all that its record says of its origin.
package struct ReceivedMessage: Sendable {
    package let incoming: Incoming
    package let key: MessageKey
    /// The publisher's event behind the message.
    package let origin: MessageOrigin
    package let correlation: UUID
    package let traceparent: String?

    /// The id of what this service appends because of the message: the same for every delivery of it.
    package var appendID: UUID { origin.appendID }

    /// Metadata of the events that follow from the message.
    package func metadata(actor: String) -> EventMetadata {
        EventMetadata(
            owner: key.owner, correlation: correlation, causation: incoming.id, actor: actor, traceparent: traceparent,
            origin: origin.description)
    }

    /// Reads a record.
    ///
    /// - Throws: ``UnreadableRecord`` with what is wrong; the record is parked with its bytes.
    package init(_ record: KafkaRecord) throws(UnreadableRecord) {
        guard let chain = ChainRecord(record), case .message(let position, _) = chain.kind else {
            throw UnreadableRecord(code: "chain-headers")
        }
        guard let type = record.header(MessageHeaders.type).flatMap({ MessageType($0) }),
            let service = ServiceName(rawValue: type.service)
        else {
            throw UnreadableRecord(code: "message-type")
        }
        guard let time = record.header(MessageHeaders.time).flatMap({ Timestamp(rfc3339: $0) }) else {
            throw UnreadableRecord(code: "message-time")
        }
        guard let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) }),
            let messageKey = key == "system" ? .system : UUID(key).map(MessageKey.owner)
        else { throw UnreadableRecord(code: "message-key") }
        guard let correlation = record.header(MessageHeaders.correlationID).flatMap({ UUID($0) }) else {
            throw UnreadableRecord(code: "correlation")
        }
        let data: JSONObject
        do throws(JSONError) { data = try JSONObject.parse(record.value ?? []) } catch {
            throw UnreadableRecord(code: "message-value")
        }
        incoming = Incoming(id: chain.id, type: type, time: time, data: data)
        self.key = messageKey
        origin = MessageOrigin(service: service, incarnation: chain.incarnation, position: position)
        self.correlation = correlation
        traceparent = record.header(MessageHeaders.traceParent)
    }
}

/// A record that is no message of ours; its code says which part was wrong.
package struct UnreadableRecord: Error, Sendable, Equatable {
    package let code: String
}
