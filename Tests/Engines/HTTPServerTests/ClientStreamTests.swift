import HTTPClient
import HTTPServer
import Runtime
import Testing

@Suite("The HTTP client during a response", .timeLimit(.minutes(10)))
struct ClientStreamTests {
    @Loop @Test("Server-sent events are read as they arrive, until the reader stops")
    func events() async throws {
        let next = Signal()
        let server = try TestServer { router, notes in
            router.on("GET", "/events") { _ in
                .events { writer in
                    defer { notes.add("ended") }
                    for index in 0... {
                        try await writer.event(id: "\(index)", data: "news")
                        try await next.wait(atMost: .seconds(30))
                    }
                }
            }
        }
        let stream = try await HTTPClient.shared.stream(HTTPClientRequest("GET", server.url + "/events"))
        #expect(stream.status == 200)
        for index in 0..<3 {
            #expect(try await stream.next() == Array("id: \(index)\ndata: news\n\n".utf8))
            next.raise()
        }
        stream.cancel()
        try await server.collected.wait(for: "ended")
        await #expect(throws: CancellationError.self) {
            while try await stream.next() != nil {}
        }
        await server.stop()
    }

    @Loop @Test("A stream that is not read holds up the server, and arrives complete afterwards")
    func streamBackpressure() async throws {
        let size = 64 << 20
        let server = try TestServer { router, notes in
            router.on("GET", "/large") { _ in
                .stream(contentType: "text/plain", length: Int64(size)) { writer in
                    notes.add("started")
                    for _ in 0..<(size / 65_536) { try await writer.write([UInt8](repeating: 1, count: 65_536)) }
                    notes.add("written")
                }
            }
        }
        let stream = try await HTTPClient.shared.stream(HTTPClientRequest("GET", server.url + "/large"))
        try await server.collected.wait(for: "started")
        for _ in 0..<20 { try await Loop.sleep(for: .milliseconds(1)) }
        #expect(!server.collected.all.contains("written"))
        var total = 0
        while let piece = try await stream.next() { total += piece.count }
        #expect(total == size)
        await server.stop()
    }
}
