import Contracts
import Crypto
import EventSourcing
import EventStore
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import quota

@Suite(.timeLimit(.minutes(10))) @Loop struct `A device that becomes an account` {
    private let from = Messages()

    @Test func `has used today what it used as a device`() async throws {
        try await withService(QuotaService.self) { group in
            var topic = TestTopic()
            let session = UUID.v7()
            try await group.deliver(topic.message(UserRegistered(userId: from.owner, kind: .device)))
            try await group.deliver(topic.message(from.created(session)))
            try await group.deliver(topic.message(from.completed(session)))
            try await group.deliver(topic.message(UserRegistered(userId: from.owner, kind: .user)))
            let token = try group.token(for: from.owner, kind: .user)
            let quota = try await group.send("GET", "/v1/quota", headers: [("Authorization", "Bearer \(token)")]).json
            #expect(quota["used"] == 1 && quota["remaining"] == 0)
            try await group.deliver(topic.message(from.created(.v7())))
            let events = try await group.first.store.read(Allowance.stream(from.owner))
            #expect(events.map(\.type.name) == ["QuotaReserved", "QuotaCommitted", "QuotaRefused"])
        }
    }
}
