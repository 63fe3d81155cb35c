import Configuration
import Contracts
import Crypto
import EventConsumer
import EventSourcing
import EventStore
import Glibc
import HTTPClient
import HTTPServer
import JSON
import ObjectStorage
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import Uploads

@testable import sessions

extension SessionsFixture {
    /// Chooses for how many days recordings are kept.
    @discardableResult
    func choose(_ days: Int64) async throws -> Answer {
        try await service.send("PUT", "/v1/retention", as: user, json: ["keepMediaDays": .int(days)])
    }

    /// A session whose upload is sealed.
    func finalized(_ bytes: [UInt8] = SessionsFixture.video) async throws -> UUID {
        var wish = SessionsFixture.wish.objectValue!
        wish["contentLength"] = .int(Int64(bytes.count))
        let id = try await create(.object(wish))
        try await admit(id)
        #expect(try await upload(id, bytes).status == 200)
        #expect(try await service.send("POST", "/v1/sessions/\(id)/finalize", as: user).status == 202)
        return id
    }

    /// A session whose report is ready.
    func completed(_ bytes: [UInt8] = SessionsFixture.video) async throws -> UUID {
        let id = try await finalized(bytes)
        try await service.deliver(
            ReportReady(SessionReference(sessionId: id, ownerId: user), reportId: .v7()))
        return id
    }

    /// Whether and until when a session says that its recording is kept.
    func media(_ id: UUID) async throws -> (kept: Bool?, until: Timestamp?) {
        let media = try await read(id)["media"]
        return (media?["kept"]?.boolValue, media?["until"]?.stringValue.flatMap { Timestamp(rfc3339: $0) })
    }

    /// The path of the signed address of a session's recording.
    func mediaPath(_ id: UUID) async throws -> String {
        let answer = try await service.send("GET", "/v1/sessions/\(id)/media-url", as: user)
        #expect(answer.status == 200 && answer.header("cache-control") == "no-store")
        return (answer.json["url"]?.stringValue ?? "").replacing("http://127.0.0.1/", with: "/")
    }

    func fetch(_ path: String, _ headers: [(String, String)] = [], method: String = "GET") async throws -> Answer {
        try await service.send(method, path, headers: headers)
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `A kept recording` {
    @Test(arguments: Storage.there)
    func `is served as a whole and in ranges to whoever has its address`(storage: Storage) async throws {
        try await withSessions(on: storage) { fixture in
            // More than one piece.
            let video = SessionsFixture.video + (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try await fixture.choose(7)
            let id = try await fixture.completed(video)
            #expect(try await fixture.media(id).kept == true)
            let path = try await fixture.mediaPath(id)
            let whole = try await fixture.fetch(path)
            #expect(whole.status == 200 && whole.body == video)
            let tag = try #require(whole.header("etag"))
            #expect(tag == "\"\(Hex.encode(SHA256.digest(video)))\"")
            for (name, value) in [
                ("content-type", "video/mp4"), ("content-disposition", "inline"), ("x-content-type-options", "nosniff"),
                ("cache-control", "private, no-store"), ("accept-ranges", "bytes"),
            ] {
                #expect(whole.header(name) == value, "\(name)")
            }
            let head = try await fixture.fetch(path, method: "HEAD")
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.header("content-length") == "\(video.count)" && head.header("etag") == tag)

            for (range, part) in [
                ("bytes=0-0", 0..<1), ("bytes=10-600000", 10..<600_001), ("bytes=1000000-", 1_000_000..<video.count),
                ("bytes=-5", video.count - 5..<video.count), ("bytes=5-99999999", 5..<video.count),
            ] {
                let answer = try await fixture.fetch(path, [("Range", range)])
                #expect(answer.status == 206 && answer.body == Array(video[part]), "\(range)")
                #expect(
                    answer.header("content-range")
                        == "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(video.count)")
                #expect(answer.header("etag") == tag)
            }
            let behind = try await fixture.fetch(path, [("Range", "bytes=\(video.count)-")])
            #expect(behind.status == 416 && behind.json["code"] == "range-not-satisfiable")
            #expect(behind.header("content-range") == "bytes */\(video.count)")
            // Of another state of the file, or several: the whole.
            for headers in [
                [("Range", "bytes=0-9"), ("If-Range", "\"other\"")],
                [("Range", "bytes=0-9"), ("If-Range", "W/\(tag)")],
                [("Range", "bytes=0-1,3-4")], [("Range", "pages=1-2")],
            ] {
                #expect(try await fixture.fetch(path, headers).status == 200)
            }
            #expect(try await fixture.fetch(path, [("Range", "bytes=0-9"), ("If-Range", tag)]).status == 206)
        }
    }

    @Test(arguments: Storage.there)
    func `is kept without what it says beside picture and sound, wherever that lies`(storage: Storage) async throws {
        try await withSessions(on: storage) { fixture in
            func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
                let length = UInt32(content.count + 8)
                return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + Array(type.utf8) + content
            }
            func film(_ count: Int) -> [UInt8] { box("mdat", [UInt8](repeating: 7, count: count - 8)) }
            // Of the pieces of half a mebibyte in which it is written anew the first has both kinds, one lies across the first and
            // the second, and one fills the third.
            let parts = [
                ("ftyp", box("ftyp", Array("isom".utf8))), ("free", box("free", [1, 2, 3])), ("mdat", film(520_000)),
                ("free", box("free", [UInt8](repeating: 1, count: 10_000))), ("mdat", film(500_000)),
                ("free", box("free", [UInt8](repeating: 2, count: 1_100_000))), ("mdat", film(1_000)),
            ]
            let video = parts.flatMap { $0.1 }
            let expected = parts.flatMap { type, bytes in
                type == "free" ? box("free", [UInt8](repeating: 0, count: bytes.count - 8)) : bytes
            }
            try await fixture.choose(7)
            let answer = try await fixture.fetch(fixture.mediaPath(fixture.completed(video)))
            #expect(answer.status == 200 && answer.body == expected)
            #expect(answer.header("etag") == "\"\(Hex.encode(SHA256.digest(expected)))\"")
        }
    }

    @Test func `is kept for as long as was chosen when its session ended, whatever is chosen before and after`()
        async throws
    {
        try await withSessions { fixture in
            try await fixture.choose(30)
            let id = try await fixture.finalized()
            try await fixture.choose(3)
            try await fixture.service.deliver(
                ReportReady(SessionReference(sessionId: id, ownerId: fixture.user), reportId: .v7()))
            let until = try #require(try await fixture.media(id).until)
            #expect(abs((until - .now()).components.seconds - 3 * 86_400) < 60)
            // Nothing grows longer.
            try await fixture.choose(30)
            #expect(
                try await fixture.eventually {
                    let list = try await fixture.service.send("GET", "/v1/sessions", as: fixture.user)
                    return list.json["items"]?.arrayValue?.first?["media"] == ["kept": true, "until": .time(until)]
                })
            #expect(try await fixture.media(id).until == until)
        }
    }

    @Test func `is not there without a choice, or where the operator allows none`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.completed()
            #expect(try await fixture.media(id).kept == false)
            let address = try await fixture.service.send("GET", "/v1/sessions/\(id)/media-url", as: fixture.user)
            #expect(address.status == 404 && address.json["code"] == "media-not-kept")
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
        }
        try await withSessions(["MEDIA_RETENTION_MAX_DAYS": "0"]) { fixture in
            let refused = try await fixture.choose(1)
            #expect(refused.status == 422 && refused.json["code"] == "retention-too-long")
            #expect(refused.json["mostMediaDays"] == 0)
            let id = try await fixture.completed()
            #expect(try await fixture.media(id).kept == false)
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
        }
    }

    @Test(arguments: Storage.there)
    func `goes when its time is over, and its session says so`(storage: Storage) async throws {
        try await withSessions(["MEDIA_RETENTION_DAY": "5s"], on: storage) { fixture in
            try await fixture.choose(1)
            let id = try await fixture.completed()
            let path = try await fixture.mediaPath(id)
            #expect(try await fixture.objects().count == 1)
            #expect(try await fixture.eventually { try await fixture.media(id).kept == false })
            let answer = try await fixture.fetch(path)
            #expect(answer.status == 403 || answer.status == 404)
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
            #expect(
                try await fixture.eventually {
                    try await fixture.service.count("select count(*) from object_intents") == 0
                })
            let events = try await fixture.service.store.read(Session.stream(id)).map(\.type.name)
            #expect(events.suffix(3) == ["SessionCompleted", "MediaKept", "MediaRemoved"])
        }
    }

    @Test func `is not given out once its time is over, when nobody has noticed that yet`() async throws {
        let folder = TemporaryFolder()
        let variables = [
            "OBJECT_STORE": "file://\(folder.path)", "UPLOAD_KEY": "an upload key of at least 16 characters",
        ]
        try await withService(SessionsService.self, variables) { service in
            let owner = UUID.v7()
            for (seconds, status) in [(60 as Int64, 200), (-1, 404)] {
                let id = UUID.v7()
                let now = Timestamp.now()
                let session = SessionIdentity(sessionId: id, ownerId: owner, kind: .mirrormate)
                let media = MediaReference(
                    key: "uploads/\(id)", sha256: String(repeating: "ab", count: 32), sizeBytes: 10,
                    contentType: "video/mp4")
                let creation = SessionCreation(
                    timeZone: "UTC", createdAt: now, expiresAt: now + .seconds(900), contentType: "video/mp4",
                    contentLength: 10)
                let reserved = QuotaReserved(
                    session, plan: .free, limit: 1, used: 0, reserved: 1, windowEndsAt: now + .seconds(900))
                let ready = ReportReady(session.reference, reportId: .v7())
                let period = MediaPeriod(since: now + .seconds(-60), until: now + .seconds(seconds))
                for command: SessionCommand in [
                    .create(session, creation), .quotaReserved(reserved), .storeUpload(by: owner, media),
                    .finalize(by: owner, uploaded: media.key, sealed: "media/\(id)", deadline: now + .seconds(900)),
                    .reportReady(ready, keeping: period),
                ] {
                    _ = try await CommandHandler<Session>(service.store).handle(
                        command, on: Session.stream(id), id: .v7(), requestHash: [],
                        metadata: EventMetadata(owner: owner, correlation: .v7(), actor: "test"))
                }
                let answer = try await service.send("GET", "/v1/sessions/\(id)/media-url", as: owner)
                #expect(answer.status == status)
                // Until then its bytes are asked for, which are not there.
                guard let url = answer.json["url"]?.stringValue else { continue }
                let fetched = try await service.send("GET", url.replacing("http://127.0.0.1/", with: "/"))
                #expect(fetched.status == 404 && fetched.json["code"] == "media-not-kept")
            }
        }
    }

    @Test func `goes by the sweeper alone, when nothing else notices that its time is over`() async throws {
        try await withSessions { fixture in
            try await fixture.choose(7)
            _ = try await fixture.completed()
            let key = try #require(try await fixture.objects().first)
            let store = fixture.service.store
            try await store.append(
                Append(
                    id: .v7(), requestHash: [],
                    metadata: EventMetadata(owner: fixture.user, correlation: .v7(), actor: "test"), writes: [],
                    calls: [KitRows.keepObjectUntil(key, .now() + .seconds(-1))]))
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
        }
    }

    @Test func `goes with a smaller choice, as far as that does not keep it`() async throws {
        try await withSessions { fixture in
            try await fixture.choose(30)
            let id = try await fixture.completed()
            let before = try #require(try await fixture.media(id).until)
            _ = try await fixture.service.administrator.query(
                "update media_choices set chosen_at = now() - interval '1 day'")
            try await fixture.choose(2)
            #expect(
                try await fixture.eventually {
                    try await fixture.media(id).until == before + .seconds(-28 * 86_400)
                })
            #expect(try await fixture.fetch(fixture.mediaPath(id)).status == 200)
            try await fixture.choose(0)
            #expect(try await fixture.eventually { try await fixture.media(id).kept == false })
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
        }
    }

    /// As where the list was folded more than an hour late, or with another limit than the one under which it was kept.
    @Test(arguments: [("keep_days = 2", 30), ("keep_days = 30", 2)] as [(String, Int64)])
    func `goes with a choice or a limit that counts for long, which the service sees when it starts`(
        choice: String, limit: Int64
    ) async throws {
        try await withSessions(background: false) { fixture in
            try await fixture.choose(30)
            let id = try await fixture.completed()
            let before = try #require(try await fixture.media(id).until)
            try await fixture.service.foldAll()
            _ = try await fixture.service.administrator.query(
                "update media_choices set \(choice), chosen_at = now() - interval '2 hours'")
            let soon = "select count(*) from overdue_media(\(limit), interval '1 day')"
            #expect(try await fixture.service.count(soon) == 0)
            let settings = RetentionSettings(Environment(["MEDIA_RETENTION_MAX_DAYS": "\(limit)"]))
            try await SessionsService.mediaLimitsClock(fixture.service.store, settings).look()
            #expect(try await fixture.media(id).until == before + .seconds(-28 * 86_400))
            try await fixture.service.foldAll()
            #expect(
                try await fixture.service.count("select count(*) from overlong_media(\(limit), interval '1 day')") == 0)
        }
    }

    @Test func `is no longer looked at than its time needs, however many are kept`() async throws {
        try await withSessions(background: false) { fixture in
            _ = try await fixture.create()
            try await fixture.service.foldAll()
            let connection = try await PostgresConnection.open(fixture.service.administratorSettings)
            defer { connection.close() }
            try await connection.script(
                """
                update session_list set media_since = now(), media_until = now() + interval '20 days';
                insert into session_list
                    select (json_populate_record(s, json_build_object('key', gen_random_uuid(), 'owner_id', gen_random_uuid()))).*
                    from session_list s, generate_series(1, 20000);
                analyze session_list;
                insert into media_choices (owner_id, keep_days) select owner_id, 20 from session_list limit 1;
                analyze media_choices;
                """)
            let plan = try await fixture.service.store.pool.query(
                "explain select * from overdue_media(30, interval '1 day')"
            ).rows.map { $0.text(0) }.joined(separator: "\n")
            #expect(plan.contains("session_list_media_until") && !plan.contains("Seq Scan on session_list"), "\(plan)")
        }
    }

    @Test func `goes with its session, and with its owner`() async throws {
        try await withSessions { fixture in
            try await fixture.choose(30)
            let deleted = try await fixture.completed()
            let path = try await fixture.mediaPath(deleted)
            #expect(try await fixture.fetch(path).status == 200)
            #expect(try await fixture.service.send("DELETE", "/v1/sessions/\(deleted)", as: fixture.user).status == 204)
            #expect(try await fixture.fetch(path).status == 404)
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })

            _ = try await fixture.completed()
            #expect(try await fixture.objects().count == 1)
            #expect(try await fixture.service.count("select count(*) from media_choices") == 1)
            try await fixture.service.deliver(UserErased(userId: fixture.user))
            #expect(try await fixture.objects().isEmpty)
            #expect(try await fixture.service.count("select count(*) from media_choices") == 0)
        }
    }

    @Test func `is gone at once with every other ending`() async throws {
        try await withSessions { fixture in
            try await fixture.choose(30)
            let id = try await fixture.finalized()
            try await fixture.service.deliver(
                ReportFailed(
                    SessionReference(sessionId: id, ownerId: fixture.user), code: FailureCode(rawValue: "no-report")))
            #expect(try await fixture.media(id).kept == false)
            let cancelled = try await fixture.finalized()
            _ = try await fixture.service.send("POST", "/v1/sessions/\(cancelled)/cancel", as: fixture.user)
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
        }
    }

    @Test func `is nobody's who has no address, a changed one or one that is over`() async throws {
        try await withSessions { fixture in
            try await fixture.choose(7)
            let id = try await fixture.completed()
            let path = try await fixture.mediaPath(id)
            let stranger = try await fixture.service.send("GET", "/v1/sessions/\(id)/media-url", as: .v7())
            #expect(stranger.status == 404 && stranger.json["code"] == "not-found")
            var changed = [
                "/v1/media/\(id)", path.replacing("signature=", with: "signature=A"),
                path.replacing("expires=", with: "expires=9"),
            ]
            // Good for this session alone, and no address of uploads.
            changed.append(path.replacing(id.description, with: UUID.v7().description))
            for other in changed {
                let answer = try await fixture.fetch(other)
                #expect(answer.status == 403 && answer.json["code"] == "media-address-invalid", "\(other)")
            }
            let put = try await fixture.service.send(
                "PUT", path.replacing("/v1/media/", with: "/v1/uploads/"), body: SessionsFixture.video)
            #expect(put.status == 403)
        }
        try await withSessions(["MEDIA_ADDRESS_LIFETIME": "0s"]) { fixture in
            try await fixture.choose(7)
            let path = try await fixture.mediaPath(fixture.completed())
            let answer = try await fixture.fetch(path)
            #expect(answer.status == 403 && answer.json["code"] == "media-address-expired")
        }
    }

    @Test func `is answered with 503 while the store is away`() async throws {
        try await withSessions { fixture in
            try await fixture.choose(7)
            let path = try await fixture.mediaPath(fixture.completed())
            await fixture.service.context.store.close()
            let answer = try await fixture.fetch(path)
            #expect(answer.status == 503 && answer.json["code"] == "temporarily-unavailable")
        }
    }

    @Test func `is broken off when its fetching takes longer than it may, and is fetched on from there`() async throws {
        try await withSessions(["MEDIA_DOWNLOADS_PER_USER": "1", "MEDIA_DOWNLOAD_TIME": "300ms"]) { fixture in
            // More than fits between here and a client that does not read.
            let video = SessionsFixture.video + [UInt8](repeating: 9, count: 24 << 20)
            try await fixture.choose(7)
            let path = try await fixture.mediaPath(fixture.completed(video))
            let slow = try await HTTPClient.shared.stream(HTTPClientRequest("GET", fixture.service.url + path))
            #expect(slow.status == 200)
            // Its place is free again, though it has read nothing yet.
            #expect(
                try await fixture.eventually { try await fixture.fetch(path, [("Range", "bytes=0-1")]).status == 206 })
            var count = 0
            var isWhole = true
            do { while let bytes = try await slow.next() { count += bytes.count } } catch { isWhole = false }
            #expect(!isWhole && count < video.count)
            let tag = try #require(slow.headers.first { $0.name.lowercased() == "etag" }?.value)
            let rest = try await fixture.fetch(path, [("Range", "bytes=\(count)-\(count + 9)"), ("If-Range", tag)])
            #expect(rest.status == 206 && rest.body == Array(video[count..<count + 10]))
        }
    }

    @Test(arguments: ["MEDIA_DOWNLOADS_PER_USER", "MEDIA_DOWNLOADS_PER_ADDRESS"])
    func `is refused with 429 while as many are sent as may be`(limit: String) async throws {
        try await withSessions([limit: "1"]) { fixture in
            // More than fits between here and a client that does not read.
            let video = SessionsFixture.video + [UInt8](repeating: 9, count: 24 << 20)
            try await fixture.choose(7)
            let path = try await fixture.mediaPath(fixture.completed(video))
            let slow = try await HTTPClient.shared.stream(
                HTTPClientRequest("GET", fixture.service.url + path))
            #expect(slow.status == 200)
            let refused = try await fixture.fetch(path, [("Range", "bytes=0-1")])
            #expect(refused.status == 429 && refused.json["code"] == "too-many-downloads")
            #expect(refused.header("retry-after") == "10")
            while try await slow.next() != nil {}
            #expect(
                try await fixture.eventually { try await fixture.fetch(path, [("Range", "bytes=0-1")]).status == 206 })
        }
    }
}

/// What was said of recordings after the backup, decided again by the restored service.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A recording after a restore` {
    private func decideAgain(
        _ fixture: SessionsFixture, _ said: some PublishedMessage, at moment: Timestamp = .now()
    ) async throws -> Bool {
        let messages = [try fixture.service.topic.message(Outgoing(said), at: moment)]
        let isDecided = try await pass(fixture, messages) == [true]
        // The confirmation may be repeated.
        #expect(try await pass(fixture, messages) == [false])
        return isDecided
    }

    /// One confirmation over messages; whether something was decided for each.
    private func pass(
        _ fixture: SessionsFixture, _ messages: [ReceivedMessage], _ variables: [String: String] = [:]
    ) async throws -> [Bool] {
        let decideAgain = try SessionsService.decidingAgain(
            fixture.service.context.store, Environment(variables))
        var decided: [Bool] = []
        for message in messages { decided.append(try await decideAgain(message)) }
        return decided
    }

    /// What is said of a session that was created and completed after the backup.
    private func lifetime(
        of id: UUID, _ fixture: SessionsFixture, at moment: Timestamp, days: Int64, removedAt end: Timestamp
    ) throws -> [ReceivedMessage] {
        let session = SessionIdentity(sessionId: id, ownerId: fixture.user, kind: .mirrormate)
        let created = SessionCreated(
            session, timeZone: "UTC", createdAt: moment, expiresAt: moment.adding(seconds: 3_600))
        return [
            try fixture.service.topic.message(Outgoing(created), at: moment),
            try fixture.service.topic.message(
                Outgoing(MediaKept(session.reference, until: moment.adding(seconds: days * 86_400))), at: moment),
            try fixture.service.topic.message(Outgoing(MediaRemoved(session.reference)), at: end),
        ]
    }

    /// A file of kinds whose recordings are kept for a day at most.
    private func kinds(in folder: TemporaryFolder) throws -> String {
        let path = "\(folder.path)/kinds.json"
        let file = try #require(fopen(path, "w"))
        fputs(
            """
            {"version": 1, "kinds": {"mirrormate": {"upload": {"mediaTypes": ["video/mp4"], "keptDays": 1}}}}
            """, file)
        fclose(file)
        return path
    }

    private func choice(_ fixture: SessionsFixture) async throws -> JSONValue? {
        try await fixture.service.send("GET", "/v1/retention", as: fixture.user).json["keepMediaDays"]
    }

    private func reference(_ id: UUID, _ fixture: SessionsFixture) -> SessionReference {
        SessionReference(sessionId: id, ownerId: fixture.user)
    }

    @Test func `stays removed, with the smaller choice that had removed it`() async throws {
        try await withSessions { fixture in
            try await fixture.choose(7)
            let id = try await fixture.completed()
            let path = try await fixture.mediaPath(id)
            #expect(try await decideAgain(fixture, MediaRemoved(reference(id, fixture))))
            #expect(try await fixture.media(id).kept == false)
            #expect(try await fixture.fetch(path).status == 404)
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
            #expect(try await choice(fixture) == 0)
        }
    }

    @Test func `stays removed when its time was over, and takes no choice away`() async throws {
        try await withSessions { fixture in
            try await fixture.choose(7)
            let id = try await fixture.completed()
            let until = try #require(try await fixture.media(id).until)
            try await fixture.choose(30)
            #expect(try await decideAgain(fixture, MediaRemoved(reference(id, fixture)), at: until))
            #expect(try await fixture.media(id).kept == false)
            #expect(try await choice(fixture) == 30)
        }
    }

    @Test func `is kept for as long as it was by the smaller choice, which counts again`() async throws {
        try await withSessions { fixture in
            try await fixture.choose(7)
            let id = try await fixture.completed()
            let until = try #require(try await fixture.media(id).until)
            // Said before the backup, too.
            #expect(try await !decideAgain(fixture, MediaKept(reference(id, fixture), until: until)))
            let nearer = until - .seconds(5 * 86_400)
            #expect(try await decideAgain(fixture, MediaKept(reference(id, fixture), until: nearer)))
            #expect(try await fixture.media(id).until == nearer)
            #expect(try await choice(fixture) == 2)
        }
    }

    @Test func `of a session that is completed once more is kept for no longer than is known to be wanted`()
        async throws
    {
        try await withSessions { fixture in
            try await fixture.choose(7)
            let id = try await fixture.finalized()
            let moment = Timestamp.now()
            let (week, day) = (moment + .seconds(7 * 86_400), moment + .seconds(86_400))
            #expect(try await !decideAgain(fixture, MediaKept(reference(id, fixture), until: week), at: moment))
            #expect(try await choice(fixture) == 7)
            #expect(try await decideAgain(fixture, MediaKept(reference(id, fixture), until: day), at: moment))
            #expect(try await choice(fixture) == 1)
            #expect(try await decideAgain(fixture, MediaRemoved(reference(id, fixture))))
            #expect(try await choice(fixture) == 1)
            try await fixture.service.deliver(ReportReady(reference(id, fixture), reportId: .v7()))
            #expect(try await fixture.media(id).kept == false)
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
        }
    }

    @Test func `that a later choice keeps is not taken away by a second restore`() async throws {
        try await withSessions { fixture in
            try await fixture.choose(30)
            let start = Timestamp.now()
            // Both were taken away before their time, by the same choice.
            let said =
                try lifetime(of: .v7(), fixture, at: start, days: 30, removedAt: .now())
                + lifetime(of: .v7(), fixture, at: start, days: 30, removedAt: .now())
            #expect(try await pass(fixture, said) == [false, false, true, false, false, false])
            #expect(try await choice(fixture) == 0)
            // The second one had nothing left to decide.
            try await fixture.choose(30)
            let id = try await fixture.completed()
            #expect(try await pass(fixture, said).allSatisfy { !$0 })
            #expect(try await choice(fixture) == 30)
            #expect(try await fixture.media(id).kept == true)
        }
    }

    @Test func `of a kind with a limit of its own stays removed, and takes no choice for other kinds away`()
        async throws
    {
        let folder = TemporaryFolder()
        let variables = ["KINDS_FILE": try kinds(in: folder)]
        try await withSessions(variables) { fixture in
            try await fixture.choose(30)
            let id = try await fixture.finalized()
            let start = Timestamp.now()
            let end = start.adding(seconds: 86_400)
            // One that is not known here, and one that was being worked on when the backup was made.
            let said =
                try lifetime(of: .v7(), fixture, at: start, days: 1, removedAt: end)
                + lifetime(of: id, fixture, at: start, days: 1, removedAt: end).dropFirst()
            #expect(try await pass(fixture, said, variables) == [false, false, false, false, true])
            #expect(try await pass(fixture, said, variables).allSatisfy { !$0 })
            #expect(try await choice(fixture) == 30)
            try await fixture.service.deliver(ReportReady(reference(id, fixture), reportId: .v7()))
            #expect(try await fixture.media(id).kept == false)
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
        }
        withExtendedLifetime(folder) {}
    }

    @Test func `of a session that was completed once more is not shortened by what was said of it before`()
        async throws
    {
        try await withSessions { fixture in
            try await fixture.choose(30)
            let id = try await fixture.finalized()
            let moment = Timestamp.now()
            let week = MediaKept(reference(id, fixture), until: moment.adding(seconds: 7 * 86_400))
            let said = [try fixture.service.topic.message(Outgoing(week), at: moment)]
            #expect(try await pass(fixture, said) == [true])
            #expect(try await choice(fixture) == 7)
            try await fixture.choose(30)
            try await fixture.service.deliver(ReportReady(reference(id, fixture), reportId: .v7()))
            let until = try #require(try await fixture.media(id).until)
            #expect(until > moment.adding(seconds: 29 * 86_400))
            #expect(try await pass(fixture, said) == [false])
            #expect(try await choice(fixture) == 30)
            #expect(try await fixture.media(id).until == until)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `A choice about recordings` {
    @Test func `is nothing at first, is read as it was made, and knows what can be chosen`() async throws {
        try await withSessions(["MEDIA_RETENTION_MAX_DAYS": "14"]) { fixture in
            let first = try await fixture.service.send("GET", "/v1/retention", as: fixture.user)
            #expect(first.status == 200)
            #expect(
                first.json == [
                    "keepMediaDays": 0, "mostMediaDays": 14,
                    "kinds": [["kind": "mirrormate", "mostMediaDays": 14]],
                ])
            let chosen = try await fixture.choose(14)
            #expect(chosen.status == 200 && chosen.json["keepMediaDays"] == 14)
            #expect(try await fixture.service.send("GET", "/v1/retention", as: fixture.user).json == chosen.json)
            #expect(try await fixture.choose(15).json["code"] == "retention-too-long")
            #expect(try await fixture.choose(-1).json["code"] == "retention-too-long")
            let unknown = try await fixture.service.send(
                "PUT", "/v1/retention", as: fixture.user, json: ["keepMediaDays": 1, "because": "so"])
            #expect(unknown.status == 422 && unknown.json["code"] == "member-unknown")
            let malformed = try await fixture.service.send(
                "PUT", "/v1/retention", as: fixture.user, json: ["keepMediaDays": "ten"])
            #expect(malformed.status == 400 && malformed.json["code"] == "invalid-json")
        }
    }

    @Test func `for longer is refused after so many in a day, for shorter never`() async throws {
        try await withSessions { fixture in
            for day in 1...Int64(MediaRetention.dayLimit) { #expect(try await fixture.choose(day).status == 200) }
            let refused = try await fixture.choose(29)
            #expect(refused.status == 429 && refused.json["code"] == "retention-changes-used-up")
            #expect(Int(refused.header("retry-after") ?? "").map { (86_000...86_400).contains($0) } == true)
            #expect(try await fixture.choose(0).status == 200)
        }
    }
}
