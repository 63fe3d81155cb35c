import Contracts
import Crypto
import EventConsumer
import EventSourcing
import EventStore
import Glibc
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import sessions

/// What the practice timer's own client does with sessions.
@Suite(.timeLimit(.minutes(10))) @Loop struct `The practice timer's sessions` {
    private let token = AppToken.make()
    private let session = UUID.v4()

    private func issued(
        to user: UUID, _ token: AppToken, surface: AppSurface = .practice, timeZone: String = "Europe/Berlin",
        until end: Timestamp = .now() + .seconds(900)
    ) -> AppTokenIssued {
        AppTokenIssued(
            userId: user, loginSessionId: session, tokenSHA256: Hex.encode(token.hash), surface: surface,
            timeZone: timeZone, expiresAt: end)
    }

    private func run(_ body: @Loop (SessionsFixture) async throws -> Void) async throws {
        try await withSessions { fixture in
            try await fixture.service.deliver(issued(to: fixture.user, token))
            try await body(fixture)
        }
    }

    private func ask(
        _ fixture: SessionsFixture, _ method: String, _ path: String = "", _ body: JSONValue? = nil,
        with token: AppToken? = nil
    ) async throws -> Answer {
        try await fixture.service.send(
            method, "/api/sessions\(path)", headers: [("Authorization", "Bearer \((token ?? self.token).text)")],
            json: body)
    }

    /// Noon of some days ago, as the client's language writes times.
    private func noon(_ daysAgo: Int64) -> String {
        "\(LocalDay(of: .now(), utcOffsetSeconds: 0) - daysAgo)T12:00:00.000Z"
    }

    private func sat(_ daysAgo: Int64 = 1, _ seconds: JSONValue = 600, _ more: JSONObject = [:]) -> JSONValue {
        .object(
            (["session_start_time": .string(noon(daysAgo)), "duration_seconds": seconds] as JSONObject)
                .adding(membersOf: more))
    }

    @Test func `are saved as the client tells them, and the same session once`() async throws {
        try await run { fixture in
            let saved = try await ask(fixture, "POST", "", sat())
            #expect(saved.status == 201 && saved.json["message"] == "Session saved successfully")
            let id = try saved.json.uuid("sessionId")
            #expect(try await ask(fixture, "POST", "", sat(1, 600.0)).json.uuid("sessionId") == id)
            try await fixture.service.foldAll()
            let list = try await ask(fixture, "GET")
            let sessions = try #require(list.json["sessions"]?.arrayValue)
            #expect(sessions.count == 1)
            let one = try #require(sessions.first?.objectValue)
            #expect(try one.uuid("session_id") == id && one["duration_seconds"] == 600)
            let start = try one.timestamp("session_start_time")
            #expect(try one.timestamp("session_end_time") == start + .seconds(600))
            #expect(one["time_zone"] == "Europe/Berlin")
            // The native routes have the same.
            let native = try await fixture.service.send("GET", "/v1/practice/sessions/\(id)", as: fixture.user)
            #expect(native.json["activeSeconds"] == 600)
        }
    }

    @Test func `are the same wherever the client is when it tells them again, and stay on their day`() async throws {
        try await run { fixture in
            let saved = try await ask(fixture, "POST", "", sat())
            let id = try saved.json.uuid("sessionId")
            let own = UUID.v4()
            #expect(try await ask(fixture, "POST", "", sat(2, 600, ["id": .uuid(own)])).status == 201)
            // The client has signed in again, in another zone.
            let elsewhere = AppToken.make()
            try await fixture.service.deliver(issued(to: fixture.user, elsewhere, timeZone: "Asia/Tokyo"))
            let again = try await ask(fixture, "POST", "", sat(), with: elsewhere)
            #expect(try again.status == 201 && again.json.uuid("sessionId") == id)
            let told = try await ask(fixture, "POST", "", sat(1, 600, ["time_zone": "Asia/Tokyo"]), with: elsewhere)
            #expect(try told.status == 201 && told.json.uuid("sessionId") == id)
            let byID = try await ask(fixture, "POST", "", sat(2, 600, ["id": .uuid(own)]), with: elsewhere)
            #expect(try byID.status == 201 && byID.json.uuid("sessionId") == own)
            // Who names another place under an id of its own tells another session.
            let other = sat(2, 600, ["id": .uuid(own), "time_zone": "Asia/Tokyo"])
            #expect(try await ask(fixture, "POST", "", other, with: elsewhere).json["code"] == "practice-exists")
            // A correction that says nothing of the place leaves it.
            #expect(try await ask(fixture, "PUT", "/\(own)", sat(2, 660), with: elsewhere).status == 200)
            try await fixture.service.foldAll()
            let list = try #require(try await ask(fixture, "GET").json["sessions"]?.arrayValue)
            #expect(list.count == 2 && list.allSatisfy { $0["time_zone"] == "Europe/Berlin" })
            #expect(list.map { $0["duration_seconds"]?.intValue } == [600, 660])
            // Deleted, it does not come back from elsewhere either.
            #expect(try await ask(fixture, "DELETE", "/\(id)").status == 200)
            #expect(try await ask(fixture, "POST", "", sat(), with: elsewhere).json["code"] == "practice-deleted")
        }
    }

    @Test func `took place and ended where the client says`() async throws {
        try await run { fixture in
            let end = "\(LocalDay(of: .now(), utcOffsetSeconds: 0) - 1)T12:30:00Z"
            let body = sat(1, 600, ["session_end_time": .string(end), "time_zone": "Asia/Tokyo"])
            #expect(try await ask(fixture, "POST", "", body).status == 201)
            try await fixture.service.foldAll()
            let one = try #require(try await ask(fixture, "GET").json["sessions"]?.arrayValue?.first?.objectValue)
            #expect(try one.timestamp("session_end_time") == Timestamp(rfc3339: end))
            #expect(one["time_zone"] == "Asia/Tokyo")
        }
    }

    @Test(arguments: ["T12:00:00.000Z", "T12:00:00Z", "T12:00:00.123456789Z", "T14:00:00+02:00", "t12:00:00z"])
    func `are the moments that the client's languages write`(time: String) async throws {
        try await run { fixture in
            let day = LocalDay(of: .now(), utcOffsetSeconds: 0) - 1
            let body: JSONValue = ["session_start_time": .string("\(day)\(time)"), "duration_seconds": 60]
            #expect(try await ask(fixture, "POST", "", body).status == 201)
            try await fixture.service.foldAll()
            let one = try #require(try await ask(fixture, "GET").json["sessions"]?.arrayValue?.first?.objectValue)
            #expect(try one.timestamp("session_start_time").seconds == Timestamp(rfc3339: noon(1))?.seconds)
        }
    }

    @Test func `come in pages`() async throws {
        try await run { fixture in
            for day in 1...3 { #expect(try await ask(fixture, "POST", "", sat(Int64(day))).status == 201) }
            try await fixture.service.foldAll()
            let first = try await ask(fixture, "GET", "?limit=2").json
            let cursor = try first.string("nextCursor")
            let second = try await ask(fixture, "GET", "?limit=2&cursor=\(cursor)").json
            let times = [first, second].flatMap { $0["sessions"]?.arrayValue ?? [] }.compactMap {
                $0["session_start_time"]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
            }
            #expect(times == (1...3).map { Timestamp(rfc3339: noon(Int64($0))) } && second["nextCursor"] == nil)
        }
    }

    @Test func `end later by their pauses`() async throws {
        try await run { fixture in
            let day = LocalDay(of: .now(), utcOffsetSeconds: 0) - 1
            let pauses: JSONValue = [
                ["start_time": .string("\(day)T12:01:00Z"), "end_time": .string("\(day)T12:03:00Z")]
            ]
            let saved = try await ask(fixture, "POST", "", sat(1, 600, ["pauses": pauses]))
            try await fixture.service.foldAll()
            let one = try #require(try await ask(fixture, "GET").json["sessions"]?.arrayValue?.first?.objectValue)
            #expect(try one.uuid("session_id") == saved.json.uuid("sessionId"))
            #expect(try one.timestamp("session_end_time") - one.timestamp("session_start_time") == .seconds(720))
        }
    }

    @Test(
        arguments: [
            ("no start", ["duration_seconds": 60], "session_start_time is required"),
            (
                "a start that is none", ["session_start_time": "yesterday", "duration_seconds": 60],
                "session_start_time"
            ),
            (
                "a start that could be many moments",
                ["session_start_time": "2026-11-01T10:00:00", "duration_seconds": 60],
                "session_start_time needs a time of day and an offset"
            ),
            (
                "a day", ["session_start_time": "2026-11-01", "duration_seconds": 60],
                "session_start_time needs a time of day and an offset"
            ),
            ("a number", ["session_start_time": 1_761_991_200, "duration_seconds": 60], "is required and must be"),
            (
                "an end in words",
                [
                    "session_start_time": "2026-11-01T10:00:00Z", "duration_seconds": 60,
                    "session_end_time": "Sun Nov 01 2026",
                ], "session_end_time must be a valid ISO string"
            ),
            (
                "an end that could be many moments",
                [
                    "session_start_time": "2026-11-01T10:00:00Z", "duration_seconds": 60,
                    "session_end_time": "2026-11-01T10:30:00.000",
                ], "session_end_time needs a time of day and an offset"
            ),
            (
                "pauses that are none",
                ["session_start_time": "2026-11-01T10:00:00Z", "duration_seconds": 60, "pauses": "two"],
                "pauses must be a list"
            ),
            (
                "half a pause",
                [
                    "session_start_time": "2026-11-01T10:00:00Z", "duration_seconds": 60,
                    "pauses": [["start_time": "2026-11-01T10:00:10Z"]],
                ], "each of the pauses needs"
            ),
            (
                "a pause that could be at many moments",
                [
                    "session_start_time": "2026-11-01T10:00:00Z", "duration_seconds": 60,
                    "pauses": [["start_time": "2026-11-01T10:00:10", "end_time": "2026-11-01T10:00:20Z"]],
                ], "start_time needs a time of day and an offset"
            ),
            ("no duration", ["session_start_time": "2026-11-01T10:00:00Z"], "duration_seconds is required"),
            ("nothing", ["session_start_time": "2026-11-01T10:00:00Z", "duration_seconds": 0], "duration_seconds"),
            ("less", ["session_start_time": "2026-11-01T10:00:00Z", "duration_seconds": -1], "duration_seconds"),
            (
                "half a second", ["session_start_time": "2026-11-01T10:00:00Z", "duration_seconds": 12.5],
                "duration_seconds"
            ),
            ("a text", ["session_start_time": "2026-11-01T10:00:00Z", "duration_seconds": "60"], "duration_seconds"),
            (
                "more than a day", ["session_start_time": "2026-11-01T10:00:00Z", "duration_seconds": 86_401],
                "duration_seconds must lie between 1 and 86400"
            ),
            (
                "an end before the start",
                [
                    "session_start_time": "2026-11-01T10:00:00Z", "duration_seconds": 60,
                    "session_end_time": "2026-11-01T09:00:00Z",
                ], "session_end_time must be after session_start_time"
            ),
            (
                "more than there was time for",
                [
                    "session_start_time": "2026-11-01T10:00:00Z", "duration_seconds": 600,
                    "session_end_time": "2026-11-01T10:05:00Z",
                ], "duration_seconds and pauses together must not be longer"
            ),
            ("a list", ["sessions": []], "sessions must be 1 to 500"),
            ("a longer list", ["sessions": .array(Array(repeating: [:], count: 501))], "sessions must be 1 to 500"),
        ] as [(String, JSONValue, String)])
    func `are refused in the client's words`(_: String, body: JSONValue, says: String) async throws {
        try await run { fixture in
            let refused = try await ask(fixture, "POST", "", body)
            #expect(refused.status == 400 && refused.json["code"] == "invalid-request")
            let error = try refused.json.string("error")
            #expect(error.hasPrefix("Invalid session data: ") && error.contains(says))
        }
    }

    @Test func `are corrected and deleted by their owner alone`() async throws {
        try await run { fixture in
            let other = AppToken.make()
            try await fixture.service.deliver(issued(to: .v7(), other))
            let id = try await ask(fixture, "POST", "", sat()).json.uuid("sessionId")
            for (method, body) in [("PUT", sat(2, 300)), ("DELETE", nil)] as [(String, JSONValue?)] {
                let refused = try await ask(fixture, method, "/\(id)", body, with: other)
                #expect(refused.status == 404 && refused.json["code"] == "not-found")
            }
            #expect(try await ask(fixture, "GET", with: other).json["sessions"]?.arrayValue?.isEmpty == true)
            #expect(try await ask(fixture, "PUT", "/\(id)", sat(2, 300)).json["sessionId"] == .uuid(id))
            let native = try await fixture.service.send("GET", "/v1/practice/sessions/\(id)", as: fixture.user)
            #expect(native.json["activeSeconds"] == 300)
            #expect(try await ask(fixture, "DELETE", "/\(id)").json["message"] == "Session deleted successfully")
            #expect(try await ask(fixture, "DELETE", "/\(id)").status == 404)
            #expect(try await ask(fixture, "PUT", "/\(id)", sat()).status == 404)
        }
    }

    @Test func `are refused for what the native routes refuse`() async throws {
        try await run { fixture in
            func code(_ method: String, _ path: String = "", _ body: JSONValue? = nil) async throws -> String? {
                try await ask(fixture, method, path, body).json["code"]?.stringValue
            }
            let id = UUID.v7()
            let own: JSONObject = ["id": .uuid(id)]
            #expect(try await ask(fixture, "POST", "", sat(2, 600, own)).status == 201)
            #expect(try await code("POST", "", sat(2, 601, own)) == "practice-exists")
            let ahead = "\(Timestamp.now() + .seconds(3_600))"
            for (method, path) in [("POST", ""), ("PUT", "/\(id)")] {
                #expect(try await code(method, path, sat(400)) == "practice-too-old")
                let future: JSONValue = ["session_start_time": .string(ahead), "duration_seconds": 60]
                #expect(try await code(method, path, future) == "practice-in-future")
                #expect(try await code(method, path, sat(2, 600, ["time_zone": "Mars/Olympus"])) == "time-zone-invalid")
            }
            let many = (1...100).map { sat(1, .int($0)) }
            let verdicts = try await ask(fixture, "POST", "", ["sessions": .array(many)]).json["results"]?.arrayValue
            #expect(verdicts?.allSatisfy { $0["status"] == 201 } == true)
            #expect(try await code("POST", "", sat(1, 101)) == "practice-day-full")
            #expect(try await code("PUT", "/\(id)", sat(1, 600)) == "practice-day-full")
            for seconds in 1...50 {
                #expect(try await ask(fixture, "PUT", "/\(id)", sat(2, .int(Int64(seconds)))).status == 200)
            }
            #expect(try await code("PUT", "/\(id)", sat(2, 51)) == "corrections-used-up")
            #expect(try await ask(fixture, "DELETE", "/\(id)").status == 200)
            #expect(try await code("POST", "", sat(2, 600, own)) == "practice-deleted")
            #expect(try await code("GET", "?limit=0") == "invalid-request")
        }
    }

    @Test func `fail in the client's words, and say no more, where the fault is ours`() async throws {
        try await run { fixture in
            let id = try await ask(fixture, "POST", "", sat()).json.uuid("sessionId")
            for table in ["events", "practice_log"] {
                _ = try await fixture.service.administrator.query("alter table \(table) rename to \(table)_away")
            }
            for (method, path, body, says) in [
                ("POST", "", sat(2), "Failed to save session"),
                ("POST", "", ["sessions": [sat(2)]], "Failed to save session"),
                ("PUT", "/\(id)", sat(2), "Failed to save session"),
                ("DELETE", "/\(id)", nil, "Failed to delete session"),
                ("GET", "", nil, "Failed to read sessions"),
            ] as [(String, String, JSONValue?, JSONValue)] {
                let failed = try await fixture.service.sendInVain(
                    method, "/api/sessions\(path)", headers: [("Authorization", "Bearer \(token.text)")], json: body)
                #expect(failed.status == 500, "\(method) \(path)")
                #expect(failed.json == ["error": says, "message": says, "code": "internal"])
            }
        }
    }

    @Test func `come many at once, each with a verdict`() async throws {
        try await run { fixture in
            let id = UUID.v7()
            let batch: JSONValue = [
                "sessions": [sat(1), sat(2, 0), sat(3, 60, ["id": .uuid(id)]), sat(400), 7]
            ]
            let answer = try await ask(fixture, "POST", "", batch)
            let results = try #require(answer.json["results"]?.arrayValue)
            #expect(answer.status == 200 && results.map { $0["status"] } == [201, 400, 201, 422, 400])
            #expect(results[2]["sessionId"] == .uuid(id) && results[3]["code"] == "practice-too-old")
            // Sent again after a lost answer, it is the same.
            #expect(try await ask(fixture, "POST", "", batch).json == answer.json)
            #expect(try await fixture.service.count("select count(*) from events where type = 'SessionLogged'") == 2)
        }
    }

    @Test func `open to a token of theirs alone, as long as its login session lasts`() async throws {
        try await run { fixture in
            let (elsewhere, over) = (AppToken.make(), AppToken.make())
            for (token, issued) in [
                (elsewhere, issued(to: fixture.user, elsewhere, surface: AppSurface(rawValue: "suggestions"))),
                (over, issued(to: fixture.user, over, until: .now() - .seconds(1))),
            ] {
                try await fixture.service.deliver(issued)
                #expect(try await ask(fixture, "GET", with: token).json["code"] == "app-token-unknown")
            }
            let native = try await fixture.service.send(
                "GET", "/v1/practice/sessions", headers: [("Authorization", "Bearer \(token.text)")])
            #expect(native.status == 401 && native.code == "token-malformed")
            let access = try fixture.service.token(for: fixture.user)
            let refused = try await fixture.service.send(
                "GET", "/api/sessions", headers: [("Authorization", "Bearer \(access)")])
            #expect(refused.status == 401 && refused.json["error"] == "Missing or invalid Bearer token")

            #expect(try await ask(fixture, "GET").status == 200)
            try await fixture.service.deliver(
                LoginSessionEnded(
                    userId: fixture.user, loginSessionId: session, reason: .signedOut,
                    tokensUntil: .now() + .seconds(900)))
            #expect(try await ask(fixture, "GET").json["error"] == "Invalid token")
            // Told once more, such as after a rewind of the relay, it stays so.
            try await fixture.service.deliver(issued(to: fixture.user, token))
            #expect(try await ask(fixture, "GET").status == 401)
        }
    }

    @Test func `stay closed to a token that is told again long after its end`() async throws {
        try await run { fixture in
            // What identity says of the end of an app's login session: as long as its token could have counted.
            try await fixture.service.deliver(
                LoginSessionEnded(
                    userId: fixture.user, loginSessionId: session, reason: .signedOut,
                    tokensUntil: .now() + .seconds(90 * 86_400)))
            // A sweep a day later still knows it.
            try await fixture.service.context.ended.forget(at: .now() + .seconds(86_400))
            try await fixture.service.deliver(issued(to: fixture.user, token, until: .now() + .seconds(90 * 86_400)))
            #expect(try await ask(fixture, "GET").json["code"] == "app-token-unknown")
        }
    }

    @Test func `stay closed to a token that identity never made, and open to the login session's own`() async throws {
        try await run { fixture in
            let service = fixture.service
            // Forged in the name of a login session that there is, or made after the backup to which identity was set back.
            let forged = AppToken.make()
            let message = try await service.deliver(issued(to: fixture.user, forged))
            #expect(try await ask(fixture, "GET", with: forged).status == 200)
            let learned = try await service.store.readLog(after: 0, limit: 1000).filter {
                $0.type.name == "AppTokenLearned"
            }
            #expect(learned.count == 2)
            let last = try #require(learned.last)
            // Once more, as after a crash.
            for _ in 1...2 { try await service.first.handler.takeBack(last, through: service.store) }
            #expect(try await ask(fixture, "GET", with: forged).json["code"] == "app-token-unknown")
            #expect(try await ask(fixture, "GET").status == 200)
            // The same message does not bring it back.
            #expect(try await !service.deliver(message))
            #expect(try await ask(fixture, "GET", with: forged).status == 401)
        }
    }

    @Test func `believe in no token for ever`() async throws {
        try await run { fixture in
            let lasting = AppToken.make()
            try await fixture.service.deliver(
                issued(to: fixture.user, lasting, until: .now() + .seconds(10 * 365 * 86_400)))
            #expect(try await ask(fixture, "GET", with: lasting).status == 200)
            let late = "select count(*) from app_tokens where expires_at > now() + interval '401 days'"
            #expect(try await fixture.service.count(late) == 0)
        }
    }

    @Test func `keep no token that is over`() async throws {
        try await run { fixture in
            try await fixture.service.deliver(issued(to: fixture.user, .make(), until: .now() - .seconds(1)))
            #expect(try await fixture.service.count("select count(*) from app_tokens") == 2)
            try await fixture.service.context.appTokens.sweep()
            #expect(try await fixture.service.count("select count(*) from app_tokens") == 1)
            #expect(try await ask(fixture, "GET").status == 200)
        }
    }

    @Test func `wait for a token whose announcement is on its way`() async throws {
        try await withSessions(["SIGNING_KEY_WAIT": "60s"]) { fixture in
            let early = Loop.task { try await ask(fixture, "GET") }
            #expect(try await fixture.eventually { fixture.service.context.appTokens.lookups >= 2 })
            try await fixture.service.deliver(issued(to: fixture.user, token))
            #expect(try await early.value.status == 200)
        }
    }

    @Test func `are closed to who is to be erased, also while that is held up`() async throws {
        try await run { fixture in
            let service = fixture.service
            // A folder where the object should be: the store cannot remove it, and the erasure waits for that.
            for folder in ["uploads", "uploads/held"] {
                #expect(mkdir("\(fixture.folder.path)/\(folder)", 0o700) == 0 || errno == EEXIST)
            }
            _ = try await service.administrator.query(
                "insert into object_intents (object_key, subject, purpose) values ('uploads/held', $1, 'test')",
                [.uuid(fixture.user)])
            let message = try service.topic.message(UserErasedV2(userId: fixture.user))
            await #expect(throws: RetriableFailure.self) { try await service.deliver(message) }
            #expect(try await service.count("select count(*) from events where type = 'SubjectErased'") == 0)
            #expect(try await ask(fixture, "GET").json["code"] == "app-token-unknown")
            #expect(try await service.count("select count(*) from app_tokens") == 0)
            // Nor would one count that is there all the same.
            let late = AppToken.make()
            _ = try await service.administrator.query(
                """
                insert into app_tokens (hash, owner_id, session, surface, time_zone, expires_at)
                values ($1, $2, $3, 'practice', 'UTC', now() + interval '1 hour')
                """, [.bytes(late.hash), .uuid(fixture.user), .uuid(.v4())])
            #expect(try await ask(fixture, "GET", with: late).json["code"] == "app-token-unknown")

            rmdir("\(fixture.folder.path)/uploads/held")
            try await service.deliver(message)
            #expect(try await service.count("select count(*) from events where type = 'SubjectErased'") == 1)
            #expect(try await service.count("select count(*) from app_tokens") == 0)
        }
    }

    @Test func `are gone with their owner, and so is the token`() async throws {
        try await run { fixture in
            _ = try await ask(fixture, "POST", "", sat())
            try await fixture.service.deliver(UserErasedV2(userId: fixture.user))
            #expect(try await ask(fixture, "GET").json["error"] == "Invalid token")
            #expect(try await fixture.service.count("select count(*) from app_tokens") == 0)
        }
    }
}
