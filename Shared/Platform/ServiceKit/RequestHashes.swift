import Crypto
package import EventStore
package import HTTPServer
package import JSON
import Postgres
package import Primitives
package import Runtime

/// Keyed hashes and ids of requests, which distinguish a repeat from a new request.
package struct RequestHashes: Sendable {
    private let key: [UInt8]

    /// Reads the store's key.
    ///
    /// - Throws: `PostgresError`, `CancellationError` if the task is cancelled.
    @Loop package init(_ store: EventStore) async throws {
        key = try await store.pool.query("select key from request_key").rows[0].bytes(0)
    }

    /// A key of one purpose, which says nothing about the store's key or those of other purposes.
    package func key(for purpose: String) -> [UInt8] {
        HMACSHA256.authenticate(Array("mirrormate/\(purpose)".utf8), key: key)
    }

    /// The hash of what a request asks for.
    package func hash(_ bytes: [UInt8]) -> [UInt8] { HMACSHA256.authenticate(bytes, key: key) }

    /// The hash of a body, the same whatever the order of its members, which encoders choose.
    package func hash(_ body: JSONObject) -> [UInt8] {
        hash(body.members.map { "\($0.key)\u{0}\($0.value.text)" }.sorted().joined(separator: "\u{0}").utf8.map { $0 })
    }

    /// The id of a command: the same for the same owner, route and `Idempotency-Key`; a new one without a key.
    package func commandID(_ request: Request, owner: UUID) -> UUID {
        guard let key = Self.idempotencyKey(request) else { return .v7() }
        return UUID.v5(namespace: owner, name: "\(request.method) \(request.route ?? request.path) \(key)")
    }

    /// The header's value, quoted (RFC 8941 string) or bare.
    package static func idempotencyKey(_ request: Request) -> String? {
        guard var text = request.headers["idempotency-key"], !text.isEmpty, text.utf8.count <= 255 else { return nil }
        if text.hasPrefix("\""), text.hasSuffix("\""), text.count >= 2 { text = String(text.dropFirst().dropLast()) }
        return text.isEmpty ? nil : text
    }
}
