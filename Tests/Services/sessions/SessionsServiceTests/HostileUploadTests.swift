import Crypto
import EventStore
import Glibc
import HTTPClient
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import Uploads

@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `A hostile upload` {
    /// What begins like something else than a video, however it is named.
    nonisolated static let disguises: [(String, [UInt8])] = [
        ("a playlist", Array("#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1/secret\n".utf8)),
        ("a concat script", Array("ffconcat version 1.0\nfile /etc/passwd\n".utf8)),
        ("a shell script", Array("#!/bin/sh\nrm -rf /\n".utf8)),
        ("a page", Array("<html><script>alert(1)</script></html>".utf8)),
        ("an image", [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [0, 0, 0, 13]),
        ("a program", [0x7F] + Array("ELF".utf8) + [2, 1, 1, 0]),
        ("an archive", Array("PK\u{3}\u{4}".utf8) + [20, 0, 0, 0]),
        ("zeros", [0, 0, 0, 0]),
    ]

    @Test(arguments: disguises) func `in disguise is refused by its content`(name: String, begin: [UInt8]) async throws
    {
        try await withSessions { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            let bytes = begin + [UInt8](repeating: 0x20, count: SessionsFixture.video.count - begin.count)
            let answer = try await fixture.upload(id, bytes)
            #expect(answer.status == 415 && answer.json["code"] == "media-type-mismatch")
            #expect(try await fixture.objects().isEmpty)
            #expect(try await fixture.read(id)["status"] == "awaitingUpload")
        }
    }

    @Test func `of the other family of files is refused, of the same one taken`() async throws {
        let webM: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3] + [UInt8](repeating: 1, count: 4012)
        let mp4 = SessionsFixture.video
        for (type, bytes, status) in [
            ("video/webm", mp4, 415), ("video/mp4", webM, 415), ("video/webm", webM, 200),
            ("video/quicktime", mp4, 200),
        ] {
            try await withSessions { fixture in
                let id = try await fixture.create([
                    "kind": "mirrormate", "contentType": .string(type), "contentLength": .int(Int64(bytes.count)),
                ])
                try await fixture.admit(id)
                #expect(try await fixture.upload(id, bytes).status == status, "\(type)")
            }
        }
    }

    @Test(arguments: Storage.there)
    func `that breaks off leaves the session open and nothing behind`(storage: Storage) async throws {
        try await withSessions(["SESSION_LIFETIME": "2s"], on: storage) { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            let path = try await fixture.path(id)
            let socket = try RawSocket(fixture.service.url)
            socket.send("PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(SessionsFixture.video.count)\r\n\r\n")
            socket.send(Array(SessionsFixture.video.prefix(2_000)))
            let store = fixture.service.context.store
            // The object was announced, so the service is at work on the body.
            let announced = "select count(*) from object_intents"
            #expect(try await fixture.eventually { try await store.pool.query(announced).rows[0].int(0) == 1 })
            socket.close()
            #expect(try await fixture.read(id)["status"] == "awaitingUpload")
            // Nobody keeps it, so the sweeper removes bytes and row after the deadline.
            #expect(try await fixture.eventually { try await store.pool.query(announced).rows[0].int(0) == 0 })
            #expect(try await fixture.objects().isEmpty)
        }
    }

    @Test func `that lies about its length gets a problem, and the connection is not taken for another request`()
        async throws
    {
        try await withSessions { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            let path = try await fixture.path(id)
            for (length, code) in [
                ("4015", "upload-mismatch"), ("4017", "upload-mismatch"), ("104857601", "upload-mismatch"),
                ("9223372036854775807", "body-too-large"), ("-1", "malformed-request"), ("0x10", "malformed-request"),
            ] {
                let socket = try RawSocket(fixture.service.url)
                socket.send("PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
                #expect(try await socket.hears("\"code\":\"\(code)\""), "\(length)")
                socket.close()
            }
            let chunked = try RawSocket(fixture.service.url)
            chunked.send("PUT \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
            #expect(try await chunked.hears("length-required"))
            chunked.close()
        }
    }

    @Test func `needs exactly the address that was given, and reading the session renews it`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            let other = try await fixture.create()
            for session in [id, other] { try await fixture.admit(session) }
            let path = try await fixture.path(id)
            let forged = [
                path.replacing(id.description, with: other.description),
                path.replacing("expires=", with: "expires=1"), path.replacing("signature=", with: "signature=A"),
                String(path.prefix { $0 != "?" }), path.replacing("signature", with: "x"),
            ]
            for address in forged {
                let answer = try await fixture.service.send("PUT", address, body: SessionsFixture.video)
                #expect(answer.status == 403 && answer.json["code"] == "upload-address-invalid", "\(address)")
            }
            #expect(try await fixture.service.send("GET", path).status == 405)
            let links = SignedLinks.uploads(key: Array("an upload key of at least 16 characters".utf8), publicURL: "")
            let over = links.url("PUT", "/v1/uploads/\(id)", until: .now() + .seconds(-1))
            #expect(
                try await fixture.service.send("PUT", over, body: SessionsFixture.video).json["code"]
                    == "upload-address-expired")
            // The renewed one works.
            #expect(try await fixture.upload(id).status == 200)
        }
    }

    @Test func `takes the place of an earlier one until finalizing, and of none after`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            let path = try await fixture.path(id)
            for _ in 0..<2 { #expect(try await fixture.upload(id).status == 200) }
            #expect(try await fixture.eventually { try await fixture.objects().count == 1 })
            #expect(
                try await fixture.service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user).status == 202)
            let late = try await fixture.service.send("PUT", path, body: SessionsFixture.video)
            #expect(late.status == 409 && late.json["code"] == "upload-sealed")
        }
    }
}

extension SessionsFixture {
    /// The path and query of a session's upload address.
    func path(_ id: UUID) async throws -> String {
        (try await read(id)["upload"]?["url"]?.stringValue ?? "").replacing("http://127.0.0.1/", with: "/")
    }
}

/// A connection that sends exactly what a test says.
@Loop final class RawSocket {
    private let descriptor: Descriptor

    init(_ url: String) throws {
        let port = UInt16(url.split(separator: ":").last ?? "") ?? 0
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(code == 0)
        descriptor = Descriptor(owning: number)
    }

    func send(_ text: String) { send(Array(text.utf8)) }
    /// Small pieces only: they fit the kernel's buffer.
    func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    func close() { descriptor.close() }

    /// Reads until a text came, or to the end of the connection.
    func hears(_ text: String) async throws -> Bool {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor.number, &buffer, buffer.count, 0)
            if count > 0 {
                all += buffer[..<count]
                if String(decoding: all, as: UTF8.self).contains(text) { return true }
            } else if count < 0, errno == EAGAIN {
                try await descriptor.readable()
            } else {
                return false
            }
        }
    }
}
