import Contracts
import EventSourcing
import EventStore
import Glibc
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import quota
@testable import sessions

/// The real services sessions and quota, each with its own PostgreSQL schema; what one publishes is handed to the
/// other.
@Loop private final class Pair {
    let sessions: ServiceUnderTest<SessionsService>
    let quota: ServiceUnderTest<QuotaService>
    let owner = UUID.v7()
    private var places: [ServiceName: Int64] = [:]
    private var topics = [ServiceName.sessions: TestTopic(), .quota: TestTopic(), .reporting: TestTopic()]

    init(_ sessions: ServiceUnderTest<SessionsService>, _ quota: ServiceUnderTest<QuotaService>) {
        self.sessions = sessions
        self.quota = quota
    }

    /// Runs both with files of their own.
    static func run(kinds: String, plans: String, _ body: @Loop (Pair) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let variables = [
            "OBJECT_STORE": "file://\(folder.path)/objects", "QUOTA_WAIT": "20ms",
            "UPLOAD_KEY": "an upload key of at least 16 characters",
            "KINDS_FILE": try write(kinds, to: "\(folder.path)/kinds.json"),
        ]
        let plans = try write(plans, to: "\(folder.path)/plans.json")
        try await withService(SessionsService.self, variables) { sessions in
            try await withService(QuotaService.self, ["PLANS_FILE": plans]) { quota in
                try await body(Pair(sessions, quota))
            }
        }
    }

    private static func write(_ text: String, to path: String) throws -> String {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
        return path
    }

    /// Hands over what is published until nothing more follows.
    func settle() async throws {
        var hasNews = true
        while hasNews {
            hasNews = try await hand(from: sessions, to: quota)
            if try await hand(from: quota, to: sessions) { hasNews = true }
        }
    }

    private func hand<From: Service, To: Service>(
        from provider: ServiceUnderTest<From>, to consumer: ServiceUnderTest<To>
    ) async throws -> Bool {
        let events = try await provider.first.store.readLog(after: places[From.name] ?? 0, limit: 100)
        for event in events {
            places[From.name] = event.position
            guard let outgoing = try From.publication(event) else { continue }
            try await consumer.deliver(topics[From.name]!.message(outgoing))
        }
        return !events.isEmpty
    }

    /// Asks for a session; a repeat with the same key gets what came of it.
    func create(_ kind: String, key: String) async throws -> Answer {
        try await create(["kind": .string(kind), "contentType": "video/mp4", "contentLength": 4_096], key: key)
    }

    func create(_ body: JSONObject, key: String = UUID.v7().description) async throws -> Answer {
        try await sessions.send(
            "POST", "/v1/sessions", as: owner,
            headers: [("Idempotency-Key", key), ("Content-Type", "application/json")],
            body: JSONValue.object(body).bytes)
    }

    /// A session that was decided on: its id, and what its creation is answered with then.
    func decided(_ kind: String) async throws -> (id: UUID, answer: Answer) {
        let key = UUID.v7().description
        let queued = try await create(kind, key: key)
        #expect(queued.status == 202)
        try await settle()
        let id = try #require(UUID(queued.json.string("id")))
        return (id, try await create(kind, key: key))
    }

    /// The report of a session is there.
    func complete(_ id: UUID) async throws {
        let ready = ReportReady(SessionReference(sessionId: id, ownerId: owner), reportId: .v7())
        try await sessions.deliver(topics[.reporting]!.message(ready))
        try await settle()
    }

    func quota(_ kind: String) async throws -> JSONObject {
        try await quota.send("GET", "/v1/quota?kind=\(kind)", as: owner).json
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `A kind that no product code knows` {
    private let kinds = """
        {"version": 1, "kinds": {
            "dance": {"upload": {"mediaTypes": ["video/mp4"], "limitBytes": 4096}},
            "mime": {"upload": {"mediaTypes": ["video/mp4"]}}}}
        """
    private let plans = """
        {"version": 1, "plans": {"free": {
            "dance": {"windows": {"hour": 2, "local-day": 3}, "lateCancellations": 0},
            "mime": {"windows": {"hour": 9, "local-day": 1}, "atOnce": 1, "lateCancellations": 0}}}}
        """

    @Test func `is created, reserved, ended, charged and refused for its hour`() async throws {
        try await Pair.run(kinds: kinds, plans: plans) { pair in
            let first = try await pair.decided("dance")
            #expect(first.answer.status == 201 && first.answer.json["status"] == "awaitingUpload")
            #expect(first.answer.json["kind"] == "dance")
            // Several windows reach sessions in version 2 of the message.
            let published = try await pair.quota.first.store.read(Allowance.stream(pair.owner)).compactMap {
                try QuotaService.publication($0)
            }
            #expect(published.map(\.type) == [QuotaReservedV2.type])

            // What is cancelled comes back to both windows.
            let cancelled = try await pair.sessions.send("POST", "/v1/sessions/\(first.id)/cancel", as: pair.owner)
            #expect(cancelled.status == 200)
            try await pair.settle()
            let back = try await pair.quota("dance")
            #expect(back["windows"]?["hour"]?["remaining"] == 2 && back["windows"]?["local-day"]?["remaining"] == 3)

            for left in [1, 0] as [Int64] {
                let session = try await pair.decided("dance")
                #expect(session.answer.status == 201)
                try await pair.complete(session.id)
                #expect(try await pair.quota("dance")["remaining"] == .int(left))
            }
            let refused = try await pair.decided("dance")
            #expect(refused.answer.status == 429 && refused.answer.code == "quota-exceeded")
            #expect(refused.answer.json["window"] == "hour")
            let resetsAt = try #require(Timestamp(rfc3339: refused.answer.json.string("resetsAt")))
            #expect(resetsAt > .now() && resetsAt <= .now() + .seconds(3_600))
            let ended = try await pair.sessions.send("GET", "/v1/sessions/\(refused.id)", as: pair.owner).json
            #expect(ended["status"] == "refused" && ended["refusal"]?["window"] == "hour")
        }
    }

    @Test func `is refused for its local day, and for what is open at once`() async throws {
        try await Pair.run(kinds: kinds, plans: plans) { pair in
            let first = try await pair.decided("mime")
            #expect(first.answer.status == 201)
            let open = try await pair.decided("mime")
            #expect(open.answer.status == 409 && open.answer.code == "session-open")
            #expect(open.answer.json["heldBy"]?["sessionId"] == .uuid(first.id))
            try await pair.complete(first.id)
            let refused = try await pair.decided("mime")
            #expect(refused.answer.status == 429 && refused.answer.json["window"] == "local-day")
            let quota = try await pair.quota("mime")
            #expect(quota["used"] == 1 && quota["remaining"] == 0 && quota["windows"]?["hour"]?["used"] == 1)
            #expect(quota["caps"]?["at-once"] == ["limit": 1, "taken": 0, "remaining": 1])
        }
    }

    @Test func `has its own limits on what it takes, and no others`() async throws {
        try await Pair.run(kinds: kinds, plans: plans) { pair in
            let cases: [(JSONObject, Int, String)] = [
                (["kind": "dance", "contentType": "video/webm", "contentLength": 1], 415, "media-type-unsupported"),
                (["kind": "dance", "contentType": "video/mp4", "contentLength": 4_097], 413, "body-too-large"),
                (
                    ["kind": "dance", "contentType": "video/mp4", "contentLength": 1, "maxDurationSeconds": 9], 400,
                    "invalid-request"
                ),
                (["kind": "mirrormate", "contentType": "video/mp4", "contentLength": 1], 422, "kind-unknown"),
            ]
            for (body, status, code) in cases {
                let answer = try await pair.create(body)
                #expect(answer.status == status && answer.code == code)
            }
        }
    }
}
