import Contracts
import EventSourcing
import EventStore
import HTTPClient
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `Creating a session` {
    @Test func `answers 201 with an upload address once quota has admitted it`() async throws {
        try await withSessions(["QUOTA_WAIT": "10s"]) { fixture in
            let creating = Loop.task {
                try await fixture.service.send(
                    "POST", "/v1/sessions", as: fixture.user, headers: [("Idempotency-Key", "k")],
                    json: SessionsFixture.wish
                ).response
            }
            // The session's id follows from the key, but its creation is seen in the log first.
            let store = fixture.service.context.store
            var created: RecordedEvent?
            while created == nil {
                created = try await store.readLog(after: 0, limit: 10).first { $0.type.name == "SessionCreated" }
            }
            try await fixture.admit(created!.stream.id!)
            let response = try await creating.value
            #expect(response.status == 201)
            let session = try JSONValue.parse(response.body)
            #expect(session["status"] == "awaitingUpload")
            #expect(session["upload"]?["method"] == "PUT")
            #expect(response.header("location") == "/v1/sessions/\(created!.stream.id!)")
        }
    }

    @Test func `answers 202 while quota is silent, and the request is not lost`() async throws {
        try await withSessions { fixture in
            let answer = try await fixture.service.send(
                "POST", "/v1/sessions", as: fixture.user, headers: [("Idempotency-Key", "\"quoted\"")],
                json: SessionsFixture.wish)
            #expect(answer.status == 202)
            #expect(answer.json["status"] == "queued")
            let id = UUID(answer.json["id"]!.stringValue!)!
            try await fixture.admit(id)
            #expect(try await fixture.read(id)["status"] == "awaitingUpload")
        }
    }

    @Test func `again with the same key gives the same session, with another body 422`() async throws {
        try await withSessions { fixture in
            let first = try await fixture.create(key: "one")
            #expect(try await fixture.create(key: "one") == first)
            #expect(try await fixture.create(key: "two") != first)
            var other = SessionsFixture.wish.objectValue!
            other["contentLength"] = 17
            let answer = try await fixture.service.send(
                "POST", "/v1/sessions", as: fixture.user, headers: [("Idempotency-Key", "one")], json: .object(other))
            #expect(answer.status == 422)
            #expect(answer.json["code"] == "idempotency-key-reused")
        }
    }

    @Test func `takes so many uploads, and then says what to do`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            for _ in 1...Session.mostUploads { #expect(try await fixture.upload(id).status == 200) }
            let more = try await fixture.upload(id)
            #expect(more.status == 409 && more.code == "uploads-used-up")
            let sealed = try await fixture.service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user)
            #expect(sealed.status == 202)
        }
    }

    @Test func `refused by quota answers 429 or 409 with what to do`() async throws {
        try await withSessions { fixture in
            let resets = Timestamp(seconds: Timestamp.now().seconds + 3600)
            let held = HeldBy(sessionId: .v7(), expiresAt: resets)
            for (code, heldBy, status) in [
                (QuotaRefusalCode.quotaExceeded, nil, 429), (.sessionOpen, held as HeldBy?, 409),
            ] {
                let key = code.rawValue
                let id = try await fixture.create(key: key)
                try await fixture.service.deliver(
                    QuotaRefused(
                        SessionIdentity(sessionId: id, ownerId: fixture.user, kind: .mirrormate),
                        QuotaDenial(code: code, resetsAt: resets, heldBy: heldBy)))
                let answer = try await fixture.service.send(
                    "POST", "/v1/sessions", as: fixture.user, headers: [("Idempotency-Key", key)],
                    json: SessionsFixture.wish)
                #expect(answer.status == status)
                #expect(answer.json["code"] == .string(code.rawValue))
                #expect(answer.json["resetsAt"] == .time(resets))
                #expect(answer.json["heldBy"]?["sessionId"] == heldBy.map { .uuid($0.sessionId) })
                #expect((answer.response.header("retry-after") != nil) == (status == 429))
                #expect(answer.response.header("content-type") == "application/problem+json")
            }
        }
    }

    @Test(arguments: [
        (#"{"kind":"other","contentType":"video/mp4","contentLength":9}"#, 422),
        (#"{"kind":"mirrormate","contentType":"image/png","contentLength":9}"#, 415),
        (#"{"kind":"mirrormate","contentType":"video/mp4","contentLength":0}"#, 400),
        (#"{"kind":"mirrormate","contentType":"video/mp4","contentLength":104857601}"#, 413),
        (#"{"kind":"mirrormate","contentType":"video/mp4","contentLength":9,"sha256":"xy"}"#, 400),
        (#"{"kind":"mirrormate","contentType":"video/mp4","contentLength":9,"status":"complete"}"#, 422),
        (#"{"kind":"mirrormate","contentType":"video/mp4","contentLength":9,"timeZone":"a b"}"#, 422),
        (#"{"kind":"mirrormate"}"#, 400), ("[]", 400), ("{", 400),
    ])
    func `with a wrong body is refused with a problem`(body: String, status: Int) async throws {
        try await withSessions { fixture in
            let answer = try await fixture.service.send(
                "POST", "/v1/sessions", as: fixture.user,
                headers: [("Idempotency-Key", "k"), ("Content-Type", "application/json")],
                body: Array(body.utf8))
            #expect(answer.status == status)
            #expect(answer.json["code"]?.stringValue != nil)
        }
    }

    @Test func `needs a token and a key`() async throws {
        try await withSessions { fixture in
            #expect(try await fixture.service.send("POST", "/v1/sessions", json: SessionsFixture.wish).status == 401)
            let without = try await fixture.service.send(
                "POST", "/v1/sessions", as: fixture.user, json: SessionsFixture.wish)
            #expect(without.status == 400)
            #expect(without.json["code"] == "idempotency-key-missing")
        }
    }

    @Test func `that replaces another cancels it in the same append`() async throws {
        try await withSessions { fixture in
            let old = try await fixture.create()
            try await fixture.admit(old)
            var body = SessionsFixture.wish.objectValue!
            body["replaces"] = .uuid(old)
            let new = try await fixture.create(.object(body))
            #expect(try await fixture.read(old)["status"] == "cancelled")
            let log = try await fixture.service.context.store.readLog(after: 0, limit: 100)
            let cancelled = log.firstIndex { $0.type.name == "SessionCancelled" }!
            #expect(log[cancelled + 1].stream == Session.stream(new))
            #expect(log[cancelled].recordedAt == log[cancelled + 1].recordedAt)
        }
    }
}
