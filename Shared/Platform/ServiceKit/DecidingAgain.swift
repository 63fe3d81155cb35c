import Contracts
package import EventConsumer
package import EventSourcing
package import EventStore
import Primitives
import Runtime

extension CommandHandler {
    /// Decides again, after a restore, what a message of the service itself says was decided before.
    ///
    /// - Parameters:
    ///   - name: tells apart what is decided again because of one message.
    ///   - thoughErased: whether it is decided on behalf of an erased user too: only an erasure itself is.
    /// - Returns: whether there was anything to decide: what was created after the backup does not exist here.
    /// - Throws: `AppendError` or `PostgresError`.
    @Loop package func decideAgain(
        _ command: A.Command, on stream: StreamName, because message: ReceivedMessage, as name: String = "again",
        thoughErased: Bool = false
    ) async throws -> Bool {
        var metadata = message.metadata(actor: "restore")
        metadata.origin = nil
        do {
            let outcome = try await handle(
                command, on: stream, id: .v5(namespace: message.incoming.id, name: name),
                requestHash: message.incoming.id.bytes, metadata: metadata, thoughErased: thoughErased)
            return !outcome.events.isEmpty
        } catch is A.Refusal {
            return false
        } catch AppendError.erased {
            return false
        }
    }
}
