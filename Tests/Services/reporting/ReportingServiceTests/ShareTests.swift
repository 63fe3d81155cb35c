import Contracts
import EventConsumer
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

@Suite(.timeLimit(.minutes(10))) @Loop struct `Shared reports` {
    private let owner = UUID.v7()

    private static let said = "the merger with Quixwell"

    /// A report that says which of its sentences it chose, and quotes its speaker.
    private static let report = Desk.report(said).adding([
        "scoreRange": ["low": 80, "high": 84], "strengths": [.string("You say early what it is about: “\(said)”.")],
        "wording": ["language": "en", "variants": ["strength.clearOpening": 0, "area.fillers.what": 1]],
    ])

    private func share(
        _ session: UUID, _ desk: Desk, as user: UUID? = nil, _ wish: JSONObject = [:]
    ) async throws -> Answer {
        try await desk.group.send(
            "POST", "/v1/reports/\(session)/shares", as: user ?? owner, json: .object(wish))
    }

    private func list(_ desk: Desk, _ path: String = "/v1/shares", as user: UUID? = nil) async throws -> [JSONValue] {
        try await desk.group.send("GET", path, as: user ?? owner).json.array("items")
    }

    /// Asks for the card of a link, without an account.
    private func open(_ token: String, _ desk: Desk) async throws -> Answer {
        try await desk.group.send(
            "POST", "/v1/shared", headers: [("Content-Type", "application/json")],
            body: JSONValue.object(["token": .string(token)]).bytes)
    }

    private static func token(_ answer: Answer) throws -> String {
        let parts = try answer.json.string("link").split(separator: "#")
        #expect(parts.count == 2 && parts[0].hasSuffix("/shared"))
        return String(parts.last ?? "")
    }

    /// A link shows nothing, and does not say why.
    private func isNothing(_ token: String, _ desk: Desk) async throws -> Bool {
        let answer = try await open(token, desk)
        let unknown = try await open("nonsense", desk)
        #expect(unknown.status == 404 && unknown.code == "share-unknown")
        return answer.status == 404 && answer.json.keys == unknown.json.keys
            && answer.json["detail"] == unknown.json["detail"] && answer.code == unknown.code
    }

    @Test func `are a card for whoever has the link, without what was said and without an id`() async throws {
        try await Desk.run { desk in
            let session = try await desk.written(for: owner, Self.report)
            let made = try await share(session, desk, ["firstName": "Ada"])
            #expect(made.status == 201 && made.json["standing"] == "open" && made.json["views"] == 0)
            #expect(made.json["maxViews"] == 50)
            let left = try made.json.timestamp("expiresAt") - .now()
            #expect(left <= .seconds(604_800) && left > .seconds(604_500), "a week")
            let token = try Self.token(made)
            // 32 bytes.
            #expect(token.utf8.count == 43)
            let shown = try await open(token, desk)
            #expect(shown.status == 200)
            #expect(
                shown.json == [
                    "firstName": "Ada", "language": "en", "confidenceScore": 82,
                    "scoreRange": ["low": 80, "high": 84], "strengths": ["Says early what it is about"],
                    "workOn": "Leaving out filler words", "expiresAt": made.json["expiresAt"] ?? .null,
                ])
            let said = JSONValue.object(shown.json).text
            for hidden in ["Quixwell", "\(session)", "\(owner)", try made.json.string("shareId")] {
                #expect(!said.contains(hidden))
            }
            #expect(try await list(desk).map { $0["views"] } == [1])
            #expect(try await list(desk, "/v1/reports/\(session)/shares").map { $0["link"] } == [nil])
            // Neither the log nor a row has the token.
            let kept = try await desk.group.administrator.query(
                "select (select string_agg(row_to_json(s)::text, '') from report_shares s)"
                    + " || (select string_agg(row_to_json(e)::text, '') from events e)"
            ).rows[0].text(0)
            #expect(!kept.contains(token))
            #expect(kept.contains("Ada"), "the search finds what is there")
            let events = try await desk.group.first.store.read(Shares.stream(owner))
            #expect(events.map(\.type.name) == ["ReportShared"])
            #expect(!events.contains { String(decoding: $0.data, as: UTF8.self).contains("Ada") })
        }
    }

    @Test func `have one last view, also of a hundred who come at once`() async throws {
        try await Desk.run { desk in
            let session = try await desk.written(for: owner, Self.report)
            let token = try Self.token(try await share(session, desk, ["maxViews": 2]))
            #expect(try await open(token, desk).status == 200)
            let tasks = (0..<100).map { _ in Loop.task { try await open(token, desk).status } }
            var statuses: [Int] = []
            for task in tasks { statuses.append(try await task.value) }
            #expect(statuses.count { $0 == 200 } == 1 && statuses.count { $0 == 404 } == 99)
            #expect(try await isNothing(token, desk))
            let share = try #require(try await list(desk).first)
            #expect(share["views"] == 2 && share["standing"] == "used-up")
            #expect(try await desk.group.first.store.read(Shares.stream(owner)).count == 1, "views are no events")
        }
    }

    @Test func `show nothing any more when they are taken back, over, or gone with their report`() async throws {
        try await Desk.run { desk in
            let session = try await desk.written(for: owner, Self.report)
            let (first, second, third) = (
                try await share(session, desk), try await share(session, desk, ["firstName": "Ada"]),
                try await share(session, desk)
            )
            let tokens = try [first, second, third].map(Self.token)
            for token in tokens { #expect(try await !isNothing(token, desk)) }
            let id = try first.json.uuid("shareId")
            #expect(try await desk.group.send("DELETE", "/v1/shares/\(id)", as: owner).status == 204)
            #expect(try await isNothing(tokens[0], desk))
            #expect(try await desk.group.send("DELETE", "/v1/shares/\(id)", as: owner).status == 404)
            _ = try await desk.group.administrator.query(
                "update report_shares set expires_at = now() where share_id = $1",
                [.uuid(try third.json.uuid("shareId"))])
            #expect(try await isNothing(tokens[2], desk))
            #expect(try await list(desk).map { $0["standing"] } == ["expired", "open"])
            #expect(try await desk.delete(session, of: owner))
            #expect(try await isNothing(tokens[1], desk))
            #expect(try await list(desk) == [])
            #expect(try await desk.group.count("select count(*) from report_shares") == 0)
            // As many as may be made within a day.
            let other = try await desk.written(for: owner, Self.report)
            for _ in 0..<(Shares.dayLimit - 3) { #expect(try await share(other, desk).status == 201) }
            let more = try await share(other, desk)
            #expect(more.status == 409 && more.code == "shares-used-up")
        }
    }

    @Test func `are their owner's alone, and gone with their owner at once`() async throws {
        try await Desk.run { desk in
            let stranger = UUID.v7()
            let session = try await desk.written(for: owner, Self.report)
            let other = try await desk.written(for: stranger, Self.report)
            let made = try await share(session, desk, ["firstName": "Ada"])
            let token = try Self.token(made)
            let kept = try Self.token(try await share(other, desk, as: stranger))
            #expect(try await share(session, desk, as: stranger).status == 404)
            #expect(try await share(.v7(), desk).status == 404)
            let path = "/v1/reports/\(session)/shares"
            #expect(try await desk.group.send("GET", path, as: stranger).status == 404)
            let id = try made.json.uuid("shareId")
            #expect(try await desk.group.send("DELETE", "/v1/shares/\(id)", as: stranger).status == 404)
            #expect(try await list(desk, as: stranger).count == 1)
            #expect(try await list(desk).count == 1)
            let all = "select owner_id from report_shares"
            #expect(try await desk.group.first.owners.query(of: owner, all).rows.map { $0.uuid(0) } == [owner])
            #expect(try await desk.group.unscoped.query(all).count == 0)
            // From the moment on at which nothing new is accepted for the owner.
            let erased = try desk.topic.message(UserErased(userId: owner))
            try await desk.group.first.store.append(
                Append(
                    id: .v7(), requestHash: [1], metadata: erased.metadata(actor: "test"), writes: [],
                    calls: [EventStoreRows.eraseSubject(owner)], thoughErased: true))
            #expect(try await isNothing(token, desk))
            #expect(try await desk.group.deliver(erased))
            #expect(try await desk.group.administrator.query(all).rows.map { $0.uuid(0) } == [stranger])
            #expect(try await open(kept, desk).status == 200)
        }
    }

    @Test func `are refused where they would show nothing, too long or too often`() async throws {
        try await Desk.run { desk in
            let session = try await desk.written(for: owner, Self.report)
            let far = Timestamp.now().adding(seconds: 31 * 86_400)
            for wish in [
                ["parts": []], ["parts": ["score", "score"]], ["parts": ["transcript"]], ["parts": "score"],
                ["maxViews": 0], ["maxViews": 1_001], ["expiresIn": 59], ["expiresIn": 2_592_001],
                ["expiresIn": 600, "expiresAt": .time(.now().adding(seconds: 600))], ["expiresAt": .time(far)],
                ["expiresAt": .time(.now())], ["firstName": "ada@example.org"],
            ] as [JSONObject] {
                let answer = try await share(session, desk, wish)
                #expect(answer.status == 422 && answer.code == "share-impossible", "\(wish)")
            }
            let bare = try await desk.written(for: owner, Desk.report())
            let nothing = try await share(bare, desk, ["parts": ["strengths", "workOn"]])
            #expect(nothing.status == 422 && nothing.code == "share-empty")
            #expect(try await list(desk) == [])
            let soon = Timestamp.now().adding(seconds: 600)
            let made = try await share(session, desk, ["expiresAt": .time(soon), "parts": ["score"]])
            #expect(made.status == 201 && made.json["expiresAt"] == .time(soon) && made.json["parts"] == ["score"])
        }
    }

    @Test func `are made once by the same key, and their link is told once`() async throws {
        try await Desk.run { desk in
            let session = try await desk.written(for: owner, Self.report)
            func send(_ wish: JSONObject) async throws -> Answer {
                try await desk.group.send(
                    "POST", "/v1/reports/\(session)/shares",
                    headers: [
                        ("Authorization", "Bearer \(try desk.group.token(for: owner))"),
                        ("Content-Type", "application/json"), ("Idempotency-Key", "one"),
                    ], body: JSONValue.object(wish).bytes)
            }
            let first = try await send(["maxViews": 3])
            let again = try await send(["maxViews": 3])
            #expect(first.status == 201 && again.status == 201 && again.json["link"] == .null)
            #expect(try first.json.uuid("shareId") == again.json.uuid("shareId"))
            #expect(try await list(desk).count == 1)
            #expect(try await open(Self.token(first), desk).status == 200)
            #expect(try await send(["maxViews": 4]).code == "idempotency-key-reused")
        }
    }

    @Test func `of one client network are shown only so often, whether there is a card or not`() async throws {
        try await withService(
            ReportingService.self,
            ["OBJECT_STORE": "file:///tmp/mirrormate-shared-\(UUID.v4())", "SHARED_LOOKUPS": "3"]
        ) { group in
            var answers: [Answer] = []
            for _ in 1...4 {
                answers.append(
                    try await group.send(
                        "POST", "/v1/shared", headers: [("Content-Type", "application/json")],
                        body: JSONValue.object(["token": "nonsense"]).bytes))
            }
            #expect(answers.map(\.status) == [404, 404, 404, 429])
            #expect(answers[3].code == "too-many-shared" && answers[3].header("retry-after") != nil)
            let kept = try await group.administrator.query("select network from shared_lookups").rows
            #expect(!kept.isEmpty && kept.allSatisfy { $0.bytes(0).count == 32 })
        }
    }

    @Test func `are swept a week after they are over, and not before`() async throws {
        try await Desk.run { desk in
            let session = try await desk.written(for: owner, Self.report)
            for days in [8, 6] {
                let id = try await share(session, desk).json.uuid("shareId")
                _ = try await desk.group.administrator.query(
                    "update report_shares set expires_at = now() - $2 * interval '1 day' where share_id = $1",
                    [.uuid(id), .int(Int64(days))])
            }
            try await SharedCards(desk.group.context, ReportingSettings(desk.group.context.environment)).sweep()
            #expect(try await desk.group.count("select count(*) from report_shares") == 1)
            #expect(try await list(desk).map { $0["standing"] } == ["expired"])
        }
    }
}
