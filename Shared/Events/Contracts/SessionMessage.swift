package import JSON
package import Primitives

/// The session that a message is about, and its owner.
package struct SessionReference: Sendable, Hashable {
    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID

    package init(sessionId: UUID, ownerId: UUID) {
        self.sessionId = sessionId
        self.ownerId = ownerId
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
    }

    package var json: JSONObject { ["sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId)] }
}

/// The session that a message is about, its owner and what it records.
package struct SessionIdentity: Sendable, Hashable {
    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// What it records.
    package var kind: SessionKind

    package init(sessionId: UUID, ownerId: UUID, kind: SessionKind) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        kind = try object.code("kind")
    }

    package var json: JSONObject { ["sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "kind": kind.json] }

    /// The session without what it records.
    package var reference: SessionReference { SessionReference(sessionId: sessionId, ownerId: ownerId) }
}

/// A message about one session: published in the order of the owner's messages.
package protocol SessionMessage: PublishedMessage {
    /// Which session it is about.
    var reference: SessionReference { get }
}

extension SessionMessage {
    /// The session.
    package var sessionId: UUID { reference.sessionId }
    /// The user whose session it is.
    package var ownerId: UUID { reference.ownerId }
    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// A message about one session that also says what the session records.
package protocol SessionKindMessage: SessionMessage {
    /// Which session it is about.
    var session: SessionIdentity { get }
}

extension SessionKindMessage {
    /// What the session records.
    package var kind: SessionKind { session.kind }
    package var reference: SessionReference { session.reference }
}
