import HTTPServer
import Runtime
import Testing

@Suite("Limits", .timeLimit(.minutes(10)))
struct LimitTests {
    /// Sends the start of a request, then one byte every 5 ms, until it is cancelled.
    @Loop private func trickle(_ start: String, from client: RawClient) -> Task<Void, any Error> {
        Loop.task {
            try await client.send(start)
            while true {
                try await client.send("X")
                try await Loop.sleep(for: .milliseconds(5))
            }
        }
    }

    @Loop @Test("A head that trickles in is cut off at its deadline, however steadily it arrives")
    func slowloris() async throws {
        var limits = ServerLimits()
        limits.headDeadline = .milliseconds(100)
        let server = try TestServer(limits: limits)
        let client = try server.client()
        let trickle = trickle("GET /hello HTTP/1.1\r\n", from: client)
        #expect(try await client.reply().status == 408)
        trickle.cancel()
        client.close()
        await server.stop()
    }

    @Loop @Test("A head that trickles in on a kept connection has no more time than the first one")
    func laterSlowloris() async throws {
        var limits = ServerLimits()
        limits.headDeadline = .milliseconds(100)
        limits.idleDeadline = .seconds(600)
        let server = try TestServer(limits: limits)
        let client = try server.client()
        try await client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.reply().status == 200)
        let trickle = trickle("GET /hello HTTP/1.1\r\n", from: client)
        #expect(try await client.reply().status == 408)
        trickle.cancel()
        client.close()
        await server.stop()
    }

    @Loop @Test("A new connection that sends nothing and an idle kept one are closed without a response")
    func idle() async throws {
        var limits = ServerLimits()
        limits.headDeadline = .milliseconds(50)
        limits.idleDeadline = .milliseconds(50)
        let server = try TestServer(limits: limits)
        let silent = try server.client()
        #expect(try await silent.rest() == "")
        let resting = try server.client()
        try await resting.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await resting.reply().status == 200)
        #expect(try await resting.rest() == "")
        silent.close()
        resting.close()
        await server.stop()
    }

    @Loop @Test("A body that stalls is cut off", arguments: ["Content-Length: 10", "Transfer-Encoding: chunked"])
    func silentBody(_ framing: String) async throws {
        var limits = ServerLimits()
        limits.bodyIdleDeadline = .milliseconds(50)
        let server = try TestServer(limits: limits)
        let client = try server.client()
        try await client.send("POST /echo HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n5\r\n")
        let reply = try await client.reply()
        #expect(reply.status == 408)
        #expect(reply.header("Connection") == "close")
        client.close()
        await server.stop()
    }

    @Loop @Test("A body that arrives below the minimum rate is cut off")
    func slowBody() async throws {
        var limits = ServerLimits()
        limits.bodyIdleDeadline = .milliseconds(100)
        let server = try TestServer(limits: limits)
        let client = try server.client()
        let trickle = trickle("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n", from: client)
        #expect(try await client.reply().status == 408)
        trickle.cancel()
        client.close()
        await server.stop()
    }

    @Loop @Test("A body that came fast at first is cut off below the minimum rate all the same")
    func fastThenSlow() async throws {
        var limits = ServerLimits()
        limits.bodyIdleDeadline = .milliseconds(100)
        let server = try TestServer(limits: limits)
        let client = try server.client()
        try await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
        // At the minimum rate this would be enough for minutes.
        try await client.send(String(repeating: "X", count: 500_000))
        let trickle = trickle("X", from: client)
        #expect(try await client.reply().status == 408)
        trickle.cancel()
        client.close()
        await server.stop()
    }

    @Loop @Test("A body of which a handler demands an end is cut off then, however steadily it arrives")
    func demandedEnd() async throws {
        let server = try TestServer { router, _ in
            router.on("POST", "/demanding") { request in
                request.body.demand(bytesPerSecond: 1, within: .milliseconds(100), orElse: Problem(.lengthRequired))
                return .bytes(try await request.body.collect(limit: 1 << 20), contentType: "text/plain")
            }
        }
        for framing in ["Content-Length: 100000", "Transfer-Encoding: chunked"] {
            let client = try server.client()
            let trickle = trickle(
                "POST /demanding HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n\(framing.hasSuffix("d") ? "f000\r\n" : "")",
                from: client)
            #expect(try await client.reply().status == 411)
            trickle.cancel()
            client.close()
        }
        await server.stop()
    }

    @Loop @Test("A body of which a handler demands more than the limits do is cut off below that rate")
    func demandedRate() async throws {
        var limits = ServerLimits()
        limits.bodyIdleDeadline = .milliseconds(200)
        limits.bodyBytesPerSecond = 1
        let server = try TestServer(limits: limits) { router, _ in
            router.on("POST", "/demanding") { request in
                request.body.demand(bytesPerSecond: 1 << 20, within: .seconds(600), orElse: Problem(.lengthRequired))
                return .bytes(try await request.body.collect(limit: 1 << 20), contentType: "text/plain")
            }
        }
        let client = try server.client()
        let trickle = trickle("POST /demanding HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n", from: client)
        #expect(try await client.reply().status == 408)
        trickle.cancel()
        client.close()
        await server.stop()
    }

    @Loop @Test("A client that reads nothing of its response is given up")
    func slowReader() async throws {
        var limits = ServerLimits()
        limits.writeDeadline = .milliseconds(50)
        let server = try TestServer(limits: limits) { $0.addEndlessStream($1) }
        let client = try server.client()
        try await client.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
        try await server.collected.wait(for: "ClientGone")
        client.close()
        await server.stop()
    }

    /// Reads a little every few milliseconds until the connection ends or the task is cancelled.
    @Loop private func sip(_ client: RawClient) -> Task<Void, any Error> {
        Loop.task {
            while try await client.more() { try await Loop.sleep(for: .milliseconds(2)) }
        }
    }

    @Loop @Test("A response that is read below the minimum rate is cut off, however steadily it is read")
    func slowSteadyReader() async throws {
        var limits = ServerLimits()
        limits.writeDeadline = .milliseconds(200)
        // No client reads as fast as this; each piece alone is read soon enough.
        limits.responseBytesPerSecond = 1 << 40
        let server = try TestServer(limits: limits) { $0.addEndlessStream($1) }
        let client = try server.client()
        try await client.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
        let sip = sip(client)
        try await server.collected.wait(for: "ClientGone")
        sip.cancel()
        client.close()
        await server.stop()
    }

    @Loop @Test("A response of which a handler demands an end is cut off then, however fast it is read")
    func demandedEndOfResponse() async throws {
        let server = try TestServer { router, notes in
            router.on("GET", "/demanding") { _ in
                .stream(contentType: "text/plain") { writer in
                    writer.demand(bytesPerSecond: 1, within: .milliseconds(100))
                    do {
                        while true { try await writer.write([UInt8](repeating: 1, count: 65_536)) }
                    } catch {
                        notes.add("\(type(of: error))")
                        throw error
                    }
                }
            }
        }
        let client = try server.client()
        try await client.send("GET /demanding HTTP/1.1\r\nHost: a\r\n\r\n")
        let sip = sip(client)
        try await server.collected.wait(for: "ClientGone")
        sip.cancel()
        client.close()
        await server.stop()
    }

    @Loop @Test("A response of which a handler demands more than the limits do is cut off below that rate")
    func demandedRateOfResponse() async throws {
        var limits = ServerLimits()
        limits.writeDeadline = .milliseconds(200)
        limits.responseBytesPerSecond = 1
        let server = try TestServer(limits: limits) { router, notes in
            router.on("GET", "/demanding") { _ in
                .stream(contentType: "text/plain") { writer in
                    writer.demand(bytesPerSecond: 1 << 40, within: .seconds(600))
                    do {
                        while true { try await writer.write([UInt8](repeating: 1, count: 65_536)) }
                    } catch {
                        notes.add("\(type(of: error))")
                        throw error
                    }
                }
            }
        }
        let client = try server.client()
        try await client.send("GET /demanding HTTP/1.1\r\nHost: a\r\n\r\n")
        let sip = sip(client)
        try await server.collected.wait(for: "ClientGone")
        sip.cancel()
        client.close()
        await server.stop()
    }

    @Loop @Test("A response arrives whole with a client that rests and then makes up for it")
    func restingReader() async throws {
        let size = 24 << 20
        var limits = ServerLimits()
        limits.responseBytesPerSecond = 1 << 20
        let server = try TestServer(limits: limits) { router, _ in
            router.on("GET", "/large") { _ in
                .stream(contentType: "text/plain", length: Int64(size)) { writer in
                    // As one write, which is looked at piece by piece.
                    try await writer.write([UInt8](repeating: 7, count: size))
                }
            }
        }
        let client = try server.client()
        try await client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.text(through: "\r\n\r\n").contains("Content-Length: \(size)\r\n"))
        for _ in 1...3 {
            #expect(try await client.more())
            try await Loop.sleep(for: .milliseconds(50))
        }
        #expect(try await client.bytes(size).count == size)
        client.close()
        await server.stop()
    }

    @Loop @Test("A body larger than the server's limit is refused, announced or not")
    func largeBody() async throws {
        var limits = ServerLimits()
        limits.bodyBytes = 10
        let server = try TestServer(limits: limits)
        for request in ["Content-Length: 11\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nb\r\nhello hello\r\n"] {
            let client = try server.client()
            try await client.send("POST /echo HTTP/1.1\r\nHost: a\r\n" + request)
            #expect(try await client.reply().status == 413)
            #expect(try await client.rest() == "")
            client.close()
        }
        await server.stop()
    }

    @Loop @Test("A connection beyond the limit is asked to retry, and succeeds later")
    func connectionLimit() async throws {
        var limits = ServerLimits()
        limits.connections = 1
        let server = try TestServer(limits: limits)
        let first = try server.client()
        try await first.send("GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try await first.reply().status == 200)
        let second = try server.client()
        #expect(try await second.reply().status == 503)
        second.close()
        first.close()
        while server.server.connectionCount > 0 { try await Loop.sleep(for: .milliseconds(1)) }
        let third = try server.client()
        try await third.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await third.reply().status == 200)
        third.close()
        await server.stop()
    }

    @Loop
    @Test(
        "One network has requests under way on a quarter of the connections that others leave, until they are answered")
    func networkShare() async throws {
        var limits = ServerLimits()
        limits.connections = 16
        let proxy = try #require(AddressRange("127.0.0.1"))
        let server = try TestServer(limits: limits, trustedProxies: [proxy]) { router, notes in
            router.on("GET", "/slow") { _ in
                notes.add("slow")
                try await notes.wait(for: "over")
                return .text("done")
            }
        }
        func ask(_ path: String, from address: String) async throws -> RawClient {
            let client = try server.client()
            try await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(address)\r\n\r\n")
            return client
        }
        func status(from address: String) async throws -> Int {
            let client = try await ask("/hello", from: address)
            defer { client.close() }
            let reply = try await client.reply()
            #expect((reply.status == 429) == (reply.header("Retry-After") != nil))
            return reply.status
        }
        var slow: [RawClient] = []
        for (address, count) in [("192.0.2.1", 4), ("192.0.2.2", 3)] {
            for _ in 1...count {
                #expect(try await status(from: address) == 200)
                slow.append(try await ask("/slow", from: address))
                while server.collected.all.count < slow.count { try await Loop.sleep(for: .milliseconds(1)) }
            }
            #expect(try await status(from: address) == 429)
        }
        #expect(try await status(from: "198.51.100.7") == 200, "there is room for others")
        server.collected.add("over")
        for client in slow {
            #expect(try await client.reply().status == 200)
            client.close()
        }
        #expect(try await status(from: "192.0.2.1") == 200, "what was answered holds nothing")
        await server.stop()
    }

    @Loop @Test("A wrong or taken address is an error that says what to do")
    func addresses() async throws {
        let server = try TestServer()
        let taken = HTTPServer(ServerConfiguration(host: "127.0.0.1", port: server.port), router: Router())
        #expect { try taken.start() } throws: { ($0 as? ServerError)?.code == .cannotListen }
        let wrong = HTTPServer(ServerConfiguration(host: "nowhere", port: 0), router: Router())
        #expect { try wrong.start() } throws: { ($0 as? ServerError)?.code == .invalidAddress }
        await server.stop()
    }
}
