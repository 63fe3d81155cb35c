import HTTPClient
import HTTPServer
import Runtime
import Testing

@Suite(.timeLimit(.minutes(1))) @Loop struct `An address of the public internet` {
    @Test(
        arguments: [
            [8, 8, 8, 8], [203, 0, 113, 10], [11, 0, 0, 1], [100, 63, 255, 255], [100, 128, 0, 0], [172, 15, 0, 1],
            [172, 32, 0, 1], [192, 167, 255, 255], [198, 17, 0, 1], [198, 20, 0, 1], [223, 255, 255, 255],
            [0x20, 0x01, 0x48, 0x60, 0x48, 0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x88],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 8, 8, 8, 8],
        ] as [[UInt8]])
    func `is one that anybody can reach`(address: [UInt8]) {
        #expect(PublicAddress.contains(address))
    }

    @Test(
        arguments: [
            [0, 0, 0, 0], [10, 0, 0, 1], [100, 64, 0, 1], [100, 127, 255, 255], [127, 0, 0, 1], [169, 254, 169, 254],
            [172, 16, 0, 1], [172, 31, 255, 255], [192, 0, 0, 8], [192, 88, 99, 1], [192, 168, 1, 1], [198, 18, 0, 1],
            [198, 19, 255, 255], [224, 0, 0, 1], [255, 255, 255, 255], [], [8, 8, 8],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 0, 0, 1],
            [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 1],
            [0xFC, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0x20, 0x02, 10, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0x20, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        ] as [[UInt8]])
    func `is none of a machine or a network`(address: [UInt8]) {
        #expect(!PublicAddress.contains(address))
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `is all that a request for one connects to, whatever a name stands for`(host: String) async throws {
        let server = try TestServer()
        let port = try #require(server.url.split(separator: ":").last)
        let url = "http://\(host):\(port)/hello"
        let client = HTTPClient()
        var request = HTTPClientRequest("GET", url)
        #expect(try await client.send(request).status == 200, "it is there")
        request.isForPublicAddress = true
        request.isSentOnce = true
        do {
            _ = try await client.send(request)
            Issue.record("It went there.")
        } catch let error as HTTPClientError {
            #expect(error.code == .notLetOut && !error.isRetryable)
        }
        await server.stop()
    }

    @Test func `is the proxy's to judge, also where it is of this machine`() async throws {
        let proxy = LocalProxy("403 Forbidden")
        defer { proxy.stop() }
        var request = HTTPClientRequest("GET", "http://127.0.0.1:9/")
        request.isForPublicAddress = true
        do {
            _ = try await HTTPClient(proxy: proxy.url).send(request)
            Issue.record("It went there.")
        } catch let error as HTTPClientError {
            #expect(error.code == .notLetOut)
        }
        #expect(proxy.heads.first?.hasPrefix("CONNECT 127.0.0.1:9 ") == true)
    }
}
