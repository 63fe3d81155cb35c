import Glibc
import HTTPClient
import HTTPServer
import Runtime
import Testing

@Suite("The HTTP client", .timeLimit(.minutes(10)))
struct ClientTests {
    @Loop @Test("A request gets its response, and the connection is reused")
    func answers() async throws {
        let server = try TestServer()
        let client = HTTPClient()
        for _ in 0..<3 {
            let response = try await client.send(HTTPClientRequest("GET", server.url + "/hello"))
            #expect(response.status == 200)
            #expect(response.header("content-type") == "application/json")
            #expect(response.body == Array(#"{"hello":"world"}"#.utf8))
        }
        #expect(server.server.connectionCount == 1)
        #expect(try await client.send(HTTPClientRequest("GET", server.url + "/nowhere")).status == 404)
        #expect(
            try await client.send(HTTPClientRequest("HEAD", server.url + "/hello")).header("Content-Length") == "17")
        await server.stop()
    }

    @Loop @Test("Two hundred requests at once are all answered")
    func many() async throws {
        let server = try TestServer()
        let client = HTTPClient(connectionsPerHost: 8)
        let tasks = (0..<200).map { index in
            Loop.task { try await client.send(HTTPClientRequest("GET", server.url + "/items/\(index)")).body }
        }
        for (index, task) in tasks.enumerated() {
            #expect(try await task.value == Array("\(index) - 127.0.0.1".utf8))
        }
        await server.stop()
    }

    @Loop
    @Test(
        "Bytes are sent as they are, with the method and the fields of the request",
        arguments: ["POST", "PUT", "PATCH"])
    func bytes(_ method: String) async throws {
        let server = try TestServer { router, _ in
            router.on(method, "/mirror") { request in
                let body = try await request.body.collect(limit: 1 << 20)
                let fields = ["X-Tag", "Content-Type", "Expect"].map { request.headers[$0] ?? "-" }
                return .text(fields.joined(separator: " ") + " \(body.count)")
            }
        }
        for count in [0, 1, 300_000] {
            let response = try await HTTPClient.shared.send(
                HTTPClientRequest(
                    method, server.url + "/mirror", headers: [("X-Tag", "a")],
                    body: .bytes(Array(repeating: 9, count: count))
                ))
            #expect(String(decoding: response.body, as: UTF8.self) == "a - - \(count)")
        }
        await server.stop()
    }

    @Loop @Test("A file is uploaded with its progress")
    func file() async throws {
        let server = try TestServer { router, _ in
            router.on("PUT", "/upload") { request in
                var sum = 0
                var count = 0
                while let piece = try await request.body.next() {
                    for byte in piece { sum &+= Int(byte) }
                    count += piece.count
                }
                return .text("\(count) \(sum)")
            }
        }
        var template = Array("/tmp/mirrormate-upload-XXXXXX\0".utf8CString.dropLast())
        let descriptor = mkstemp(&template)
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { unlink(path) }
        let size = 3 << 20
        #expect(write(descriptor, [UInt8](repeating: 3, count: size), size) == size)
        close(descriptor)
        var steps: [Int64] = []
        let response = try await HTTPClient.shared.send(
            HTTPClientRequest("PUT", server.url + "/upload", body: .file(path: path)) { sent, total in
                #expect(total == Int64(size))
                steps.append(sent)
            })
        #expect(String(decoding: response.body, as: UTF8.self) == "\(size) \(3 * size)")
        #expect(steps.count > 10)
        #expect(steps == steps.sorted())
        #expect(steps.last == Int64(size))
        await server.stop()
    }

    @Loop @Test("Failures are distinguished")
    func failures() async throws {
        let server = try TestServer { router, _ in
            router.on("GET", "/slow") { _ in
                try await Loop.sleep(for: .seconds(3_600))
                return .noContent
            }
            router.on("GET", "/large") { _ in
                .stream(contentType: "text/plain") { writer in
                    while true { try await writer.write([UInt8](repeating: 1, count: 65_536)) }
                }
            }
            router.on("GET", "/broken") { _ in
                .stream(contentType: "text/plain", length: 9) { writer in try await writer.write("part") }
            }
        }
        func code(_ request: HTTPClientRequest, deadline: Duration = .seconds(20)) async -> HTTPClientError.Code? {
            do {
                _ = try await HTTPClient.shared.send(request, deadline: deadline)
                return nil
            } catch {
                return (error as? HTTPClientError)?.code
            }
        }
        #expect(
            await code(HTTPClientRequest("GET", server.url + "/slow"), deadline: .milliseconds(50)) == .deadlineExceeded
        )
        #expect(await code(HTTPClientRequest("GET", server.url + "/large")) == .answerTooLarge)
        #expect(await code(HTTPClientRequest("GET", server.url + "/broken")) == .broken)
        #expect(await code(HTTPClientRequest("GET", "file:///etc/hostname")) == .invalidRequest)
        #expect(await code(HTTPClientRequest("GET", "no url at all")) == .invalidRequest)
        #expect(await code(HTTPClientRequest("GET", server.url, headers: [("A", "b\r\nC: d")])) == .invalidRequest)
        #expect(
            await code(HTTPClientRequest("PUT", server.url, body: .file(path: "/nowhere/at/all"))) == .invalidRequest)
        await server.stop()
        #expect(await code(HTTPClientRequest("GET", server.url + "/hello")) == .unreachable)
    }

    @Loop @Test("A cancelled request ends at once, at the server too")
    func cancelled() async throws {
        let server = try TestServer { router, notes in
            router.on("GET", "/slow") { _ in
                notes.add("started")
                defer { notes.add("ended") }
                try await Loop.sleep(for: .seconds(3_600))
                return .noContent
            }
        }
        let task = Loop.task { try await HTTPClient.shared.send(HTTPClientRequest("GET", server.url + "/slow")) }
        try await server.collected.wait(for: "started")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.collected.wait(for: "ended")
        await server.stop()
    }

    @Loop @Test("A redirect is returned, not followed")
    func redirect() async throws {
        let server = try TestServer { router, _ in
            router.on("GET", "/old") { _ in Response(status: 302, headers: ["Location": "/hello"]) }
        }
        let response = try await HTTPClient.shared.send(HTTPClientRequest("GET", server.url + "/old"))
        #expect(response.status == 302)
        #expect(response.header("location") == "/hello")
        await server.stop()
    }
}
