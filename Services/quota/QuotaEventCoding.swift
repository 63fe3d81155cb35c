import Contracts
package import EventSourcing
package import JSON
import Primitives

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
