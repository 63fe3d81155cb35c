import EventSourcing
package import JSON

/// What a service does about the messages of others, type by type.
///
/// Types and versions that are not in the list are ignored.
package struct Reactions<Command: Sendable>: Sendable {
    /// What it does about one type.
    package struct Entry: Sendable {
        fileprivate let type: MessageType
        fileprivate let react: @Sendable (Incoming) throws(JSONError) -> Reaction<Command>

        /// What follows from messages of a type.
        package static func on<Message: PublishedMessage>(
            _: Message.Type, _ react: @escaping @Sendable (Message) -> Reaction<Command>
        ) -> Entry {
            Entry(type: Message.type) { (message) throws(JSONError) in react(try message.read(Message.self)) }
        }

        /// An erased user's data is removed.
        package static var erasure: Entry { on(UserErased.self) { .erase(subject: $0.userId) } }
    }

    private let entries: [Entry]

    package init(_ entries: Entry...) { self.entries = entries }

    /// The types that it does something about.
    package var types: [MessageType] { entries.map(\.type) }

    /// The reaction to a message.
    ///
    /// - Throws: which member of a known message is missing or of another form; the caller parks the message.
    package func reaction(to message: Incoming) throws(JSONError) -> Reaction<Command> {
        guard let entry = entries.first(where: { $0.type == message.type }) else { return .ignore }
        return try entry.react(message)
    }
}
