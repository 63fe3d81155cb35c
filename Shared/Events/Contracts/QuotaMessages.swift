package import JSON
package import Primitives

/// A unit is reserved for a session: it may begin. Published when the allowance has one window; see ``QuotaReservedV2``.
package struct QuotaReserved: SessionKindMessage {
    package static let type = MessageType(.quota, "QuotaReserved")

    package var session: SessionIdentity
    /// The plan that was in force.
    package var plan: PlanCode
    /// Units of the window; nil if unlimited.
    package var limit: Int64?
    /// Units charged in the window.
    package var used: Int64
    /// Units held by sessions that have not ended, this one among them.
    package var reserved: Int64
    /// When the window ends and the units are there again.
    package var windowEndsAt: Timestamp

    package init(
        _ session: SessionIdentity, plan: PlanCode, limit: Int64?, used: Int64, reserved: Int64, windowEndsAt: Timestamp
    ) {
        self.session = session
        self.plan = plan
        self.limit = limit
        self.used = used
        self.reserved = reserved
        self.windowEndsAt = windowEndsAt
    }

    package init(_ object: JSONObject) throws(JSONError) {
        session = try SessionIdentity(object)
        plan = try object.code("plan")
        limit = try object.optionalInt("limit")
        used = try object.int("used")
        reserved = try object.int("reserved")
        windowEndsAt = try object.timestamp("windowEndsAt")
    }

    package var json: JSONObject {
        session.json.adding([
            "plan": plan.json, "used": .int(used), "reserved": .int(reserved), "windowEndsAt": .time(windowEndsAt),
            "limit": .optional(limit),
        ])
    }
}

/// A unit is reserved for a session: it may begin. Published when the allowance has several windows.
package struct QuotaReservedV2: SessionKindMessage {
    package static let type = MessageType(.quota, "QuotaReserved", 2)

    /// One window of the allowance.
    package struct Window: Sendable, Hashable {
        /// Which one; each occurs once.
        package var code: WindowCode
        /// Units of the window; nil when unlimited.
        package var limit: Int64?
        /// Units charged in the window.
        package var used: Int64
        /// Units held by sessions that have not ended, this one among them.
        package var reserved: Int64
        /// When the window ends and its units are there again.
        package var endsAt: Timestamp

        package init(_ code: WindowCode, limit: Int64?, used: Int64, reserved: Int64, endsAt: Timestamp) {
            self.code = code
            self.limit = limit
            self.used = used
            self.reserved = reserved
            self.endsAt = endsAt
        }

        init(_ code: WindowCode, _ object: JSONObject) throws(JSONError) {
            self.init(
                code, limit: try object.optionalInt("limit"), used: try object.int("used"),
                reserved: try object.int("reserved"), endsAt: try object.timestamp("endsAt"))
        }

        var json: JSONValue {
            ["limit": .optional(limit), "used": .int(used), "reserved": .int(reserved), "endsAt": .time(endsAt)]
        }
    }

    package var session: SessionIdentity
    /// The plan that was in force.
    package var plan: PlanCode
    /// All windows of the allowance; a member of `windows` each, under its code.
    package var windows: [Window]

    package init(_ session: SessionIdentity, plan: PlanCode, windows: [Window]) {
        self.session = session
        self.plan = plan
        self.windows = windows
    }

    package init(_ object: JSONObject) throws(JSONError) {
        session = try SessionIdentity(object)
        plan = try object.code("plan")
        let members = try object.object("windows")
        windows = []
        for code in members.keys { windows.append(try Window(WindowCode(rawValue: code), members.object(code))) }
    }

    package var json: JSONObject {
        session.json.adding([
            "plan": plan.json,
            "windows": .object(JSONObject(windows.map { ($0.code.rawValue, $0.json) })),
        ])
    }
}

/// There is no unit for a session: it does not begin.
package struct QuotaRefused: SessionKindMessage {
    package static let type = MessageType(.quota, "QuotaRefused")

    package var session: SessionIdentity
    /// Why.
    package var denial: QuotaDenial

    package init(_ session: SessionIdentity, _ denial: QuotaDenial) {
        self.session = session
        self.denial = denial
    }

    package init(_ object: JSONObject) throws(JSONError) {
        session = try SessionIdentity(object)
        denial = try QuotaDenial(object)
    }

    package var json: JSONObject { session.json.adding(membersOf: denial.json) }
}

/// Why quota does not admit a session, and until when.
package struct QuotaDenial: Sendable, Hashable {
    package var code: QuotaRefusalCode
    /// The limit that is full, of several the one that stays full longest; nil from publishers that do not say it.
    package var window: WindowCode?
    /// When units are there again.
    package var resetsAt: Timestamp
    /// The session that holds the last unit, for `session-open`.
    package var heldBy: HeldBy?

    package init(code: QuotaRefusalCode, window: WindowCode? = nil, resetsAt: Timestamp, heldBy: HeldBy? = nil) {
        self.code = code
        self.window = window
        self.resetsAt = resetsAt
        self.heldBy = heldBy
    }

    package init(_ object: JSONObject) throws(JSONError) {
        code = try object.code("code")
        window = try object.optionalCode("window")
        resetsAt = try object.timestamp("resetsAt")
        heldBy = try object.optionalObject("heldBy").map { (value) throws(JSONError) in try HeldBy(value) }
    }

    package var json: JSONObject {
        JSONObject().adding([
            "code": code.json, "window": window?.json, "resetsAt": .time(resetsAt),
            "heldBy": heldBy.map { .object($0.json) },
        ])
    }
}

/// The open session that holds the last unit of an allowance.
package struct HeldBy: Sendable, Hashable {
    /// The session to finish, cancel or replace.
    package var sessionId: UUID
    /// When it expires, unless its upload is finalized before.
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

/// A completed session was charged.
package struct QuotaCommitted: SessionKindMessage {
    package static let type = MessageType(.quota, "QuotaCommitted")

    package var session: SessionIdentity

    package init(_ session: SessionIdentity) { self.session = session }

    package init(_ object: JSONObject) throws(JSONError) { session = try SessionIdentity(object) }

    package var json: JSONObject { session.json }
}

/// What a session had reserved is free again.
package struct QuotaReleased: SessionKindMessage {
    package static let type = MessageType(.quota, "QuotaReleased")

    package var session: SessionIdentity
    /// Why.
    package var reason: ReleaseReason

    package init(_ session: SessionIdentity, reason: ReleaseReason) {
        self.session = session
        self.reason = reason
    }

    package init(_ object: JSONObject) throws(JSONError) {
        session = try SessionIdentity(object)
        reason = try object.code("reason")
    }

    package var json: JSONObject { session.json.adding(["reason": reason.json]) }
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

    package var json: JSONObject { ["ownerId": .uuid(ownerId), "plan": plan.json] }
    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { ownerId.description }
}
