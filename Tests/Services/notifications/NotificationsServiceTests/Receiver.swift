import HTTPServer
import JSON
import Primitives
import Runtime

@testable import notifications

/// An endpoint of somebody on this machine: notes what comes, and answers as a test says.
@Loop final class Receiver {
    /// What came.
    struct Received {
        let path: String
        let id: String
        let seconds: Int64
        let signatures: [String]
        let body: String

        var json: JSONObject { get throws { try JSONObject.parse(Array(body.utf8)) } }

        /// Whether one of the signatures is that of a secret.
        func isSigned(with secret: String) -> Bool {
            WebhookSecret(secret).map { signatures.contains($0.signature(id: id, seconds: seconds, body: body)) }
                ?? false
        }
    }

    /// What it answers; 204 unless a test says otherwise.
    var answer: @Loop (Received) async throws -> Response = { _ in .noContent }
    private(set) var received: [Received] = []
    private let server: HTTPServer
    private let port: Int

    /// The address of one of its endpoints.
    func url(_ path: String = "/in") -> String { "http://127.0.0.1:\(port)\(path)" }

    private init() throws {
        let router = Router()
        server = HTTPServer(ServerConfiguration(host: "127.0.0.1", port: 0), router: router)
        port = try server.start()
        for path in ["/in", "/other"] {
            router.on("POST", path) { [self] request in
                let text = String(decoding: try await request.body.collect(limit: 65_536), as: UTF8.self)
                let one = Received(
                    path: request.path, id: request.headers["webhook-id"] ?? "",
                    seconds: Int64(request.headers["webhook-timestamp"] ?? "") ?? 0,
                    signatures: (request.headers["webhook-signature"] ?? "").split(separator: " ").map(String.init),
                    body: text)
                received.append(one)
                return try await answer(one)
            }
        }
    }

    /// Runs a test with a receiver and stops that afterwards.
    ///
    /// - Throws: `ServerError` when it cannot listen, or what the test throws.
    static func run(_ body: @Loop (Receiver) async throws -> Void) async throws {
        let receiver = try Receiver()
        do { try await body(receiver) } catch {
            await receiver.server.stop(deadline: .zero)
            throw error
        }
        await receiver.server.stop(deadline: .zero)
    }
}
