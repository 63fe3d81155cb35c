import HTTPServer
import Runtime
import Testing

@Suite("Stopping", .timeLimit(.minutes(10)))
struct StoppingTests {
    @Loop @Test("Stopping completes running requests, closes idle connections, and accepts nothing new")
    func drain() async throws {
        let goOn = Signal()
        let server = try TestServer { router, notes in
            router.on("GET", "/work") { _ in
                notes.add("working")
                try await goOn.wait(atMost: .seconds(30))
                return .text("done")
            }
        }
        let resting = try server.client()
        try await resting.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await resting.reply().status == 200)
        let working = try server.client()
        try await working.send("GET /work HTTP/1.1\r\nHost: a\r\n\r\n")
        try await server.collected.wait(for: "working")
        let stopping = Loop.task { await server.server.stop(deadline: .seconds(30)) }
        #expect(try await resting.rest() == "")
        #expect(throws: RawClient.ConnectFailure.self) { try RawClient(port: server.port) }
        goOn.raise()
        let reply = try await working.reply()
        #expect(reply.text == "done")
        #expect(reply.header("Connection") == "close")
        #expect(try await working.rest() == "")
        working.close()
        resting.close()
        #expect(try await stopping.value == 0)
    }

    @Loop @Test("Stopping ends event streams properly at once")
    func drainEvents() async throws {
        let server = try TestServer { router, _ in
            router.on("GET", "/events") { _ in
                .events { writer in
                    try await writer.event(data: "hello")
                    try await Loop.sleep(for: .seconds(3_600))
                }
            }
        }
        let client = try server.client()
        try await client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try await client.text(through: "\r\n\r\n")
        #expect(try await client.chunk() != nil)
        let stopping = Loop.task { await server.server.stop(deadline: .seconds(30)) }
        #expect(try await client.chunk() == nil)
        #expect(try await client.rest() == "")
        client.close()
        #expect(try await stopping.value == 0)
    }

    @Loop @Test("What is not finished at the deadline is cancelled and cut off")
    func drainDeadline() async throws {
        let server = try TestServer { $0.addSleeper($1, "GET", "/work") }
        let client = try server.client()
        try await client.send("GET /work HTTP/1.1\r\nHost: a\r\n\r\n")
        try await server.collected.wait(for: "sleeping")
        #expect(await server.server.stop(deadline: .milliseconds(20)) == 1)
        #expect(server.collected.all.contains("CancellationError"))
        #expect(server.server.connectionCount == 0)
        #expect(try await client.rest() == "")
        client.close()
    }
}
