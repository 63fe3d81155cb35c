import Contracts
import Crypto
import EventSourcing
import EventStore
import HTTPClient
import JSON
import ObjectStorage
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import Uploads

@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `An upload` {
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

    /// A file that has to be written anew, because it says where it was recorded.
    private static let placed: [UInt8] = {
        func box(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(8 + content.count)] + type + content
        }
        let place = box([0xA9] + Array("xyz".utf8), Array("+37.3318-122.0312/".utf8))
        return Array(SessionsFixture.video.prefix(16))
            + box(Array("moov".utf8), box(Array("udta".utf8), place)) + SessionsFixture.video.dropFirst(24)
    }()

    @Test func `that is finalized while it is written anew for another call is answered as that one is`() async throws {
        try await withSessions { fixture in
            var wish = SessionsFixture.wish.objectValue!
            wish["contentLength"] = .int(Int64(Self.placed.count))
            let id = try await fixture.create(.object(wish))
            try await fixture.admit(id)
            #expect(try await fixture.upload(id, Self.placed).status == 200)
            let service = fixture.service
            let store = service.context.store
            let loaded = try await CommandHandler<Session>(store).load(Session.stream(id))
            let objects = StoreBehind(try #require(service.first.objects)) { key in
                let first = try await service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user)
                #expect(first.status == 202)
                // As the sweeper does, once the other call has brought it away.
                try await service.first.objects?.delete(key)
            }
            let uploads = UploadStore(store, objects, patience: .seconds(60))
            let outcome = try await SessionFinalizing(store, uploads, patience: .seconds(60)).finalize(
                id, of: fixture.user, from: loaded,
                EventMetadata(owner: fixture.user, correlation: .v7(), actor: "test"))
            #expect(outcome.events.isEmpty)
            guard case .processing(_, let work) = outcome.state else { throw Failed() }
            #expect(try await fixture.objects() == [work.media.key])
            #expect(work.media.sha256 != Hex.encode(SHA256.digest(Self.placed)))
        }
    }

    @Test func `that is not there any more, and was not finalized, is finalized by nobody`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            #expect(try await fixture.upload(id).status == 200)
            let key = try #require(try await fixture.objects().first)
            try await fixture.service.first.objects?.delete(key)
            let answer = try await fixture.service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user)
            #expect(answer.status == 409 && answer.json["code"] == "upload-changed")
            #expect(try await fixture.read(id)["status"] == "awaitingUpload")
        }
    }

    @Test func `leaves nothing behind when writing it anew takes until the sweeper gives it up`() async throws {
        try await withSessions(background: false) { fixture in
            var wish = SessionsFixture.wish.objectValue!
            wish["contentLength"] = .int(Int64(Self.placed.count))
            let id = try await fixture.create(.object(wish))
            try await fixture.admit(id)
            #expect(try await fixture.upload(id, Self.placed).status == 200)
            let store = fixture.service.context.store
            let state = try await CommandHandler<Session>(store).load(Session.stream(id)).state
            guard case .open(_, _, let upload?, _) = state else { throw Failed() }
            let objects = try #require(fixture.service.first.objects)
            func seal(_ patience: Duration) async throws -> UploadStore.Sealed? {
                try await UploadStore(store, objects, patience: patience).seal(
                    upload, as: "media/\(fixture.user)/\(id)", of: fixture.user, purpose: SessionObjects.purpose(id))
            }
            let refused = await #expect(throws: ObjectStoreError.self) { try await seal(.zero) }
            #expect(refused?.isRetryable == true)
            #expect(try await fixture.objects() == [upload.key])
            let sealed = try #require(try await seal(.seconds(60)))
            #expect(try await fixture.objects().sorted() == [sealed.key, upload.key].sorted())
        }
    }

    private struct Failed: Error {}

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

/// A store in which something happens before an upload is read for the first time.
@Loop private final class StoreBehind: ObjectStore {
    private let store: any ObjectStore
    private var first: (@Loop (String) async throws -> Void)?

    init(_ store: any ObjectStore, _ first: @escaping @Loop (String) async throws -> Void) {
        self.store = store
        self.first = first
    }

    func read(_ key: String, from offset: Int64, count: Int) async throws -> [UInt8] {
        let first = first
        self.first = nil
        try await first?(key)
        return try await store.read(key, from: offset, count: count)
    }

    func prepare(writing prefixes: [String]) async throws { try await store.prepare(writing: prefixes) }
    func makeWriter(_ key: String, size: Int64) async throws -> any ObjectWriter {
        try await store.makeWriter(key, size: size)
    }
    func read(_ key: String, limit: Int) async throws -> [UInt8] { try await store.read(key, limit: limit) }
    func withFile<T: Sendable>(
        _ key: String, in folder: String, _ work: (String) async throws -> T
    ) async throws -> T { try await store.withFile(key, in: folder, work) }
    func move(_ key: String, to newKey: String) async throws { try await store.move(key, to: newKey) }
    func delete(_ key: String) async throws { try await store.delete(key) }
    func keys(under prefix: String) async throws -> [String] { try await store.keys(under: prefix) }
}
