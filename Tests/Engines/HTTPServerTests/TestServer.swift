import HTTPServer
import JSON
import Observability
import Runtime

/// A server on a free port of this machine with a few routes.
@Loop final class TestServer {
    let server: HTTPServer
    let port: Int
    var url: String { "http://127.0.0.1:\(port)" }
    let metrics = Metrics()

    init(
        limits: ServerLimits = ServerLimits(), trustedProxies: [AddressRange] = [], proxyKey: String? = nil,
        _ addRoutes: (Router, TestServer.Notes) -> Void = { _, _ in }
    ) throws {
        let router = Router()
        let collected = Notes()
        self.collected = collected
        router.use(AccessMetrics.middleware(metrics))
        router.on("GET", "/hello") { _ in .json(["hello": "world"]) }
        router.on("GET", "/items/{id}") { request in
            .text("\(request.parameters["id"] ?? "none") \(request.query("q") ?? "-") \(request.remoteAddress)")
        }
        router.on("GET", "/items/special") { _ in .text("special") }
        router.on("GET", "/files/{key...}") { request in .text(request.parameters["key"] ?? "none") }
        router.on("POST", "/echo") { request in
            .bytes(try await request.body.collect(limit: 1 << 20), contentType: "application/octet-stream")
        }
        router.on("POST", "/ignore") { _ in .text("ignored") }
        router.on("POST", "/fail") { _ in throw ServerFault() }
        router.on("GET", "/nothing") { _ in .noContent }
        router.on("GET", "/split") { _ in Response(headers: ["X-Name": "a\r\nSet-Cookie: b"]) }
        addRoutes(router, collected)
        server = HTTPServer(
            ServerConfiguration(
                host: "127.0.0.1", port: 0, trustedProxies: trustedProxies,
                proxyKey: proxyKey.map { key in { @Sendable shown in shown == key } }, limits: limits),
            router: router, metrics: metrics)
        port = try server.start()
    }

    let collected: Notes

    struct ServerFault: Error {}

    func client() throws -> RawClient { try RawClient(port: port) }

    func stop() async { await server.stop(deadline: .zero) }

    /// Events recorded by handlers, for tests to wait for.
    @Loop final class Notes {
        private(set) var all: [String] = []
        private let signal = Signal()

        func add(_ note: String) {
            all.append(note)
            signal.raise()
        }

        func wait(for note: String) async throws {
            while !all.contains(note) { try await signal.wait(atMost: .seconds(20)) }
        }
    }
}

extension Router {
    /// Adds `GET /endless`, which streams until it fails, and notes the error's type.
    func addEndlessStream(_ notes: TestServer.Notes) {
        on("GET", "/endless") { _ in
            .stream(contentType: "text/plain") { writer in
                do {
                    while true { try await writer.write([UInt8](repeating: 1, count: 65_536)) }
                } catch {
                    notes.add("\(type(of: error))")
                    throw error
                }
            }
        }
    }

    /// Adds a route that notes `sleeping`, sleeps until it is cancelled, and notes the error's type.
    func addSleeper(_ notes: TestServer.Notes, _ method: String, _ path: String) {
        on(method, path) { _ in
            notes.add("sleeping")
            do {
                try await Loop.sleep(for: .seconds(3_600))
            } catch {
                notes.add("\(type(of: error))")
                throw error
            }
            return .noContent
        }
    }
}
