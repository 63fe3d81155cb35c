import Contracts
import Crypto
import EventSourcing
import EventStore
import HTTPClient
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `A session` {
    @Test func `of somebody else looks like one that does not exist`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            let stranger = UUID.v7()
            for (method, path) in [
                ("GET", "/v1/sessions/\(id)"), ("GET", "/v1/sessions/\(id)/events"),
                ("POST", "/v1/sessions/\(id)/finalize"), ("POST", "/v1/sessions/\(id)/cancel"),
                ("DELETE", "/v1/sessions/\(id)"),
            ] {
                let theirs = try await fixture.service.send(method, path, as: stranger)
                let unknown = try await fixture.service.send(
                    method, path.replacing(id.description, with: UUID.v7().description), as: stranger)
                #expect(theirs.status == 404 && unknown.status == 404)
                #expect(theirs.json["code"] == unknown.json["code"])
            }
        }
    }

    @Test func `stands in its owner's list, page by page, and in no other's`() async throws {
        try await withSessions { fixture in
            var ids: [JSONValue] = []
            for _ in 0..<3 { ids.insert(.uuid(try await fixture.create()), at: 0) }
            let deadline = monotonicNanoseconds() + 20_000_000_000
            var items: [JSONValue] = []
            while items.count < 3, monotonicNanoseconds() < deadline {
                items = try await fixture.service.send("GET", "/v1/sessions", as: fixture.user).json["items"]!
                    .arrayValue!
            }
            #expect(items.map { $0["id"]! } == ids)
            let page = try await fixture.service.send("GET", "/v1/sessions?limit=2", as: fixture.user).json
            #expect(page["items"]!.arrayValue!.map { $0["id"]! } == Array(ids.prefix(2)))
            let cursor = page["nextCursor"]!.stringValue!
            let rest = try await fixture.service.send("GET", "/v1/sessions?limit=2&cursor=\(cursor)", as: fixture.user)
                .json
            #expect(rest["items"]!.arrayValue!.map { $0["id"]! } == [ids[2]])
            #expect(rest["nextCursor"] == nil)
            let others = try await fixture.service.send("GET", "/v1/sessions", as: .v7()).json
            #expect(others["items"] == [])
        }
    }

    @Test func `shows its rows to nobody without a scope, and to no other owner`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            _ = try await fixture.upload(id)
            let store = fixture.service.context.store
            for table in ["session_list", "object_intents"] {
                let count = "select count(*) from \(table)"
                let deadline = monotonicNanoseconds() + 20_000_000_000
                while try await store.pool.query(count).rows[0].int(0) == 0, monotonicNanoseconds() < deadline {}
                #expect(try await store.pool.query(count).rows[0].int(0) > 0)
                let unscoped = PostgresPool(fixture.service.role, size: 1)
                defer { unscoped.close() }
                #expect(try await unscoped.query(count).rows[0].int(0) == 0)
                #expect(try await unscoped.query(asOwner: .v7(), count).rows[0].int(0) == 0)
                #expect(try await unscoped.query(asOwner: fixture.user, count).rows[0].int(0) > 0)
            }
        }
    }

    @Test func `that nobody finalizes expires`() async throws {
        try await withSessions(["SESSION_LIFETIME": "1ms"]) { fixture in
            let id = try await fixture.create()
            let deadline = monotonicNanoseconds() + 20_000_000_000
            var status = JSONValue.null
            while status != "expired", monotonicNanoseconds() < deadline {
                status = try await fixture.read(id)["status"]!
            }
            #expect(status == "expired")
        }
    }

    @Test func `is followed by server-sent events until its end, and again from the last one seen`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            let following = Loop.task {
                try await fixture.service.send("GET", "/v1/sessions/\(id)/events", as: fixture.user).response.body
            }
            try await fixture.admit(id)
            _ = try await fixture.service.send("POST", "/v1/sessions/\(id)/cancel", as: fixture.user)
            let text = String(decoding: try await following.value, as: UTF8.self)
            #expect(text.contains("\"status\":\"cancelled\""))
            #expect(text.contains("event: session"))
            let again = try await fixture.service.send(
                "GET", "/v1/sessions/\(id)/events", as: fixture.user, headers: [("Last-Event-ID", "2")])
            let rest = String(decoding: again.response.body, as: UTF8.self)
            #expect(rest.contains("id: 3") && !rest.contains("id: 2"))
        }
    }

    @Test func `is found for its owner's erasure without a look at the log`() async throws {
        try await withSessions { fixture in
            let ids = [try await fixture.create(), try await fixture.create()]
            _ = try await fixture.service.send("POST", "/v1/sessions", as: .v7(), json: SessionsFixture.wish)
            _ = try await fixture.service.administrator.query("revoke select on events from sessions")
            let found = try await Erasure<Session>.Belongings.streams(
                of: fixture.user, ["session"], fixture.service.context.store)
            _ = try await fixture.service.administrator.query("grant select on events to sessions")
            #expect(Set(found.streams) == Set(ids.map { Session.stream($0) }))
            #expect(found.rows == 2)
        }
    }

    @Test func `and all that belongs to it goes when its owner is erased, and nothing comes back`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            let message = UserErased(userId: fixture.user)
            let first = try await fixture.service.deliver(message)
            let gone = try await fixture.eventually {
                try await fixture.service.send("GET", "/v1/sessions/\(id)", as: fixture.user).code == "user-gone"
            }
            #expect(gone)
            // The list is folded beside the log.
            #expect(
                try await fixture.eventually {
                    try await fixture.service.count("select count(*) from session_list") == 0
                })
            try await fixture.service.deliver(first)
            let events = try await fixture.service.context.store.readLog(after: 0, limit: 100)
            #expect(events.filter { $0.type.name == "SubjectErased" }.count == 1)
            try await fixture.admit(id)
            #expect(try await fixture.service.context.store.readLog(after: 0, limit: 100).count == events.count)
        }
    }
}
