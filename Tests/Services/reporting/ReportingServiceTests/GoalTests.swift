import Contracts
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import reporting

@Suite(.timeLimit(.minutes(10))) @Loop struct `Goals of recordings` {
    private let owner = UUID.v7()

    private static let wanted: JSONObject = [
        "measure": "eyeContactPct", "atLeast": 0.7, "recordings": 2, "days": 7, "timeZone": "Europe/Berlin",
    ]

    private func ask(
        _ method: String, _ path: String, _ desk: Desk, as user: UUID? = nil, _ body: JSONValue? = nil
    ) async throws -> Answer {
        try await desk.group.foldAll()
        return try await desk.group.send(method, path, as: user ?? owner, json: body)
    }

    private func goals(_ desk: Desk, as user: UUID? = nil) async throws -> [JSONValue] {
        try await ask("GET", "/v1/goals", desk, as: user).json.array("items")
    }

    /// The events of the owner's goals, by their names.
    private func told(_ desk: Desk) async throws -> [String] {
        try await desk.group.first.store.read(Goals.stream(owner)).map(\.type.name)
    }

    /// A report with so much contact; its session.
    private func record(_ contact: Double, _ desk: Desk, for user: UUID? = nil) async throws -> UUID {
        var report = Desk.report()
        report["gaze"] = ["eyeContactPct": .double(contact)]
        return try await desk.written(for: user ?? owner, report)
    }

    @Test func `are met by as many recordings as they ask for, and stay so`() async throws {
        try await Desk.run { desk in
            let watch = GoalWatch(desk.group.context)
            let task = Loop.task { await watch.run() }
            defer { task.cancel() }
            _ = try await record(0.9, desk)
            let set = try await ask("POST", "/v1/goals", desk, .object(Self.wanted))
            #expect(set.status == 201 && set.json["standing"] == "open" && set.json["unit"] == "0-1")
            let id = try set.json.uuid("goalId")
            let first = try await record(0.75, desk)
            _ = try await record(0.69, desk)
            // What was recorded before does not count.
            var goal = try #require(try await goals(desk).first)
            #expect(goal["counted"]?.arrayValue?.map { $0["sessionId"] } == [.uuid(first)])
            #expect(try await told(desk) == ["GoalSet"])
            let second = try await record(0.8, desk)
            try await desk.group.foldAll()
            #expect(try await desk.group.eventually { try await told(desk) == ["GoalSet", "GoalMet"] })
            try await desk.delete(first, of: owner)
            goal = try #require(try await goals(desk).first)
            #expect(goal["standing"] == "met" && goal["endedAt"]?.stringValue != nil)
            #expect(goal["counted"]?.arrayValue?.map { $0["sessionId"] } == [.uuid(first), .uuid(second)])
            #expect(goal["goalId"] == .uuid(id))
            #expect(try await desk.group.count("select count(*) from goals where next_end is null") == 1)
        }
    }

    @Test func `are missed when their time is over, and not before late reports had time to come`() async throws {
        try await Desk.run { desk in
            let now = Timestamp.now()
            for (number, ended) in [(1, 3_700), (2, 3_000)] as [(UInt64, Int64)] {
                let goal = Goal(
                    goalId: UUID(high: 7, low: number), kind: .mirrormate,
                    measure: number == 1 ? "eyeContactPct" : "tonalVariety", atLeast: 0.5, atMost: nil, recordings: 1,
                    days: 1, setAt: now.adding(seconds: -90_000), endsAt: now.adding(seconds: -ended), timeZone: "UTC")
                _ = try await CommandHandler<Goals>(desk.group.first.store).handle(
                    .set(ownerId: owner, goal), on: Goals.stream(owner), id: .v7(), requestHash: [],
                    metadata: EventMetadata(owner: owner, correlation: .v7(), actor: "test"))
            }
            try await desk.group.foldAll()
            let watch = GoalWatch(desk.group.context)
            let task = Loop.task { await watch.run() }
            defer { task.cancel() }
            #expect(try await desk.group.eventually { try await told(desk).count == 3 })
            let standings = try await goals(desk).map { [$0["goalId"], $0["standing"]] }
            #expect(
                standings == [[.uuid(UUID(high: 7, low: 2)), "open"], [.uuid(UUID(high: 7, low: 1)), "missed"]])
        }
    }

    @Test func `end with the last local day of the place where they are set`() async throws {
        try await Desk.run { desk in
            for (zone, measure) in [("Pacific/Kiritimati", "tonalVariety"), ("Pacific/Pago_Pago", "soundQuality")] {
                let wanted = Self.wanted.adding(["timeZone": .string(zone), "measure": .string(measure), "days": 3])
                let set = try await ask("POST", "/v1/goals", desk, .object(wanted)).json
                let moments = [try set.string("setAt"), try set.string("endsAt")]
                let days = try await desk.group.administrator.query(
                    """
                    select ($2::timestamptz at time zone $3)::time = '00:00', ($2::timestamptz at time zone $3)::date
                        - ($1::timestamptz at time zone $3)::date
                    """, moments.map(PostgresValue.text) + [.text(zone)]
                ).rows[0]
                #expect(days.bool(0) && days.int(1) == 3, "\(zone)")
            }
        }
    }

    @Test func `are refused where nobody can meet them, and where enough are open`() async throws {
        try await Desk.run { desk in
            for change in [
                ["measure": "charisma"], ["atLeast": .null], ["atLeast": 70], ["atMost": 0.1], ["recordings": 0],
                ["days": 93],
            ] as [JSONObject] {
                let answer = try await ask("POST", "/v1/goals", desk, .object(Self.wanted.adding(membersOf: change)))
                #expect(answer.status == 422 && answer.code == "goal-impossible", "\(change)")
            }
            #expect(try await ask("POST", "/v1/goals", desk, ["atLeast": 0.5]).status == 400)
            #expect(
                try await ask("POST", "/v1/goals", desk, .object(Self.wanted.adding(["timeZone": "Mars/Olympus"])))
                    .code == "time-zone-invalid")
            for measure in ["eyeContactPct", "tonalVariety", "soundQuality", "pictureQuality", "faceLiveliness"] {
                let wanted = Self.wanted.adding(["measure": .string(measure)])
                #expect(try await ask("POST", "/v1/goals", desk, .object(wanted)).status == 201)
                let again = try await ask("POST", "/v1/goals", desk, .object(wanted))
                #expect(again.status == 409 && again.code == "goal-measure-taken")
            }
            let sixth = try await ask("POST", "/v1/goals", desk, ["measure": "fillersPerMin", "atMost": 3])
            #expect(sixth.status == 409 && sixth.code == "goals-used-up")
            let id = try #require(try await goals(desk).first?["goalId"]?.stringValue)
            #expect(try await ask("DELETE", "/v1/goals/\(id)", desk).status == 204)
            #expect(try await ask("POST", "/v1/goals", desk, ["measure": "fillersPerMin", "atMost": 3]).status == 201)
        }
    }

    @Test func `are set once by the same key, and another request with it is refused`() async throws {
        try await Desk.run { desk in
            func send(_ body: JSONObject) async throws -> Answer {
                try await desk.group.send(
                    "POST", "/v1/goals",
                    headers: [
                        ("Authorization", "Bearer \(try desk.group.token(for: owner))"),
                        ("Content-Type", "application/json"), ("Idempotency-Key", "one"),
                    ], body: JSONValue.object(body).bytes)
            }
            let first = try await send(Self.wanted)
            let again = try await send(Self.wanted)
            #expect(first.status == 201 && again.status == 201)
            #expect(try first.json.uuid("goalId") == again.json.uuid("goalId"))
            #expect(try await goals(desk).count == 1)
            let other = try await send(Self.wanted.adding(["days": 8]))
            #expect(other.status == 422 && other.code == "idempotency-key-reused")
            // A repeat that comes after it was dropped sets no second one.
            let id = try first.json.uuid("goalId")
            #expect(try await ask("DELETE", "/v1/goals/\(id)", desk).status == 204)
            let late = try await send(Self.wanted)
            #expect(late.status == 404 && late.code == "not-found")
        }
    }

    @Test func `are their owner's alone, and gone with their user`() async throws {
        try await Desk.run { desk in
            let stranger = UUID.v7()
            let id = try await ask("POST", "/v1/goals", desk, .object(Self.wanted)).json.uuid("goalId")
            _ = try await ask("POST", "/v1/goals", desk, as: stranger, .object(Self.wanted))
            #expect(try await ask("DELETE", "/v1/goals/\(id)", desk, as: stranger).status == 404)
            #expect(try await goals(desk, as: stranger).count == 1)
            #expect(try await goals(desk, as: .v7()) == [])
            try await desk.group.foldAll()
            let all = "select owner_id from goals"
            #expect(try await desk.group.administrator.query(all).count == 2)
            let own = try await desk.group.first.owners.query(of: owner, all).rows.map { $0.uuid(0) }
            #expect(own == [owner])
            #expect(try await desk.group.unscoped.query(all).count == 0)
            try await desk.group.deliver(desk.topic.message(UserErased(userId: owner)))
            try await desk.group.foldAll()
            let left = try await desk.group.administrator.query(all).rows.map { $0.uuid(0) }
            #expect(left == [stranger])
            // An erasure that is noticed by the watch only later changes nothing.
            let watch = GoalWatch(desk.group.context)
            let task = Loop.task { await watch.run() }
            defer { task.cancel() }
            _ = try await record(0.9, desk, for: stranger)
            _ = try await record(0.9, desk, for: stranger)
            try await desk.group.foldAll()
            #expect(
                try await desk.group.eventually {
                    try await desk.group.first.store.read(Goals.stream(stranger)).count == 2
                })
            #expect(try await told(desk) == ["GoalSet"])
        }
    }

    @Test func `of somebody who was erased hold up nobody else's`() async throws {
        try await Desk.run { desk in
            let (now, stranger) = (Timestamp.now(), UUID.v7())
            for (user, ended) in [(owner, 7_200), (stranger, 3_700)] as [(UUID, Int64)] {
                let goal = Goal(
                    goalId: .v7(), kind: .mirrormate, measure: "eyeContactPct", atLeast: 0.5, atMost: nil,
                    recordings: 1, days: 1, setAt: now.adding(seconds: -90_000),
                    endsAt: now.adding(seconds: -ended), timeZone: "UTC")
                _ = try await CommandHandler<Goals>(desk.group.first.store).handle(
                    .set(ownerId: user, goal), on: Goals.stream(user), id: .v7(), requestHash: [],
                    metadata: EventMetadata(owner: user, correlation: .v7(), actor: "test"))
            }
            try await desk.group.foldAll()
            // Its row is there still, and comes before the other's.
            try await desk.group.deliver(desk.topic.message(UserErased(userId: owner)))
            #expect(try await desk.group.count("select count(*) from goals") == 2)
            let watch = GoalWatch(desk.group.context)
            let task = Loop.task { await watch.run() }
            defer { task.cancel() }
            #expect(
                try await desk.group.eventually {
                    try await desk.group.first.store.read(Goals.stream(stranger)).map(\.type.name)
                        == ["GoalSet", "GoalMissed"]
                })
            #expect(try await told(desk) == ["GoalSet"])
        }
    }

    @Test func `of which one cannot be read hold up nobody else's, and are judged once it can be`() async throws {
        try await Desk.run { desk in
            let (now, strangers) = (Timestamp.now(), [UUID.v7(), UUID.v7()])
            // The owner's come first by every order, and end first. The last one's are met by reports, not ended.
            for (user, ended) in [(owner, 7_200), (strangers[0], 3_700), (strangers[1], -90_000)] as [(UUID, Int64)] {
                let goal = Goal(
                    goalId: .v7(), kind: .mirrormate, measure: "eyeContactPct", atLeast: 0.5, atMost: nil,
                    recordings: 1, days: 1, setAt: now.adding(seconds: -90_000),
                    endsAt: now.adding(seconds: -ended), timeZone: "UTC")
                _ = try await CommandHandler<Goals>(desk.group.first.store).handle(
                    .set(ownerId: user, goal), on: Goals.stream(user), id: .v7(), requestHash: [],
                    metadata: EventMetadata(owner: user, correlation: .v7(), actor: "test"))
            }
            try await desk.group.foldAll()
            let stream = Goals.stream(owner).description
            let connection = try await PostgresConnection.open(desk.group.administratorSettings)
            defer { connection.close() }
            try await connection.script(
                """
                set session_replication_role = replica;
                update goal_watch set examined_position = (select max(position) from events);
                create table kept_aside as select position, data from events where stream = '\(stream)';
                update events set data = '{}' where stream = '\(stream)'
                """)
            for user in [owner, strangers[1]] { _ = try await record(0.9, desk, for: user) }
            try await desk.group.foldAll()
            let watch = GoalWatch(desk.group.context)
            let task = Loop.task { await watch.run() }
            defer { task.cancel() }
            for (stranger, outcome) in zip(strangers, ["GoalMissed", "GoalMet"]) {
                #expect(
                    try await desk.group.eventually {
                        try await desk.group.first.store.read(Goals.stream(stranger)).map(\.type.name)
                            == ["GoalSet", outcome]
                    })
            }
            let noted = try await desk.group.administrator.query("select work, key, code from stuck_rows").rows
            #expect(
                noted.map { [$0.text(0), $0.text(1), $0.text(2)] } == [["goals", owner.description, "row-unreadable"]])
            // It is readable again, and has waited long enough.
            try await connection.script(
                """
                update events e set data = k.data from kept_aside k where k.position = e.position;
                update stuck_rows set tried_at = '2020-01-01'
                """)
            #expect(try await desk.group.eventually { try await told(desk).count == 2 })
            #expect(
                try await desk.group.eventually { try await desk.group.count("select count(*) from stuck_rows") == 0 })
        }
    }

    @Test func `are proposed from the weakest measure that has none`() async throws {
        try await Desk.run { desk in
            #expect(try await ask("GET", "/v1/goals", desk).json["proposal"] == .null)
            let report = Desk.report().adding([
                "rulesVersion": 4, "engines": ["face": "dlib", "thresholds": "3"],
                "measures": [
                    "eyeContactPct": ["value": 0.3, "valid": true], "tonalVariety": ["value": 0.8, "valid": true],
                ],
            ])
            _ = try await desk.written(for: owner, report)
            var proposal = try await ask("GET", "/v1/goals", desk).json["proposal"]
            #expect(proposal?["measure"] == "eyeContactPct" && proposal?["from"]?.doubleValue == 0.3)
            #expect(proposal?["atLeast"]?.doubleValue == 0.65 && proposal?["atMost"] == .null)
            #expect(try await ask("GET", "/v1/progress", desk).json["nextGoal"] == proposal)
            // A goal for another kind of session takes none away.
            let other = Self.wanted.adding(["kind": "dance"])
            #expect(try await ask("POST", "/v1/goals", desk, .object(other)).status == 201)
            #expect(try await ask("GET", "/v1/goals", desk).json["proposal"] == proposal)
            #expect(try await ask("GET", "/v1/progress", desk).json["nextGoal"] == proposal)
            var wanted: JSONObject = [:]
            for member in ["measure", "atLeast", "atMost", "recordings", "days"] { wanted[member] = proposal?[member] }
            #expect(try await ask("POST", "/v1/goals", desk, .object(wanted)).status == 201)
            proposal = try await ask("GET", "/v1/goals", desk).json["proposal"]
            #expect(proposal?["measure"] == "tonalVariety")
        }
    }
}
