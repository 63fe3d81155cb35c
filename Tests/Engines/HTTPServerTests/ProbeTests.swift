import HTTPServer
import Runtime
import Testing

/// A raw request and the status that a strict server gives.
struct Probe: Sendable, CustomTestStringConvertible {
    let name: String
    let request: String
    let status: Int
    var testDescription: String { name }

    init(_ name: String, _ request: String, _ status: Int) {
        self.name = name
        self.request = request
        self.status = status
    }

    static let all: [Probe] = [
        Probe("plain GET", "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n", 200),
        Probe(
            "Content-Length and Transfer-Encoding", post("Content-Length: 3\r\nTransfer-Encoding: chunked", "abc"), 400),
        Probe("two different Content-Length", post("Content-Length: 3\r\nContent-Length: 4", "abcd"), 400),
        Probe("two equal Content-Length", post("Content-Length: 3\r\nContent-Length: 3", "abc"), 400),
        Probe("a list as Content-Length", post("Content-Length: 3, 3", "abc"), 400),
        Probe("a sign in Content-Length", post("Content-Length: +3", "abc"), 400),
        Probe("an empty Content-Length", post("Content-Length:", "abc"), 400),
        Probe("a negative Content-Length", post("Content-Length: -3", "abc"), 400),
        Probe("a hexadecimal Content-Length", post("Content-Length: 0x3", "abc"), 400),
        Probe("a Content-Length with a fraction", post("Content-Length: 3.0", "abc"), 400),
        Probe("a Content-Length with a space inside", post("Content-Length: 1 0", "abc"), 400),
        Probe("a Content-Length in other digits", post("Content-Length: \u{0663}", "abc"), 400),
        Probe("a quoted Content-Length", post("Content-Length: \"3\"", "abc"), 400),
        Probe("a gigantic Content-Length", post("Content-Length: 100000000000000", ""), 413),
        Probe("a Content-Length beyond 64 bits", post("Content-Length: 99999999999999999999999", ""), 413),
        Probe("two Host lines", "GET /hello HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
        Probe("no Host", "GET /hello HTTP/1.1\r\n\r\n", 400),
        Probe("a Host with a path", "GET /hello HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        Probe("space before the colon", "GET /hello HTTP/1.1\r\nHost: a\r\nX-A : b\r\n\r\n", 400),
        Probe("obs-fold", "GET /hello HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n", 400),
        Probe("NUL in a value", "GET /hello HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n", 400),
        Probe("a bare carriage return in a value", "GET /hello HTTP/1.1\r\nHost: a\r\nX-A: b\rc\r\n\r\n", 400),
        Probe("NUL in a name", "GET /hello HTTP/1.1\r\nHost: a\r\nX\0A: b\r\n\r\n", 400),
        Probe("NUL in the path", "GET /hel\0lo HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        Probe("NUL in the method", "G\0ET /hello HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        Probe("a bare carriage return in the request's line", "GET /hello\rHTTP/1.1\r\nHost: a\r\n\r\n", 400),
        Probe("a line that ends with two carriage returns", "GET /hello HTTP/1.1\r\r\nHost: a\r\n\r\n", 400),
        Probe("a field that hides behind a carriage return", post("X: a\rContent-Length: 3", "abc"), 400),
        Probe("a control character in a value", "GET /hello HTTP/1.1\r\nHost: a\r\nX-A: b\u{1}\r\n\r\n", 400),
        Probe("a tab in front of the request", "\tGET /hello HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        Probe("a line without a colon", "GET /hello HTTP/1.1\r\nHost: a\r\nhello\r\n\r\n", 400),
        Probe("a first field that is folded", "GET /hello HTTP/1.1\r\n Host: a\r\n\r\n", 400),
        Probe("bare LF line ends", "GET /hello HTTP/1.1\nHost: a\n\n", 400),
        Probe("an empty header name", "GET /hello HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400),
        Probe("unknown Transfer-Encoding", post("Transfer-Encoding: xchunked", "0\r\n\r\n"), 501),
        Probe("Transfer-Encoding with gzip", post("Transfer-Encoding: gzip, chunked", "0\r\n\r\n"), 501),
        Probe("Transfer-Encoding identity", post("Transfer-Encoding: identity", ""), 501),
        Probe("chunked twice in one field", post("Transfer-Encoding: chunked, chunked", "0\r\n\r\n"), 501),
        Probe("chunked before another coding", post("Transfer-Encoding: chunked, gzip", "0\r\n\r\n"), 501),
        Probe("an empty Transfer-Encoding", post("Transfer-Encoding:", ""), 501),
        Probe("chunked with a parameter", post("Transfer-Encoding: chunked;a=b", "0\r\n\r\n"), 501),
        Probe("chunked behind a vertical tab", post("Transfer-Encoding: \u{B}chunked", "0\r\n\r\n"), 400),
        Probe("a name with a space for Transfer-Encoding", post("Transfer-Encoding : chunked", "0\r\n\r\n"), 400),
        Probe("two Transfer-Encoding", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", ""), 501),
        Probe(
            "Transfer-Encoding in HTTP/1.0", "POST /echo HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 400
        ),
        Probe("chunk size 4zz", post("Transfer-Encoding: chunked", "4zz\r\nabcd\r\n0\r\n\r\n"), 400),
        Probe("chunk size without digits", post("Transfer-Encoding: chunked", "\r\nabcd\r\n0\r\n\r\n"), 400),
        Probe(
            "a chunk that is longer than its size", post("Transfer-Encoding: chunked", "3\r\nabcd\r\n0\r\n\r\n"), 400),
        Probe("a chunk size of sixteen digits", post("Transfer-Encoding: chunked", "fffffffffffffffff\r\n"), 413),
        Probe("a chunk size with a sign", post("Transfer-Encoding: chunked", "+3\r\nabc\r\n0\r\n\r\n"), 400),
        Probe("a negative chunk size", post("Transfer-Encoding: chunked", "-3\r\nabc\r\n0\r\n\r\n"), 400),
        Probe("a chunk size with 0x", post("Transfer-Encoding: chunked", "0x3\r\nabc\r\n0\r\n\r\n"), 400),
        Probe("a chunk size after a space", post("Transfer-Encoding: chunked", " 3\r\nabc\r\n0\r\n\r\n"), 400),
        Probe("a bare LF after a chunk", post("Transfer-Encoding: chunked", "3\r\nabc\n0\r\n\r\n"), 400),
        Probe("NUL in a chunk's extension", post("Transfer-Encoding: chunked", "3;\0\r\nabc\r\n0\r\n\r\n"), 400),
        Probe("a bare LF in a chunk's line", post("Transfer-Encoding: chunked", "3\nabc\r\n0\r\n\r\n"), 400),
        Probe(
            "chunked with extension and trailer",
            post("Transfer-Encoding: chunked", "3;a=b\r\nabc\r\n0\r\nX-T: 1\r\n\r\n"), 200),
        Probe(
            "a 40 KB header", "GET /hello HTTP/1.1\r\nHost: a\r\nX-A: \(String(repeating: "x", count: 40_000))\r\n\r\n",
            431),
        Probe("101 headers", "GET /hello HTTP/1.1\r\nHost: a\r\n\(String(repeating: "A: b\r\n", count: 100))\r\n", 431),
        Probe("100 headers", "GET /hello HTTP/1.1\r\nHost: a\r\n\(String(repeating: "A: b\r\n", count: 99))\r\n", 200),
        Probe("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
        Probe("HTTP/3.0", "GET /hello HTTP/3.0\r\nHost: a\r\n\r\n", 505),
        Probe("no version", "GET /hello\r\nHost: a\r\n\r\n", 400),
        Probe("two spaces", "GET  /hello HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        Probe("absolute target", "GET http://a/hello HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        Probe("a broken escape", "GET /items/%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        Probe("an escaped NUL", "GET /items/%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        Probe("dot segments", "GET /files/../hello HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        Probe("escaped dot segments", "GET /files/%2e%2e/hello HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        Probe("an unknown expectation", post("Content-Length: 3\r\nExpect: tea", "abc"), 417),
        Probe("unknown path", "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n", 404),
        Probe("wrong method", "DELETE /hello HTTP/1.1\r\nHost: a\r\n\r\n", 405),
        Probe("a body beyond the handler's limit", post("Content-Length: 2000000", ""), 413),
        Probe("a failing handler", "POST /fail HTTP/1.1\r\nHost: a\r\n\r\n", 500),
        Probe("a header that would split the answer", "GET /split HTTP/1.1\r\nHost: a\r\n\r\n", 500),
        Probe("HTTP/1.0", "GET /hello HTTP/1.0\r\nHost: a\r\n\r\n", 200),
    ]

    private static func post(_ fields: String, _ body: String) -> String {
        "POST /echo HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
    }
}

@Suite("What a strict server accepts", .timeLimit(.minutes(10)))
struct ProbeTests {
    @Loop @Test("Raw requests", arguments: Probe.all)
    func probe(_ probe: Probe) async throws {
        let server = try TestServer()
        let client = try server.client()
        try await client.send(probe.request)
        let reply = try await client.reply()
        #expect(reply.status == probe.status)
        if probe.status >= 400 {
            #expect(reply.header("Content-Type") == "application/problem+json")
            #expect(reply.text.contains("\"status\":\(probe.status)"))
        }
        client.close()
        await server.stop()
    }

    @Loop
    @Test(
        "A connection is closed after a request that was refused",
        arguments: Probe.all.filter {
            [400, 431, 501, 505, 417].contains($0.status)
        })
    func closed(_ probe: Probe) async throws {
        let server = try TestServer()
        let client = try server.client()
        try await client.send(probe.request)
        _ = try await client.reply()
        #expect(try await client.rest() == "")
        client.close()
        await server.stop()
    }
}
