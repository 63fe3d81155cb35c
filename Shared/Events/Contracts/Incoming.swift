package import JSON
package import Primitives

/// A message of another service, as read from a topic, before its value is decoded.
package struct Incoming: Sendable, Equatable {
    /// The id of the private event from which it was published.
    package let id: UUID
    /// The durable name; may be one that this build does not know.
    package let type: MessageType
    /// When the publishing service recorded the event.
    package let time: Timestamp
    /// The value.
    package let data: JSONObject

    package init(id: UUID, type: MessageType, time: Timestamp, data: JSONObject) {
        self.id = id
        self.type = type
        self.time = time
        self.data = data
    }

    /// The value as a message.
    ///
    /// - Throws: `JSONError`: which member is missing or malformed.
    package func read<Message: PublishedMessage>(_: Message.Type = Message.self) throws(JSONError) -> Message {
        try Message(data)
    }
}
