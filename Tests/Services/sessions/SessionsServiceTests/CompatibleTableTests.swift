import Contracts
import JSON
import Primitives
import RestTables
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `The table sessions` {
    @Test func `shows everybody their own sessions, and nobody anybody else's`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let stranger = UUID.v7()
            let (mine, theirs) = (UUID.v4(), UUID.v4())
            try await fixture.place(mine, of: fixture.user)
            try await fixture.place(theirs, of: stranger)
            let native = try await fixture.create()
            let all = try await client.rows("sessions", [("select", "id"), ("order", "id")], as: fixture.user)
            #expect(all == [mine, native].sorted().map { ["id": .uuid($0)] })
            for query in [
                [("id", "eq.\(theirs)")], [("user_id", "eq.\(stranger)")], [("user_id", "neq.\(fixture.user)")],
                [("or", "(id.eq.\(theirs),user_id.eq.\(stranger))")], [("device_id", "not.is.null")],
            ] {
                #expect(try await client.rows("sessions", query, as: fixture.user) == [], "\(query)")
            }
            let upper = fixture.user.description.uppercased()
            #expect(try await client.rows("sessions", [("user_id", "eq.\(upper)")], as: fixture.user)?.count == 2)
        }
    }

    @Test func `shows nobody one session alone, by its id, for an hour`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let (new, old) = (UUID.v4(), UUID.v4())
            try await fixture.place(new, of: fixture.user)
            try await fixture.place(old, of: fixture.user, createdAt: .now() - .seconds(3_601))
            let native = try await fixture.create()
            #expect(try await client.rows("sessions", [("id", "eq.\(new)"), ("select", "id")]) == [["id": .uuid(new)]])
            for query in [
                [], [("select", "*")], [("limit", "1")], [("order", "created_at")], [("device_id", "not.is.null")],
                [("id", "in.(\(new))")], [("id", "not.is.null")], [("id", "gte.\(new)")], [("or", "(id.eq.\(new))")],
                [("and", "(id.eq.\(new))")], [("id", "eq.\(new)"), ("status", "eq.queued")],
                [("id", "eq.\(new)"), ("id", "eq.\(new)")], [("user_id", "eq.\(fixture.user)")],
                [("video_path", "eq.\(new).mp4")], [("id", "eq.\(old)")], [("id", "eq.\(native)")],
                [("id", "eq.\(UUID.v4())")], [("id", "neq.\(old)")],
            ] {
                #expect(try await client.rows("sessions", query) == [], "\(query)")
            }
            // Somebody who is signed in and is not the owner has less than nobody.
            #expect(try await client.rows("sessions", [("id", "eq.\(new)")], as: .v7()) == [])
            let counted = try await client.send(
                "GET", "/rest/v1/sessions", headers: [("Prefer", "count=exact")])
            #expect(counted.header("content-range") == "*/0")
        }
    }

    @Test func `says of each session one of the four words, and why nothing came of it`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let owner = fixture.user
            var wanted: [UUID: (String, Bool)] = [:]
            func place(_ status: String, _ isOver: Bool, _ work: (UUID) async throws -> Void) async throws {
                let id = UUID.v4()
                try await fixture.place(id, of: owner)
                try await work(id)
                wanted[id] = (status, isOver)
            }
            try await place("queued", false) { _ in }
            try await place("queued", false) { try await fixture.admit($0) }
            try await place("processing", false) {
                try await fixture.admit($0)
                _ = try await fixture.upload($0)
                _ = try await fixture.service.send("POST", "/v1/sessions/\($0)/finalize", as: owner)
            }
            try await place("complete", false) {
                try await fixture.admit($0)
                try await fixture.service.deliver(
                    ReportReady(SessionReference(sessionId: $0, ownerId: owner), reportId: .v7()))
            }
            try await place("error", true) {
                try await fixture.admit($0)
                try await fixture.service.deliver(
                    AnalysisFailed(
                        SessionReference(sessionId: $0, ownerId: owner), attempt: 1,
                        code: FailureCode(rawValue: "no-speech"),
                        retryable: false))
            }
            try await place("error", true) { try await fixture.put(.cancel(by: owner), on: $0, of: owner) }
            try await place("error", true) {
                try await fixture.put(.expire(at: .now() + .seconds(90_000)), on: $0, of: owner)
            }
            try await place("error", true) {
                try await fixture.put(
                    .quotaRefused(
                        QuotaRefused(
                            SessionIdentity(sessionId: $0, ownerId: owner, kind: .mirrormate),
                            QuotaDenial(code: .quotaExceeded, resetsAt: .now() + .seconds(60)))), on: $0, of: owner)
            }
            let rows = try #require(try await client.rows("sessions", as: owner))
            #expect(rows.count == wanted.count)
            for row in rows {
                let id = try #require(row["id"]?.stringValue.flatMap { UUID($0) })
                let (status, isOver) = try #require(wanted[id])
                #expect(row["status"] == .string(status))
                #expect(row.objectValue?.keys == CompatibleSession.table.columns.map(\.name))
                #expect((row["error_message"]?.stringValue != nil) == isOver)
                let progress = try #require(row["progress"]?.doubleValue)
                #expect((0...1).contains(progress) && (status != "complete" || progress == 1))
                #expect(row["video_path"] == .string("\(id).mp4"))
                let created = try #require(row["created_at"]?.stringValue)
                #expect(created.contains(".") && created.hasSuffix("Z") && created.contains("T"))
            }
            // The same words when rows are looked for by them.
            for word in ["queued", "processing", "complete", "error"] {
                let found = try await client.rows("sessions", [("status", "eq.\(word)"), ("select", "id")], as: owner)
                #expect(found?.count == wanted.values.count { $0.0 == word }, "\(word)")
            }
        }
    }

    @Test func `is read in the ways of PostgREST`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let start = Timestamp.now() - .seconds(100)
            for number in 0..<5 {
                try await fixture.place(.v4(), of: fixture.user, createdAt: start + .seconds(Int64(number)))
            }
            func get(
                _ query: [(String, String)], _ headers: [(name: String, value: String)] = [], method: String = "GET"
            ) async throws -> Answer {
                try await client.send(method, "/rest/v1/sessions", query, as: fixture.user, headers: headers)
            }
            let counted = try await get([("limit", "2"), ("offset", "1")], [("Prefer", "count=exact")])
            #expect(counted.status == 206 && counted.header("content-range") == "1-2/5")
            #expect(counted.header("preference-applied") == "count=exact")
            let head = try await get([], [("Prefer", "count=exact")], method: "HEAD")
            #expect(head.status == 200 && head.header("content-range") == "0-4/5" && head.body.isEmpty)
            let ranged = try await get(
                [("order", "created_at.desc.nullslast")], [("Range-Unit", "items"), ("Range", "0-0")])
            #expect(ranged.header("content-range") == "0-0/*")
            let newest = try JSONValue.parse(ranged.body).arrayValue?.first?["created_at"]
            #expect(newest == .time(start + .seconds(4)))
            let beyond = try await get([("offset", "9")], [("Prefer", "count=exact")])
            #expect(beyond.status == 416 && beyond.code == "PGRST103")
            let object = [(name: "Accept", value: "application/vnd.pgrst.object+json")]
            let one = try await get([("limit", "1"), ("select", "when:created_at::text,progress")], object)
            #expect(one.status == 200 && one.json.keys == ["when", "progress"])
            let none = try await get([("id", "eq.\(UUID.v4())")], object)
            #expect(none.status == 406 && none.code == "PGRST116")
            #expect(none.json["details"] == "The result contains 0 rows")
            #expect(none.header("proxy-status") == "PostgREST; error=PGRST116")
            let unknown = try await get([("colour", "eq.red")])
            #expect(unknown.status == 400 && unknown.code == "42703" && unknown.json["details"] == .null)
            let between = try await get([
                ("created_at", "gte.\(start + .seconds(1))"), ("created_at", "lt.\(start + .seconds(3))"),
                ("select", "id"),
            ])
            #expect(try JSONValue.parse(between.body).arrayValue?.count == 2)
            // What is a moment here, and none to the database.
            let before = try await get([("created_at", "in.(0000-01-01T00:00:00Z)")])
            #expect(before.status == 400 && before.code == "22008")
        }
    }

    @Test func `is written by nobody`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let id = UUID.v4()
            try await fixture.place(id, of: fixture.user)
            for method in ["POST", "PATCH", "PUT", "DELETE"] {
                for (user, status) in [(fixture.user, 403), (nil, 401)] as [(UUID?, Int)] {
                    let answer = try await client.send(
                        method, "/rest/v1/sessions", [("id", "eq.\(id)")], as: user, json: ["status": "complete"])
                    #expect(answer.status == status && answer.code == "42501")
                }
            }
            #expect(try await fixture.read(id)["status"] == "queued")
        }
    }

    @Test func `stands beside no other table or function here`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            for (path, code) in [
                ("/rest/v1/rate_limits", "PGRST205"), ("/rest/v1/stripe_customers", "PGRST205"),
                ("/rest/v1/rpc/check_and_increment_quota", "PGRST202"), ("/rest/v1/a/b/c", "PGRST125"),
            ] {
                for method in ["GET", "POST"] {
                    let answer = try await client.send(
                        method, path, as: fixture.user, json: method == "POST" ? [:] : nil)
                    #expect(answer.status == 404 && answer.code == code && answer.json["message"]?.stringValue != nil)
                }
            }
            let keyless = try await fixture.service.send("GET", "/rest/v1/sessions")
            #expect(keyless.status == 401 && keyless.json["message"]?.stringValue != nil)
            let native = try await client.send(
                "GET", "/rest/v1/sessions", bearer: try fixture.service.token(for: fixture.user))
            #expect(native.status == 401)
        }
    }

    @Test func `is read as a whole by the operator's own server alone`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let key = try await fixture.service.apiKey(.service)
            for owner in [fixture.user, .v7()] { try await fixture.place(.v4(), of: owner) }
            let all = try await client.send("GET", "/rest/v1/sessions", bearer: key)
            #expect(try JSONValue.parse(all.body).arrayValue?.count == 2)
            let one = try await client.send(
                "GET", "/rest/v1/sessions", [("user_id", "eq.\(fixture.user)")], bearer: key)
            #expect(try JSONValue.parse(one.body).arrayValue?.count == 1)
        }
    }
}
