import HTTPServer
import Runtime
import Testing

@Suite("One request is never taken for two", .timeLimit(.minutes(10)))
struct SmugglingTests {
    /// Bodies that contain a request, framed in ways that servers interpret differently.
    static let frames = [
        "Content-Length: 0\r\nContent-Length: 44", "Content-Length: +0", "Content-Length: 0x0",
        "Content-Length: 44\r\nTransfer-Encoding: chunked", "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "Transfer-Encoding : chunked",
        "Transfer-Encoding:\u{B}chunked", "X: a\nTransfer-Encoding: chunked", "X: a\rContent-Length: 0",
        "Content-Length: 0,44", "Content-Length: 0\r\n Content-Length: 44",
    ]

    @Loop @Test("What follows a refused head is never answered", arguments: frames)
    func smuggled(_ frame: String) async throws {
        let server = try TestServer { router, notes in
            router.on("GET", "/smuggled") { _ in
                notes.add("smuggled")
                return .noContent
            }
        }
        let client = try server.client()
        try await client.send(
            "POST /echo HTTP/1.1\r\nHost: a\r\n\(frame)\r\n\r\n"
                + "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.reply().status >= 400)
        #expect(try await client.rest() == "")
        #expect(server.collected.all.isEmpty)
        client.close()
        await server.stop()
    }

    @Loop @Test("A thousand pipelined requests of all kinds are answered in their order")
    func pipelined() async throws {
        let server = try TestServer()
        let client = try server.client()
        let kinds: [(String, String)] = [
            ("GET /items/{n} HTTP/1.1\r\nHost: a\r\n\r\n", "{n} - 127.0.0.1"),
            ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n{n}", "{n}"),
            ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{n}\r\n0\r\n\r\n", "{n}"),
        ]
        let sending = Loop.task {
            for number in 1_000..<2_000 {
                try await client.send(kinds[number % 3].0.replacing("{n}", with: "\(number)"))
            }
        }
        for number in 1_000..<2_000 {
            let reply = try await client.reply()
            #expect(reply.status == 200)
            #expect(reply.text == kinds[number % 3].1.replacing("{n}", with: "\(number)"))
        }
        try await sending.value
        client.close()
        await server.stop()
    }

    @Loop @Test("Requests are understood however the network splits them", arguments: 0..<24)
    func cuts(_ seed: Int) async throws {
        var dice = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func roll(_ sides: Int) -> Int {
            dice ^= dice << 13
            dice ^= dice >> 7
            dice ^= dice << 17
            return Int(dice % UInt64(sides))
        }
        let server = try TestServer()
        let client = try server.client()
        let whole = Array(
            ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5;x=y\r\nhello\r\n1\r\n \r\n5\r\nworld\r\n0\r\nX-T: 1\r\n\r\n"
                + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nagain"
                + "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").utf8)
        let sending = Loop.task {
            var rest = whole[...]
            while !rest.isEmpty {
                let piece = rest.prefix(1 + roll(roll(3) == 0 ? 40 : 4))
                rest = rest.dropFirst(piece.count)
                try await client.send(Array(piece))
                try await Loop.sleep(for: .microseconds(200))
            }
        }
        #expect(try await client.reply().text == "hello world")
        #expect(try await client.reply().text == "again")
        #expect(try await client.reply().status == 200)
        try await sending.value
        client.close()
        await server.stop()
    }

    @Loop @Test("A client that reads its response too slowly is cut off, however steadily it reads")
    func slowReader() async throws {
        var limits = ServerLimits()
        limits.writeDeadline = .milliseconds(200)
        let server = try TestServer(limits: limits) { $0.addEndlessStream($1) }
        let client = try RawClient(port: server.port, receiveBuffer: 4_096)
        try await client.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
        let trickle = Loop.task {
            while true {
                _ = try await client.bytes(1)
                try await Loop.sleep(for: .milliseconds(5))
            }
        }
        try await server.collected.wait(for: "ClientGone")
        trickle.cancel()
        _ = await trickle.result
        client.close()
        await server.stop()
    }
}
