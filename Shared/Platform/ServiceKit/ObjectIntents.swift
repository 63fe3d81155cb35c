import EventSourcing
package import EventStore
package import Primitives

extension EventStore {
    /// Announces an object in its own append.
    ///
    /// - Throws: `AppendError.erased` for an erased subject.
    package func intendObject(
        _ key: String, of subject: UUID, purpose: String, until deadline: Timestamp
    ) async throws {
        try await append(
            Append(
                id: .v7(), requestHash: [],
                metadata: EventMetadata(owner: subject, correlation: .v7(), actor: subject.description), writes: [],
                calls: [KitRows.intendObject(key, subject, purpose, deadline)]))
    }
}
