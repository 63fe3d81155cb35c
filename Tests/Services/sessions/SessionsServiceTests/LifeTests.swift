import Contracts
import EventSourcing
import EventStore
import HTTPClient
import JSON
import Postgres
import Primitives
import Projections
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import TestingTools

@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `The life of a session` {
    @Test func `ends with an error when nobody answers for its analysis, which a person can read`() async throws {
        try await withSessions(["PROCESSING_DEADLINE": "1ms"]) { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            _ = try await fixture.upload(id)
            _ = try await fixture.service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user)
            #expect(try await fixture.eventually { try await fixture.read(id)["status"] == "error" })
            let error = try await fixture.read(id)["error"]
            #expect(error?["code"] == "processing-timeout" && error?["retryable"] == true)
            #expect(error?["title"]?.stringValue?.hasSuffix("Try again.") == true)
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
        }
    }

    @Test func `ends in time though that of somebody else cannot be read`() async throws {
        try await withSessions(background: false) { fixture in
            var ids: [UUID] = []
            for _ in 0..<2 { ids.append(try await fixture.create()) }
            try await fixture.service.foldAll()
            ids.sort()
            let service = fixture.service
            let connection = try await PostgresConnection.open(service.administratorSettings)
            defer { connection.close() }
            try await connection.script(
                """
                set session_replication_role = replica;
                update events set data = '{}' where stream = '\(Session.stream(ids[0]))'
                """)
            let clock = OverdueClock(
                Session.self, service.store, name: "test-clock", actor: "test",
                candidates: "select key::uuid, owner_id from session_list order by key"
            ) { row in
                OverdueClock.Due(
                    .delete(by: row.uuid(1)), on: Session.stream(row.uuid(0)), owner: row.uuid(1),
                    id: UUID.v5(namespace: row.uuid(0), name: "test"))
            }
            try await clock.look()
            #expect(try await service.store.read(Session.stream(ids[1])).last?.type.name == "SessionDeleted")
            let noted = try await service.administrator.query("select work, key, code from stuck_rows").rows
            #expect(
                noted.map { [$0.text(0), $0.text(1), $0.text(2)] }
                    == [["test-clock", Session.stream(ids[0]).description, "row-unreadable"]])
            // While it rests it is not found, and not forgotten.
            try await connection.script("delete from session_list")
            try await clock.look()
            #expect(try await service.count("select count(*) from stuck_rows") == 1)
            // Found no more, it is nobody's trouble.
            try await connection.script("update stuck_rows set tried_at = '2020-01-01'")
            try await clock.look()
            #expect(try await service.count("select count(*) from stuck_rows") == 0)
        }
    }

    /// A clock takes a hundred at a time.
    @Test(
        arguments: [
            (
                "clock", "overdue_sessions()", "status = 'awaitingUpload', expires_at = now() - interval '1 hour'"
            ),
            (
                "media-clock", "overdue_media(30, interval '1 day')",
                "media_since = now() - interval '2 hours', media_until = now() - interval '1 hour'"
            ),
            (
                "media-limits-clock", "overlong_media(30, interval '1 day')",
                "media_since = now() - interval '2 hours', media_until = now() + interval '60 days'"
            ),
            (
                "forgetting-clock", "unreachable_sessions(interval '1 hour')",
                """
                status = 'complete', created_at = now() - interval '1 day',
                owner_id = '01890000-0000-8000-8000-000000000001'
                """
            ),
        ] as [(String, String, String)])
    func `is seen by a clock though it fails at many others again and again`(
        work: String, due: String, state: String
    ) async throws {
        try await withSessions(background: false) { fixture in
            let id = try await fixture.create()
            let service = fixture.service
            try await service.foldAll()
            let found = "select count(*) from \(due) where session_id = '\(id)'"
            let connection = try await PostgresConnection.open(service.administratorSettings)
            defer { connection.close() }
            // Before it, so that they are found first.
            try await connection.script(
                """
                update session_list set \(state);
                create table kept_aside as select * from session_list;
                delete from session_list;
                insert into session_list
                    select (json_populate_record(k, json_build_object('key', gen_random_uuid()))).*
                    from kept_aside k, generate_series(1, 200);
                insert into stuck_rows (work, key, code) select '\(work)', 'session-' || key, 'row-failed' from session_list;
                insert into session_list select * from kept_aside;
                """)
            #expect(try await service.count(found) == 1)
            // They have their turn again.
            try await connection.script("update stuck_rows set tried_at = now() - interval '31 seconds'")
            #expect(try await service.count("select count(*) from \(due)") == 100)
        }
    }

    /// Statements are counted by the server, which is told of them once a second.
    @Test(.stress) func `is looked for now and then while another instance folds its list`() async throws {
        try await withSessions(background: false) { fixture in
            _ = try await fixture.create()
            let service = fixture.service
            let holder = try await PostgresConnection.open(service.administratorSettings)
            defer { holder.close() }
            try await holder.script("begin; select from projections where name = 'session_list' for update")
            let done = "select xact_commit from pg_stat_database where datname = current_database()"
            let before = try await service.count(done)
            let folding = Loop.task { await service.context.live(SessionProjection.self).run() }
            try await Loop.sleep(for: .seconds(4))
            let looks = try await service.count(done) - before
            #expect(looks < 150, "\(looks) transactions")
            try await holder.script("rollback")
            #expect(try await service.eventually { try await service.count("select count(*) from session_list") == 1 })
            folding.cancel()
            try await folding.value
        }
    }

    @Test(arguments: [
        "no-video", "unreadable", "too-long", "too-short", "too-large-picture", "unsupported-codec", "media-missing",
        "no-speech", "no-sound", "black-picture", "analysis-crashed", "something-new",
    ]) func `that failed says why in words, and keeps the code`(code: String) async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            try await fixture.service.deliver(
                AnalysisFailed(
                    SessionReference(sessionId: id, ownerId: fixture.user), attempt: 1,
                    code: FailureCode(rawValue: code),
                    retryable: false))
            let session = try await fixture.read(id)
            #expect(session["status"] == "error" && session["error"]?["code"] == .string(code))
            let title = try #require(session["error"]?["title"]?.stringValue)
            #expect(title.hasSuffix(".") && title.contains(" ") && !title.contains(code))
        }
    }

    @Test func `goes on after a cancellation or a removal only as the owner sees it`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            _ = try await fixture.upload(id)
            for _ in 0..<2 {
                let answer = try await fixture.service.send("POST", "/v1/sessions/\(id)/cancel", as: fixture.user)
                #expect(answer.status == 200 && answer.json["status"] == "cancelled")
            }
            let late = try await fixture.service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user)
            #expect(late.status == 409 && late.json["code"] == "session-ended")
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
            let gone = try await fixture.service.send("DELETE", "/v1/sessions/\(id)", as: fixture.user)
            #expect(gone.status == 204)
            for (method, path) in [
                ("GET", ""), ("DELETE", ""), ("POST", "/cancel"), ("POST", "/finalize"), ("GET", "/events"),
            ] {
                #expect(
                    try await fixture.service.send(method, "/v1/sessions/\(id)\(path)", as: fixture.user).status == 404)
            }
        }
    }

    @Test func `is not sent again to a client that has it, unless it can still be uploaded to`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            let path = "/v1/sessions/\(id)"
            func tag() async throws -> String {
                try #require(try await fixture.service.send("GET", path, as: fixture.user).response.header("etag"))
            }
            func status(_ tag: String) async throws -> Int {
                try await fixture.service.send("GET", path, as: fixture.user, headers: [("If-None-Match", tag)]).status
            }
            let queued = try await tag()
            #expect(try await status(queued) == 304)
            #expect(try await status("W/\(queued), \"x\"") == 304)
            #expect(try await status("\"x\"") == 200)
            try await fixture.admit(id)
            #expect(try await status(queued) == 200)
            // Reading renews the address, so the old answer is never good enough.
            #expect(try await status(try await tag()) == 200)
            _ = try await fixture.service.send("POST", "\(path)/cancel", as: fixture.user)
            #expect(try await status(try await tag()) == 304)
        }
    }

    @Test(arguments: [
        "limit=0", "limit=101", "limit=x", "limit=-1", "limit=99999999999999999999", "cursor=", "cursor=%00",
        "cursor=AAAA", "cursor=OTk5OTk5OTk5OTk5OTk5OTk5OS9h", "cursor=MS8x", "limit=",
    ]) func `is not listed for a wrong limit or cursor`(query: String) async throws {
        try await withSessions { fixture in
            let answer = try await fixture.service.send("GET", "/v1/sessions?\(query)", as: fixture.user)
            #expect(answer.status == 400 && answer.json["code"]?.stringValue != nil)
        }
    }

    @Test func `is streamed as it goes, with a heartbeat, whatever nonsense the client sends`() async throws {
        try await withSessions(["HEARTBEAT": "20ms"]) { fixture in
            let id = try await fixture.create()
            let stream = try await HTTPClient.shared.stream(
                HTTPClientRequest(
                    "GET", "\(fixture.service.url)/v1/sessions/\(id)/events",
                    headers: [
                        ("Authorization", "Bearer \(try fixture.service.token(for: fixture.user))"),
                        ("Last-Event-ID", "x"),
                    ]))
            #expect(stream.headers.first { $0.name.lowercased() == "content-type" }?.value == "text/event-stream")
            var text = ""
            while !text.contains(": \n\n"), let bytes = try await stream.next() {
                text += String(decoding: bytes, as: UTF8.self)
            }
            #expect(text.contains("id: 1\n") && text.contains("\"status\":\"queued\""))
            try await fixture.admit(id)
            _ = try await fixture.service.send("DELETE", "/v1/sessions/\(id)", as: fixture.user)
            while let bytes = try await stream.next() { text += String(decoding: bytes, as: UTF8.self) }
            #expect(text.contains("event: gone"))
        }
    }

    @Test func `may be longer only as its owner says, within the limit`() async throws {
        try await withSessions { fixture in
            for (seconds, status) in [(0, 400), (1, 202), (95, 202), (96, 400), (-5, 400)] {
                var body = SessionsFixture.wish.objectValue!
                body["maxDurationSeconds"] = .int(Int64(seconds))
                let answer = try await fixture.service.send(
                    "POST", "/v1/sessions", as: fixture.user, headers: [("Idempotency-Key", "k\(seconds)")],
                    json: .object(body))
                #expect(answer.status == status, "\(seconds)")
            }
        }
    }

    @Test func `is told a language and a scenario that exist`() async throws {
        try await withSessions { fixture in
            let wishes: [(member: String, value: JSONValue, status: Int)] = [
                ("language", "de", 202), ("language", "zh-Hant-TW", 202), ("language", .null, 202),
                ("scenario", "interview", 202), ("scenario", "general", 202), ("scenario", .null, 202),
                ("language", "en_US", 400), ("language", "", 400), ("language", 7, 400), ("scenario", "eulogy", 400),
                ("scenario", "", 400), ("scenario", 1, 400),
            ]
            for (number, wish) in wishes.enumerated() {
                var body = SessionsFixture.wish.objectValue!
                body[wish.member] = wish.value
                let answer = try await fixture.service.send(
                    "POST", "/v1/sessions", as: fixture.user, headers: [("Idempotency-Key", "wish\(number)")],
                    json: .object(body))
                #expect(answer.status == wish.status, "\(wish)")
                guard wish.status == 400 else { continue }
                #expect(answer.json["detail"]?.stringValue?.contains(wish.member) == true, "\(wish)")
            }
        }
    }

    @Test func `replaces no session of a stranger, and an ended one as if it were none`() async throws {
        try await withSessions { fixture in
            let old = try await fixture.create()
            _ = try await fixture.service.send("POST", "/v1/sessions/\(old)/cancel", as: fixture.user)
            var body = SessionsFixture.wish.objectValue!
            body["replaces"] = .uuid(old)
            let stranger = try await fixture.service.send(
                "POST", "/v1/sessions", as: .v7(), headers: [("Idempotency-Key", "k")], json: .object(body))
            #expect(stranger.status == 404)
            #expect(try await fixture.read(try await fixture.create(.object(body)))["status"] == "queued")
            body["replaces"] = .uuid(.v7())
            let unknown = try await fixture.service.send(
                "POST", "/v1/sessions", as: fixture.user, headers: [("Idempotency-Key", "l")], json: .object(body))
            #expect(unknown.status == 404 && unknown.json["code"] == stranger.json["code"])
        }
    }

    @Test func `is another for another user with the same Idempotency-Key`() async throws {
        try await withSessions { fixture in
            let mine = try await fixture.create(key: "same")
            let theirs = try await fixture.service.send(
                "POST", "/v1/sessions", as: .v7(), headers: [("Idempotency-Key", "same")], json: SessionsFixture.wish)
            #expect(theirs.status == 202 && theirs.json["id"] != .uuid(mine))
        }
    }
}
