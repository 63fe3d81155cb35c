package import EventSourcing
import EventStore
import JSON
package import ObjectStorage
package import Observability
package import Primitives
import Runtime

/// Why a document could not be handed in; another attempt may succeed.
package struct HandInFailure: Error, Sendable {}

extension WorkerCommands {
    /// Hands in a document together with a command: it is announced, written, and kept by the command's append; if anything
    /// goes wrong, nothing is left of it.
    ///
    /// - Parameters:
    ///   - owner: whose document it is.
    ///   - limit: how long writing may take; the sweeper removes the document afterwards.
    ///   - written: called when the bytes are in the store.
    /// - Throws: ``HandInFailure`` when the object store failed or the sweeper was faster, and as ``put(_:id:calls:)``.
    package func handIn(
        _ bytes: [UInt8], as key: String, of owner: UUID, purpose: String, limit: Duration,
        to objects: any ObjectStore, log: Logger, with command: A.Command, written: () -> Void = {}
    ) async throws {
        try await announce(key, owner, purpose, limit)
        do {
            try await objects.write(bytes, to: key)
            written()
            try await insist(on: { _ in command }, calls: { $0.isEmpty ? [] : [KitRows.keepObject(key)] })
        } catch {
            await discard(key, objects, log)
            switch error {
            case is ObjectStoreError, AppendError.guarded(.objectNotIntended): throw HandInFailure()
            default: throw error
            }
        }
    }

    private func announce(_ key: String, _ owner: UUID, _ purpose: String, _ limit: Duration) async throws {
        try await persisting { _ in
            let deadline = try await Self.now(store) + limit
            do {
                try await write([KitRows.intendObject(key, owner, purpose, deadline)])
            } catch AppendError.data("object_intents_pkey") {
                // The key is fresh, so it was this worker itself, whose answer was lost.
            }
        }
    }

    /// Gives up the document: the row records that first, so that it is removed even if this process dies.
    private func discard(_ key: String, _ objects: any ObjectStore, _ log: Logger) async {
        do {
            try await write([KitRows.discardObject(key)], thoughErased: true)
            try await objects.delete(key)
        } catch {
            // Its deadline does the same a little later.
            log.info("document is left to the sweeper", ["reason": .string("\(error)")])
        }
    }
}
