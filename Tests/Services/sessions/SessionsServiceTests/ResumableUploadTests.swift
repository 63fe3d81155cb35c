import Contracts
import Crypto
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

extension SessionsFixture {
    /// Something that looks like an MP4, of more than two parts.
    static let long: [UInt8] =
        video + (0..<1_200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }

    /// A session that awaits a file.
    func admitted(_ file: [UInt8]? = nil, sha256: String? = nil) async throws -> UUID {
        var wish = Self.wish.objectValue!
        if let file { wish["contentLength"] = .int(Int64(file.count)) }
        if let sha256 { wish["sha256"] = .string(sha256) }
        let id = try await create(.object(wish))
        try await admit(id)
        return id
    }

    /// Begins an upload in pieces.
    func begin(_ id: UUID, size: Int, _ extra: [(String, String)] = [], body: [UInt8]? = nil) async throws -> Answer {
        let fields = [("Tus-Resumable", "1.0.0"), ("Upload-Length", "\(size)")] + extra
        return try await service.send("POST", "/v1/uploads/\(id)/resumable", as: user, headers: fields, body: body)
    }

    /// The path and query of an upload that was begun.
    func begun(_ id: UUID, size: Int) async throws -> String {
        (try await begin(id, size: size).header("location") ?? "").replacing("http://127.0.0.1/", with: "/")
    }

    func patch(
        _ path: String, at offset: Int, _ bytes: [UInt8], _ extra: [(String, String)] = []
    ) async throws -> Answer {
        let fields = [
            ("Tus-Resumable", "1.0.0"), ("Upload-Offset", "\(offset)"),
            ("Content-Type", "application/offset+octet-stream"),
        ]
        return try await service.send(
            "PATCH", path, headers: fields.filter { field in !extra.contains { $0.0 == field.0 } } + extra, body: bytes)
    }

    func tus(_ method: String, _ path: String, version: String = "1.0.0") async throws -> Answer {
        try await service.send(method, path, headers: [("Tus-Resumable", version)])
    }

    /// How much has come for good, as clients hear it.
    func offset(_ path: String) async throws -> Int? {
        try await tus("HEAD", path).header("upload-offset").flatMap { Int($0) }
    }
}

@Suite(.timeLimit(.minutes(2))) @Loop struct `An upload in pieces` {
    @Test(arguments: Storage.there)
    func `of any size becomes the same file, and is finalized like one that came at once`(storage: Storage)
        async throws
    {
        try await withSessions(on: storage) { fixture in
            let file = SessionsFixture.long
            let id = try await fixture.admitted(file)
            let path = try await fixture.begun(id, size: file.count)
            var sent = 0
            for size in [1, 14, 524_272, 2, 600_000, 1, 70_000, file.count] {
                let piece = Array(file[sent..<min(sent + size, file.count)])
                let answer = try await fixture.patch(path, at: sent, piece)
                sent += piece.count
                #expect(answer.status == 204 && answer.header("upload-offset") == "\(sent)")
                #expect(answer.header("tus-resumable") == "1.0.0")
                let told = try await fixture.tus("HEAD", path)
                #expect(told.status == 200 && told.header("upload-offset") == "\(sent)")
                #expect(told.header("upload-length") == "\(file.count)" && told.header("cache-control") == "no-store")
                #expect(told.header("upload-expires")?.hasSuffix(" GMT") == true)
            }
            #expect(sent == file.count)
            // Parts have gone, but for those whose deadline is not over in the table.
            #expect(try await fixture.eventually { try await fixture.objects().count == 1 })
            let key = try #require(try await fixture.objects().first)
            #expect(try await fixture.service.first.objects?.read(key, limit: 1 << 24) == file)
            #expect(try await fixture.service.count("select count(*) from upload_parts") == 0)

            // A client that did not hear the last answer.
            #expect(try await fixture.patch(path, at: sent, []).status == 204)
            let end = try await fixture.tus("DELETE", path)
            #expect(end.status == 409 && end.code == "upload-stored")
            #expect(
                try await fixture.service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user).status == 202)
            #expect(try await fixture.offset(path) == file.count)
            let objects = try await fixture.objects()
            #expect(objects.count == 1 && objects[0].hasPrefix("media/"))
        }
    }

    @Test func `of one part or less comes with its beginning, if its client likes`() async throws {
        try await withSessions { fixture in
            let file = SessionsFixture.video
            let id = try await fixture.admitted()
            let type = ("Content-Type", "application/offset+octet-stream")
            let half = try await fixture.begin(id, size: file.count, [type], body: Array(file.prefix(1_000)))
            #expect(half.status == 201 && half.header("upload-offset") == "1000")
            #expect(try await fixture.offset(half.path) == 1_000)
            let whole = try await fixture.begin(id, size: file.count, [type], body: file)
            #expect(whole.status == 201 && whole.header("upload-offset") == "\(file.count)")
            #expect(try await fixture.tus("HEAD", half.path).status == 410, "it gave way to the other")
            #expect(try await fixture.eventually { try await fixture.objects().count == 1 })
            let events = "select count(*) from events where type = 'UploadStored'"
            #expect(try await fixture.service.count(events) == 1)
            let wrong = try await fixture.begin(id, size: file.count, [("Content-Type", "video/mp4")], body: file)
            #expect(wrong.status == 415 && wrong.code == "chunk-type-unsupported")
            let text = [UInt8](repeating: 0x41, count: file.count)
            let disguised = try await fixture.begin(id, size: file.count, [type], body: text)
            #expect(disguised.status == 415 && disguised.code == "media-type-mismatch")
        }
    }

    @Test(arguments: Storage.there)
    func `that is cut keeps what had come, and another instance goes on`(storage: Storage) async throws {
        try await withSessions(on: storage, instances: 2) { fixture in
            let file = SessionsFixture.video
            let id = try await fixture.admitted()
            let path = try await fixture.begun(id, size: file.count)
            let socket = try RawSocket(fixture.service.first.url)
            socket.send(
                "PATCH \(path) HTTP/1.1\r\nHost: a\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n"
                    + "Content-Type: application/offset+octet-stream\r\nContent-Length: \(file.count)\r\n\r\n")
            socket.send(Array(file.prefix(2_500)))
            let begun = "select count(*) from upload_turns where session_id = '\(id)'"
            #expect(try await fixture.eventually { try await fixture.service.count(begun) == 1 })

            let other = fixture.service.instances[1]
            let beside = try await fixture.service.send(
                "PATCH", path,
                headers: [
                    ("Tus-Resumable", "1.0.0"), ("Upload-Offset", "0"),
                    ("Content-Type", "application/offset+octet-stream"),
                ], body: file, to: other)
            #expect(beside.status == 423 && beside.code == "upload-locked" && beside.header("retry-after") == "5")
            // Whoever only asks waits for nobody.
            let asking = (1...20).map { _ in Loop.task { try await fixture.offset(path) } }
            for asked in asking { #expect(try await asked.value == 0) }

            socket.close()
            #expect(try await fixture.eventually { try await fixture.offset(path) ?? 0 > 0 })
            let come = try #require(try await fixture.offset(path))
            #expect(come <= 2_500)
            #expect(
                try await fixture.eventually {
                    try await fixture.patch(path, at: come, Array(file[come...])).status == 204
                })
            #expect(try await fixture.eventually { try await fixture.objects().count == 1 })
            let key = try #require(try await fixture.objects().first)
            #expect(try await fixture.service.first.objects?.read(key, limit: 1 << 24) == file)
        }
    }

    @Test func `counts of two writers one, whatever became of the other's lease`() async throws {
        try await withSessions { fixture in
            let file = SessionsFixture.long
            let id = try await fixture.admitted(file)
            let path = try await fixture.begun(id, size: file.count)
            #expect(try await fixture.patch(path, at: 0, Array(file.prefix(100_000))).status == 204)
            let upload = try await fixture.service.administrator.query("select upload_id from resumable_uploads")
                .rows[0].uuid(0)
            @Loop func add(after counted: Int64, _ place: Int64, _ size: Int64) async throws -> Bool {
                try await fixture.service.administrator.query(
                    "select add_upload_parts($1, $2, $3, $4, $5)",
                    [.uuid(upload), .int(counted), .ints([place]), .ints([size]), .texts(["uploads/\(UUID.v7())"])]
                ).rows[0].bool(0)
            }
            #expect(try await add(after: 0, 0, 50_000) == false)
            #expect(try await fixture.offset(path) == 100_000)
            #expect(try await add(after: 100_000, 0, 200_000))
            #expect(try await add(after: 100_000, 0, 300_000) == false)
            #expect(try await fixture.offset(path) == 200_000)
            // The bytes of the part that the table tells of are nowhere, as after a restore.
            let lost = try await fixture.patch(path, at: 200_000, Array(file[200_000..<200_100]))
            #expect(lost.status == 410 && lost.code == "upload-gone")
            #expect(try await fixture.tus("HEAD", path).status == 410)
        }
    }

    @Test func `goes on soon when its service was killed`() async throws {
        try await withSessions { fixture in
            let file = SessionsFixture.video
            let id = try await fixture.admitted()
            let path = try await fixture.begun(id, size: file.count)
            #expect(try await fixture.patch(path, at: 0, Array(file.prefix(500))).status == 204)
            let administrator = fixture.service.administrator
            _ = try await administrator.query(
                """
                insert into upload_turns (session_id, owner_id, holder, size_bytes, expires_at)
                values ($1, $2, $3, 1, now() + interval '15 seconds')
                """, [.uuid(id), .uuid(fixture.user), .uuid(.v4())])
            #expect(try await fixture.patch(path, at: 500, Array(file[500...])).code == "upload-locked")
            #expect(try await fixture.offset(path) == 500)
            _ = try await administrator.query("update upload_turns set expires_at = now()")
            #expect(try await fixture.patch(path, at: 500, Array(file[500...])).status == 204)
        }
    }

    @Test func `with checksums counts what is as it was sent, and nothing else`() async throws {
        try await withSessions { fixture in
            let file = SessionsFixture.long
            let id = try await fixture.admitted(file)
            let path = try await fixture.begun(id, size: file.count)
            let (first, last) = (Array(file.prefix(600_000)), Array(file[600_000...]))
            func sha1(_ bytes: [UInt8]) -> (String, String) {
                ("Upload-Checksum", "sha1 \(Base64.encode(SHA1.digest(bytes)))")
            }
            let damaged = try await fixture.patch(path, at: 0, first, [sha1(last)])
            #expect(damaged.status == 460 && damaged.code == "upload-checksum-mismatch")
            #expect(try await fixture.offset(path) == 0)
            #expect(try await fixture.objects().isEmpty)
            for text in ["md5 \(Base64.encode([UInt8](repeating: 1, count: 16)))", "sha1", "sha1 AAAA", "sha1 ?"] {
                let unknown = try await fixture.patch(path, at: 0, first, [("Upload-Checksum", text)])
                #expect(unknown.status == 400 && unknown.code == "invalid-request", "\(text)")
            }
            let right = try await fixture.patch(path, at: 0, first, [sha1(first)])
            #expect(right.status == 204 && right.header("upload-offset") == "600000")
            let hash = Base64.encode(SHA256.digest(last))
            #expect(try await fixture.patch(path, at: 600_000, last, [sha1(first)]).status == 460)
            let whole = try await fixture.patch(path, at: 600_000, last, [("Upload-Checksum", "sha256 \(hash)")])
            #expect(whole.status == 204 && whole.header("upload-offset") == "\(file.count)")
            #expect(try await fixture.eventually { try await fixture.objects().count == 1 })
            let key = try #require(try await fixture.objects().first)
            #expect(try await fixture.service.first.objects?.read(key, limit: 1 << 24) == file)
        }
    }

    @Test func `that is not what was announced is refused, and can be begun anew`() async throws {
        try await withSessions { fixture in
            let file = SessionsFixture.long
            let id = try await fixture.admitted(file, sha256: Hex.encode(SHA256.digest(file)))
            for size in [file.count - 1, file.count + 1] {
                let other = try await fixture.begin(id, size: size)
                #expect(other.status == 422 && other.code == "upload-mismatch")
            }
            var changed = file
            changed[700_000] ^= 1
            let path = try await fixture.begun(id, size: file.count)
            let wrong = try await fixture.patch(path, at: 0, changed)
            #expect(wrong.status == 422 && wrong.code == "upload-mismatch")
            #expect(try await fixture.tus("HEAD", path).status == 410, "nothing makes it right")

            let disguised = try await fixture.begun(id, size: file.count)
            let text = [UInt8](repeating: 0x41, count: file.count)
            for bytes in [Array(text.prefix(100)), text] {
                let refused = try await fixture.patch(disguised, at: 0, bytes)
                #expect(refused.status == 415 && refused.code == "media-type-mismatch")
            }
            #expect(try await fixture.offset(disguised) == 0)
            #expect(try await fixture.patch(disguised, at: 0, file).status == 204)
            let size = try await fixture.read(id)["status"]
            #expect(size == "awaitingUpload")
            #expect(try await fixture.eventually { try await fixture.objects().count == 1 })
        }
    }

    @Test func `that begins like something else is told with its last byte when it is that short`() async throws {
        try await withSessions { fixture in
            let file = [UInt8](repeating: 0x41, count: 10)
            let id = try await fixture.admitted(file)
            let path = try await fixture.begun(id, size: file.count)
            #expect(try await fixture.patch(path, at: 0, Array(file.prefix(4))).status == 204)
            let refused = try await fixture.patch(path, at: 4, Array(file[4...]))
            #expect(refused.status == 415 && refused.code == "media-type-mismatch")
            #expect(try await fixture.tus("HEAD", path).status == 410)
        }
    }

    @Test func `goes on where it ended, and nowhere else`() async throws {
        try await withSessions(["UPLOAD_BYTES_AT_ONCE": "5000"]) { fixture in
            let file = SessionsFixture.video
            let id = try await fixture.admitted()
            let path = try await fixture.begun(id, size: file.count)
            #expect(try await fixture.patch(path, at: 0, Array(file.prefix(1_000))).status == 204)
            for offset in [0, 999, 1_001, 4_016] {
                let elsewhere = try await fixture.patch(path, at: offset, [1])
                #expect(elsewhere.status == 409 && elsewhere.code == "upload-offset-mismatch")
                #expect(elsewhere.header("upload-offset") == "1000" && elsewhere.header("tus-resumable") == "1.0.0")
            }
            let long = try await fixture.patch(path, at: 1_000, file)
            #expect(long.status == 413 && long.code == "body-too-large")
            let unknown = try await fixture.patch(path, at: 0, [1], [("Upload-Offset", "-1")])
            #expect(unknown.status == 400 && unknown.code == "invalid-request")
            let form = try await fixture.patch(path, at: 1_000, [1], [("Content-Type", "video/mp4")])
            #expect(form.status == 415 && form.code == "chunk-type-unsupported")
            let endless = try await fixture.patch(path, at: 1_000, [1], [("Transfer-Encoding", "chunked")])
            #expect(endless.status == 411 && endless.code == "length-required")
            #expect(try await fixture.offset(path) == 1_000)

            // What one owner has under way is counted with what comes in other ways.
            _ = try await fixture.service.administrator.query(
                """
                insert into upload_turns (session_id, owner_id, holder, size_bytes, expires_at)
                values ($1, $2, $3, 4999, now() + interval '15 seconds')
                """, [.uuid(.v7()), .uuid(fixture.user), .uuid(.v4())])
            let many = try await fixture.patch(path, at: 1_000, Array(file[1_000...]))
            #expect(many.status == 429 && many.code == "too-many-uploads")
        }
    }

    @Test func `is begun by its session's owner alone, once the session awaits a file, and says how large it is`()
        async throws
    {
        try await withSessions { fixture in
            let count = SessionsFixture.video.count
            let id = try await fixture.create()
            let queued = try await fixture.begin(id, size: count)
            #expect(queued.status == 409 && queued.code == "session-queued")
            try await fixture.admit(id)
            let fields = [("Tus-Resumable", "1.0.0"), ("Upload-Length", "\(count)")]
            let stranger = try await fixture.service.send(
                "POST", "/v1/uploads/\(id)/resumable", as: .v7(), headers: fields)
            #expect(stranger.status == 404 && stranger.code == "not-found")
            for field in [("Upload-Length", "much"), ("Upload-Length", "0"), ("Upload-Defer-Length", "1")] {
                let unknown = try await fixture.service.send(
                    "POST", "/v1/uploads/\(id)/resumable", as: fixture.user,
                    headers: [("Tus-Resumable", "1.0.0"), field])
                #expect(unknown.status == 400 && unknown.code == "invalid-request")
            }
            let large = try await fixture.begin(id, size: 104_857_601)
            #expect(large.status == 413 && large.json["limitBytes"] == 104_857_600)
            #expect(try await fixture.upload(id).status == 200)
            #expect(
                try await fixture.service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user).status == 202)
            let sealed = try await fixture.begin(id, size: count)
            #expect(sealed.status == 409 && sealed.code == "upload-sealed")
        }
    }

    @Test func `counts as one of so many uploads to its session`() async throws {
        try await withSessions { fixture in
            let file = SessionsFixture.video
            let id = try await fixture.admitted()
            for _ in 1..<Session.mostUploads { #expect(try await fixture.upload(id).status == 200) }
            let last = try await fixture.begun(id, size: file.count)
            #expect(try await fixture.patch(last, at: 0, file).status == 204)
            let more = try await fixture.begin(id, size: file.count)
            #expect(more.status == 409 && more.code == "uploads-used-up")
        }
    }

    @Test func `speaks one version of tus, and says which`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.admitted()
            let path = try await fixture.begun(id, size: SessionsFixture.video.count)
            let options = try await fixture.service.send("OPTIONS", "/v1/uploads/\(id)/resumable")
            #expect(options.status == 204 && options.header("tus-version") == "1.0.0")
            #expect(options.header("tus-max-size") == "104857600")
            #expect(options.header("tus-checksum-algorithm") == "sha1,sha256")
            #expect(
                options.header("tus-extension") == "creation,creation-with-upload,expiration,termination,checksum")
            let nothing = try await fixture.service.send("OPTIONS", "/v1/uploads/nothing/resumable")
            #expect(nothing.status == 404 && nothing.code == "not-found")
            for method in ["HEAD", "PATCH", "DELETE"] {
                for headers in [[], [("Tus-Resumable", "0.2.2")]] {
                    let answer = try await fixture.service.send(method, path, headers: headers)
                    #expect(answer.status == 412 && answer.header("tus-version") == "1.0.0", "\(method)")
                }
            }
            let old = try await fixture.service.send(
                "POST", "/v1/uploads/\(id)/resumable", as: fixture.user, headers: [("Upload-Length", "1")])
            #expect(old.status == 412 && old.code == "tus-version-unsupported")
        }
    }

    @Test func `is gone on with by whoever has exactly its address`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.admitted()
            let path = try await fixture.begun(id, size: SessionsFixture.video.count)
            for method in ["HEAD", "PATCH", "DELETE"] {
                for address in [
                    path.replacing("signature=", with: "signature=A"), path.replacing("expires=", with: "expires=1"),
                    String(path.prefix { $0 != "?" }), path.replacing(id.description, with: UUID.v7().description),
                ] {
                    #expect(try await fixture.tus(method, address).status == 403, "\(method) \(address)")
                }
                let none = try await fixture.tus(method, "/v1/uploads/\(id)/resumable/none")
                #expect(none.status == 404, "\(method)")
            }
            // The address of the whole is none of these, and the other way round.
            let whole = try await fixture.path(id).split(separator: "?")[1]
            let (bare, signature) = (path.prefix { $0 != "?" }, path.drop { $0 != "?" })
            #expect(try await fixture.tus("HEAD", "\(bare)?\(whole)").status == 403)
            let put = try await fixture.service.send(
                "PUT", "/v1/uploads/\(id)\(signature)", body: SessionsFixture.video)
            #expect(put.status == 403 && put.code == "upload-address-invalid")
        }
    }

    @Test func `is given up with all that has come of it`() async throws {
        try await withSessions { fixture in
            let file = SessionsFixture.long
            let id = try await fixture.admitted(file)
            let first = try await fixture.begun(id, size: file.count)
            #expect(try await fixture.patch(first, at: 0, Array(file.prefix(1_000_000))).status == 204)
            #expect(try await fixture.objects().count == 2)
            // By another one,
            let second = try await fixture.begun(id, size: file.count)
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
            let late = try await fixture.patch(first, at: 1_000_000, Array(file[1_000_000...]))
            #expect(late.status == 410 && late.code == "upload-gone")
            // by its client,
            #expect(try await fixture.patch(second, at: 0, Array(file.prefix(1_000_000))).status == 204)
            #expect(try await fixture.tus("DELETE", second).status == 204)
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
            for method in ["HEAD", "DELETE"] { #expect(try await fixture.tus(method, second).status == 410) }
            // and with its session.
            let third = try await fixture.begun(id, size: file.count)
            #expect(try await fixture.patch(third, at: 0, Array(file.prefix(1_000_000))).status == 204)
            _ = try await fixture.service.send("POST", "/v1/sessions/\(id)/cancel", as: fixture.user)
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
            let ended = try await fixture.patch(third, at: 1_000_000, [1])
            #expect(ended.status == 409 && ended.code == "session-ended")
            for method in ["HEAD", "DELETE"] { #expect(try await fixture.tus(method, third).status == 409) }
            let anew = try await fixture.begin(id, size: file.count)
            #expect(anew.status == 409 && anew.code == "session-ended")
        }
    }

    @Test(arguments: Storage.there)
    func `is over with its time, and leaves nothing behind`(storage: Storage) async throws {
        try await withSessions(["SESSION_LIFETIME": "5s"], on: storage) { fixture in
            let file = SessionsFixture.long
            let id = try await fixture.admitted(file)
            let path = try await fixture.begun(id, size: file.count)
            #expect(try await fixture.patch(path, at: 0, Array(file.prefix(600_000))).status == 204)
            #expect(try await fixture.eventually { try await fixture.tus("HEAD", path).status == 410 })
            let late = try await fixture.patch(path, at: 600_000, [1])
            #expect(late.status == 410 && late.code == "upload-gone")
            // Its session expires, and its bytes go with that.
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
            try await ResumableUploads(fixture.service.context.store.pool).sweep()
            for table in ["resumable_uploads", "upload_parts"] {
                #expect(try await fixture.service.count("select count(*) from \(table)") == 0, "\(table)")
            }
        }
    }

    @Test func `is erased with its owner`() async throws {
        try await withSessions { fixture in
            let file = SessionsFixture.long
            let id = try await fixture.admitted(file)
            let path = try await fixture.begun(id, size: file.count)
            #expect(try await fixture.patch(path, at: 0, Array(file.prefix(1_000_000))).status == 204)
            try await fixture.service.deliver(UserErased(userId: fixture.user))
            #expect(try await fixture.objects().isEmpty)
            for table in ["resumable_uploads", "upload_parts"] {
                #expect(try await fixture.service.count("select count(*) from \(table)") == 0, "\(table)")
            }
            #expect(try await fixture.tus("HEAD", path).status == 410)
        }
    }

    @Test func `has to wait while the database is away`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.admitted()
            let path = try await fixture.begun(id, size: SessionsFixture.video.count)
            await fixture.service.context.store.close()
            for method in ["HEAD", "DELETE"] { #expect(try await fixture.tus(method, path).status == 503) }
            let piece = try await fixture.patch(path, at: 0, [1])
            #expect(piece.status == 503 && piece.code == "temporarily-unavailable")
        }
    }
}

extension Answer {
    /// The path and query of where an upload goes on.
    fileprivate var path: String { (header("location") ?? "").replacing("http://127.0.0.1/", with: "/") }
}
