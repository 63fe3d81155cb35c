import Contracts
import EventSourcing
import EventSourcingTesting
import History
import JSON
import Primitives
import ServiceKit
import Testing

@testable import quota

/// A decision is made again as it was, whatever the plans are by now.
@Suite("A replay") struct PlanReplayTests {
    private let f = Fixture.self
    private let history = QuotaService.history

    private func recorded(_ type: EventType, _ data: JSONObject, _ stream: StreamName) -> RecordedEvent {
        RecordedEvent(
            position: 1, stream: stream, version: 1, id: f.id(1), type: type,
            data: JSONValue.object(data).bytes,
            metadata: EventMetadata(owner: f.owner, correlation: f.id(2), actor: "test"), recordedAt: f.noon)
    }

    private func created(_ command: QuotaCommand) throws -> Incoming {
        guard case .reserve(let request) = command else { throw JSONError(.type, at: "command", "must be a request") }
        let message = SessionCreated(
            SessionIdentity(sessionId: request.sessionId, ownerId: request.ownerId, kind: request.kind),
            timeZone: request.timeZone, createdAt: request.createdAt, expiresAt: request.expiresAt)
        return Incoming(id: f.id(98), type: SessionCreated.type, time: request.createdAt, data: message.json)
    }

    @Test("decides as plans were then, which no build has any more")
    func recordedPlans() throws {
        let stream = Allowance.stream(f.owner)
        let replay = try #require(history.aggregate(of: stream)).open()
        let plans = Plans([PlanVersion(f.danceTerms, number: 7)])
        var story = f.fresh
        for (number, minute) in [(1, 0), (2, 20), (3, 30), (4, 61), (5, 70)] as [(UInt64, Int64)] {
            let command = f.dance(number, minute, in: plans)
            guard case .events(let events) = story.when(command) else { return }
            let judged = events.map { recorded($0.type, $0.data, stream) }
            #expect(try replay.judge(judged, answering: created(command)) == .same, "session \(number)")
            for event in judged { try replay.apply(event) }
            story = story.after(command)
        }
        #expect(story.history.map(\.type.name).filter { $0 == "QuotaRefused" }.count == 2)
    }

    @Test("decides as before where the plans of that time were not recorded")
    func formerEvents() throws {
        let stream = Allowance.stream(f.owner)
        let replay = try #require(history.aggregate(of: stream)).open()
        let reserved: JSONObject = [
            "sessionId": .uuid(f.id(1)), "ownerId": .uuid(f.owner), "kind": "mirrormate",
            "windowEndsAt": .time(f.midnight), "source": "plan", "plan": "free", "limit": 1, "used": 0, "reserved": 1,
            "timeZone": .string(f.berlin), "expiresAt": .time(f.noon.adding(seconds: 900)),
        ]
        let first = recorded(EventType("QuotaReserved", 1), reserved, stream)
        try replay.apply(first)
        let refused: JSONObject = [
            "sessionId": .uuid(f.id(2)), "ownerId": .uuid(f.owner), "kind": "mirrormate", "code": "session-open",
            "resetsAt": .time(f.midnight),
            "heldBy": ["sessionId": .uuid(f.id(1)), "expiresAt": .time(f.noon.adding(seconds: 900))],
        ]
        let second = recorded(EventType("QuotaRefused", 1), refused, stream)
        #expect(try replay.judge([second], answering: created(f.request(2))) == .same)
    }

    @Test("tells a plan's own history")
    func plans() throws {
        let stream = PlanRecord.stream(.free)
        let replay = try #require(history.aggregate(of: stream)).open()
        let event = QuotaEvent.planDefined(f.danceTerms, number: 1, .file)
        let defined = recorded(event.type, event.data, stream)
        #expect(try replay.judge([defined], answering: nil) == .same)
        #expect(
            try history.words(defined)
                == "definition 1 of the plan free (file): dance 2 an hour, 3 a local day")
    }
}

/// What was stored before allowances had several windows, as it is read now.
@Suite("Version 1 of quota's events") struct FormerEventTests {
    private static let f = Fixture.self
    private static let common: [(String, JSONValue)] = [
        ("sessionId", .uuid(f.id(1))), ("ownerId", .uuid(f.owner)), ("kind", "mirrormate"),
    ]
    private static let unit: [(String, JSONValue)] = [("windowEndsAt", .time(f.midnight)), ("source", "plan")]
    private static let session = f.session(1)

    private static func basis(_ plan: PlanCode) -> TermsInForce { Plans.original.terms(of: plan, for: .mirrormate) }

    private static func reserved(_ plan: PlanCode, limit: Int64?) -> JSONObject {
        JSONObject(
            common + unit + [
                ("plan", plan.json), ("limit", .optional(limit)), ("used", 2), ("reserved", 1),
                ("timeZone", "UTC"), ("expiresAt", .time(f.noon)),
            ])
    }

    private static func count(_ plan: PlanCode, limit: Int64?) -> Count {
        Count(
            basis(plan), windows: [.init(.localDay, limit: limit, used: 2, reserved: 1)], createdAt: nil)
    }

    private static let table: [(name: String, stored: JSONObject, reads: QuotaEvent)] = [
        (
            "QuotaReserved", reserved(.free, limit: 4),
            .reserved(session, f.unit(), count(.free, limit: 4), timeZone: "UTC", expiresAt: f.noon)
        ),
        (
            "QuotaReserved", reserved(.premium, limit: nil),
            .reserved(session, f.unit(), count(.premium, limit: nil), timeZone: "UTC", expiresAt: f.noon)
        ),
        (
            "QuotaRefused", JSONObject(common + [("code", "quota-exceeded"), ("resetsAt", .time(f.midnight))]),
            .refused(
                session, QuotaDenial(code: .quotaExceeded, window: .localDay, resetsAt: f.midnight), basis(.free))
        ),
        ("QuotaCommitted", JSONObject(common + unit), .committed(session, f.unit())),
        (
            "QuotaReleased",
            JSONObject(common + unit + [("reason", "cancelled"), ("isLateCancellation", true)]),
            .released(session, f.unit(), .cancelled, isLateCancellation: true)
        ),
        (
            "PlanChanged", ["ownerId": .uuid(f.owner), "plan": "premium"],
            .planChanged(ownerId: f.owner, .premium, kinds: [.mirrormate])
        ),
        (
            "ExtraGranted", ["ownerId": .uuid(f.owner), "kind": "mirrormate", "units": 3],
            .extraGranted(ownerId: f.owner, kind: .mirrormate, units: 3, plan: nil)
        ),
        (
            "SubjectErased", ["subjectId": .uuid(f.owner), "removed": ["rows": 1, "objects": 0]],
            .subjectErased(f.owner, .init(rows: 1, objects: 0), kinds: [.mirrormate])
        ),
    ]

    @Test("is read to what it stood for", arguments: table.indices)
    func read(row: Int) throws {
        let (name, stored, reads) = Self.table[row]
        #expect(try QuotaEvent.decode(EventType(name, 1), stored) == reads)
    }
}
