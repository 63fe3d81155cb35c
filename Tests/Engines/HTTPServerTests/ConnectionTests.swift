import HTTPServer
import Observability
import Runtime
import Testing

@Suite("A connection", .timeLimit(.minutes(10)))
struct ConnectionTests {
    @Loop @Test("Two requests on one connection are both answered, with a date and a length")
    func keepAlive() async throws {
        let server = try TestServer()
        let client = try server.client()
        for _ in 0..<2 {
            try await client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
            let reply = try await client.reply()
            #expect(reply.text == #"{"hello":"world"}"#)
            #expect(reply.header("Date")?.hasSuffix(" GMT") == true)
            #expect(reply.header("Connection") == nil)
        }
        client.close()
        await server.stop()
    }

    @Loop
    @Test(
        "Every answer tells browsers to guess, frame, run, tell and keep nothing, also one to what cannot be read",
        arguments: [
            "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n", "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n", "nonsense\r\n\r\n",
        ])
    func cautious(_ request: String) async throws {
        let server = try TestServer()
        let client = try server.client()
        try await client.send(request)
        let reply = try await client.reply()
        #expect(reply.header("X-Content-Type-Options") == "nosniff")
        let policy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
        #expect(reply.header("Content-Security-Policy") == policy)
        #expect(reply.header("Referrer-Policy") == "no-referrer")
        #expect(reply.header("Cache-Control") == "no-store")
        client.close()
        await server.stop()
    }

    @Loop @Test("Pipelined requests are answered in order, empty lines between them ignored")
    func pipelining() async throws {
        let server = try TestServer()
        let client = try server.client()
        try await client.send(
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nfirst\r\n"
                + "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nsecond\r\n0\r\n\r\n"
                + "GET /items/third HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try await client.reply().text == "first")
        #expect(try await client.reply().text == "second")
        let last = try await client.reply()
        #expect(last.text.hasPrefix("third"))
        #expect(last.header("Connection") == "close")
        #expect(try await client.rest() == "")
        client.close()
        await server.stop()
    }

    static let splitRequests = [
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nT: 1\r\n\r\n",
    ]

    @Loop @Test("A request that arrives in two pieces is understood wherever it is split", arguments: splitRequests)
    func split(_ request: String) async throws {
        let server = try TestServer()
        let client = try server.client()
        let bytes = Array(request.utf8)
        for cut in 1..<bytes.count {
            try await client.send(Array(bytes[..<cut]))
            // The loop polls between these: the server has read the first piece when the second one is sent.
            try await Loop.sleep(for: .milliseconds(1))
            try await client.send(Array(bytes[cut...]))
            let reply = try await client.reply()
            #expect(reply.text == "hello", "cut at byte \(cut)")
        }
        client.close()
        await server.stop()
    }

    @Loop @Test("A request that arrives byte by byte is understood", arguments: splitRequests)
    func bytewise(_ request: String) async throws {
        let server = try TestServer()
        let client = try server.client()
        for byte in request.utf8 {
            try await client.send([byte])
            try await Loop.sleep(for: .zero)
        }
        #expect(try await client.reply().text == "hello")
        client.close()
        await server.stop()
    }

    @Loop @Test("HEAD has the length of GET's body and no body")
    func head() async throws {
        let server = try TestServer()
        let client = try server.client()
        try await client.send("HEAD /hello HTTP/1.1\r\nHost: a\r\n\r\nGET /nothing HTTP/1.1\r\nHost: a\r\n\r\n")
        let reply = try await client.reply(toHead: true)
        #expect(reply.header("Content-Length") == "17")
        let next = try await client.reply()
        #expect(next.status == 204)
        #expect(next.header("Content-Length") == nil)
        client.close()
        await server.stop()
    }

    @Loop @Test("The server asks for a body only when the handler reads it")
    func lazyContinue() async throws {
        let server = try TestServer()
        let client = try server.client()
        try await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        #expect(try await client.reply().status == 100)
        try await client.send("ok")
        #expect(try await client.reply().text == "ok")
        try await client.send("POST /ignore HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        let reply = try await client.reply()
        #expect(reply.status == 200)
        #expect(reply.header("Connection") == "close")
        #expect(try await client.rest() == "")
        client.close()
        await server.stop()
    }

    @Loop @Test("A small unread body is skipped; a large one ends the connection")
    func unreadBody() async throws {
        let server = try TestServer()
        let client = try server.client()
        try await client.send("POST /ignore HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n")
        try await client.send([UInt8](repeating: 1, count: 60_000))
        #expect(try await client.reply().header("Connection") == nil)
        try await client.send("POST /ignore HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n")
        let reply = try await client.reply()
        #expect(reply.header("Connection") == "close")
        // The response reaches a client that is still sending, because the server keeps reading for a while.
        try await client.send([UInt8](repeating: 1, count: 70_000))
        #expect(try await client.rest() == "")
        client.close()
        await server.stop()
    }

    @Loop @Test("Paths and queries are decoded after they are split")
    func decoding() async throws {
        let server = try TestServer()
        let client = try server.client()
        for (target, text) in [
            ("/items/a%2Fb?q=x+y%26z", "a/b x y&z 127.0.0.1"), ("/items/special", "special"),
            ("/files/a/b%20c", "a/b c"), ("/items/%C3%A9", "é - 127.0.0.1"),
        ] {
            try await client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.reply().text == text)
        }
        for target in ["/items/", "/items", "/hello/", "/files/", "//hello"] {
            try await client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.reply().status == 404, "\(target)")
        }
        try await client.send("PUT /items/1 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.reply().header("Allow") == "GET, HEAD")
        client.close()
        await server.stop()
    }

    @Loop
    @Test(
        "The client's address comes from a trusted proxy only",
        arguments: [
            (nil, "9.9.9.9, 1.2.3.4", "127.0.0.1"), ("10.0.0.0/8", "9.9.9.9, 1.2.3.4", "127.0.0.1"),
            ("127.0.0.0/8", "9.9.9.9, 1.2.3.4", "1.2.3.4"), ("127.0.0.1", "2001:db8::1", "2001:db8::1"),
            ("127.0.0.1", "unknown", "127.0.0.1"), ("127.0.0.1", "", "127.0.0.1"),
        ] as [(String?, String, String)])
    func forwarded(_ trusted: String?, _ field: String, _ address: String) async throws {
        let server = try TestServer(trustedProxies: trusted.flatMap { AddressRange($0) }.map { [$0] } ?? [])
        let client = try server.client()
        try await client.send("GET /items/1 HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(field)\r\n\r\n")
        #expect(try await client.reply().text == "1 - \(address)")
        client.close()
        await server.stop()
    }

    @Loop
    @Test(
        "Where proxies have a key, the address comes only from who shows it, once",
        arguments: [
            ("X-Gateway-Key: right\r\n", "1.2.3.4"), ("", "127.0.0.1"), ("X-Gateway-Key: wrong\r\n", "127.0.0.1"),
            ("X-Gateway-Key: \r\n", "127.0.0.1"), ("X-Gateway-Key: right, right\r\n", "127.0.0.1"),
            ("X-Gateway-Key: right\r\nX-Gateway-Key: right\r\n", "127.0.0.1"),
            ("X-Gateway-Key: wrong\r\nX-Gateway-Key: right\r\n", "127.0.0.1"),
        ])
    func keyed(_ shown: String, _ address: String) async throws {
        let server = try TestServer(trustedProxies: [try #require(AddressRange("127.0.0.1"))], proxyKey: "right")
        let client = try server.client()
        try await client.send("GET /items/1 HTTP/1.1\r\nHost: a\r\n\(shown)X-Forwarded-For: 1.2.3.4\r\n\r\n")
        #expect(try await client.reply().text == "1 - \(address)")
        client.close()
        await server.stop()
    }

    @Loop @Test("Requests, errors and durations are counted by route, not by path")
    func metrics() async throws {
        let server = try TestServer()
        let client = try server.client()
        for line in ["GET /items/1", "GET /items/2", "POST /fail", "BREW /hello", "GET /secret-path"] {
            try await client.send("\(line) HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await client.reply()
        }
        let text = server.metrics.text()
        #expect(text.contains(#"http_requests_total{method="GET",route="/items/{id}",status="200"} 2"#))
        #expect(text.contains(#"http_request_errors_total{method="POST",route="/fail"} 1"#))
        #expect(text.contains(#"http_requests_total{method="other",route="/hello",status="405"} 1"#))
        #expect(text.contains(#"http_requests_total{method="GET",route="none",status="404"} 1"#))
        #expect(text.contains(#"http_request_duration_seconds_count{method="GET",route="/items/{id}"} 2"#))
        #expect(!text.contains("secret-path"))
        client.close()
        await server.stop()
    }

    @Loop @Test("A problem names the caller's trace")
    func trace() async throws {
        let server = try TestServer()
        let client = try server.client()
        let trace = "0af7651916cd43dd8448eb211c80319c"
        try await client.send("GET /x HTTP/1.1\r\nHost: a\r\ntraceparent: 00-\(trace)-b7ad6b7169203331-01\r\n\r\n")
        let text = try await client.reply().text
        #expect(text.contains("\"traceId\":\"\(trace)\""))
        #expect(text.contains("\"type\":\"urn:mirrormate:problem:not-found\""))
        client.close()
        await server.stop()
    }
}
