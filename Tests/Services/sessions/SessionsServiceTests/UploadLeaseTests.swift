import HTTPClient
import JSON
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import sessions

/// Several uploads beside each other, and slow ones.
@Suite(.timeLimit(.minutes(10))) @Loop struct `The lease of an upload` {
    /// Begins an upload and leaves it half sent, once the service is at work on it.
    private func half(_ id: UUID, _ fixture: SessionsFixture) async throws -> RawSocket {
        let socket = try RawSocket(fixture.service.url)
        let path = try await fixture.path(id)
        socket.send("PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(SessionsFixture.video.count)\r\n\r\n")
        socket.send(Array(SessionsFixture.video.prefix(2_000)))
        let begun = "select count(*) from upload_turns where session_id = '\(id)'"
        #expect(try await fixture.eventually { try await fixture.service.count(begun) == 1 })
        return socket
    }

    private func admitted(_ fixture: SessionsFixture) async throws -> UUID {
        let id = try await fixture.create()
        try await fixture.admit(id)
        return id
    }

    @Test func `is one request's, and whoever comes beside it waits and gets through`() async throws {
        try await withSessions { fixture in
            let id = try await admitted(fixture)
            let socket = try await half(id, fixture)
            let beside = try await fixture.upload(id)
            #expect(beside.status == 409 && beside.code == "upload-in-progress")
            #expect(beside.header("retry-after") == "5")
            socket.send(Array(SessionsFixture.video.dropFirst(2_000)))
            #expect(try await socket.hears("\"sizeBytes\""))
            #expect(try await fixture.upload(id).status == 200)
            socket.close()
            #expect(try await fixture.service.count("select count(*) from upload_turns") == 0)
        }
    }

    @Test func `is over when its client hangs up`() async throws {
        try await withSessions { fixture in
            let id = try await admitted(fixture)
            try await half(id, fixture).close()
            #expect(try await fixture.eventually { try await fixture.upload(id).status == 200 })
        }
    }

    @Test func `is over soon when its service was killed`() async throws {
        try await withSessions { fixture in
            let id = try await admitted(fixture)
            let administrator = fixture.service.administrator
            _ = try await administrator.query(
                """
                insert into upload_turns (session_id, owner_id, holder, size_bytes, expires_at)
                values ($1, $2, $3, 1, now() + interval '15 seconds')
                """, [.uuid(id), .uuid(fixture.user), .uuid(.v4())])
            #expect(try await fixture.upload(id).code == "upload-in-progress")
            _ = try await administrator.query("update upload_turns set expires_at = now()")
            #expect(try await fixture.upload(id).status == 200)
        }
    }

    @Test func `is one of fifty requests' at a time`() async throws {
        try await withSessions { fixture in
            let id = try await admitted(fixture)
            let path = try await fixture.path(id)
            var sockets: [RawSocket] = []
            for _ in 0..<50 { sockets.append(try RawSocket(fixture.service.url)) }
            // None of them is finished, so whoever gets the turn keeps it.
            for socket in sockets {
                socket.send("PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(SessionsFixture.video.count)\r\n\r\n")
                socket.send(Array(SessionsFixture.video.prefix(2_000)))
            }
            var refused: Set<Int> = []
            let listeners = sockets.indices.map { index in
                Loop.task { if try await sockets[index].hears("upload-in-progress") { refused.insert(index) } }
            }
            #expect(try await fixture.eventually { refused.count == 49 })
            for listener in listeners {
                listener.cancel()
                _ = await listener.result
            }
            for (index, socket) in sockets.enumerated() where !refused.contains(index) {
                socket.send(Array(SessionsFixture.video.dropFirst(2_000)))
                #expect(try await socket.hears("\"sizeBytes\""))
            }
            #expect(try await fixture.service.count("select count(*) from events where type = 'UploadStored'") == 1)
            for socket in sockets { socket.close() }
        }
    }

    @Test func `is not given to more of an owner's bytes than may be under way, and to one always`() async throws {
        try await withSessions(["UPLOAD_BYTES_AT_ONCE": "5000"]) { fixture in
            let (first, second) = (try await admitted(fixture), try await admitted(fixture))
            let socket = try await half(first, fixture)
            let beside = try await fixture.upload(second)
            #expect(beside.status == 429 && beside.code == "too-many-uploads" && beside.header("retry-after") == "5")
            socket.close()
            #expect(try await fixture.eventually { try await fixture.upload(second).status == 200 })
        }
        try await withSessions(["UPLOAD_BYTES_AT_ONCE": "1"]) { fixture in
            let id = try await admitted(fixture)
            #expect(try await fixture.upload(id).status == 200)
        }
    }

    @Test func `is renewed by the request that has it, and leaves the owner's others what is left of the bytes`()
        async throws
    {
        try await withSessions { fixture async throws in
            @Loop func take(_ session: UUID, _ holder: UUID, _ size: Int64) async throws -> String {
                try await fixture.service.administrator.query(
                    "select take_upload_turn($1, $2, $3, $4, 5000, interval '15 seconds')",
                    [.uuid(session), .uuid(fixture.user), .uuid(holder), .int(size)]
                ).rows[0].text(0)
            }
            let (first, second) = (UUID.v7(), UUID.v7())
            let holder = UUID.v4()
            for _ in 1...2 { #expect(try await take(first, holder, 4_000) == "taken") }
            #expect(try await take(first, .v4(), 4_000) == "busy")
            #expect(try await take(second, .v4(), 1_001) == "full")
            #expect(try await take(second, .v4(), 1_000) == "taken")
        }
    }

    @Test func `ends with the upload's address`() async throws {
        try await withSessions(["UPLOAD_ADDRESS_LIFETIME": "2s", "UPLOAD_BYTES_PER_SECOND": "1"]) { fixture in
            let id = try await admitted(fixture)
            let socket = try await half(id, fixture)
            #expect(try await socket.hears("upload-address-expired"))
            socket.close()
            #expect(try await fixture.read(id)["status"] == "awaitingUpload")
            let left = "select count(*) from upload_turns"
            #expect(try await fixture.eventually { try await fixture.service.count(left) == 0 })
        }
    }
}
