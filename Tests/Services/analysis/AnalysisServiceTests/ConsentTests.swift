import Contracts
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import analysis

/// The service's own copy of what users let providers have.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A consent` {
    private typealias Service = ServiceUnderTest<AnalysisService>

    private let owner = UUID.v7()
    private let scope = ConsentScope(provider: "openai", purpose: .transcription)
    private let start = Timestamp(seconds: 1_795_000_000)

    private func given(_ seconds: Int64, _ classes: Set<DataClass> = [.audio]) -> ConsentGiven {
        ConsentGiven(
            userId: owner, to: scope, dataClasses: classes, version: "2026-11", locale: "en",
            textSHA256: String(repeating: "ab", count: 32), givenAt: start.adding(seconds: seconds))
    }

    private func withdrawn(_ seconds: Int64) -> ConsentWithdrawn {
        ConsentWithdrawn(userId: owner, from: scope, withdrawnAt: start.adding(seconds: seconds))
    }

    /// What may be sent now; nil without a row.
    private func classes(_ service: Service) async throws -> [String]? {
        let row = try await service.administrator.query(
            """
            select array_to_string(data_classes, ' ') from consents
            where owner_id = $1 and provider = 'openai' and purpose = 'transcription'
            """, [.uuid(owner)]
        ).first
        return row.map { $0.text(0).split(separator: " ").map(String.init) }
    }

    private func withAnalysis(_ body: @Loop (Service) async throws -> Void) async throws {
        let helper = try FakeHelper(.succeed)
        defer { helper.remove() }
        try await withService(AnalysisService.self, helper.variables, body)
    }

    @Test func `counts until it is withdrawn, and each word is an event`() async throws {
        try await withAnalysis { service in
            let message = try await service.deliver(given(0))
            #expect(try await classes(service) == ["audio"])
            #expect(try await !service.deliver(message), "A repeat adds nothing.")
            try await service.deliver(given(1, [.audio, DataClass(rawValue: "picture")]))
            #expect(try await classes(service).map(Set.init) == ["audio", "picture"])
            try await service.deliver(withdrawn(2))
            #expect(try await classes(service) == [])
            let events = try await service.store.readLog(after: 0, limit: 1000).map(\.type.name)
            #expect(
                events.filter { $0.hasPrefix("Consent") } == [
                    "ConsentLearned", "ConsentLearned", "ConsentWithdrawalLearned",
                ])
        }
    }

    @Test func `that comes behind its withdrawal, as a parked one does, counts for nothing`() async throws {
        try await withAnalysis { service in
            try await service.deliver(withdrawn(2))
            try await service.deliver(given(1))
            #expect(try await classes(service) == [])
            try await service.deliver(given(2))
            #expect(try await classes(service) == [], "Of one moment the withdrawal counts.")
            try await service.deliver(given(3))
            #expect(try await classes(service) == ["audio"])
            try await service.deliver(withdrawn(1))
            #expect(try await classes(service) == ["audio"], "An old withdrawal changes nothing.")
        }
    }

    @Test func `whose withdrawal is known waits for nothing before it`() async throws {
        try await withAnalysis { service in
            let handler = service.first.handler
            let withdrawal = try service.topic.message(withdrawn(1))
            #expect(handler.isLastWord(withdrawal))
            #expect(!handler.isLastWord(try service.topic.message(given(1))))
        }
    }

    @Test func `that identity has forgotten in a restore counts no longer, and a withdrawal stays`() async throws {
        try await withAnalysis { service in
            try await service.deliver(given(0))
            try await service.deliver(given(1))
            func takeBack(_ index: Int) async throws {
                let events = try await service.store.readLog(after: 0, limit: 1000).filter {
                    $0.type.name.hasPrefix("Consent")
                }
                for _ in 1...2 { try await service.first.handler.takeBack(events[index], through: service.store) }
            }
            try await takeBack(0)
            #expect(try await classes(service) == ["audio"], "What stands is a later word.")
            try await takeBack(1)
            #expect(try await classes(service) == [])
            service.topic = TestTopic()
            try await service.deliver(given(2))
            #expect(try await classes(service) == ["audio"])
            try await service.deliver(withdrawn(3))
            try await takeBack(3)
            #expect(try await classes(service) == [])
        }
    }

    @Test func `goes with its user, and comes too late for somebody who is gone`() async throws {
        try await withAnalysis { service in
            try await service.deliver(given(0))
            try await service.deliver(UserErasedV2(userId: owner))
            #expect(try await classes(service) == nil)
            try await service.deliver(given(1))
            try await service.deliver(withdrawn(2))
            #expect(try await classes(service) == nil)
            let said = try await service.store.read(.subject(owner)).map { try $0.decoded(as: JobEvent.self) }
            #expect(said == [.subjectErased(owner, .init(rows: 0, objects: 0))])
        }
    }
}
