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
        try await intendObjects([key], of: subject, purpose: purpose, until: deadline)
    }

    /// Announces several objects in one append of their own.
    ///
    /// - Throws: `AppendError.erased` for an erased subject.
    package func intendObjects(
        _ keys: [String], of subject: UUID, purpose: String, until deadline: Timestamp
    ) async throws {
        try await append(
            Append(
                id: .v7(), requestHash: [],
                metadata: EventMetadata(owner: subject, correlation: .v7(), actor: subject.description), writes: [],
                calls: keys.map { KitRows.intendObject($0, subject, purpose, deadline) }))
    }
}
