package import JSON

/// A message on its way out: what a service's publication answers for a private event.
package struct Outgoing: Sendable, Equatable {
    /// The durable name.
    package let type: MessageType
    /// The key in whose order it goes out.
    package let key: MessageKey
    /// The aggregate's id.
    package let subject: String
    /// The value.
    package let data: JSONObject

    /// A message whose type depends on who publishes it.
    package init(type: MessageType, key: MessageKey, subject: String, data: JSONObject) {
        self.type = type
        self.key = key
        self.subject = subject
        self.data = data
    }

    /// A message with a type of its own.
    package init<Message: PublishedMessage>(_ message: Message) {
        self.init(type: Message.type, key: message.ownerKey, subject: message.subject, data: message.json)
    }
}
