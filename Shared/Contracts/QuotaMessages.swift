package import JSON
package import Primitives

/// A unit is reserved for a session: it may begin.
package struct QuotaReserved: PublishedMessage {
    package static let type = MessageType(.quota, "QuotaReserved")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// What it records.
    package var kind: SessionKind
    /// The plan that was in force.
    package var plan: PlanCode
    /// Units of the window; nothing when unlimited.
    package var limit: Int64?
    /// Units charged in the window.
    package var used: Int64
    /// Units held by sessions that have not ended, this one among them.
    package var reserved: Int64
    /// When the window ends and the units are there again.
    package var windowEndsAt: Timestamp

    package init(
        sessionId: UUID, ownerId: UUID, kind: SessionKind, plan: PlanCode, limit: Int64?, used: Int64, reserved: Int64,
        windowEndsAt: Timestamp
    ) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
        self.plan = plan
        self.limit = limit
        self.used = used
        self.reserved = reserved
        self.windowEndsAt = windowEndsAt
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        kind = try object.code("kind")
        plan = try object.code("plan")
        limit = try object.optionalInt("limit")
        used = try object.int("used")
        reserved = try object.int("reserved")
        windowEndsAt = try object.timestamp("windowEndsAt")
    }

    package var json: JSONObject {
        var object: JSONObject = [
            "sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "kind": kind.json, "plan": plan.json,
            "used": .int(used), "reserved": .int(reserved), "windowEndsAt": .time(windowEndsAt),
        ]
        object["limit"] = .optional(limit)
        return object
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// No unit for a session: it does not begin.
package struct QuotaRefused: PublishedMessage {
    package static let type = MessageType(.quota, "QuotaRefused")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// What it records.
    package var kind: SessionKind
    /// Why.
    package var code: QuotaRefusalCode
    /// When units are there again.
    package var resetsAt: Timestamp
    /// The session that holds the last unit, for `session-open`.
    package var heldBy: HeldBy?

    package init(
        sessionId: UUID, ownerId: UUID, kind: SessionKind, code: QuotaRefusalCode, resetsAt: Timestamp,
        heldBy: HeldBy? = nil
    ) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
        self.code = code
        self.resetsAt = resetsAt
        self.heldBy = heldBy
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        kind = try object.code("kind")
        code = try object.code("code")
        resetsAt = try object.timestamp("resetsAt")
        heldBy = try object.optionalObject("heldBy").map { (value) throws(JSONError) in try HeldBy(value) }
    }

    package var json: JSONObject {
        var object: JSONObject = [
            "sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "kind": kind.json, "code": code.json,
            "resetsAt": .time(resetsAt),
        ]
        if let heldBy { object["heldBy"] = .object(heldBy.json) }
        return object
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// A completed session was charged.
package struct QuotaCommitted: PublishedMessage {
    package static let type = MessageType(.quota, "QuotaCommitted")

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

    package var json: JSONObject {
        ["sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "kind": kind.json]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// What a session had reserved is free again.
package struct QuotaReleased: PublishedMessage {
    package static let type = MessageType(.quota, "QuotaReleased")

    /// The session.
    package var sessionId: UUID
    /// The user whose session it is.
    package var ownerId: UUID
    /// What it records.
    package var kind: SessionKind
    /// Why.
    package var reason: ReleaseReason

    package init(sessionId: UUID, ownerId: UUID, kind: SessionKind, reason: ReleaseReason) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
        self.reason = reason
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        ownerId = try object.uuid("ownerId")
        kind = try object.code("kind")
        reason = try object.code("reason")
    }

    package var json: JSONObject {
        ["sessionId": .uuid(sessionId), "ownerId": .uuid(ownerId), "kind": kind.json, "reason": reason.json]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { sessionId.description }
}

/// Another plan is in force for a user.
package struct PlanChanged: PublishedMessage {
    package static let type = MessageType(.quota, "PlanChanged")

    /// The user.
    package var ownerId: UUID
    /// The plan from now on.
    package var plan: PlanCode

    package init(ownerId: UUID, plan: PlanCode) {
        self.ownerId = ownerId
        self.plan = plan
    }

    package init(_ object: JSONObject) throws(JSONError) {
        ownerId = try object.uuid("ownerId")
        plan = try object.code("plan")
    }

    package var json: JSONObject {
        ["ownerId": .uuid(ownerId), "plan": plan.json]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { ownerId.description }
}

/// The open session that holds the last unit of an allowance.
package struct HeldBy: Sendable, Hashable {
    /// The session to finish, cancel or replace.
    package var sessionId: UUID
    /// When it expires by itself unless its upload is finalized before.
    package var expiresAt: Timestamp

    package init(sessionId: UUID, expiresAt: Timestamp) {
        self.sessionId = sessionId
        self.expiresAt = expiresAt
    }

    package init(_ object: JSONObject) throws(JSONError) {
        sessionId = try object.uuid("sessionId")
        expiresAt = try object.timestamp("expiresAt")
    }

    package var json: JSONObject { ["sessionId": .uuid(sessionId), "expiresAt": .time(expiresAt)] }
}
