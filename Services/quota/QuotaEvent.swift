package import Contracts
package import EventSourcing
package import JSON
package import Primitives

/// Where a unit comes from.
package enum UnitSource: String, Sendable {
    /// The window's allowance by plan.
    case plan
    /// A gift beyond it.
    case extra
}

/// Which session an event is about.
package struct ChargedSession: Sendable, Hashable {
    package var sessionId: UUID
    package var ownerId: UUID
    package var kind: SessionKind

    package init(sessionId: UUID, ownerId: UUID, kind: SessionKind) {
        self.sessionId = sessionId
        self.ownerId = ownerId
        self.kind = kind
    }

    init(_ session: SessionIdentity) {
        self.init(sessionId: session.sessionId, ownerId: session.ownerId, kind: session.kind)
    }

    /// The same as messages have it.
    var identity: SessionIdentity { SessionIdentity(sessionId: sessionId, ownerId: ownerId, kind: kind) }
}

/// The unit that a session holds or held.
package struct HeldUnit: Sendable, Hashable {
    /// The window it is charged to, by its end.
    package var windowEndsAt: Timestamp
    package var source: UnitSource

    package init(windowEndsAt: Timestamp, source: UnitSource) {
        self.windowEndsAt = windowEndsAt
        self.source = source
    }
}

/// What was counted when a unit was reserved, that unit included.
package struct Count: Sendable, Hashable {
    package var plan: PlanCode
    /// Units of the window with gifts; nothing when unlimited.
    package var limit: Int64?
    package var used: Int64
    package var reserved: Int64

    package init(plan: PlanCode, limit: Int64?, used: Int64, reserved: Int64) {
        self.plan = plan
        self.limit = limit
        self.used = used
        self.reserved = reserved
    }
}

/// What happened to an owner's allowance. The names in ``type`` are durable; data carries no personal content.
package enum QuotaEvent: PrivateEvent, Equatable {
    /// A unit is held; a window that is not the current one begins with it, in the zone given.
    case reserved(ChargedSession, HeldUnit, Count, timeZone: String, expiresAt: Timestamp)
    case refused(ChargedSession, QuotaRefusalCode, resetsAt: Timestamp, heldBy: HeldBy?)
    /// The unit is used up.
    case committed(ChargedSession, HeldUnit)
    /// The unit is free again; `isLateCancellation` when cost had arisen, which is forgiven a few times a window.
    case released(ChargedSession, HeldUnit, ReleaseReason, isLateCancellation: Bool)
    /// A session ended of whose creation nothing is known here: it must not be given a unit any more.
    case endingNoted(ChargedSession)
    case planChanged(ownerId: UUID, PlanCode)
    case extraGranted(ownerId: UUID, kind: SessionKind, units: Int64)
    /// The owner was erased.
    case subjectErased(UUID, SubjectErased.Removed)

    package var type: EventType {
        switch self {
        case .reserved: EventType("QuotaReserved")
        case .refused: EventType("QuotaRefused")
        case .committed: EventType("QuotaCommitted")
        case .released: EventType("QuotaReleased")
        case .endingNoted: EventType("EndingNoted")
        case .planChanged: EventType("PlanChanged")
        case .extraGranted: EventType("ExtraGranted")
        case .subjectErased: EventType("SubjectErased")
        }
    }
}

extension QuotaEvent {
    package var data: JSONObject {
        var object: JSONObject
        switch self {
        case .reserved(let session, let unit, let count, let timeZone, let expiresAt):
            object = session.identity.json
            unit.write(to: &object)
            object["plan"] = count.plan.json
            object["limit"] = .optional(count.limit)
            object["used"] = .int(count.used)
            object["reserved"] = .int(count.reserved)
            object["timeZone"] = .string(timeZone)
            object["expiresAt"] = .time(expiresAt)
        case .refused(let session, let code, let resetsAt, let heldBy):
            object = session.identity.json
            object["code"] = code.json
            object["resetsAt"] = .time(resetsAt)
            if let heldBy { object["heldBy"] = .object(heldBy.json) }
        case .committed(let session, let unit):
            object = session.identity.json
            unit.write(to: &object)
        case .released(let session, let unit, let reason, let isLateCancellation):
            object = session.identity.json
            unit.write(to: &object)
            object["reason"] = reason.json
            object["isLateCancellation"] = .bool(isLateCancellation)
        case .endingNoted(let session): object = session.identity.json
        case .planChanged(let owner, let plan): object = ["ownerId": .uuid(owner), "plan": plan.json]
        case .extraGranted(let owner, let kind, let units):
            object = ["ownerId": .uuid(owner), "kind": kind.json, "units": .int(units)]
        case .subjectErased(let subject, let removed):
            object = ["subjectId": .uuid(subject), "removed": .object(removed.json)]
        }
        return object
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> QuotaEvent {
        try reading(type, byName: { (name) throws(JSONError) in try read(name, data) })
    }

    /// The event; nothing for an unknown name.
    private static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> QuotaEvent? {
        switch name {
        case "QuotaReserved":
            let count = Count(
                plan: try data.code("plan"), limit: try data.optionalInt("limit"), used: try data.int("used"),
                reserved: try data.int("reserved"))
            return .reserved(
                ChargedSession(try SessionIdentity(data)), try HeldUnit(data), count,
                timeZone: try data.string("timeZone"),
                expiresAt: try data.timestamp("expiresAt"))
        case "QuotaRefused":
            let heldBy = try data.optionalObject("heldBy").map { (value) throws(JSONError) in try HeldBy(value) }
            return .refused(
                ChargedSession(try SessionIdentity(data)), try data.code("code"),
                resetsAt: try data.timestamp("resetsAt"),
                heldBy: heldBy)
        case "QuotaCommitted": return .committed(ChargedSession(try SessionIdentity(data)), try HeldUnit(data))
        case "QuotaReleased":
            return .released(
                ChargedSession(try SessionIdentity(data)), try HeldUnit(data), try data.code("reason"),
                isLateCancellation: try data.bool("isLateCancellation"))
        case "EndingNoted": return .endingNoted(ChargedSession(try SessionIdentity(data)))
        case "PlanChanged": return .planChanged(ownerId: try data.uuid("ownerId"), try data.code("plan"))
        case "ExtraGranted":
            return .extraGranted(
                ownerId: try data.uuid("ownerId"), kind: try data.code("kind"), units: try data.int("units"))
        case "SubjectErased":
            return .subjectErased(try data.uuid("subjectId"), try SubjectErased.Removed(data.object("removed")))
        default: return nil
        }
    }
}

extension HeldUnit {
    fileprivate init(_ object: JSONObject) throws(JSONError) {
        windowEndsAt = try object.timestamp("windowEndsAt")
        guard let source = UnitSource(rawValue: try object.string("source")) else {
            throw JSONError(.type, at: "source", "must be plan or extra")
        }
        self.source = source
    }

    fileprivate func write(to object: inout JSONObject) {
        object["windowEndsAt"] = .time(windowEndsAt)
        object["source"] = .string(source.rawValue)
    }
}
