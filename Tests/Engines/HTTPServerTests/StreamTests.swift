import HTTPServer
import Runtime
import Testing

@Suite("A streamed answer", .timeLimit(.minutes(10)))
struct StreamTests {
    @Loop @Test("Events arrive one by one while the stream continues")
    func events() async throws {
        let next = Signal()
        let server = try TestServer { router, _ in
            router.on("GET", "/events") { _ in
                .events { writer in
                    try await writer.event(id: "1", name: "progress", data: "a\nb")
                    try await next.wait(atMost: .seconds(20))
                    try await writer.heartbeat()
                    try await writer.event(data: "")
                }
            }
        }
        let client = try server.client()
        try await client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
        let head = try await client.text(through: "\r\n\r\n")
        #expect(head.contains("Content-Type: text/event-stream"))
        #expect(head.contains("Transfer-Encoding: chunked"))
        #expect(try await client.chunk() == Array("id: 1\nevent: progress\ndata: a\ndata: b\n\n".utf8))
        next.raise()
        #expect(try await client.chunk() == Array(": \n\n".utf8))
        #expect(try await client.chunk() == Array("data: \n\n".utf8))
        #expect(try await client.chunk() == nil)
        try await client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.reply().status == 200)
        client.close()
        await server.stop()
    }

    @Loop @Test("A client that goes away cancels its handler")
    func cancelledHandler() async throws {
        let server = try TestServer { $0.addSleeper($1, "POST", "/slow") }
        let client = try server.client()
        try await client.send("POST /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        try await server.collected.wait(for: "sleeping")
        client.close()
        try await server.collected.wait(for: "CancellationError")
        await server.stop()
    }

    @Loop
    @Test("A client that goes away ends a stream that waits for events or for buffer space", arguments: [true, false])
    func cancelledStream(waitsForRoom: Bool) async throws {
        let server = try TestServer { router, notes in
            router.on("GET", "/stream") { _ in
                .stream(contentType: "text/plain") { writer in
                    defer { notes.add("ended") }
                    notes.add("started")
                    if !waitsForRoom { try await Loop.sleep(for: .seconds(3_600)) }
                    while true { try await writer.write([UInt8](repeating: 1, count: 65_536)) }
                }
            }
        }
        let client = try server.client()
        try await client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        try await server.collected.wait(for: "started")
        client.close()
        try await server.collected.wait(for: "ended")
        await server.stop()
    }

    @Loop @Test("A stream that fails breaks the connection, so that its client sees the gap")
    func failingStream() async throws {
        let server = try TestServer { router, _ in
            router.on("GET", "/chunked") { _ in
                .stream(contentType: "text/plain") { writer in
                    try await writer.write("part")
                    throw TestServer.ServerFault()
                }
            }
            router.on("GET", "/short") { _ in
                .stream(contentType: "text/plain", length: 5) { writer in try await writer.write("part") }
            }
            router.on("GET", "/long") { _ in
                .stream(contentType: "text/plain", length: 4) { writer in
                    try await writer.write("part")
                    try await writer.write("more")
                }
            }
        }
        for (path, body) in [("/chunked", "4\r\npart\r\n"), ("/short", "part"), ("/long", "part")] {
            let client = try server.client()
            try await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.rest().hasSuffix("\r\n\r\n" + body))
            client.close()
        }
        await server.stop()
    }

    @Loop @Test("An HTTP/1.0 client gets a stream that ends with the connection")
    func oldClient() async throws {
        let server = try TestServer { router, _ in
            router.on("GET", "/stream") { _ in
                .stream(contentType: "text/plain") { writer in
                    try await writer.write("one ")
                    try await writer.write("two")
                }
            }
        }
        let client = try server.client()
        try await client.send("GET /stream HTTP/1.0\r\nHost: a\r\n\r\n")
        let all = try await client.rest()
        #expect(all.hasSuffix("\r\n\r\none two"))
        #expect(!all.contains("Transfer-Encoding"))
        client.close()
        await server.stop()
    }

    @Loop @Test("An upload can be no faster than its handler reads, and arrives whole")
    func uploadBackpressure() async throws {
        let size = 64 << 20
        let goOn = Signal()
        let server = try TestServer { router, notes in
            router.on("PUT", "/upload") { request in
                var total = 0
                while let piece = try await request.body.next() {
                    if total == 0 {
                        notes.add("first")
                        try await goOn.wait(atMost: .seconds(30))
                    }
                    #expect(piece.count <= 65_536)
                    total += piece.count
                }
                return .text("\(total)")
            }
        }
        let client = try server.client()
        try await client.send("PUT /upload HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
        let block = [UInt8](repeating: 5, count: 65_536)
        var sent = 0
        var refusals = 0
        while sent < size, refusals < 20 {
            let count = client.sendWithoutWaiting(Array(block[..<min(block.count, size - sent)]))
            sent += count
            refusals = count == 0 ? refusals + 1 : 0
            if count == 0 { try await Loop.sleep(for: .milliseconds(1)) }
        }
        // The kernel buffers some megabytes; the rest waits at the client.
        #expect(sent < size / 2)
        try await server.collected.wait(for: "first")
        goOn.raise()
        while sent < size {
            let count = min(block.count, size - sent)
            try await client.send(Array(block[..<count]))
            sent += count
        }
        #expect(try await client.reply().text == "\(size)")
        client.close()
        await server.stop()
    }
}
