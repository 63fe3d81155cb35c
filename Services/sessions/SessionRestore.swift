import Contracts
import EventConsumer
import EventSourcing
import EventStore
import Primitives
import Runtime
import ServiceKit

extension SessionsService {
    /// After a restore: what its owner deleted stays deleted.
    @Loop static func decideAgain(_ message: ReceivedMessage, _ store: EventStore) async throws -> Bool {
        guard message.incoming.type == SessionDeleted.type else { return false }
        let deleted: SessionDeleted = try message.incoming.read()
        var metadata = message.metadata(actor: "restore")
        metadata.origin = nil
        do {
            let outcome = try await CommandHandler<Session>(store).handle(
                .delete(by: deleted.ownerId), on: Session.stream(deleted.sessionId),
                id: .v5(namespace: message.incoming.id, name: "again"), requestHash: message.incoming.id.bytes,
                metadata: metadata
            ) { _, events in rows(events) }
            return !outcome.events.isEmpty
        } catch is SessionRefusal {
            // It was created after the backup, or is removed already.
            return false
        } catch AppendError.erased {
            return false
        }
    }
}
