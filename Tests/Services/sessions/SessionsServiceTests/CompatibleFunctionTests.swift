import Contracts
import Crypto
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import TestingTools
import Uploads

@testable import sessions

/// The app's own models, member for member and type for type.
private struct AppBeginning: Decodable {
    let sessionId: String
    let uploadUrl: String
    let uploadPath: String?
    let uploadToken: String?
    let expiresAt: String
}

private struct AppStatus: Decodable {
    let status: String
    let progress: Double
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `The functions of the compatible surface` {
    @Test func `begin a session of nobody, which can be read at once by its id alone`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let answer = try await client.begin()
            #expect(answer.status == 200)
            #expect(answer.header("content-type") == "application/json")
            let begun = try AppDecoding.decode(AppBeginning.self, answer.body)
            let text = begun.sessionId
            let id = try #require(UUID(text))
            #expect(id.version == 4 && text == id.description)
            #expect(answer.json["uploadPath"] == .string("\(id).mp4"))
            let token = try answer.json.string("uploadToken")
            #expect(token.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
            #expect(
                answer.json["uploadUrl"]
                    == .string("http://127.0.0.1/storage/v1/object/upload/sign/videos/\(id).mp4?token=\(token)"))
            let left = try answer.json.timestamp("expiresAt") - .now()
            #expect((800...900).contains(left.components.seconds))
            // It is good for this path, and no other.
            let links = SignedLinks.uploads(
                key: Array("an upload key of at least 16 characters".utf8), publicURL: "http://127.0.0.1")
            #expect(throws: Never.self) { try links.checkToken(token, "PUT", CompatibleObject.uploadPath(id)) }
            #expect(throws: (any Error).self) { try links.checkToken(token, "PUT", CompatibleObject.uploadPath(.v4())) }
            #expect(throws: (any Error).self) { try links.checkToken(token, "GET", CompatibleObject.uploadPath(id)) }
            #expect(throws: (any Error).self) {
                try links.checkToken(token, "PUT", CompatibleObject.uploadPath(id), now: .now() + .seconds(901))
            }
            // The app's own request, a second later.
            let poll = try await client.send(
                "GET", "/rest/v1/sessions", [("id", "eq.\(id)"), ("select", "status,progress")])
            let statuses = try AppDecoding.decode([AppStatus].self, poll.body)
            #expect(statuses.count == 1 && statuses[0].status == "queued" && statuses[0].progress == 0)
            #expect(try JSONValue.parse(poll.body).arrayValue?.first?.objectValue?.keys == ["status", "progress"])
            let owner = try #require(try await fixture.owner(of: id))
            #expect(owner.version == 8)
            // The same phone is the same nobody, another one is another.
            let again = try #require(UUID(try await client.begin().json.string("sessionId")))
            #expect(try await fixture.owner(of: again) == owner)
            let other = try #require(UUID(try await client.begin(device: "another").json.string("sessionId")))
            #expect(try await fixture.owner(of: other) != owner)
            let names = try await fixture.service.count("select count(*) from events where data::text like '%a phone%'")
            #expect(names == 0)
        }
    }

    @Test func `begin a session of whoever is signed in`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let id = try #require(UUID(try await client.begin(as: fixture.user).json.string("sessionId")))
            #expect(try await fixture.owner(of: id) == fixture.user)
            let mine = try await client.rows("sessions", [("select", "id,user_id")], as: fixture.user)
            #expect(mine == [["id": .uuid(id), "user_id": .uuid(fixture.user)]])
            // Its native address takes nothing: it was never given out.
            try await fixture.admit(id)
            let native = try await fixture.read(id)
            #expect(native["status"] == "awaitingUpload")
            #expect(try await fixture.upload(id).code == "upload-address-invalid")
        }
    }

    @Test(arguments: [
        (#"{"maxDurationSec": 60}"#, 400), (#"{"deviceId": ""}"#, 400), (#"{"deviceId": 7}"#, 400),
        (#"{"deviceId": "a", "maxDurationSec": 0}"#, 400), (#"{"deviceId": "a", "maxDurationSec": 96}"#, 400),
        (#"{"deviceId": "a", "maxDurationSec": "sixty"}"#, 400), ("[", 400), (#"{"deviceId": "a"}"#, 200),
        (#"{"deviceId": "a", "maxDurationSec": null, "more": 1}"#, 200),
    ]) func `begin nothing that they do not understand`(body: String, status: Int) async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let answer = try await fixture.service.send(
                "POST", "/functions/v1/init-session",
                headers: [("apikey", client.key), ("Content-Type", "application/json")], body: Array(body.utf8))
            #expect(answer.status == status)
            if status != 200 { #expect(answer.json["error"]?.stringValue?.isEmpty == false) }
        }
    }

    @Test func `let nobody in with a token that is not good, and nobody with the service key`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let service = try await fixture.service.apiKey(.service)
            for bearer in ["nonsense", try fixture.service.token(for: fixture.user)] {
                let answer = try await client.send(
                    "POST", "/functions/v1/init-session", bearer: bearer, json: ["deviceId": "a"])
                #expect(answer.status == 401 && answer.json["error"]?.stringValue?.isEmpty == false)
            }
            let answer = try await fixture.service.send(
                "POST", "/functions/v1/init-session", headers: [("Authorization", "Bearer \(service)")],
                json: ["deviceId": "a"])
            #expect(answer.status == 403 && answer.code == "user_needed")
        }
    }

    @Test func `ask for no confirmed address, which the native API does`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let token = try fixture.service.compatibleToken(for: fixture.user, isEmailVerified: false)
            for _ in 1...2 {
                let answer = try await client.send(
                    "POST", "/functions/v1/init-session", bearer: token, json: ["deviceId": "a phone"])
                #expect(answer.status == 200)
            }
            let native = try fixture.service.token(for: fixture.user, kind: .user, isEmailVerified: false)
            let answer = try await fixture.service.send(
                "POST", "/v1/sessions", headers: [("Authorization", "Bearer \(native)"), ("Idempotency-Key", "k")],
                json: SessionsFixture.wish)
            #expect(answer.status == 403 && answer.code == "address-unconfirmed")
        }
    }

    @Test func `begin ten in an hour`() async throws {
        try await withSessions(["NETWORK_ANALYSES": "1000"]) { fixture in
            let client = try await CompatibleClient(fixture)
            for user in [fixture.user, nil] {
                for _ in 1...10 { #expect(try await client.begin(as: user).status == 200) }
                let more = try await client.begin(as: user)
                #expect(more.status == 429 && more.code == "rate_limited" && more.json["remaining"] == 0)
                #expect(more.json["error"] == "Rate limit exceeded. Please try again in a few minutes.")
            }
            #expect(try await client.begin(device: "another").status == 200)
            // When the first of them is an hour ago there is one more, and one only.
            _ = try await fixture.service.administrator.query(
                "update session_inits set begun[1] = begun[1] - interval '1 hour' where owner_id = $1",
                [.uuid(fixture.user)])
            #expect(try await client.begin(as: fixture.user).status == 200)
            #expect(try await client.begin(as: fixture.user).status == 429)
        }
    }

    @Test func `take a new session for one whose video never came`() async throws {
        try await withSessions(["QUOTA_WAIT": "20s"]) { fixture in
            let client = try await CompatibleClient(fixture)
            let first = UUID.v4()
            try await fixture.place(first, of: fixture.user, isAnnounced: false)
            try await fixture.admit(first)
            let beginning = Loop.task { try await client.begin(as: fixture.user) }
            let refused = try await fixture.next(after: [first])
            try await fixture.service.deliver(
                QuotaRefused(
                    SessionIdentity(sessionId: refused, ownerId: fixture.user, kind: .mirrormate),
                    QuotaDenial(
                        code: .sessionOpen, resetsAt: .now() + .seconds(3_600),
                        heldBy: HeldBy(sessionId: first, expiresAt: .now() + .seconds(3_600)))))
            let second = try await fixture.next(after: [first, refused])
            try await fixture.admit(second)
            let answer = try await beginning.value
            #expect(answer.status == 200 && answer.json["sessionId"] == .uuid(second))
            #expect(try await fixture.read(first)["status"] == "cancelled")
            // It counts once.
            #expect(try await fixture.service.count("select cardinality(begun) from session_inits") == 1)
        }
    }

    @Test(arguments: ["sending", "sent"])
    func `leave the place to a session whose video is on its way, whoever asks`(state: String) async throws {
        try await withSessions(["QUOTA_WAIT": "20s"]) { fixture in
            let client = try await CompatibleClient(fixture)
            let first = UUID.v4()
            try await fixture.place(first, of: fixture.user)
            try await fixture.admit(first)
            if state == "sent" {
                #expect(try await fixture.upload(first).status == 200)
            } else {
                _ = try await fixture.service.administrator.query(
                    """
                    insert into upload_turns (session_id, owner_id, holder, size_bytes, expires_at)
                    values ($1, $2, $3, 1, now() + interval '1 hour')
                    """, [.uuid(first), .uuid(fixture.user), .uuid(.v4())])
            }
            let beginning = Loop.task { try await client.begin(as: fixture.user) }
            let refused = try await fixture.next(after: [first])
            try await fixture.service.deliver(
                QuotaRefused(
                    SessionIdentity(sessionId: refused, ownerId: fixture.user, kind: .mirrormate),
                    QuotaDenial(
                        code: .sessionOpen, resetsAt: .now() + .seconds(3_600),
                        heldBy: HeldBy(sessionId: first, expiresAt: .now() + .seconds(3_600)))))
            let answer = try await beginning.value
            #expect(answer.status == 429 && answer.code == "session_open")
            #expect(try await fixture.read(first)["status"] == "awaitingUpload")
        }
    }

    @Test func `let a session give way whose video came and was left lying`() throws {
        let identity = SessionIdentity(sessionId: .v4(), ownerId: .v7(), kind: .mirrormate)
        let creation = SessionCreation(
            timeZone: "UTC", createdAt: .epoch, expiresAt: .epoch, contentType: "video/mp4", contentLength: 1)
        let media = MediaReference(
            key: "media/a", sha256: String(repeating: "a", count: 64), sizeBytes: 1, contentType: "video/mp4")
        let (waiting, sent) = (
            Session.open(identity, creation, upload: nil, uploads: 0),
            Session.open(identity, creation, upload: media, uploads: 1)
        )
        #expect(CompatibleSession.givesWay(.queued(identity, creation), unchangedFor: .zero))
        #expect(CompatibleSession.givesWay(waiting, unchangedFor: .zero))
        #expect(!CompatibleSession.givesWay(sent, unchangedFor: .seconds(14)))
        #expect(CompatibleSession.givesWay(sent, unchangedFor: .seconds(15)))
        #expect(!CompatibleSession.givesWay(.gone, unchangedFor: .seconds(900)))
    }

    @Test func `say that the quota is used up, by a code of its own`() async throws {
        try await withSessions(["QUOTA_WAIT": "20s"]) { fixture in
            let client = try await CompatibleClient(fixture)
            let beginning = Loop.task { try await client.begin(as: fixture.user) }
            let id = try await fixture.next(after: [])
            try await fixture.service.deliver(
                QuotaRefused(
                    SessionIdentity(sessionId: id, ownerId: fixture.user, kind: .mirrormate),
                    QuotaDenial(code: .quotaExceeded, resetsAt: .now() + .seconds(3_600))))
            let answer = try await beginning.value
            #expect(answer.status == 429 && answer.code == "quota_exceeded" && answer.json["remaining"] == 0)
            #expect(answer.json["resetsAt"]?.stringValue?.hasSuffix("Z") == true)
            #expect(answer.header("retry-after") != nil)
            // A refused session is no session that waits: the app stops asking.
            let rows = try await client.rows("sessions", [("id", "eq.\(id)")], as: fixture.user)
            #expect(rows?.first?["status"] == "error")
            #expect(rows?.first?["error_message"]?.stringValue?.contains("used up") == true)
        }
    }

    @Test func `finalize once, for the owner and whoever knows the id, and answer repeats with the status`()
        async throws
    {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            for user in [fixture.user, nil] {
                let id = UUID.v4()
                try await fixture.place(id, of: fixture.user)
                try await fixture.admit(id)
                func finalize(as user: UUID?) async throws -> Answer {
                    try await client.send(
                        "POST", "/functions/v1/finalize-session", as: user,
                        json: ["sessionId": .string(id.description.uppercased())])
                }
                let early = try await finalize(as: user)
                #expect(early.status == 409 && early.json["error"]?.stringValue?.isEmpty == false)
                #expect(try await fixture.upload(id).status == 200)
                let stranger = try await finalize(as: .v7())
                #expect(stranger.status == 404)
                let first = try await finalize(as: user)
                #expect(first.status == 200 && first.json == ["status": "queued"])
                let events = try await fixture.service.context.store.read(Session.stream(id)).count
                let second = try await finalize(as: user)
                #expect(second.status == 200 && second.json == ["status": "processing"])
                #expect(try await fixture.service.context.store.read(Session.stream(id)).count == events)
                try await fixture.put(.cancel(by: fixture.user), on: id, of: fixture.user)
                #expect(try await finalize(as: user).status == 409)
            }
        }
    }

    @Test func `finalize nothing that is not there, is older than an hour, or was begun natively`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let old = UUID.v4()
            try await fixture.place(old, of: fixture.user, createdAt: .now() - .seconds(3_601))
            let native = try await fixture.create()
            for id in [old, native, .v4()] {
                let answer = try await client.send(
                    "POST", "/functions/v1/finalize-session", json: ["sessionId": .uuid(id)])
                #expect(answer.status == 404 && answer.json["error"] == "There is no such session.")
            }
            for body: JSONValue in [[:], ["sessionId": "x"], ["sessionId": 7]] {
                #expect(try await client.send("POST", "/functions/v1/finalize-session", json: body).status == 400)
            }
        }
    }

    @Test func `tell in their own form that a query cannot be read`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            for query in ["a=%00", "a=%zz", "a=%ff"] {
                let answer = try await fixture.service.send(
                    "POST", "/functions/v1/init-session?\(query)",
                    headers: [("apikey", client.key), ("Origin", "https://example.org")], body: Array("{}".utf8))
                #expect(answer.status == 400 && answer.json["error"]?.stringValue?.isEmpty == false, "\(query)")
                #expect(answer.header("access-control-allow-origin") == "*")
                let rows = try await fixture.service.send(
                    "GET", "/rest/v1/sessions?\(query)", headers: [("apikey", client.key)])
                #expect(rows.status == 400 && rows.code == "PGRST100" && rows.json["details"] == .null)
                let object = try await fixture.service.send("GET", "/storage/v1/object/videos/a.mp4?\(query)")
                #expect(object.status == 400 && object.json["statusCode"] == "400")
                // The native API's own form is as it was.
                let native = try await fixture.service.send("GET", "/v1/sessions?\(query)")
                #expect(native.status == 400 && native.code == "malformed-request")
                #expect(native.header("content-type") == "application/problem+json")
            }
        }
    }

    @Test func `are no others`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let none = try await client.send("POST", "/functions/v1/another", json: [:])
            #expect(none.status == 404 && none.json["error"]?.stringValue?.isEmpty == false)
        }
    }

    @Test func `may be called by pages of other origins`() async throws {
        try await withSessions { fixture in
            for path in ["/functions/v1/init-session", "/rest/v1/sessions"] {
                let asked = try await fixture.service.send(
                    "OPTIONS", path,
                    headers: [("Origin", "https://example.org"), ("Access-Control-Request-Method", "POST")])
                #expect([200, 204].contains(asked.status))
                #expect(asked.header("access-control-allow-origin") == "*")
                #expect(asked.header("access-control-allow-headers")?.contains("apikey") == true)
            }
        }
    }

    @Test func `do nothing for nobody where an operator says so`() async throws {
        try await withSessions(["COMPATIBLE_ANONYMOUS_READS": "false"]) { fixture in
            let client = try await CompatibleClient(fixture)
            #expect(try await client.begin().status == 401)
            let id = try #require(UUID(try await client.begin(as: fixture.user).json.string("sessionId")))
            #expect(try await client.rows("sessions", [("id", "eq.\(id)")]) == [])
            #expect(try await client.rows("sessions", [("id", "eq.\(id)")], as: fixture.user)?.count == 1)
            let finalize = try await client.send(
                "POST", "/functions/v1/finalize-session", json: ["sessionId": .uuid(id)])
            #expect(finalize.status == 404)
        }
    }

    @Test func `leave no session of nobody behind`() async throws {
        try await withSessions { fixture in
            let nobody = try #require(UUID.v8([UInt8](repeating: 7, count: 16)))
            let over = Timestamp.now() - .seconds(3_601)
            let (old, new, owned) = (UUID.v4(), UUID.v4(), UUID.v4())
            for (id, owner, at) in [(old, nobody, over), (new, nobody, .now()), (owned, fixture.user, over)] {
                try await fixture.place(id, of: owner, createdAt: at)
                try await fixture.put(.cancel(by: owner), on: id, of: owner)
            }
            #expect(try await fixture.eventually { try await fixture.owner(of: old) == nil })
            #expect(try await fixture.owner(of: new) == nobody)
            #expect(try await fixture.owner(of: owned) == fixture.user)
        }
    }
}

extension SessionsFixture {
    /// The session that is created next to those that are known.
    func next(after known: [UUID]) async throws -> UUID {
        while true {
            for event in try await service.context.store.readLog(after: 0, limit: 1_000)
            where event.type.name == "SessionCreated" {
                if let id = event.stream.id, !known.contains(id) { return id }
            }
            try await Loop.sleep(for: .milliseconds(5))
        }
    }
}
