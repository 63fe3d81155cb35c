import Contracts
import EventConsumer
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import quota

private typealias Group = ServiceUnderTest<QuotaService>

@Suite(.timeLimit(.minutes(10))) @Loop struct `The quota service` {
    private let from = Messages()
    private let session = UUID.v7()

    private func events(_ group: Group, of owner: UUID) async throws -> [QuotaEvent] {
        try await group.first.store.read(Allowance.stream(owner)).map { try $0.decoded(as: QuotaEvent.self) }
    }

    @Test func `admits exactly one of 100 creations that race on two instances`() async throws {
        try await withService(QuotaService.self, instances: 2) { group in
            var topic = TestTopic()
            let messages = try (0..<100).map { _ in try topic.message(from.created(.v7())) }
            // Two at a time on each instance: more only adds rounds, because each conflict is decided again.
            var waiting = messages
            let workers = (0..<4).map { worker in
                Loop.task {
                    while let message = waiting.popLast() {
                        try await group.deliver(message, to: group.instances[worker % 2])
                    }
                }
            }
            for worker in workers { try await worker.value }
            var admitted = 0
            var refused = 0
            for event in try await events(group, of: from.owner) {
                if case .reserved = event { admitted += 1 }
                if case .refused(_, let denial, _) = event, denial.code == .sessionOpen { refused += 1 }
            }
            #expect(admitted == 1)
            #expect(refused == 99)
        }
    }

    @Test func `decides a message once, however often it comes`() async throws {
        try await withService(QuotaService.self) { group in
            var topic = TestTopic()
            let created = try topic.message(from.created(session))
            #expect(try await group.deliver(created))
            #expect(try await !group.deliver(created))
            #expect(try await events(group, of: from.owner).count == 1)
        }
    }

    @Test func `answers what is left, from the first use to the charge`() async throws {
        try await withService(QuotaService.self) { group in
            var topic = TestTopic()
            let fresh = try await group.send("GET", "/v1/quota", as: from.owner)
            #expect(fresh.status == 200)
            #expect(
                fresh.json == [
                    "kind": "mirrormate", "plan": "free", "limit": 1, "used": 0, "reserved": 0, "remaining": 1,
                    "resetsAt": nil,
                ])
            try await group.deliver(topic.message(from.created(session)))
            let held = try await group.send("GET", "/v1/quota?kind=mirrormate", as: from.owner).json
            let limit = try await group.send("GET", "/v1/quota", as: from.owner).header("ratelimit")
            #expect(limit?.hasPrefix("\"analysis\";r=0;t=") == true)
            #expect(held["reserved"] == 1 && held["used"] == 0 && held["remaining"] == 0)
            let resetsAt = try #require(Timestamp(rfc3339: try held.string("resetsAt")))
            #expect(resetsAt > .now() && resetsAt <= Timestamp.now().adding(seconds: 25 * 3_600))
            try await group.deliver(topic.message(from.completed(session)))
            let charged = try await group.send("GET", "/v1/quota", as: from.owner).json
            #expect(charged["reserved"] == 0 && charged["used"] == 1 && charged["remaining"] == 0)
            let other = try await group.send("GET", "/v1/quota", as: .v7()).json
            #expect(other["remaining"] == 1)
        }
    }

    @Test func `returns the unit of a failed session`() async throws {
        try await withService(QuotaService.self) { group in
            var topic = TestTopic()
            try await group.deliver(topic.message(from.created(session)))
            try await group.deliver(topic.message(from.failed(session)))
            let answer = try await group.send("GET", "/v1/quota", as: from.owner).json
            #expect(answer["reserved"] == 0 && answer["used"] == 0 && answer["remaining"] == 1)
            try await group.deliver(topic.message(from.created(.v7())))
            #expect(try await group.send("GET", "/v1/quota", as: from.owner).json["remaining"] == 0)
        }
    }

    @Test func `holds nothing for a session whose ending came before its creation`() async throws {
        try await withService(QuotaService.self) { group in
            var topic = TestTopic()
            try await group.deliver(topic.message(from.cancelled(session)))
            try await group.deliver(topic.message(from.created(session)))
            let answer = try await group.send("GET", "/v1/quota", as: from.owner).json
            #expect(answer["reserved"] == 0 && answer["remaining"] == 1)
        }
    }

    @Test func `says unlimited as null`() async throws {
        try await withService(QuotaService.self) { group in
            let stream = Allowance.stream(from.owner)
            _ = try await CommandHandler<Allowance>(group.first.store).handle(
                .changePlan(ownerId: from.owner, .premium), on: stream, id: .v7(), requestHash: [1],
                metadata: EventMetadata(owner: from.owner, correlation: .v7(), actor: "test"))
            let answer = try await group.send("GET", "/v1/quota", as: from.owner).json
            #expect(answer["plan"] == "premium" && answer["limit"] == .null && answer["remaining"] == .null)
        }
    }

    @Test func `answers nothing without a token, and nothing about an unknown kind`() async throws {
        try await withService(QuotaService.self) { group in
            let anonymous = try await group.send("GET", "/v1/quota")
            #expect(anonymous.status == 401 && anonymous.code == "unauthenticated")
            let forged = try await group.send(
                "GET", "/v1/quota", headers: [("Authorization", "Bearer \(try group.token(for: from.owner))x")])
            #expect(forged.status == 401)
            let unknown = try await group.send("GET", "/v1/quota?kind=karaoke", as: from.owner)
            #expect(unknown.status == 400 && unknown.code == "invalid-request")
            #expect(try await group.send("POST", "/v1/quota", as: from.owner).status == 405)
        }
    }

    @Test func `takes back what a restore of sessions has undone`() async throws {
        try await withService(QuotaService.self) { group in
            var topic = TestTopic()
            try await group.deliver(topic.message(from.created(session)))
            let event = try await group.first.store.read(Allowance.stream(from.owner))[0]
            try await group.first.handler.takeBack(event, through: group.first.store)
            try await group.first.handler.takeBack(event, through: group.first.store)
            let after = try await events(group, of: from.owner)
            #expect(after.count == 2)
            guard case .released(_, _, .orphaned, _) = after[1] else {
                Issue.record("The unit was not given back.")
                return
            }
            #expect(try await group.send("GET", "/v1/quota", as: from.owner).json["remaining"] == 1)
        }
    }
}
