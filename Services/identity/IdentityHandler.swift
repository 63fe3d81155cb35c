import Contracts
package import EventConsumer
package import EventSourcing
package import EventStore
import Primitives
package import Runtime

/// Brings the other services' answers to an erasure to the user's stream, although the user is erased.
@Loop package final class IdentityHandler: MessageHandler {
    private let store: EventStore

    package init(_ store: EventStore) { self.store = store }

    package func isErasure(_: ReceivedMessage) -> Bool { false }

    package func handle(_ message: ReceivedMessage, calls: [RowCall]) async throws {
        guard case .apply(let stream, let command) = try IdentityReactions.reaction(to: message.incoming) else {
            return
        }
        _ = try await CommandHandler<User>(store).handle(
            command, on: stream, id: message.appendID, requestHash: message.incoming.id.bytes,
            metadata: message.metadata(actor: ServiceName.identity.rawValue), thoughErased: true
        ) { _, _ in calls }
    }

    /// What was confirmed stands: the restored service decides its erasures again and answers again.
    package func orphan(_: RecordedEvent) async throws {}
}
