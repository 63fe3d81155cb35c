package import Primitives

/// The Kafka key of a message: messages of one key stay in the order in which their service decided them.
package struct MessageKey: Sendable, Hashable, CustomStringConvertible {
    /// The text whose UTF-8 bytes are the record's key.
    package let description: String

    /// The key of everything that belongs to one user: the user's id.
    package static func owner(_ id: UUID) -> MessageKey { MessageKey(description: id.description) }

    /// The key of messages without an owner, such as signing keys.
    package static let system = MessageKey(description: "system")

    private init(description: String) { self.description = description }

    /// The user whose messages have this key; nil for ``system``.
    package var owner: UUID? { UUID(description) }
}
