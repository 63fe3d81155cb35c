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

@Suite(.timeLimit(.minutes(2))) @Loop struct `An upload` {
    @Test(arguments: Storage.there)
    func `is stored, sealed by finalizing and gone after the end`(storage: Storage) async throws {
        try await withSessions(on: storage) { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            let early = try await fixture.service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user)
            #expect(early.status == 409 && early.json["code"] == "upload-missing")

            let put = try await fixture.upload(id)
            #expect(put.status == 200)
            #expect(put.json["sha256"] == .string(Hex.encode(SHA256.digest(SessionsFixture.video))))
            let first = try await fixture.service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user)
            #expect(first.status == 202 && first.json["status"] == "processing")
            let again = try await fixture.service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user)
            #expect(again.status == 200)
            let objects = try await fixture.objects()
            #expect(objects.count == 1 && objects[0].hasPrefix("media/"))

            try await fixture.service.deliver(
                ReportReady(SessionReference(sessionId: id, ownerId: fixture.user), reportId: .v7()))
            let session = try await fixture.read(id)
            #expect(session["status"] == "complete" && session["progress"] == 1.0)
            let unwanted = try await fixture.service.context.store.pool.query(
                "select bool_and(unwanted) from object_intents where subject = $1", [.uuid(fixture.user)])
            #expect(unwanted.rows[0].isNull(0) || unwanted.rows[0].bool(0))
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
        }
    }

    @Test func `stays when several finalize at once, and when the slowest announces again what is kept`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            _ = try await fixture.upload(id)
            let finalizing = (1...6).map { _ in
                Loop.task {
                    try await fixture.service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user).status
                }
            }
            var answers: [Int] = []
            for task in finalizing { answers.append(try await task.value) }
            #expect(answers.allSatisfy { $0 == 200 || $0 == 202 })
            let running = "select count(*) from object_intents where object_key like 'media/%' and deadline is not null"
            #expect(try await fixture.service.count(running) == 0)

            let store = fixture.service.context.store
            let sealed = try #require(try await fixture.objects().first)
            let over = Timestamp.now() + .seconds(-60)
            try await store.intendObject(sealed, of: fixture.user, purpose: SessionObjects.purpose(id), until: over)
            #expect(try await fixture.service.count(running) == 0)
            #expect(try await fixture.objects() == [sealed])
        }
    }

    @Test func `has to wait while the database is away`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            let url = try #require(try await fixture.read(id)["upload"]?["url"]?.stringValue)
            await fixture.service.context.store.close()
            let answer = try await fixture.service.send(
                "PUT", url.replacing("http://127.0.0.1/", with: "/"), body: SessionsFixture.video)
            #expect(answer.status == 503 && answer.json["code"] == "temporarily-unavailable")
        }
    }

    @Test(arguments: Storage.there)
    func `of another size, type or hash is refused, and the session stays open`(storage: Storage) async throws {
        try await withSessions(on: storage) { fixture in
            var body = SessionsFixture.wish.objectValue!
            body["sha256"] = .string(Hex.encode(SHA256.digest(SessionsFixture.video)))
            let id = try await fixture.create(.object(body))
            try await fixture.admit(id)
            #expect(try await fixture.upload(id, [1, 2, 3]).status == 422)
            var changed = SessionsFixture.video
            changed[4000] = 8
            #expect(try await fixture.upload(id, changed).status == 422)
            let text = [UInt8](repeating: 0x41, count: changed.count)
            #expect(try await fixture.upload(id, text).status == 415)
            #expect(try await fixture.read(id)["status"] == "awaitingUpload")
            #expect(try await fixture.upload(id).status == 200)
        }
    }

    @Test func `needs an address that was made here and is not over`() async throws {
        try await withSessions(["UPLOAD_ADDRESS_LIFETIME": "0s"]) { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            let over = try await fixture.upload(id)
            #expect(over.status == 403 && over.json["code"] == "upload-address-expired")
            let forged = try await fixture.service.send(
                "PUT", "/v1/uploads/\(id)?expires=99999999999&signature=AAAA", body: SessionsFixture.video)
            #expect(forged.status == 403 && forged.json["code"] == "upload-address-invalid")
        }
    }
}
