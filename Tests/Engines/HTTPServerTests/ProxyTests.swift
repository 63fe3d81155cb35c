import Glibc
import HTTPClient
import HTTPServer
import Runtime
import Testing

@Suite(.timeLimit(.minutes(1))) @Loop struct `A client with a proxy` {
    private func code(_ client: HTTPClient, _ request: HTTPClientRequest) async -> HTTPClientError.Code? {
        do {
            _ = try await client.send(request, deadline: .seconds(20))
            return nil
        } catch {
            return (error as? HTTPClientError)?.code
        }
    }

    @Test func `goes through a tunnel, by the name, which it does not look up, and tells the proxy nothing else`()
        async throws
    {
        let proxy = LocalProxy()
        defer { proxy.stop() }
        let client = HTTPClient(proxy: proxy.url)
        let request = HTTPClientRequest(
            "POST", "http://nowhere.invalid/path?query", headers: [("Authorization", "Bearer of-a-test")],
            body: .bytes([]))
        let answer = try await client.send(request)
        #expect(answer.status == 204)
        let heads = proxy.heads
        try #require(heads.count == 2)
        #expect(heads[0].hasPrefix("CONNECT nowhere.invalid:80 HTTP/1.1\r\n"))
        for own in ["Authorization", "of-a-test", "path", "query"] { #expect(!heads[0].contains(own)) }
        #expect(heads[1].hasPrefix("POST /path?query HTTP/1.1\r\n") && heads[1].contains("Bearer of-a-test"))
        let stream = try await client.stream(HTTPClientRequest("GET", "http://nowhere.invalid/stream"))
        #expect(stream.status == 204, "the proxy's head is not the answer's")
    }

    @Test func `does not go around it, whatever the environment says`() async throws {
        let (proxy, other) = (LocalProxy("403 Forbidden"), LocalProxy())
        defer {
            proxy.stop()
            other.stop()
            for name in ["no_proxy", "http_proxy", "all_proxy"] { unsetenv(name) }
        }
        // Nobody else here asks for a server that these would lead elsewhere.
        setenv("no_proxy", "*", 1)
        setenv("http_proxy", other.url, 1)
        setenv("all_proxy", other.url, 1)
        let client = HTTPClient(proxy: proxy.url)
        #expect(await code(client, HTTPClientRequest("GET", "http://nowhere.invalid/")) == .notLetOut)
        #expect(proxy.heads.count == 1 && other.heads.isEmpty)
        unsetenv("no_proxy")
        let server = try TestServer()
        for client in [HTTPClient(), HTTPClient(proxy: "")] {
            #expect(try await client.send(HTTPClientRequest("GET", server.url + "/hello")).status == 200)
        }
        await server.stop()
        #expect(other.heads.isEmpty)
    }

    @Test func `reaches this machine without it`() async throws {
        let server = try TestServer()
        let proxy = LocalProxy()
        defer { proxy.stop() }
        let client = HTTPClient(proxy: proxy.url)
        #expect(try await client.send(HTTPClientRequest("GET", server.url + "/hello")).status == 200)
        #expect(proxy.heads.isEmpty)
        // Another name is the proxy's to judge.
        _ = await code(client, HTTPClientRequest("GET", "http://127.0.0.1.nowhere.invalid/"))
        #expect(proxy.heads.first?.hasPrefix("CONNECT 127.0.0.1.nowhere.invalid:80 ") == true)
        await server.stop()
    }

    @Test(
        arguments: [
            ("403 Forbidden", .notLetOut, false), ("407 Proxy Authentication Required", .notLetOut, false),
            ("503 Service Unavailable", .unreachable, true),
        ] as [(String, HTTPClientError.Code, Bool)])
    func `that makes no connection sends nothing of the request`(
        status: String, expected: HTTPClientError.Code, isRetryable: Bool
    ) async throws {
        let proxy = LocalProxy(status)
        defer { proxy.stop() }
        let error = await #expect(throws: HTTPClientError.self) {
            try await HTTPClient(proxy: proxy.url).send(
                HTTPClientRequest("POST", "http://nowhere.invalid/", body: .bytes([1, 2, 3])))
        }
        #expect(error?.code == expected && error?.isRetryable == isRetryable)
        #expect(error?.description.contains("status \(status.prefix(3))") == true)
        #expect(proxy.heads.count == 1)
    }

    @Test func `that does not run is unreachable, and not gone around`() async throws {
        let proxy = LocalProxy()
        proxy.stop()
        let server = try TestServer()
        let url = "http://localhost:\(server.port)/hello"
        #expect(await code(HTTPClient(proxy: proxy.url), HTTPClientRequest("GET", url)) == .unreachable)
        #expect(server.server.connectionCount == 0)
        await server.stop()
    }
}
