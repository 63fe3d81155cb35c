package import Contracts
import Crypto
import EventStore
package import HTTPServer
import Postgres
import Primitives
package import Runtime
package import ServiceKit

/// Tells API keys by their text, from what identity has announced of them.
///
/// The hashes are in memory and read again at least every half second, so a revocation counts within a second. A key that is not known
/// is looked for once more, and may have been made a moment ago: it is waited for.
@Loop package final class APIKeys {
    private struct Key {
        let hash: [UInt8]
        let role: APIKeyRole
    }

    /// The longest text that is looked at, in bytes.
    private nonisolated static let longest = 1_024
    private nonisolated static let age = Duration.milliseconds(500)

    private let pool: PostgresPool
    private let wait: Duration
    private let unknown = UnknownKeys()
    private var keys: [Key] = []
    private var readAt: Int64 = 0
    private var reading: Task<Void, any Error>?

    package init(_ context: ServiceContext) {
        pool = context.store.pool
        wait = context.settings.keyWait
    }

    /// Whom a key stands for; nil for a text that is no key, or one that was revoked.
    ///
    /// - Throws: a problem 503 when too many wait for keys that are not known, or `PostgresError`.
    package func role(of text: String, in request: Request) async throws -> APIKeyRole? {
        guard (16...Self.longest).contains(text.utf8.count), APIKeyText.isLike(text) else { return nil }
        let hash = APIKeyText.hash(of: text)
        try await read(olderThan: Self.age)
        if let role = look(for: hash) { return role }
        try await readAgain()
        if let role = look(for: hash) { return role }
        return try await unknown.waiting(for: Hex.encode(hash), from: request.clientNetworks, atMost: wait) {
            try await read(olderThan: UnknownKeys.pollInterval)
            return look(for: hash)
        }
    }

    /// Compares with every key, so that the time it takes tells nothing.
    private func look(for hash: [UInt8]) -> APIKeyRole? {
        var found: APIKeyRole?
        for key in keys where ConstantTime.equal(key.hash, hash) { found = key.role }
        return found
    }

    /// Reads the keys anew, as often as somebody may look for one that is not known; who comes earlier waits until then.
    private func readAgain() async throws {
        let left = UnknownKeys.pollInterval - .nanoseconds(monotonicNanoseconds() - readAt)
        if left > .zero { try await Loop.sleep(for: left) }
        try await read(olderThan: UnknownKeys.pollInterval)
    }

    /// Reads the keys when what is known is older; whoever comes meanwhile waits for the same answer.
    private func read(olderThan age: Duration) async throws {
        if let reading { return try await reading.value }
        guard readAt == 0 || monotonicNanoseconds() - readAt >= age.nanosecondsClamped else { return }
        let task = Task { try await fetch() }
        reading = task
        defer { reading = nil }
        try await task.value
    }

    private func fetch() async throws {
        let rows = try await pool.query("select hash, role from api_keys where not revoked and hash is not null").rows
        readAt = monotonicNanoseconds()
        keys = rows.map { Key(hash: $0.bytes(0), role: APIKeyRole(rawValue: $0.text(1))) }
    }
}
