import EventSourcing
package import EventStore
import JSON
package import Primitives
import Runtime

/// Row writes about objects outside the database.
extension RowCall {
    /// Announces an object before its bytes are written; without ``keepObject(_:)`` it goes after the deadline.
    package static func intendObject(_ key: String, of subject: UUID, purpose: String, until deadline: Timestamp)
        -> RowCall
    {
        RowCall(
            "intend_object",
            [
                "key": .string(key), "subject": .uuid(subject), "purpose": .string(purpose),
                "deadline": .time(deadline),
            ])
    }

    /// The object is in use; refused with `object-not-intended` when it was given up meanwhile.
    package static func keepObject(_ key: String) -> RowCall { RowCall("keep_object", ["key": .string(key)]) }

    /// Nobody needs the object any more.
    package static func discardObject(_ key: String) -> RowCall { RowCall("discard_object", ["key": .string(key)]) }
}

extension EventStore {
    /// Announces an object in an append of its own.
    ///
    /// - Throws: `AppendError.erased` for an erased subject.
    @Loop package func intendObject(
        _ key: String, of subject: UUID, purpose: String, until deadline: Timestamp
    ) async throws {
        try await append(
            Append(
                id: .v7(), requestHash: [],
                metadata: EventMetadata(owner: subject, correlation: .v7(), actor: subject.description), writes: [],
                calls: [.intendObject(key, of: subject, purpose: purpose, until: deadline)]))
    }
}
