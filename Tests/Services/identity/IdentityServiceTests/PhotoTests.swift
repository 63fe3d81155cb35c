import HTTPClient
import JSON
import ObjectStorage
import Photos
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import TestingSupport

private let path = "/v1/me/photo"

extension Fixture {
    fileprivate func setPhoto(
        _ picture: [UInt8], _ type: String? = "image/png", token: String
    ) async throws -> Answer {
        var headers = [(name: "Authorization", value: "Bearer \(token)")]
        if let type { headers.append(("Content-Type", type)) }
        return try await send("PUT", path, headers: headers, body: picture)
    }

    /// Begins to send a picture, and keeps its second half back. It is under way when this returns.
    fileprivate func beginPhoto(_ picture: [UInt8], token: String) async throws -> (
        upload: HTTPClientUpload, rest: [UInt8]
    ) {
        let fields = [(name: "Authorization", value: "Bearer \(token)"), (name: "Content-Type", value: "image/png")]
        let upload = try HTTPClient.shared.upload(
            HTTPClientRequest("PUT", url + path, headers: fields, body: .pieces(size: Int64(picture.count))))
        try await upload.write(Array(picture.prefix(picture.count / 2)))
        // Each user has one under way, so another one says whether it is.
        let isUnderWay = try await eventually { try await setPhoto(picture, token: token).code == "photos-unavailable" }
        #expect(isUnderWay)
        return (upload, Array(picture.dropFirst(picture.count / 2)))
    }

    /// The photo that somebody has; nil for none.
    fileprivate func photo(of person: Person) async throws -> [UInt8]? {
        let answer = try await send("GET", path, token: person.access)
        return answer.status == 200 ? answer.body : nil
    }
}

/// With a script in the place of the helper, but where the helper matters.
@Suite(.timeLimit(.minutes(10))) @Loop struct `The photo of an account` {
    private let picture = Pictures.png(64, 64)

    @Test func `is set, read, replaced and removed by its owner, without an event`() async throws {
        try await withPhotos { fixture, helper in
            let anna = try await fixture.signUp("anna@example.org")
            try await fixture.quiet()
            let events = try await fixture.count("select count(*) from events")
            let missing = try await fixture.send("GET", path, token: anna.access)
            #expect(missing.status == 404 && missing.code == "photo-missing")
            #expect(try await fixture.send("GET", "/v1/me", token: anna.access).json["user"]?["photo"] == .null)

            let set = try await fixture.setPhoto(picture, token: anna.access)
            let tag = try #require(set.json["user"]?["photo"]?["etag"]?.stringValue)
            #expect(set.status == 200 && set.json["user"]?["photo"]?["updatedAt"]?.stringValue != nil)
            let read = try await fixture.send("GET", path, token: anna.access)
            #expect(read.status == 200 && read.body == PhotoHelper.photo && read.header("etag") == tag)
            #expect(read.header("content-type") == "image/jpeg")
            #expect(read.header("cache-control") == "private, no-cache")
            #expect(read.header("x-content-type-options") == "nosniff")
            let kept = try await fixture.send(
                "GET", path, headers: [("Authorization", "Bearer \(anna.access)"), ("If-None-Match", tag)])
            #expect(kept.status == 304 && kept.body.isEmpty && kept.header("cache-control") == "private, no-cache")

            let again = try await fixture.setPhoto(Pictures.jpeg(200, 100), "Image/JPEG; q=1", token: anna.access)
            #expect(again.status == 200 && again.json["user"]?["photo"]?["etag"]?.stringValue == tag)
            #expect(try await fixture.count("select count(*) from photos") == 1)
            for _ in 1...2 {
                #expect(try await fixture.send("DELETE", path, token: anna.access).status == 204)
                #expect(try await fixture.photo(of: anna) == nil)
            }
            #expect(try await fixture.send("GET", "/v1/me", token: anna.access).json["user"]?["photo"] == .null)
            #expect(try await fixture.count("select count(*) from events") == events)
            #expect(try await FileObjectStore(root: helper.scratch).keys(under: "") == [], "no working file is left")
            let runs = helper.runs
            #expect(runs.count == 2)
            #expect(runs.allSatisfy { $0.hasPrefix("photo --input ") && $0.contains(" --orientation 1 ") })
            #expect(runs.first?.contains(" --form png ") == true && runs.last?.contains(" --form jpeg ") == true)
        }
    }

    @Test func `is nobody else's`() async throws {
        try await withPhotos { fixture, _ in
            let anna = try await fixture.signUp("anna@example.org")
            let bert = try await fixture.signUp("bert@example.org")
            #expect(try await fixture.setPhoto(picture, token: anna.access).status == 200)
            #expect(try await fixture.photo(of: bert) == nil)
            #expect(try await fixture.send("DELETE", path, token: bert.access).status == 204)
            #expect(try await fixture.photo(of: anna) == PhotoHelper.photo)
            #expect(try await fixture.send("GET", path).status == 401)
            // In another user's scope, and without any, there is no such row.
            let sql = "select user_id from photos"
            #expect(try await fixture.context.owners.query(of: anna.id, sql).rows.map { $0.uuid(0) } == [anna.id])
            #expect(try await fixture.context.owners.query(of: bert.id, sql).count == 0)
            #expect(try await fixture.unscoped.query(sql).count == 0)
        }
    }

    @Test func `is no anonymous device's, but an account's that it becomes`() async throws {
        try await withPhotos { fixture, helper in
            let entered = try await fixture.post("/v1/auth/device", ["deviceId": "a-device-of-somebody"])
            let device = try Person(entered.json)
            let refused = try await fixture.setPhoto(picture, token: device.access)
            #expect(refused.status == 409 && refused.code == "account-missing")
            #expect(helper.runs == [] && entered.json["user"]?["photo"] == .null)
            let account = try Person(
                try await fixture.post(
                    "/v1/auth/sign-up", ["email": "anna@example.org", "password": "correct horse"],
                    token: device.access
                ).json)
            #expect(try await fixture.setPhoto(picture, token: account.access).status == 200)
        }
    }

    @Test func `goes with the account`() async throws {
        try await withPhotos { fixture, _ in
            let anna = try await fixture.signUp("anna@example.org")
            let bert = try await fixture.signUp("bert@example.org")
            for person in [anna, bert] {
                #expect(try await fixture.setPhoto(picture, token: person.access).status == 200)
            }
            try await fixture.quiet()
            let rows = try await fixture.administrator.query("select rows_of_user($1)", [.uuid(anna.id)]).rows[0].int(0)
            #expect(try await fixture.send("DELETE", path, token: anna.access).status == 204)
            #expect(
                try await fixture.administrator.query("select rows_of_user($1)", [.uuid(anna.id)]).rows[0].int(0)
                    == rows - 1)
            #expect(try await fixture.setPhoto(picture, token: anna.access).status == 200)
            let erased = try await fixture.send("DELETE", "/v1/me", token: anna.access)
            #expect(erased.json["erasure"]?["services"]?.arrayValue?.first?["removed"]?["rows"]?.intValue == rows)
            let left = try await fixture.administrator.query("select user_id from photos").rows.map { $0.uuid(0) }
            #expect(left == [bert.id])
            let late = try await fixture.setPhoto(picture, token: anna.access)
            #expect(late.status == 401 && late.code == "user-gone")
        }
    }

    // MARK: What is refused before anything opens it

    fileprivate struct Bad: Sendable, CustomTestStringConvertible {
        let what: String
        let status: Int
        let code: String
        var type: String? = "image/png"
        var member: (name: String, value: Int64)?
        let bytes: @Sendable () -> [UInt8]

        var testDescription: String { what }
    }

    private nonisolated static let bad: [Bad] = [
        Bad(what: "no type", status: 415, code: "photo-type-unsupported", type: nil) { Pictures.png(64, 64) },
        Bad(what: "HEIC", status: 415, code: "photo-type-unsupported", type: "image/heic") {
            [0, 0, 0, 24] + Array("ftypheic".utf8)
        },
        Bad(what: "a picture as text", status: 415, code: "photo-type-unsupported", type: "text/plain") {
            Pictures.png(64, 64)
        },
        Bad(what: "a JPEG that is said to be a PNG", status: 415, code: "photo-type-unsupported") {
            Pictures.jpeg(64, 64)
        },
        Bad(what: "a page that is said to be a PNG", status: 415, code: "photo-type-unsupported") {
            Array("<html><script>alert(1)</script></html>".utf8)
        },
        Bad(what: "nothing", status: 415, code: "photo-type-unsupported") { [] },
        Bad(
            what: "more than 8 MiB", status: 413, code: "body-too-large", member: ("limitBytes", 8_388_608)
        ) { Pictures.png(64, 64) + [UInt8](repeating: 0, count: 8_388_608) },
        Bad(what: "half a picture", status: 422, code: "photo-unreadable") {
            Array(Pictures.png(64, 64).prefix(6_000))
        },
        Bad(what: "a picture that moves", status: 422, code: "photo-animated") {
            Pictures.png(64, 64, more: Pictures.chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0]))
        },
        Bad(
            what: "a small picture", status: 422, code: "photo-too-small", member: ("leastSidePixels", 64)
        ) { Pictures.png(63, 64) },
        Bad(
            what: "a bomb", status: 422, code: "photo-too-many-pixels", member: ("limitPixels", 25_000_000)
        ) { Pictures.png(64, 64, says: (60_000, 60_000)) },
    ]

    @Test(arguments: bad)
    fileprivate func `is made of no such thing, and nothing opens it`(bad: Bad) async throws {
        try await withPhotos { fixture, helper in
            let anna = try await fixture.signUp("anna@example.org")
            let answer = try await fixture.setPhoto(bad.bytes(), bad.type, token: anna.access)
            #expect(answer.status == bad.status && answer.code == bad.code, "\(answer.status) \(answer.json)")
            if let (name, value) = bad.member { #expect(answer.json[name]?.intValue == value) }
            #expect(try await fixture.photo(of: anna) == nil && helper.runs == [])
        }
    }

    // MARK: What does not become one

    @Test func `is not made of what the helper cannot read`() async throws {
        try await withPhotos(.refuse) { fixture, helper in
            let anna = try await fixture.signUp("anna@example.org")
            let answer = try await fixture.setPhoto(picture, token: anna.access)
            #expect(answer.status == 422 && answer.code == "photo-unreadable")
            #expect(try await fixture.photo(of: anna) == nil && helper.runs.count == 1)
        }
    }

    @Test(arguments: [PhotoHelper.Behaviour.crash, .babble, .plant, .reachNobody])
    func `stays what it was when the helper fails, or makes anything but a plain JPEG`(
        behaviour: PhotoHelper.Behaviour
    ) async throws {
        try await withPhotos { fixture, helper in
            let anna = try await fixture.signUp("anna@example.org")
            #expect(try await fixture.setPhoto(picture, token: anna.access).status == 200)
            try helper.become(behaviour)
            let answer = try await fixture.setPhoto(picture, token: anna.access)
            #expect(answer.status == 503 && answer.code == "photos-unavailable" && answer.header("retry-after") == "10")
            #expect(try await fixture.photo(of: anna) == PhotoHelper.photo)
            #expect(try await FileObjectStore(root: helper.scratch).keys(under: "") == [])
        }
    }

    @Test func `cannot be set where nothing makes photos, but is read and removed`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let answer = try await fixture.setPhoto(picture, token: anna.access)
            #expect(answer.status == 404 && answer.code == "photos-off")
            #expect(try await fixture.send("GET", path, token: anna.access).code == "photo-missing")
            #expect(try await fixture.send("DELETE", path, token: anna.access).status == 204)
        }
    }

    @Test func `is one at a time for each user, and so many for all`() async throws {
        try await withPhotos(.wait, ["PHOTOS_AT_ONCE": "2"]) { fixture, helper in
            let anna = try await fixture.signUp("anna@example.org")
            let bert = try await fixture.signUp("bert@example.org")
            let carl = try await fixture.signUp("carl@example.org")
            let picture = picture
            let first = Loop.task { try await fixture.setPhoto(picture, token: anna.access) }
            #expect(try await fixture.eventually { helper.runs.count == 1 })
            #expect(code(try await fixture.setPhoto(picture, token: anna.access)) == "photos-unavailable")
            let second = Loop.task { try await fixture.setPhoto(picture, token: bert.access) }
            #expect(try await fixture.eventually { helper.runs.count == 2 })
            #expect(code(try await fixture.setPhoto(picture, token: carl.access)) == "photos-unavailable")
            try helper.letGoOn()
            #expect(try await first.value.status == 200)
            #expect(try await second.value.status == 200)
            // The places are free again.
            for person in [anna, bert, carl] {
                #expect(try await fixture.setPhoto(picture, token: person.access).status == 200)
            }
        }
    }

    // MARK: Who sends slowly, or not to the end

    @Test func `is made for others while some send slowly`() async throws {
        try await withPhotos(.make, ["PHOTOS_AT_ONCE": "1"]) { fixture, _ in
            let anna = try await fixture.signUp("anna@example.org")
            let bert = try await fixture.signUp("bert@example.org")
            let carl = try await fixture.signUp("carl@example.org")
            let (first, rest) = try await fixture.beginPhoto(picture, token: anna.access)
            let (second, _) = try await fixture.beginPhoto(picture, token: bert.access)
            #expect(try await fixture.setPhoto(picture, token: carl.access).status == 200)
            // Who was slow has a photo, too, when all of it is there.
            try await first.write(rest)
            #expect(try await first.finish().status == 200)
            #expect(try await fixture.photo(of: anna) == PhotoHelper.photo)
            second.cancel()
        }
    }

    @Test func `is not made of half a picture, and who hangs up leaves nothing behind`() async throws {
        try await withPhotos { fixture, helper in
            let anna = try await fixture.signUp("anna@example.org")
            let (upload, _) = try await fixture.beginPhoto(picture, token: anna.access)
            let runs = helper.runs.count
            upload.cancel()
            // What was under way is not any more, so another one is taken.
            #expect(
                try await fixture.eventually {
                    try await fixture.setPhoto(Pictures.png(65, 65), token: anna.access).status == 200
                })
            #expect(helper.runs.count == runs + 1, "nothing was made of the half")
            #expect(try await FileObjectStore(root: helper.scratch).keys(under: "") == [])
        }
    }

    @Test func `is refused when it takes too long to arrive`() async throws {
        try await withPhotos(.make, ["PHOTO_UPLOAD_TIME": "300ms"]) { fixture, helper in
            let anna = try await fixture.signUp("anna@example.org")
            let fields = [
                (name: "Authorization", value: "Bearer \(anna.access)"), (name: "Content-Type", value: "image/png"),
            ]
            let upload = try HTTPClient.shared.upload(
                HTTPClientRequest(
                    "PUT", fixture.url + path, headers: fields, body: .pieces(size: Int64(picture.count))))
            // Two seconds, if nobody ended it before.
            for byte in picture.prefix(100) {
                try await upload.write([byte])
                try await Loop.sleep(for: .milliseconds(20))
            }
            let answer = try await upload.finish()
            #expect(answer.status == 408)
            #expect(try JSONObject.parse(answer.body)["code"] == "request-too-slow")
            #expect(helper.runs == [])
            #expect(try await fixture.setPhoto(picture, token: anna.access).status == 200, "and the next one is taken")
        }
    }

    @Test func `is given up when the helper never ends, with all that it has started`() async throws {
        try await withPhotos(.hang, ["PHOTO_PATIENCE": "300ms", "PHOTOS_AT_ONCE": "1"]) { fixture, helper in
            let anna = try await fixture.signUp("anna@example.org")
            let answer = try await fixture.setPhoto(picture, token: anna.access)
            #expect(answer.status == 503 && answer.code == "photos-unavailable" && helper.runs.count == 1)
            #expect(!helper.isRunning)
            #expect(try await FileObjectStore(root: helper.scratch).keys(under: "") == [])
            // Its place is free.
            try helper.become(.make)
            #expect(try await fixture.setPhoto(picture, token: anna.access).status == 200)
        }
    }

    @Test func `is refused when the pictures of all together are too much to hold`() async throws {
        try await withPhotos { fixture, helper in
            let large = PhotoMaker.mostBytes
            var uploads: [HTTPClientUpload] = []
            for number in 0..<PhotoMaker.mostHeld / large {
                let person = try await fixture.signUp("user\(number)@example.org")
                let fields = [
                    (name: "Authorization", value: "Bearer \(person.access)"),
                    (name: "Content-Type", value: "image/png"),
                ]
                let upload = try HTTPClient.shared.upload(
                    HTTPClientRequest("PUT", fixture.url + path, headers: fields, body: .pieces(size: Int64(large))))
                // All but one byte, so that it stays.
                try await upload.write([UInt8](repeating: 0, count: large - 1))
                uploads.append(upload)
            }
            let anna = try await fixture.signUp("anna@example.org")
            #expect(
                try await fixture.eventually {
                    code(try await fixture.setPhoto(picture, token: anna.access)) == "photos-unavailable"
                })
            let runs = helper.runs.count
            for upload in uploads { upload.cancel() }
            #expect(
                try await fixture.eventually {
                    try await fixture.setPhoto(picture, token: anna.access).status == 200
                })
            #expect(helper.runs.count == runs + 1)
        }
    }
}

/// With the helper itself, where it was built together with the tests; `Tests/system/media/test_photo.py` tries more of it.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: PhotoHelper(real: ()) != nil, "mirrormate-media was not built with these tests"))
@Loop struct `A real picture` {
    private func withHelper(_ body: @Loop (Fixture, Person) async throws -> Void) async throws {
        let helper = try #require(PhotoHelper(real: ()))
        try await withIdentity(helper.variables) { fixture in
            try await body(fixture, try await fixture.signUp("anna@example.org"))
            #expect(try await FileObjectStore(root: helper.scratch).keys(under: "") == [], "no working file is left")
        }
    }

    /// A colour for each quarter of a square of 512 pixels.
    private nonisolated static func quarters(_ x: Int, _ y: Int) -> Pictures.Colour {
        switch (x < 256, y < 256) {
        case (true, true): (200, 30, 30)
        case (false, true): (30, 160, 30)
        case (true, false): (30, 30, 200)
        case (false, false): (220, 200, 40)
        }
    }

    @Test func `becomes a photo without what the file says of place and time`() async throws {
        try await withHelper { fixture, anna in
            let png = Pictures.png(300, 200, more: Pictures.chunk("tEXt", Array("Comment\0PLANTED-TEXT".utf8)))
            #expect(try await fixture.setPhoto(png, token: anna.access).status == 200)
            let clean = try #require(try await fixture.photo(of: anna))
            #expect(PlainJPEG(clean) != nil)
            // As a phone would have it: where it was taken, a comment, and another file behind its end.
            let marked = Array("Exif\0\0".utf8) + Pictures.exif(orientation: 6)
            let planted =
                Array(clean[..<2]) + Pictures.segment(0xE1, marked)
                + Pictures.segment(0xFE, Array("PLANTED-COMMENT".utf8)) + clean[2...]
                + Array("PK\u{3}\u{4}PLANTED-BEHIND".utf8)
            #expect(contains(planted, "PLANTED-PLACE"))
            #expect(try await fixture.setPhoto(planted, "image/jpeg", token: anna.access).status == 200)
            let photo = try #require(try await fixture.photo(of: anna))
            #expect(PlainJPEG(photo) != nil)
            for word in ["PLANTED", "Planted", "Exif", "PK\u{3}\u{4}"] { #expect(!contains(photo, word), "\(word)") }
        }
    }

    @Test func `stands upright however the camera was held`() async throws {
        try await withHelper { fixture, anna in
            #expect(try await fixture.setPhoto(Pictures.png(512, 512, Self.quarters), token: anna.access).status == 200)
            let upright = try await fixture.photo(of: anna)
            // Of orientation 6 the first row is to be shown at the right side, of 3 at the bottom.
            let lying: [(orientation: Int, colour: (Int, Int) -> Pictures.Colour)] = [
                (6, { column, row in Self.quarters(511 - row, column) }),
                (3, { column, row in Self.quarters(511 - column, 511 - row) }),
            ]
            for (orientation, colour) in lying {
                let block = Pictures.chunk("eXIf", Pictures.exif(orientation: orientation))
                let stored = Pictures.png(512, 512, more: block, colour)
                #expect(try await fixture.setPhoto(stored, token: anna.access).status == 200)
                #expect(try await fixture.photo(of: anna) == upright, "\(orientation)")
                // Without being told so it lies.
                #expect(try await fixture.setPhoto(Pictures.png(512, 512, colour), token: anna.access).status == 200)
                #expect(try await fixture.photo(of: anna) != upright)
            }
        }
    }

    @Test func `that ends early, though it says that it does not, is refused`() async throws {
        try await withHelper { fixture, anna in
            // Whole by its marks, and its pixels are none. A PNG that lacks rows is decoded, with nothing where they were.
            let answer = try await fixture.setPhoto(Pictures.jpeg(), "image/jpeg", token: anna.access)
            #expect(answer.status == 422 && answer.code == "photo-unreadable")
            #expect(try await fixture.photo(of: anna) == nil)
        }
    }

    private func contains(_ bytes: [UInt8], _ word: String) -> Bool {
        let word = Array(word.utf8)
        return bytes.indices.dropLast(word.count - 1).contains { bytes[$0..<$0 + word.count].elementsEqual(word) }
    }
}
