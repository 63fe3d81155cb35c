import Contracts
import Crypto
import EventStore
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

extension CompatibleClient {
    /// Sends bytes, with the fields that a client sends besides.
    func put(
        _ method: String, _ path: String, _ bytes: [UInt8], type: String = "video/mp4", as user: UUID? = nil,
        _ extra: [(name: String, value: String)] = []
    ) async throws -> Answer {
        let token = try user.map { try fixture.service.compatibleToken(for: $0) } ?? key
        return try await fixture.service.send(
            method, "/storage/v1\(path)",
            headers: [("Authorization", "Bearer \(token)"), ("Content-Type", type)] + extra, body: bytes)
    }

    /// A session of a user that was begun on this surface, and awaits its file.
    func admitted(of user: UUID) async throws -> UUID {
        let id = UUID.v4()
        try await fixture.place(id, of: user, isAnnounced: false)
        try await fixture.admit(id, of: user)
        return id
    }
}

extension Answer {
    fileprivate var list: [JSONValue] { (try? JSONValue.parse(body))?.arrayValue ?? [] }

    /// What storage calls its refusal: all four members, as its clients read them.
    fileprivate var refusal: [String?] {
        ["statusCode", "error", "code"].map { json[$0]?.stringValue } + [
            json["message"]?.stringValue == nil ? "no message" : nil
        ]
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `An object of storage` {
    private static let video = SessionsFixture.video
    /// More than a part, and not the size that anybody announced.
    private static let longer: [UInt8] =
        Array(video.prefix(12)) + (0..<3_900).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    /// A form as each of the SDKs makes one: the file's field has a name, an empty one, and things around it.
    nonisolated static let forms: [(name: String, before: String, after: String)] = [
        (
            "supabase-py",
            """
            --B\r\nContent-Disposition: form-data; name="cacheControl"\r\n\r\n3600\r\n--B\r\n\
            Content-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: text/plain\r\n\r\n
            """, "\r\n--B--\r\n"
        ),
        (
            "supabase-swift, supabase-js",
            """
            --B\r\nContent-Disposition: form-data; name="cacheControl"\r\n\r\n3600\r\n--B\r\n\
            Content-Disposition: form-data; name=""; filename="recording.mov"\r\nContent-Type: video/mp4\r\n\r\n
            """, "\r\n--B--\r\n"
        ),
        (
            "the file first, and no line's end behind the last delimiter",
            """
            preamble\r\n--B\r\ncontent-disposition: form-data; name="x"; filename="a"\r\n\r\n
            """, "\r\n--B\r\nContent-Disposition: form-data; name=\"metadata\"\r\n\r\n{}\r\n--B--"
        ),
    ]

    @Test(arguments: forms.indices) func `comes in the forms of all clients, by the token alone`(index: Int)
        async throws
    {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let (_, before, after) = Self.forms[index]
            let begun = try await client.begin(as: fixture.user).json
            let id = try #require(UUID(try begun.string("sessionId")))
            try await fixture.admit(id)
            let address = try begun.string("uploadUrl").replacing("http://127.0.0.1", with: "")
            // Bytes that look like the beginning of a delimiter are the file's own.
            let file = Self.longer + Array("\r\n--A\r\n-\r\n--".utf8) + [0x0D]
            let answer = try await fixture.service.send(
                "PUT", address,
                headers: [
                    ("Content-Type", "multipart/form-data; boundary=B"), ("Authorization", "Bearer over"),
                    ("x-upsert", "false"),
                ], body: Array(before.utf8) + file + Array(after.utf8))
            #expect(answer.status == 200 && answer.json == ["Key": .string("videos/\(id).mp4")], "\(answer.body)")
            let got = try await client.send("GET", "/storage/v1/object/videos/\(id).mp4", as: fixture.user)
            #expect(got.status == 200 && got.body == file && got.header("content-type") == "video/mp4")
            // A second one has to say that it replaces.
            let again = try await fixture.service.send(
                "PUT", address, headers: [("Content-Type", "video/mp4")], body: file)
            #expect(again.refusal == ["409", "Duplicate", "ResourceAlreadyExists", nil])
        }
    }

    @Test(arguments: ["no boundary", "no file", "no end", "a head without end", "fields without end", "nothing"])
    func `does not come from what is no form with a file`(form: String) async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let id = try await client.admitted(of: fixture.user)
            let field = "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n"
            let file = "--B\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b\"\r\n"
            let (type, body) =
                switch form {
                case "no boundary": ("multipart/form-data", file + "\r\n\r\n--B--")
                case "no file": ("multipart/form-data; boundary=B", field + "--B--\r\n")
                case "no end": ("multipart/form-data; boundary=\"B\"", file + "\r\nftypisom")
                case "a head without end":
                    ("multipart/form-data; boundary=B", file + String(repeating: "a", count: 9_000))
                case "fields without end":
                    (
                        "multipart/form-data; boundary=B",
                        String(repeating: field, count: 1_290) + file + "\r\na\r\n--B--"
                    )
                default: ("multipart/form-data; boundary=B", "")
                }
            let answer = try await client.put(
                "POST", "/object/videos/\(id).mp4", Array(body.utf8), type: type, as: fixture.user)
            #expect(answer.refusal == ["400", "invalid_request", "InvalidRequest", nil])
            #expect(try await fixture.objects().isEmpty)
        }
    }

    @Test(arguments: Storage.there) func `is stored, read, listed, signed, replaced and removed by its owner`(
        storage: Storage
    ) async throws {
        try await withSessions(on: storage) { fixture in
            let client = try await CompatibleClient(fixture)
            let id = try await client.admitted(of: fixture.user)
            let upper = id.description.uppercased()
            let path = "/object/videos/\(id).mp4"
            let stored = try await client.put("POST", path, Self.longer, as: fixture.user)
            #expect(stored.status == 200 && stored.json["Id"] == .uuid(id))
            #expect(stored.json["Key"] == .string("videos/\(id).mp4"))
            let twice = try await client.put("POST", path, Self.longer, as: fixture.user)
            #expect(twice.refusal == ["409", "Duplicate", "ResourceAlreadyExists", nil])
            for place in ["/object/videos/\(upper).mov", "/object/authenticated/videos/\(id).webm"] {
                let got = try await client.send("GET", "/storage/v1\(place)", as: fixture.user)
                #expect(
                    got.status == 200 && got.body == Self.longer && got.header("cache-control") == "private, no-store")
            }
            let part = try await client.send(
                "GET", "/storage/v1\(path)", as: fixture.user, headers: [("Range", "bytes=4-7")])
            #expect(part.status == 206 && part.body == Array("ftyp".utf8))
            let behind = try await client.send(
                "GET", "/storage/v1\(path)", as: fixture.user, headers: [("Range", "bytes=90000-")])
            #expect(behind.refusal == ["416", "InvalidRange", "InvalidRange", nil])
            let head = try await client.send("HEAD", "/storage/v1\(path)", as: fixture.user)
            #expect(head.status == 200 && head.header("content-length") == "\(Self.longer.count)")
            let info = try await client.send("GET", "/storage/v1/object/info/videos/\(id).mp4", as: fixture.user)
            #expect(info.json["size"] == .int(Int64(Self.longer.count)) && info.json["content_type"] == "video/mp4")
            #expect(info.json["id"] == .uuid(id) && info.json["bucket_id"] == "videos")

            let listed = try await list(client, as: fixture.user)
            #expect(listed.map { $0["name"] } == [.string("\(id).mp4")])
            #expect(listed[0]["metadata"]?["size"] == .int(Int64(Self.longer.count)))

            let replaced = try await client.put("PUT", path, Self.video, as: fixture.user)
            #expect(replaced.status == 200)
            let upserted = try await client.put("POST", path, Self.longer, as: fixture.user, [("x-upsert", "true")])
            #expect(upserted.status == 200)
            #expect(try await fixture.eventually { try await fixture.objects().count == 1 })

            let removed = try await client.send(
                "DELETE", "/storage/v1/object/videos", as: fixture.user,
                json: ["prefixes": [.string("\(id).mp4"), "nothing.mp4"]])
            #expect(removed.status == 200 && removed.list.map { $0["name"] } == [.string("\(id).mp4")])
            let gone = try await client.send("GET", "/storage/v1\(path)", as: fixture.user)
            #expect(gone.refusal == ["404", "not_found", "NoSuchKey", nil])
            #expect(try await list(client, as: fixture.user).isEmpty)
            #expect(try await fixture.eventually { try await fixture.objects().isEmpty })
            // It awaits another one.
            #expect(try await client.put("POST", path, Self.video, as: fixture.user).status == 200)
            let one = try await client.send("DELETE", "/storage/v1\(path)", as: fixture.user)
            #expect(one.status == 200)
        }
    }

    private func list(
        _ client: CompatibleClient, as user: UUID?, _ more: JSONObject = [:]
    ) async throws -> [JSONValue] {
        let body = JSONObject([("prefix", ""), ("limit", 100), ("offset", 0)]).adding(membersOf: more)
        return try await client.send("POST", "/storage/v1/object/list/videos", as: user, json: .object(body)).list
    }

    @Test func `is uploaded by a token that was asked for, once or in another's place`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let id = try await client.admitted(of: fixture.user)
            func sign(_ upsert: Bool) async throws -> Answer {
                try await client.send(
                    "POST", "/storage/v1/object/upload/sign/videos/\(id).mp4", as: fixture.user,
                    headers: upsert ? [("x-upsert", "true")] : [])
            }
            let first = try await sign(false)
            let url = try first.json.string("url")
            #expect(url.hasPrefix("/object/upload/sign/videos/\(id).mp4?token="))
            #expect(url.hasSuffix(try first.json.string("token")))
            #expect(try await client.put("PUT", url, Self.video).json["Key"] == .string("videos/\(id).mp4"))
            #expect(try await sign(false).refusal[1] == "Duplicate")
            #expect(try await client.put("PUT", url, Self.longer).refusal[1] == "Duplicate")
            let again = try await sign(true).json.string("url")
            #expect(try await client.put("PUT", again, Self.longer).status == 200)

            let other = try await client.admitted(of: fixture.user)
            let bare = "/object/upload/sign/videos/\(id).mp4"
            for (path, refusal) in [
                (again.replacing(id.description, with: other.description), "InvalidSignature"),
                ("\(again)A", "InvalidSignature"), (bare, "InvalidJWT"), ("\(bare)?token=x", "InvalidJWT"),
                ("\(bare)?token=1.x", "InvalidSignature"),
            ] {
                let answer = try await client.put("PUT", path, Self.video)
                #expect(answer.refusal == ["400", refusal, refusal, nil], "\(path)")
            }
            let links = SignedLinks.uploads(key: Array("an upload key of at least 16 characters".utf8), publicURL: "")
            let over = links.token("PUT", CompatibleObject.uploadPath(id), until: .now() + .seconds(-1))
            let replacing = links.token("REPLACE", CompatibleObject.uploadPath(id), until: .now() + .seconds(-1))
            for token in [over, replacing] {
                #expect(try await client.put("PUT", "\(bare)?token=\(token)", Self.video).refusal[1] == "InvalidJWT")
            }
            // An upload's token downloads nothing.
            let token = again.split(separator: "=").last ?? ""
            let got = try await client.send(
                "GET", "/storage/v1/object/sign/videos/\(id).mp4", [("token", String(token))])
            #expect(got.refusal[1] == "InvalidSignature")
        }
    }

    /// Clients of tus give up at 403, and try again at 503.
    @Test func `is asked for again as long as quota has not decided`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let id = UUID.v4()
            try await fixture.place(id, of: fixture.user, isAnnounced: false)
            let links = SignedLinks.uploads(key: Array("an upload key of at least 16 characters".utf8), publicURL: "")
            let token = UploadToken.text(for: id, replaces: false, until: .now() + .seconds(60), links)
            let path = "/object/upload/sign/videos/\(id).mp4?token=\(token)"
            for answer in [
                try await client.put("PUT", path, Self.video),
                try await client.put("POST", "/object/videos/\(id).mp4", Self.video, as: fixture.user),
                try await client.put("POST", "/object/upload/sign/videos/\(id).mp4", [], as: fixture.user),
            ] {
                #expect(answer.refusal == ["503", "slow_down", "SlowDown", nil])
                #expect(answer.status == 503 && answer.header("retry-after") == "2")
            }
            try await fixture.admit(id, of: fixture.user)
            #expect(try await client.put("PUT", path, Self.video).status == 200)
        }
    }

    @Test func `is fetched at a signed address for as long as that holds`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let id = try await client.admitted(of: fixture.user)
            #expect(
                try await client.put("POST", "/object/videos/\(id).mp4", Self.longer, as: fixture.user).status == 200)
            // As text: some clients do.
            let signed = try await client.send(
                "POST", "/storage/v1/object/sign/videos/\(id).mp4", as: fixture.user, json: ["expiresIn": "60"])
            let url = try signed.json.string("signedURL")
            #expect(url.hasPrefix("/object/sign/videos/\(id).mp4?token="))
            let got = try await fixture.service.send("GET", "/storage/v1\(url)&download=my%20talk.mp4")
            #expect(got.status == 200 && got.body == Self.longer)
            #expect(got.header("content-disposition") == "attachment; filename=\"my_talk.mp4\"")
            let many = try await client.send(
                "POST", "/storage/v1/object/sign/videos", as: fixture.user,
                json: ["expiresIn": 60, "paths": [.string("\(id).mp4"), "other.mp4"]])
            #expect(many.list.map { $0["signedURL"]?.stringValue != nil } == [true, false])
            #expect(many.list.map { $0["error"]?.stringValue == nil } == [true, false])
            for value: JSONValue in [0, -1, "soon", true] {
                let wrong = try await client.send(
                    "POST", "/storage/v1/object/sign/videos/\(id).mp4", as: fixture.user, json: ["expiresIn": value])
                #expect(wrong.refusal[1] == "invalid_request")
            }
            let forged = try await fixture.service.send("GET", "/storage/v1\(url)A")
            #expect(forged.refusal == ["400", "InvalidSignature", "InvalidSignature", nil])
            let put = try await client.put(
                "PUT", url.replacing("/object/sign/", with: "/object/upload/sign/"), Self.longer)
            #expect(put.refusal[1] == "InvalidSignature")
        }
    }

    @Test func `is nobody's but its owner's and the operator's`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let id = try await client.admitted(of: fixture.user)
            let path = "/storage/v1/object/videos/\(id).mp4"
            #expect(
                try await client.put("POST", "/object/videos/\(id).mp4", Self.video, as: fixture.user).status == 200)
            let reading = [
                ("GET", path, JSONValue?.none), ("HEAD", path, nil),
                ("GET", "/storage/v1/object/info/videos/\(id).mp4", nil),
                ("POST", "/storage/v1/object/sign/videos/\(id).mp4", ["expiresIn": 60]), ("DELETE", path, nil),
            ]
            for stranger in [UUID.v7(), nil] {
                for (method, path, body) in reading {
                    let answer = try await client.send(method, path, as: stranger, json: body)
                    #expect(answer.status == 404, "\(method) \(path)")
                }
                #expect(try await list(client, as: stranger).isEmpty)
                let removed = try await client.send(
                    "DELETE", "/storage/v1/object/videos", as: stranger, json: ["prefixes": [.string("\(id).mp4")]])
                #expect(removed.status == 200 && removed.list.isEmpty)
                for (method, place) in [
                    ("POST", "/object/videos/\(id).mp4"), ("PUT", "/object/videos/\(id).mp4"),
                    ("POST", "/object/upload/sign/videos/\(id).mp4"), ("POST", "/object/videos/\(UUID.v4()).mp4"),
                ] {
                    let answer = try await client.put(method, place, Self.video, as: stranger, [("x-upsert", "true")])
                    #expect(answer.refusal == ["403", "Unauthorized", "AccessDenied", nil], "\(method) \(place)")
                }
                let copied = try await client.send(
                    "POST", "/storage/v1/object/copy", as: stranger,
                    json: [
                        "bucketId": "videos", "sourceKey": .string("\(id).mp4"),
                        "destinationKey": .string("\(UUID.v4()).mp4"),
                    ])
                #expect([403, 404].contains(copied.status))
            }
            let over = try await fixture.service.send("GET", path, headers: [("Authorization", "Bearer over")])
            #expect(over.status == 401)
            let none = try await fixture.service.send("GET", path)
            #expect(none.status == 401)
            let service = try await fixture.service.apiKey(.service)
            let bearer = [(name: "apikey", value: service), (name: "Authorization", value: "Bearer \(service)")]
            #expect(try await fixture.service.send("GET", path, headers: bearer).body == Self.video)
            let all = try await fixture.service.send(
                "POST", "/storage/v1/object/list/videos", headers: bearer, json: ["prefix": ""])
            #expect(all.list.count == 1)
        }
    }

    @Test func `is not found once it is not kept, and cannot be changed while it is analyzed`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let id = try await client.admitted(of: fixture.user)
            let path = "/storage/v1/object/videos/\(id).mp4"
            #expect(
                try await client.put("POST", "/object/videos/\(id).mp4", Self.video, as: fixture.user).status == 200)
            let finalized = try await client.send(
                "POST", "/functions/v1/finalize-session", as: fixture.user, json: ["sessionId": .uuid(id)])
            #expect(finalized.status == 200)
            #expect(try await client.send("GET", path, as: fixture.user).body == Self.video)
            let late = try await client.put(
                "POST", "/object/videos/\(id).mp4", Self.video, as: fixture.user, [("x-upsert", "true")])
            #expect(late.refusal == ["409", "Duplicate", "ResourceAlreadyExists", nil])
            let removed = try await client.send("DELETE", path, as: fixture.user)
            #expect(removed.refusal == ["423", "resource_locked", "ResourceLocked", nil])
            try await fixture.service.deliver(
                ReportReady(SessionReference(sessionId: id, ownerId: fixture.user), reportId: .v7()))
            #expect(
                try await client.send("GET", path, as: fixture.user).refusal == ["404", "not_found", "NoSuchKey", nil])
            let ended = try await client.put("PUT", "/object/videos/\(id).mp4", Self.video, as: fixture.user)
            #expect(ended.refusal == ["403", "Unauthorized", "AccessDenied", nil])
        }
    }

    @Test func `that is kept can be copied to another session, moved there and removed`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            _ = try await fixture.service.send(
                "PUT", "/v1/retention", as: fixture.user, json: ["keepMediaDays": 7])
            let id = try await client.admitted(of: fixture.user)
            #expect(
                try await client.put("POST", "/object/videos/\(id).mp4", Self.video, as: fixture.user).status == 200)
            #expect(
                try await client.send(
                    "POST", "/functions/v1/finalize-session", as: fixture.user, json: ["sessionId": .uuid(id)]
                ).status == 200)
            try await fixture.service.deliver(
                ReportReady(SessionReference(sessionId: id, ownerId: fixture.user), reportId: .v7()))
            func send(_ what: String, _ from: UUID, _ to: String) async throws -> Answer {
                try await client.send(
                    "POST", "/storage/v1/object/\(what)", as: fixture.user,
                    json: ["bucketId": "videos", "sourceKey": .string("\(from).mp4"), "destinationKey": .string(to)])
            }
            let (second, third) = (
                try await client.admitted(of: fixture.user), try await client.admitted(of: fixture.user)
            )
            let copied = try await send("copy", id, "\(second).mp4")
            #expect(copied.status == 200 && copied.json["Key"] == .string("videos/\(second).mp4"))
            #expect(try await send("copy", id, "\(second).mp4").refusal[1] == "Duplicate")
            #expect(try await send("copy", id, "\(id).mov").refusal[1] == "Duplicate")
            #expect(try await send("copy", id, "folder/a.mp4").refusal[2] == "AccessDenied")
            #expect(try await send("copy", .v4(), "\(third).mp4").refusal[2] == "NoSuchKey")
            // The same under another name.
            #expect(try await send("move", id, "\(id).mov").json["message"] == "Successfully moved")
            #expect(try await send("move", id, "\(third).mp4").status == 200)
            for (session, status) in [(id, 404), (second, 200), (third, 200)] {
                let got = try await client.send("GET", "/storage/v1/object/videos/\(session).mp4", as: fixture.user)
                #expect(got.status == status)
            }
            #expect(try await fixture.eventually { try await fixture.objects().count == 2 })
        }
    }

    @Test func `has the limits of its bucket, which cannot be changed`() async throws {
        try await withSessions(["UPLOAD_LIMIT_BYTES": "4011"]) { fixture in
            let client = try await CompatibleClient(fixture)
            let id = try await client.admitted(of: fixture.user)
            let path = "/object/videos/\(id).mp4"
            let large = try await client.put("POST", path, Self.video, as: fixture.user)
            #expect(large.refusal == ["413", "Payload too large", "EntityTooLarge", nil])
            let text = try await client.put("POST", path, [UInt8](repeating: 0x41, count: 100), as: fixture.user)
            #expect(text.refusal == ["415", "invalid_mime_type", "InvalidMimeType", nil])
            #expect(try await client.put("POST", path, [], as: fixture.user).refusal[1] == "invalid_request")
            #expect(try await fixture.objects().isEmpty)

            let buckets = try await client.send("GET", "/storage/v1/bucket", as: fixture.user)
            let bucket = try #require(buckets.list.first)
            #expect(bucket["id"] == "videos" && bucket["public"] == false && bucket["file_size_limit"] == 4_011)
            let one = try await client.send("GET", "/storage/v1/bucket/videos", as: fixture.user)
            #expect(one.json["name"] == "videos")
            let other = try await client.send("GET", "/storage/v1/bucket/photos", as: fixture.user)
            #expect(other.refusal == ["404", "Bucket not found", "NoSuchBucket", nil])
            for (method, path) in [
                ("POST", "/bucket"), ("PUT", "/bucket/videos"), ("DELETE", "/bucket/videos"),
                ("POST", "/bucket/videos/empty"),
            ] {
                let answer = try await client.send(method, "/storage/v1\(path)", as: fixture.user, json: [:])
                #expect(answer.refusal == ["403", "Unauthorized", "AccessDenied", nil])
            }
            for place in ["/object/photos/a.mp4", "/object/public/videos/\(id).mp4", "/object/info/photos/a.mp4"] {
                let answer = try await client.send("GET", "/storage/v1\(place)", as: fixture.user)
                #expect(answer.refusal[2] == "NoSuchBucket", "\(place)")
            }
            let unknown = try await client.send("GET", "/storage/v1/nothing", as: fixture.user)
            #expect(unknown.refusal[0] == "404")
        }
    }

    @Test func `is listed in pages, in an order that its client chooses`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            var ids: [UUID] = []
            for _ in 1...3 {
                let id = try await client.admitted(of: fixture.user)
                ids.append(id)
                #expect(
                    try await client.put("POST", "/object/videos/\(id).mp4", Self.video, as: fixture.user).status == 200
                )
            }
            _ = try await client.admitted(of: fixture.user)
            let sorted = ids.map { JSONValue.string("\($0).mp4") }.sorted { $0.text < $1.text }
            @Loop func names(_ more: JSONObject) async throws -> [JSONValue] {
                try await list(client, as: fixture.user, more).compactMap { $0["name"] }
            }
            #expect(try await fixture.eventually { try await names([:]) == sorted })
            #expect(try await names(["sortBy": ["column": "name", "order": "desc"]]) == sorted.reversed())
            #expect(try await names(["search": .string(ids[0].description.uppercased())]) == [.string("\(ids[0]).mp4")])
            #expect(try await names(["prefix": "folder"]) == [])
            #expect(try await names(["limit": 1]).count == 1)
            let wrong = try await client.send(
                "POST", "/storage/v1/object/list/videos", as: fixture.user, json: ["limit": 0])
            #expect(wrong.refusal[1] == "invalid_request")
            let page = try await client.send(
                "POST", "/storage/v1/object/list-v2/videos", as: fixture.user, json: ["limit": 2])
            let cursor = try #require(page.json["nextCursor"]?.stringValue)
            #expect(page.json["hasNext"] == true && page.json["folders"] == [])
            let rest = try await client.send(
                "POST", "/storage/v1/object/list-v2/videos", as: fixture.user,
                json: ["limit": 2, "cursor": .string(cursor)])
            #expect(rest.json["hasNext"] == false && rest.json["nextCursor"] == nil)
            let pages = [page, rest].map { $0.json["objects"]?.arrayValue?.compactMap { $0["key"] } ?? [] }
            #expect(pages[0].count == 2 && pages[0] + pages[1] == sorted)
            // A session without a file is no object, and takes no place of one.
            #expect(try await names(["limit": 1, "offset": 2]) == [sorted[2]])
        }
    }

    @Test func `comes in pieces, whatever its size, by a bearer or by an upload token`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let file = SessionsFixture.video + [UInt8](repeating: 9, count: 0)
            for isSigned in [false, true] {
                let id = try await client.admitted(of: fixture.user)
                let links = SignedLinks.uploads(
                    key: Array("an upload key of at least 16 characters".utf8), publicURL: "")
                let token = links.token("PUT", CompatibleObject.uploadPath(id), until: .now() + .seconds(60))
                let shown: [(name: String, value: String)] =
                    isSigned
                    ? [("x-signature", token)]
                    : [("Authorization", "Bearer \(try fixture.service.compatibleToken(for: fixture.user))")]
                let place = "/storage/v1/upload/resumable\(isSigned ? "/sign" : "")"
                func word(_ text: String) -> String { Base64.encode(Array(text.utf8)) }
                func begin(
                    _ fields: [(name: String, value: String)], _ name: String, bucket: String = "videos"
                ) async throws -> Answer {
                    try await fixture.service.send(
                        "POST", place,
                        headers: fields + [
                            ("Tus-Resumable", "1.0.0"), ("Upload-Length", "\(file.count)"),
                            (
                                "Upload-Metadata",
                                "bucketName \(word(bucket)),objectName \(word(name)),contentType \(word("video/mp4"))"
                            ),
                        ])
                }
                let begun = try await begin(shown, "\(id).mp4")
                #expect(begun.status == 201 && begun.header("tus-resumable") == "1.0.0")
                let address = try #require(begun.header("location"))
                #expect(address.hasPrefix("http://127.0.0.1\(place)/"))
                let path = address.replacing("http://127.0.0.1/", with: "/")
                func send(
                    _ method: String, at offset: Int = 0, _ bytes: [UInt8]? = nil,
                    _ fields: [(name: String, value: String)]? = nil
                ) async throws -> Answer {
                    try await fixture.service.send(
                        method, path,
                        headers: (fields ?? shown) + [
                            ("Tus-Resumable", "1.0.0"), ("Upload-Offset", "\(offset)"),
                            ("Content-Type", "application/offset+octet-stream"),
                        ], body: bytes)
                }
                #expect(try await send("PATCH", at: 0, Array(file.prefix(2_000))).status == 204)
                #expect(try await send("HEAD").header("upload-offset") == "2000")
                #expect(
                    try await send("PATCH", at: 0, [1]).refusal == [
                        "409", "invalid_offset", "InvalidUploadOffset", nil,
                    ])
                let stranger: [(name: String, value: String)] =
                    isSigned
                    ? [("x-signature", "\(token)A")]
                    : [("Authorization", "Bearer \(try fixture.service.compatibleToken(for: .v7()))")]
                for method in ["HEAD", "PATCH", "DELETE"] {
                    let answer = try await send(method, at: 2_000, method == "PATCH" ? [1] : nil, stranger)
                    #expect(answer.status == (isSigned ? 400 : 403), "\(method)")
                }
                #expect([400, 403].contains(try await begin(stranger, "\(id).mp4").status))
                #expect(try await begin(shown, "\(id).mp4", bucket: "photos").refusal[2] == "NoSuchBucket")
                #expect(try await begin(shown, "folder/a.mp4").refusal[2] == "AccessDenied")
                #expect(try await send("PATCH", at: 2_000, Array(file[2_000...])).status == 204)
                let got = try await client.send("GET", "/storage/v1/object/videos/\(id).mp4", as: fixture.user)
                #expect(got.body == file)
                #expect(try await begin(shown, "\(id).mp4").refusal[1] == "Duplicate")
                #expect(try await send("DELETE").refusal[1] == "Duplicate")
                let more = try await begin(shown + [("x-upsert", "true")], "\(id).mp4")
                if isSigned {
                    // Only a token that was made for it may replace a file, whatever else the request says.
                    #expect(more.refusal[1] == "Duplicate")
                    let replacing = links.token(
                        "REPLACE", CompatibleObject.uploadPath(id), until: .now() + .seconds(60))
                    #expect(try await begin([("x-signature", replacing)], "\(id).mp4").status == 201)
                } else {
                    #expect(more.status == 201)
                }
                let options = try await fixture.service.send("OPTIONS", place)
                #expect(options.status == 204 && options.header("tus-version") == "1.0.0")
            }
        }
    }

    @Test func `is told by browsers of other origins`() async throws {
        try await withSessions { fixture in
            let preflight = try await fixture.service.send(
                "OPTIONS", "/storage/v1/object/videos/a.mp4",
                headers: [("Access-Control-Request-Method", "POST"), ("Origin", "https://example.org")])
            #expect(preflight.status == 204 && preflight.header("access-control-allow-origin") == "*")
            for name in ["x-upsert", "x-signature", "upload-checksum", "tus-resumable"] {
                #expect(preflight.header("access-control-allow-headers")?.contains(name) == true, "\(name)")
            }
        }
    }
}
