import Configuration
import Contracts
import Crypto
import EventSourcing
import EventStore
import HTTPClient
import HTTPServer
import JSON
import ObjectStorage
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import reporting

/// With the test in the place of the other services: their parts are written by hand.
@Suite(.timeLimit(.minutes(10))) @Loop struct `An export of all that somebody has` {
    private let owner = UUID.v7()

    private func keeper(_ desk: Desk, through gate: (any AppendGate)? = nil) -> ExportKeeper {
        ExportKeeper(
            desk.group.context, FileObjectStore(root: desk.folder), ReportingExport(Usage(desk.group.context)),
            through: gate)
    }

    private func ask(_ desk: Desk, as user: UUID? = nil, key: String? = nil) async throws -> Answer {
        try await desk.group.send(
            "POST", "/v1/exports", as: user ?? owner, headers: key.map { [("Idempotency-Key", $0)] } ?? [], json: [:])
    }

    private func read(_ id: UUID, _ desk: Desk, as user: UUID? = nil) async throws -> Answer {
        try await desk.group.send("GET", "/v1/exports/\(id)", as: user ?? owner)
    }

    /// Writes and announces the part of another service, as that does.
    ///
    /// - Parameters:
    ///   - size: what the part says that its file has, in bytes; nil for the truth.
    ///   - sha256: what the message says of the document that names the files; nil for the truth.
    private func write(
        _ service: ServiceName, of id: UUID, _ desk: Desk, text: String = "theirs", folder: String? = nil,
        for user: UUID? = nil, size: Int64? = nil, sha256: String? = nil
    ) async throws {
        let user = user ?? owner
        let place = folder ?? "export-\(service.rawValue)/\(user)/\(id)"
        let objects = FileObjectStore(root: desk.folder)
        let bytes = Array(text.utf8)
        try await objects.write(bytes, to: "\(place)/file")
        // Nobody here looks at that of a large file, which takes long without optimization.
        let checksum = bytes.count < 1 << 20 ? Int64(CRC32.checksum(bytes)) : 0
        let index = ExportIndex.bytes([
            ExportFile(
                name: "\(service.rawValue)/all.json", key: "\(place)/file", sizeBytes: size ?? Int64(bytes.count),
                sha256: Hex.encode(SHA256.digest(bytes)), crc32: checksum)
        ])
        try await objects.write(index, to: "\(place)/index")
        let part = ExportPartWritten(
            exportId: id, ownerId: user, service: service,
            index: DocumentReference(
                key: "\(place)/index", sha256: sha256 ?? Hex.encode(SHA256.digest(index)), sizeBytes: Int64(index.count)
            ))
        try await desk.group.deliver(desk.topic.message(part.outgoing(from: service)))
    }

    /// An export of the owner with all parts; its id.
    private func ready(_ desk: Desk, text: String = "theirs") async throws -> UUID {
        let id = try await ask(desk).json.uuid("id")
        for service in [ServiceName.identity, .sessions, .quota] {
            try await write(service, of: id, desk, text: service == .sessions ? text : "theirs")
        }
        try await desk.group.foldAll()
        try await keeper(desk).look()
        return id
    }

    /// The archive's address at this server; the public one has another port.
    private func address(_ id: UUID, _ desk: Desk) async throws -> String {
        let url = try await read(id, desk).json.object("archive").string("url")
        return String(url.dropFirst("http://127.0.0.1".count))
    }

    private func objects(_ service: ServiceName, _ desk: Desk) async throws -> [String] {
        try await FileObjectStore(root: desk.folder).keys(under: "export-\(service.rawValue)/")
    }

    private func sweep(_ desk: Desk) async throws {
        let sweeper = ObjectSweeper(
            desk.group.store, FileObjectStore(root: desk.folder), log: desk.group.context.log)
        try await sweeper.sweep()
    }

    @Test func `wants somebody who has just shown who they are`() async throws {
        try await Desk.run { desk in
            let stale = try desk.group.token(for: owner, authenticatedAt: .now() - .seconds(600))
            let answer = try await desk.group.send(
                "POST", "/v1/exports", headers: [("Authorization", "Bearer \(stale)")], json: [:])
            #expect(answer.status == 401 && answer.code == "confirmation-needed")
            #expect(answer.header("www-authenticate")?.contains("insufficient_user_authentication") == true)
            #expect(try await desk.group.count("select count(*) from events") == 0)
        }
    }

    @Test func `has a line in the security log for each that was begun, which names nobody`() async throws {
        try await Desk.run { desk in
            let id = try await ask(desk, key: "a").json.uuid("id")
            _ = try await ask(desk, key: "a")
            #expect(try await ask(desk, key: "b").code == "export-open")
            let lines = try desk.group.security.read().filter { $0["event"] == "export-requested" }
            #expect(lines.count == 1)
            let line = try #require(lines.first)
            #expect(line["route"] == "/v1/exports" && line["subject"]?.stringValue?.count == 16)
            let text = JSONValue.object(line).text
            #expect(!text.contains("\(owner)") && !text.contains("\(id)"))
        }
    }

    @Test func `is ready when every service has written its part, and is fetched as one archive`() async throws {
        try await Desk.run { desk in
            _ = try await desk.written(for: owner, Desk.report("The words that were said"))
            let id = try await ready(desk)
            let found = try await read(id, desk)
            #expect(found.status == 200 && found.json["state"] == "ready")
            let archive = try await desk.group.send("GET", address(id, desk))
            #expect(archive.status == 200 && archive.header("content-type") == "application/zip")
            #expect(archive.header("content-length") == "\(archive.body.count)")
            #expect(archive.body.prefix(4) == [0x50, 0x4B, 0x03, 0x04])
            // Stored as they are, so that they can be looked for.
            let text = String(decoding: archive.body, as: UTF8.self)
            for name in [
                "README.txt", "manifest.json", "identity/all.json", "sessions/all.json", "quota/all.json",
                "reporting/reports.json", "reporting/progress.csv", "reporting/usage.schema.json",
            ] {
                #expect(text.contains(name), "\(name)")
            }
            #expect(text.contains("The words that were said") && text.contains("theirs"))
            #expect(text.contains("Software made the reports"))
            let again = try await desk.group.send("GET", address(id, desk))
            #expect(again.body == archive.body, "the same bytes each time")
            let listed = try await desk.group.send("GET", "/v1/exports", as: owner).json.array("items")
            #expect(listed.map { $0["id"] } == [.uuid(id)])
        }
    }

    /// The rows of a table of this service's own part.
    private func rows(_ name: String, of id: UUID, _ desk: Desk) async throws -> [JSONValue] {
        let objects = FileObjectStore(root: desk.folder)
        let exports = try await CommandHandler<Exports>(desk.group.store).load(Exports.stream(owner)).state
        let index = try #require(exports[id]?.parts["reporting"]?.index)
        let files = try ExportIndex.files(try await objects.read(index.key, limit: 1 << 20))
        let table = try #require(files.first { $0.name == "reporting/\(name).json" })
        return try JSONObject.parse(try await objects.read(table.key, limit: 1 << 20)).array("rows")
    }

    /// Leaves something in each table of the service; the session of the report.
    private func leaveTraces(of user: UUID, _ desk: Desk, until: Timestamp) async throws -> UUID {
        let identity = SessionIdentity(sessionId: .v7(), ownerId: user, kind: .mirrormate)
        let begun = try #require(Timestamp(rfc3339: "2026-03-01T20:00:00Z"))
        try await desk.group.deliver(
            desk.topic.message(
                SessionCreated(
                    identity, timeZone: "Asia/Tokyo", createdAt: begun, expiresAt: begun.adding(seconds: 3_600))))
        let report = Desk.report("The words that were said").adding([
            "rulesVersion": 4, "spokenLanguage": "en-GB", "scenario": "pitch", "scoreCoverage": 90,
            "engines": ["asr": "moonshine", "thresholds": "3"],
            "measures": [
                "tonalVariety": ["value": 0.5, "valid": true],
                "eyeContactPct": ["value": .null, "valid": false, "code": "too-dark"],
            ], "firstStep": ["measures": ["tonalVariety"]],
        ])
        try await desk.complete(identity.sessionId, of: user, desk.store(report))
        try await desk.group.deliver(desk.topic.message(MediaKept(identity.reference, until: until)))
        let time = PracticeTime(
            startedAt: begun, endedAt: begun.adding(seconds: 1_200), activeSeconds: 600, timeZone: "UTC",
            utcOffsetSeconds: 0)
        try await desk.group.deliver(
            desk.topic.message(
                SessionLogged(SessionIdentity(sessionId: .v7(), ownerId: user, kind: .meditation), time: time)))
        try await desk.group.foldAll()
        for (method, path, body, status) in [
            ("POST", "/v1/goals", ["measure": "tonalVariety", "atLeast": 0.7], 201),
            ("PATCH", "/v1/practice/settings", ["graceMinutes": 60], 200),
            ("POST", "/v1/reports/\(identity.sessionId)/shares", ["firstName": "Ada", "parts": ["score"]], 201),
        ] as [(String, String, JSONValue, Int)] {
            #expect(try await desk.group.send(method, path, as: user, json: body).status == status, "\(path)")
        }
        return identity.sessionId
    }

    @Test func `has what there is of its owner in each table, with what figures rest on, and nothing of others`()
        async throws
    {
        try await Desk.run { desk in
            let until = Timestamp(seconds: Timestamp.now().seconds + 3_600)
            _ = try await leaveTraces(of: .v7(), desk, until: until)
            let session = try await leaveTraces(of: owner, desk, until: until)
            let id = try await ready(desk)
            func only(_ table: String) async throws -> JSONValue {
                let found = try await rows(table, of: id, desk)
                #expect(found.count == 1, "\(table)")
                return try #require(found.first, "\(table)")
            }
            let report = try await only("reports")
            #expect(report["sessionId"] == .uuid(session) && report["madeBy"] == "software")
            #expect(report["content"]?["transcript"]?["text"] == "The words that were said")
            #expect(report["recordingKeptUntil"]?.stringValue.flatMap { Timestamp(rfc3339: $0) } == until)
            let figures = try await only("progress")
            #expect(figures["sessionId"] == .uuid(session) && figures["kind"] == "mirrormate")
            #expect(figures["timeZone"] == "Asia/Tokyo" && figures["utcOffsetSeconds"] == 32_400)
            #expect(figures["rulesVersion"] == 4 && figures["scoreCoverage"] == 90)
            #expect(figures["language"] == "en-GB" && figures["scenario"] == "pitch")
            #expect(figures["engines"] == ["asr": "moonshine", "thresholds": "3"])
            #expect(figures["exercise"] == ["tonalVariety"])
            #expect(figures["measures"]?["tonalVariety"]?["value"]?.doubleValue == 0.5)
            #expect(figures["measures"]?["eyeContactPct"] == ["valid": false, "code": "too-dark"])
            let goal = try await only("goals")
            #expect(goal["measure"] == "tonalVariety" && goal["standing"] == "open")
            #expect(goal["goal"]?["atLeast"]?.doubleValue == 0.7)
            let day = try await only("practice-days")
            #expect(day["day"] == "2026-03-01" && day["sessions"] == 1 && day["seconds"] == 600)
            #expect(try await only("streak-settings")["graceMinutes"] == 60)
            let share = try await only("shares")
            #expect(share["sessionId"] == .uuid(session) && share["card"]?["firstName"] == "Ada")
            #expect(share["views"] == 0 && share["maxViews"] == 50)
            #expect(try await rows("usage", of: id, desk).map { $0["kind"] } == ["meditation", "mirrormate"])
        }
    }

    @Test func `is begun once for each key, one at a time and few a day`() async throws {
        try await Desk.run { desk in
            let first = try await ask(desk, key: "a")
            let id = try first.json.uuid("id")
            #expect(first.status == 202 && first.header("location") == "/v1/exports/\(id)")
            #expect(try await ask(desk, key: "a").json["id"] == .uuid(id))
            #expect(try await ask(desk, key: "b").code == "export-open")
            for number in 1...Exports.dayLimit {
                let open = try await desk.group.send("GET", "/v1/exports", as: owner).json.array("items")[0]
                let path = "/v1/exports/\(open["id"]?.stringValue ?? "")"
                #expect(try await desk.group.send("DELETE", path, as: owner).status == 204)
                let next = try await ask(desk)
                if number < Exports.dayLimit {
                    #expect(next.status == 202)
                } else {
                    #expect(next.status == 429 && next.code == "exports-used-up")
                }
            }
            #expect(try await ask(desk, as: .v7()).status == 202, "others are not concerned")
        }
    }

    @Test func `is begun without a word, and is forgotten behind ten others`() async throws {
        try await Desk.run { desk in
            let wrong = try await desk.group.send("POST", "/v1/exports", as: owner, json: ["format": "json"])
            #expect(wrong.code == "member-unknown")
            let first = try await ask(desk, key: "first").json.uuid("id")
            let commands = CommandHandler<Exports>(desk.group.store)
            let metadata = EventMetadata(owner: owner, correlation: .v7(), actor: "test")
            var last = ExportIdentity(exportId: first, ownerId: owner)
            for number in 1...Int64(Exports.rememberedLimit) {
                let moment = Timestamp.now().adding(seconds: number * 86_401)
                let next = ExportIdentity(exportId: .v7(), ownerId: owner)
                let terms = ExportTerms(
                    requestedAt: moment, deadline: moment.adding(seconds: 900), lifetimeSeconds: 60)
                for command in [ExportsCommand.delete(last), .request(next, terms)] {
                    _ = try await commands.handle(
                        command, on: Exports.stream(owner), id: .v7(), requestHash: [], metadata: metadata)
                }
                last = next
            }
            #expect(try await ask(desk, key: "first").code == "not-found")
        }
    }

    @Test func `shows a stranger nothing, whatever they guess`() async throws {
        try await Desk.run { desk in
            let id = try await ready(desk)
            let stranger = UUID.v7()
            let unknown = try await read(.v7(), desk, as: stranger)
            let others = try await read(id, desk, as: stranger)
            #expect(unknown.status == 404 && others.status == 404 && others.code == unknown.code)
            #expect(try await desk.group.send("DELETE", "/v1/exports/\(id)", as: stranger).status == 404)
            let good = try await address(id, desk)
            for wrong in [
                "/v1/exports/\(id)/archive", good + "x", good.replacing("expires=", with: "expires=9"),
                good.replacing("\(id)", with: "\(UUID.v7())"),
            ] {
                let answer = try await desk.group.send("GET", wrong)
                #expect(answer.status == 404 && answer.code == "not-found", "\(wrong)")
            }
            let links = SignedLinks(
                key: desk.group.context.hashes.key(for: "addresses of exports"), publicURL: "", invalid: .notFound,
                expired: .exportAddressExpired)
            let over = links.url("GET", "/v1/exports/\(id)/archive", until: .now() + .seconds(-1))
            #expect(try await desk.group.send("GET", over).code == "export-address-expired")
            #expect(try await desk.group.send("GET", good).status == 200, "and the right one opens it")
        }
    }

    @Test func `is fetched no longer than it lasts, also before the clock has looked`() async throws {
        try await Desk.run(["EXPORT_LIFETIME": "0s"]) { desk in
            let id = try await ready(desk)
            #expect(try await desk.group.count("select count(*) from open_exports") == 1)
            let found = try await read(id, desk).json
            #expect(found["state"] == "expired" && found["archive"] == nil)
            let links = SignedLinks(
                key: desk.group.context.hashes.key(for: "addresses of exports"), publicURL: "", invalid: .notFound,
                expired: .exportAddressExpired)
            let link = links.url("GET", "/v1/exports/\(id)/archive", until: .now() + .seconds(60))
            let answer = try await desk.group.send("GET", link)
            #expect(answer.status == 404 && answer.code == "not-found")
            try await keeper(desk).look()
            #expect(try await desk.group.count("select count(*) from open_exports") == 0)
            try await sweep(desk)
            #expect(try await objects(.reporting, desk) == [])
        }
    }

    /// Begins to fetch an archive that is larger than what fits between here and a client that does not read.
    private func begin(
        _ link: String, _ desk: Desk, headers: [(name: String, value: String)] = []
    ) async throws -> HTTPClientStream {
        try await HTTPClient.shared.stream(HTTPClientRequest("GET", desk.group.first.url + link, headers: headers))
    }

    private var large: String { String(repeating: "x", count: 24 << 20) }

    @Test(
        arguments: [
            ("EXPORT_DOWNLOADS_PER_USER", "203.0.113.7", 429, "too-many-requests"),
            ("EXPORT_DOWNLOADS_PER_ADDRESS", "127.0.0.1", 429, "too-many-requests"),
            ("EXPORT_DOWNLOADS", "203.0.113.7", 503, "temporarily-unavailable"),
        ])
    func `is sent so often at once, and then again`(limit: String, from: String, status: Int, code: String) async throws
    {
        try await Desk.run([limit: "1"]) { desk in
            let link = try await address(ready(desk, text: large), desk)
            let slow = try await begin(link, desk)
            #expect(slow.status == 200)
            let headers = [(name: "X-Forwarded-For", value: from)]
            let refused = try await desk.group.send("GET", link, headers: headers)
            #expect(refused.status == status && refused.code == code && refused.header("retry-after") != nil)
            while try await slow.next() != nil {}
            #expect(
                try await desk.group.eventually {
                    try await begin(link, desk, headers: headers).status == 200
                })
        }
    }

    @Test func `is broken off when its fetching takes longer than it may`() async throws {
        try await Desk.run(["EXPORT_DOWNLOADS_PER_USER": "1", "EXPORT_DOWNLOAD_TIME": "300ms"]) { desk in
            let link = try await address(ready(desk, text: large), desk)
            let slow = try await begin(link, desk)
            #expect(slow.status == 200)
            // Its place is free again, though it has read nothing yet.
            #expect(
                try await desk.group.eventually {
                    let next = try await begin(link, desk)
                    let status = next.status
                    do { while try await next.next() != nil {} } catch {}
                    return status == 200
                })
            await #expect(throws: (any Error).self) { while try await slow.next() != nil {} }
        }
    }

    @Test func `is fetched later when the database is away`() async throws {
        try await Desk.run { desk in
            let link = try await address(ready(desk), desk)
            await desk.group.store.close()
            let answer = try await desk.group.send("GET", link)
            #expect(answer.status == 503 && answer.code == "temporarily-unavailable")
        }
    }

    @Test func `fails at its deadline, and names the services whose parts are missing`() async throws {
        try await Desk.run { desk in
            let id = try await ask(desk).json.uuid("id")
            try await write(.quota, of: id, desk)
            try await desk.group.foldAll()
            try await keeper(desk).look()
            let export = ExportIdentity(exportId: id, ownerId: owner)
            _ = try await CommandHandler<Exports>(desk.group.store).handle(
                .look(export, at: .now() + .seconds(3_600)), on: Exports.stream(owner), id: .v7(), requestHash: [],
                metadata: EventMetadata(owner: owner, correlation: .v7(), actor: "test"))
            let found = try await read(id, desk).json
            #expect(found["state"] == "failed" && found["reason"] == "parts-missing")
            #expect(found["missing"] == ["identity", "sessions"])
            #expect(try await !objects(.reporting, desk).isEmpty)
            try await sweep(desk)
            #expect(try await objects(.reporting, desk) == [])
            // What comes late belongs to nothing.
            try await write(.identity, of: id, desk)
            #expect(try await read(id, desk).json["state"] == "failed")
        }
    }

    @Test func `is looked after though as many as a look finds cannot be`() async throws {
        try await Desk.run { desk in
            for _ in 0..<ExportTurns<ExportIdentity>.most {
                #expect(try await ask(desk, as: .v7()).status == 202)
            }
            #expect(try await ask(desk).status == 202)
            try await desk.group.foldAll()
            let keeper = keeper(desk, through: OneOwnersGate(desk.group, owner))
            for _ in 1...2 { await #expect(throws: AppendError.self) { try await keeper.look() } }
            let written = "select count(*) from events where type = 'ExportPartReceived'"
            #expect(try await desk.group.count(written) == 1)
        }
    }

    @Test func `is over by itself when its time is, and its bytes go`() async throws {
        try await Desk.run { desk in
            let export = ExportIdentity(exportId: .v7(), ownerId: owner)
            let now = Timestamp.now()
            let terms = ExportTerms(requestedAt: now, deadline: now.adding(seconds: 900), lifetimeSeconds: 1)
            _ = try await CommandHandler<Exports>(desk.group.store).handle(
                .request(export, terms), on: Exports.stream(owner), id: .v7(), requestHash: [],
                metadata: EventMetadata(owner: owner, correlation: .v7(), actor: "test"))
            for service in [ServiceName.identity, .sessions, .quota] {
                try await write(service, of: export.exportId, desk)
            }
            try await desk.group.foldAll()
            try await keeper(desk).look()
            #expect(try await desk.group.count("select count(*) from events where type = 'ExportReady'") == 1)
            try await sweep(desk)
            #expect(try await !objects(.reporting, desk).isEmpty)
            #expect(
                try await desk.group.eventually {
                    try await keeper(desk).look()
                    return try await desk.group.count("select count(*) from open_exports") == 0
                })
            #expect(try await read(export.exportId, desk).json["state"] == "expired")
            try await sweep(desk)
            #expect(try await objects(.reporting, desk) == [])
        }
    }

    @Test func `fails as too large, and leaves nothing, when this service's own part comes last and is too much`()
        async throws
    {
        try await Desk.run { desk in
            let id = try await ask(desk).json.uuid("id")
            try await write(.identity, of: id, desk, size: Exports.sizeLimit)
            for service in [ServiceName.sessions, .quota] { try await write(service, of: id, desk) }
            #expect(try await read(id, desk).json["state"] == "open")
            try await desk.group.foldAll()
            try await keeper(desk).look()
            let found = try await read(id, desk).json
            #expect(found["state"] == "failed" && found["reason"] == "too-large" && found["missing"] == [])
            #expect(try await !objects(.reporting, desk).isEmpty)
            try await sweep(desk)
            #expect(try await objects(.reporting, desk) == [])
            #expect(try await desk.group.count("select count(*) from object_intents where deadline is null") == 0)
            #expect(try await desk.group.count("select count(*) from open_exports") == 0)
            #expect(try await ask(desk).status == 202, "another one can be asked for")
        }
    }

    /// An export of the owner with the parts of all other services; its id.
    private func waiting(_ desk: Desk) async throws -> UUID {
        let id = try await ask(desk).json.uuid("id")
        for service in [ServiceName.identity, .sessions, .quota] { try await write(service, of: id, desk) }
        try await desk.group.foldAll()
        return id
    }

    @Test func `keeps its own part when the answer to its append was lost`() async throws {
        try await Desk.run { desk in
            let id = try await waiting(desk)
            try await keeper(desk, through: AnswerLoser(desk.group.store)).look()
            #expect(try await read(id, desk).json["state"] == "ready")
            let written = try await objects(.reporting, desk)
            #expect(!written.isEmpty)
            try await sweep(desk)
            #expect(try await objects(.reporting, desk) == written)
            #expect(try await desk.group.send("GET", address(id, desk)).status == 200)
        }
    }

    @Test func `gives up its own part when another instance has written one`() async throws {
        try await Desk.run { desk in
            let id = try await waiting(desk)
            var first: [String] = []
            let gate = LateComer(desk.group.store) {
                try await keeper(desk).look()
                first = try await objects(.reporting, desk)
            }
            try await keeper(desk, through: gate).look()
            #expect(try await read(id, desk).json["state"] == "ready")
            #expect(try await desk.group.count("select count(*) from events where type = 'ExportReady'") == 1)
            try await sweep(desk)
            let left = try await objects(.reporting, desk)
            // The first instance's files lay beside those that were given up.
            #expect(!left.isEmpty && left.count * 2 == first.count && Set(left).isSubset(of: first))
            #expect(try await desk.group.send("GET", address(id, desk)).status == 200)
        }
    }

    @Test func `leaves nothing when its owner is erased while its own part is written`() async throws {
        try await Desk.run { desk in
            _ = try await waiting(desk)
            var written: [String] = []
            let gate = LateComer(desk.group.store) {
                written = try await objects(.reporting, desk)
                try await desk.group.deliver(desk.topic.message(UserErased(userId: owner)))
            }
            try await keeper(desk, through: gate).look()
            #expect(!written.isEmpty)
            #expect(try await objects(.reporting, desk) == [])
            #expect(try await desk.group.count("select count(*) from open_exports") == 0)
            #expect(try await desk.group.count("select count(*) from events where type = 'ExportReady'") == 0)
        }
    }

    @Test func `believes no part that lies elsewhere, is another one or is said by another service`() async throws {
        try await Desk.run { desk in
            let id = try await ask(desk).json.uuid("id")
            try await write(.identity, of: id, desk, folder: "media/\(owner)/\(id)")
            try await write(.identity, of: id, desk, folder: "export-identity/\(UUID.v7())/\(id)")
            try await write(.identity, of: id, desk, sha256: String(repeating: "ab", count: 32))
            // In somebody else's order.
            let mine = ExportPartWritten(exportId: id, ownerId: owner, service: .identity, index: nil)
            try await desk.group.deliver(
                desk.topic.message(
                    Outgoing(
                        type: ExportPartWritten.type(of: .identity), key: .owner(.v7()), subject: id.description,
                        data: mine.json)))
            let spoken = ExportPartWritten(exportId: id, ownerId: owner, service: .sessions, index: nil)
            try await desk.group.deliver(desk.topic.message(spoken.outgoing(from: .quota)))
            let services = try await read(id, desk).json.array("services")
            #expect(services.allSatisfy { $0["state"] == "open" })
            try await write(.identity, of: id, desk)
            #expect(try await read(id, desk).json.array("services").count { $0["state"] == "done" } == 1)
        }
    }

    @Test func `lasts no longer than parts stay by themselves`() {
        let settings = [("EXPORT_DEADLINE", "1d", "25h"), ("EXPORT_LIFETIME", "3d", "73h")]
        func problems(_ name: String, _ value: String) -> [String] {
            let environment = Environment([name: value, "OBJECT_STORE": "file:///tmp/nowhere"])
            _ = ReportingSettings(environment)
            do throws(ConfigurationError) {
                try environment.finish()
                return []
            } catch {
                return error.problems
            }
        }
        for (name, most, more) in settings {
            #expect(!problems(name, most).contains { $0.hasPrefix(name) })
            #expect(problems(name, more).contains { $0.hasPrefix("\(name) must be at most") })
        }
    }

    @Test func `does not come back with a restore once it was deleted`() async throws {
        try await Desk.run { desk in
            let id = try await ready(desk)
            let link = try await address(id, desk)
            var topic = TestTopic()
            let message = try topic.message(ExportClosed(exportId: id, ownerId: owner))
            #expect(try await ReportingService.decideAgain(message, desk.group.store))
            #expect(try await desk.group.send("GET", link).status == 404)
            #expect(try await read(id, desk).json["state"] == "deleted")
            #expect(try await !ReportingService.decideAgain(message, desk.group.store))
            let unknown = try topic.message(ExportClosed(exportId: .v7(), ownerId: owner))
            #expect(try await !ReportingService.decideAgain(unknown, desk.group.store))
        }
    }

    @Test func `is gone at once when it is deleted, and with its owner`() async throws {
        try await Desk.run { desk in
            let id = try await ready(desk)
            let link = try await address(id, desk)
            #expect(try await desk.group.send("GET", link).status == 200)
            #expect(try await desk.group.send("DELETE", "/v1/exports/\(id)", as: owner).status == 204)
            #expect(try await desk.group.send("GET", link).status == 404)
            #expect(try await read(id, desk).json["state"] == "deleted")
            try await sweep(desk)
            #expect(try await objects(.reporting, desk) == [])

            let second = try await ready(desk)
            let other = try await address(second, desk)
            #expect(try await !objects(.reporting, desk).isEmpty)
            #expect(try await desk.group.count("select count(*) from open_exports") == 1)
            try await desk.group.deliver(desk.topic.message(UserErased(userId: owner)))
            #expect(try await desk.group.send("GET", other).status == 404)
            #expect(try await desk.group.count("select count(*) from open_exports") == 0)
            #expect(try await objects(.reporting, desk) == [])
        }
    }
}

/// Loses the answer to each append, so that it is sent again and found to have been done, as a store does whose connection broke.
@Loop private final class AnswerLoser: AppendGate {
    private let store: EventStore

    init(_ store: EventStore) { self.store = store }

    func append(_ append: Append) async throws(AppendError) -> AppendReceipt {
        try await store.append(append)
        return try await store.append(append)
    }
}

/// Takes the appends of one owner alone.
@Loop private final class OneOwnersGate: AppendGate {
    private let group: ServiceUnderTest<ReportingService>
    private let owner: UUID

    init(_ group: ServiceUnderTest<ReportingService>, _ owner: UUID) {
        self.group = group
        self.owner = owner
    }

    func append(_ append: Append) async throws(AppendError) -> AppendReceipt {
        guard append.metadata.owner == owner else { throw .storeRefused("It is somebody else's.") }
        let receipt = try await group.store.append(append)
        // The others' parts wait for the read models.
        do { try await group.foldAll() } catch { throw .unavailable }
        return receipt
    }
}

/// Lets somebody else go first, once.
@Loop private final class LateComer: AppendGate {
    private let store: EventStore
    private var first: (@Loop () async throws -> Void)?

    init(_ store: EventStore, after first: @escaping @Loop () async throws -> Void) {
        self.store = store
        self.first = first
    }

    func append(_ append: Append) async throws(AppendError) -> AppendReceipt {
        if let first {
            self.first = nil
            do { try await first() } catch { Issue.record(error) }
        }
        return try await store.append(append)
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `The usage of an account` {
    @Test func `counts what is analyzed, logged and sent, of its owner alone`() async throws {
        try await Desk.run { desk in
            let owner = UUID.v7()
            let session = try await desk.written(for: owner)
            _ = try await desk.written(for: .v7())
            let media = MediaReference(
                key: "media/x", sha256: String(repeating: "ab", count: 32), sizeBytes: 4_096, contentType: "video/mp4")
            let identity = SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate)
            // Twice, as after a restore of sessions to before it: other bytes, since what was sealed then is gone, and one upload.
            for size in [1_024, 4_096] as [Int64] {
                var sealed = media
                sealed.sizeBytes = size
                try await desk.group.deliver(desk.topic.message(UploadFinalized(identity, media: sealed)))
            }
            let time = PracticeTime(
                startedAt: Timestamp(seconds: 1_790_000_000), endedAt: Timestamp(seconds: 1_790_001_200),
                activeSeconds: 600, timeZone: "UTC", utcOffsetSeconds: 0)
            let sat = SessionIdentity(sessionId: .v7(), ownerId: owner, kind: .meditation)
            try await desk.group.deliver(desk.topic.message(SessionLogged(sat, time: time)))
            try await desk.group.foldAll()
            let usage = try await desk.group.send("GET", "/v1/usage", as: owner).json
            #expect(usage["sessionsAnalyzed"] == 1 && usage["secondsAnalyzed"] == 28)
            #expect(usage["sessionsLogged"] == 1 && usage["secondsLogged"] == 600)
            #expect(usage["uploads"] == 1 && usage["bytesUploaded"] == 4_096)
            #expect(usage["firstUseAt"]?.stringValue?.hasPrefix("2026-09-21") == true)
            let months = try usage.array("months")
            #expect(months.count == 2 && months[0]["month"] == "2026-09" && months[0]["kind"] == "meditation")
            #expect(months[1]["sessionsAnalyzed"] == 1)
            let nobody = try await desk.group.send("GET", "/v1/usage", as: .v7()).json
            #expect(nobody["uploads"] == 0 && nobody["months"] == [] && nobody["firstUseAt"] == .null)
        }
    }
}
