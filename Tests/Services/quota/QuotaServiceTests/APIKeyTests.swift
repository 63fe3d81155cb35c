import Contracts
import EventSourcing
import EventStore
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import ServiceKit
@testable import quota

private typealias Group = ServiceUnderTest<QuotaService>

/// What every service but identity does when it hears of API keys; how requests are answered, identity's tests say.
@Suite(.timeLimit(.minutes(10))) @Loop struct `An API key that identity has announced` {
    private let key = APIKeyIssued(keyId: .v7(), keySHA256: String(repeating: "ab", count: 32), role: .anon)
    private let other = APIKeyIssued(keyId: .v7(), keySHA256: String(repeating: "cd", count: 32), role: .service)

    /// How many keys count.
    private func counting(_ group: Group) async throws -> Int64 {
        try await group.count("select count(*) from api_keys where not revoked and hash is not null")
    }

    @Test func `counts until it is revoked, and never again, in whatever order both are heard`() async throws {
        try await withService(QuotaService.self) { group in
            let issued = try await group.deliver(key)
            #expect(try await counting(group) == 1)
            // A repeat changes nothing.
            #expect(try await !group.deliver(issued))
            try await group.deliver(APIKeyRevoked(keyId: key.keyId))
            #expect(try await counting(group) == 0)
            try await group.deliver(key)
            #expect(try await counting(group) == 0)
            try await group.deliver(APIKeyRevoked(keyId: other.keyId))
            try await group.deliver(other)
            #expect(try await counting(group) == 0)
        }
    }

    @Test func `that identity never made counts no longer, and its end is for good`() async throws {
        try await withService(QuotaService.self) { group in
            try await group.deliver(key)
            try await group.deliver(APIKeyRevoked(keyId: other.keyId))
            let learned = try await group.store.readLog(after: 0, limit: 100)
                .filter { ["APIKeyLearned", "APIKeyRevocationLearned"].contains($0.type.name) }
            #expect(learned.count == 2)
            for event in learned {
                if let back = try await LearnedEvent.takingBack(event, group.store, by: .quota) {
                    try await group.store.append(back)
                }
            }
            #expect(try await counting(group) == 0)
            #expect(try await group.count("select count(*) from api_keys where revoked") == 1)
        }
    }
}
