import Contracts
package import EventSourcing
package import JSON
import Primitives

extension QuotaEvent {
    package var data: JSONObject {
        switch self {
        case .reserved(let session, let unit, let count, let timeZone, let expiresAt):
            return session.json.adding([
                "windows": .object(
                    JSONObject(
                        zip(unit.windows, count.windows).map { window, count in
                            (window.span.rawValue, .object(count.json(endsAt: window.endsAt)))
                        })),
                "source": .string(unit.source.rawValue),
            ]).adding(membersOf: count.basis.json).adding([
                "timeZone": .string(timeZone), "createdAt": count.createdAt.map(JSONValue.time),
                "expiresAt": .time(expiresAt),
            ])
        case .refused(let session, let denial, let basis):
            return session.json.adding(membersOf: denial.json).adding(membersOf: basis.json)
        case .committed(let session, let unit): return session.json.adding(membersOf: unit.json)
        case .released(let session, let unit, let reason, let isLateCancellation):
            return session.json.adding(membersOf: unit.json).adding([
                "reason": reason.json, "isLateCancellation": .bool(isLateCancellation),
            ])
        case .endingNoted(let session): return session.json
        case .planChanged(let owner, let plan, let kinds):
            return ["ownerId": .uuid(owner), "plan": plan.json, "kinds": .array(kinds.map(\.json))]
        case .extraGranted(let owner, let kind, let units, let plan):
            return JSONObject().adding([
                "ownerId": .uuid(owner), "kind": kind.json, "units": .int(units), "plan": plan?.json,
            ])
        case .subjectErased(let subject, let removed, let kinds):
            return SubjectErased.stored(subject, removed).adding(["kinds": .array(kinds.map(\.json))])
        case .purchaseNoted(let owner, let purchase):
            return JSONObject([("ownerId", .uuid(owner))]).adding(membersOf: purchase.json)
        case .refundNoted(let owner, let refund):
            return JSONObject([("ownerId", .uuid(owner))]).adding(membersOf: refund.json)
        case .planDefined(let definition, let number, let source):
            return [
                "plan": definition.code.json, "planNumber": .int(number), "source": .string(source.rawValue),
                "kinds": .object(definition.json),
            ]
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> QuotaEvent {
        try reading(type, data, upcasting: upcasters, byName: read)
    }

    /// The event; nil for an unknown name.
    private static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> QuotaEvent? {
        switch name {
        case "QuotaReserved":
            let windows = try Count.windows(data.object("windows"))
            let unit = HeldUnit(
                windows: windows.map { HeldUnit.Window($0.count.span, endsAt: $0.endsAt) },
                source: try data.unitSource())
            let count = Count(
                try TermsInForce(data), windows: windows.map(\.count),
                createdAt: try data.optionalTimestamp("createdAt"))
            return .reserved(
                try SessionIdentity(data), unit, count, timeZone: try data.string("timeZone"),
                expiresAt: try data.timestamp("expiresAt"))
        case "QuotaRefused":
            let session = try SessionIdentity(data)
            return .refused(session, try QuotaDenial(data), try TermsInForce(data))
        case "QuotaCommitted":
            return .committed(try SessionIdentity(data), try HeldUnit(data))
        case "QuotaReleased":
            return .released(
                try SessionIdentity(data), try HeldUnit(data), try data.code("reason"),
                isLateCancellation: try data.bool("isLateCancellation"))
        case "EndingNoted": return .endingNoted(try SessionIdentity(data))
        case "PlanChanged":
            return .planChanged(
                ownerId: try data.uuid("ownerId"), try data.code("plan"), kinds: try data.kinds())
        case "ExtraGranted":
            return .extraGranted(
                ownerId: try data.uuid("ownerId"), kind: try data.code("kind"), units: try data.int("units"),
                plan: try data.optionalCode("plan"))
        case "SubjectErased":
            return try SubjectErased.stored(data) { (subject, removed) throws(JSONError) in
                .subjectErased(subject, removed, kinds: try data.kinds())
            }
        case "PurchaseNoted":
            return .purchaseNoted(ownerId: try data.uuid("ownerId"), try PurchaseState(data))
        case "RefundNoted": return .refundNoted(ownerId: try data.uuid("ownerId"), try RefundState(data))
        case "PlanDefined":
            guard let source = PlanSource(rawValue: try data.string("source")) else {
                throw JSONError(.type, at: "source", "must be built-in or file")
            }
            var kinds: [SessionKind: KindTerms] = [:]
            for member in try data.object("kinds").members {
                kinds[SessionKind(rawValue: member.key)] = try KindTerms(data.object("kinds").object(member.key))
            }
            return .planDefined(
                PlanDefinition(try data.code("plan"), kinds), number: try data.int("planNumber"), source)
        default: return nil
        }
    }
}

// MARK: Older versions

extension QuotaEvent {
    /// Version 1 is of the time when there was one kind with one window, the local day, and plans were no data.
    private static let upcasters = Upcasters([
        EventType("QuotaReserved", 1): { (data) throws(JSONError) in
            let window = Count.Window(
                .localDay, limit: try data.optionalInt("limit"), used: try data.int("used"),
                reserved: try data.int("reserved"))
            let count = window.json(endsAt: try data.timestamp("windowEndsAt"))
            return data.without("windowEndsAt", "limit", "used", "reserved")
                .adding(["windows": .object([WindowSpan.localDay.rawValue: .object(count)])])
                .adding(membersOf: try originalTerms(data.code("plan"), data).json)
        },
        EventType("QuotaRefused", 1): { (data) throws(JSONError) in
            // Nobody with premium was ever refused.
            data.adding(["window": WindowSpan.localDay.code.json])
                .adding(membersOf: try originalTerms(.free, data).json)
        },
        EventType("QuotaCommitted", 1): inOneWindow, EventType("QuotaReleased", 1): inOneWindow,
        EventType("PlanChanged", 1): ofOneKind, EventType("SubjectErased", 1): ofOneKind,
        EventType("ExtraGranted", 1): { (data) throws(JSONError) in data },
    ])

    private static let inOneWindow: Upcasters.Step = { (data) throws(JSONError) in
        let end = JSONValue.time(try data.timestamp("windowEndsAt"))
        return data.without("windowEndsAt").adding(["windows": .object([WindowSpan.localDay.rawValue: end])])
    }

    private static let ofOneKind: Upcasters.Step = { (data) throws(JSONError) in
        data.adding(["kinds": [SessionKind.mirrormate.json]])
    }

    private static func originalTerms(_ plan: PlanCode, _ data: JSONObject) throws(JSONError) -> TermsInForce {
        Plans.original.terms(of: plan, for: try data.code("kind"))
    }
}

// MARK: Parts

extension TermsInForce {
    fileprivate init(_ object: JSONObject) throws(JSONError) {
        self.init(
            plan: try object.code("plan"), number: try object.int("planNumber"),
            terms: try KindTerms(object.object("terms")))
    }

    fileprivate var json: JSONObject {
        ["plan": plan.json, "planNumber": .int(number), "terms": .object(terms.json)]
    }
}

extension KindTerms {
    /// Takes what was recorded as it is: the limits that a file must keep may be others by now.
    fileprivate init(_ object: JSONObject) throws(JSONError) {
        let limits = try object.object("windows")
        var windows: [WindowLimit] = []
        for span in try limits.spans() { windows.append(WindowLimit(span, try limits.optionalInt(span.rawValue))) }
        var burst: Burst?
        if let cap = try object.optionalObject("burst") {
            burst = Burst(units: try cap.int("units"), seconds: try cap.int("seconds"))
        }
        self.init(
            windows: windows, atOnce: try object.optionalInt("atOnce"), burst: burst,
            lateCancellations: try object.int("lateCancellations"))
    }
}

extension Count {
    fileprivate static func windows(
        _ object: JSONObject
    ) throws(JSONError) -> [(count: Window, endsAt: Timestamp)] {
        var windows: [(count: Window, endsAt: Timestamp)] = []
        for span in try object.spans() {
            let count = try object.object(span.rawValue)
            let window = Window(
                span, limit: try count.optionalInt("limit"), used: try count.int("used"),
                reserved: try count.int("reserved"))
            windows.append((window, try count.timestamp("endsAt")))
        }
        return windows
    }
}

extension Count.Window {
    fileprivate func json(endsAt: Timestamp) -> JSONObject {
        ["limit": .optional(limit), "used": .int(used), "reserved": .int(reserved), "endsAt": .time(endsAt)]
    }
}

extension HeldUnit {
    fileprivate init(_ object: JSONObject) throws(JSONError) {
        var windows: [Window] = []
        let ends = try object.object("windows")
        for span in try ends.spans() { windows.append(Window(span, endsAt: try ends.timestamp(span.rawValue))) }
        self.init(windows: windows, source: try object.unitSource())
    }

    fileprivate var json: JSONObject {
        [
            "windows": .object(JSONObject(windows.map { ($0.span.rawValue, .time($0.endsAt)) })),
            "source": .string(source.rawValue),
        ]
    }
}

extension JSONObject {
    /// The spans that the keys name, shortest first; at least one.
    fileprivate func spans() throws(JSONError) -> [WindowSpan] {
        var spans: [WindowSpan] = []
        for key in keys {
            guard let span = WindowSpan(rawValue: key) else {
                throw JSONError(.type, at: "windows", "has a window that this build does not know: \(key)")
            }
            spans.append(span)
        }
        if spans.isEmpty { throw JSONError(.missing, at: "windows", "has no window") }
        return spans.sorted()
    }

    fileprivate func unitSource() throws(JSONError) -> UnitSource {
        guard let source = UnitSource(rawValue: try string("source")) else {
            throw JSONError(.type, at: "source", "must be plan or extra")
        }
        return source
    }

    fileprivate func kinds() throws(JSONError) -> [SessionKind] {
        var kinds: [SessionKind] = []
        for value in try array("kinds") {
            guard let text = value.stringValue else { throw JSONError(.type, at: "kinds", "must be a list of names") }
            kinds.append(SessionKind(rawValue: text))
        }
        return kinds
    }

    fileprivate func without(_ keys: String...) -> JSONObject {
        var object = self
        for key in keys { object[key] = nil }
        return object
    }
}
