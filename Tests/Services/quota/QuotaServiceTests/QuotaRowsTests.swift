import Contracts
import EventConsumer
import EventStore
import JSON
import Postgres
import Primitives
import Projections
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import quota

private typealias Group = ServiceUnderTest<QuotaService>

@Suite(.timeLimit(.minutes(10))) @Loop struct `Rows of allowances` {
    private let from = Messages()
    private let session = UUID.v7()

    private func row(_ group: Group) async throws -> AllowanceRow? {
        let rows = try await group.administrator.query("select row_to_json(a) from allowances a").rows
        return try rows.first.map { try AllowanceProjection.decode(JSONObject.parse($0.bytes(0))) }
    }

    @Test func `are what the stream tells`() async throws {
        try await withService(QuotaService.self) { group in
            var topic = TestTopic()
            for message in [try topic.message(from.created(session)), try topic.message(from.completed(session))] {
                try await group.deliver(message)
                try await group.fold(AllowanceProjection.self)
                let state = try await CommandHandler<Allowance>(group.first.store)
                    .load(Allowance.stream(from.owner)).state
                let now = Timestamp.now()
                #expect(
                    try await row(group)?.standing(in: .builtIn, at: now)
                        == state.standing(of: .mirrormate, in: .builtIn, at: now))
            }
            #expect(try await row(group)?.windows.last?.timeZone == "Europe/Berlin")
        }
    }

    @Test func `count the unusable recordings that were forgiven, and what was charged after them`() async throws {
        try await withService(QuotaService.self) { group in
            var topic = TestTopic()
            for number in Int64(1)...4 {
                let session = UUID.v7()
                try await group.deliver(topic.message(from.created(session)))
                try await group.deliver(topic.message(from.failed(session, .noSpeech)))
                try await group.fold(AllowanceProjection.self)
                let usage = try #require(try await row(group)?.windows.last).usage
                #expect(usage.unusable == min(number, 3) && usage.used == max(number - 3, 0) && usage.reserved == 0)
            }
            #expect(try await group.count("select unusable_recordings from allowances") == 3)
        }
    }

    @Test func `are seen by their owner alone`() async throws {
        try await withService(QuotaService.self) { group in
            var topic = TestTopic()
            let other = Messages()
            try await group.deliver(topic.message(from.created(session)))
            try await group.deliver(topic.message(other.created(.v7())))
            try await group.fold(AllowanceProjection.self)
            let all = "select owner_id from allowances"
            #expect(try await group.administrator.query(all).count == 2)
            let own = try await group.first.owners.query(of: from.owner, all).rows.map { $0.uuid(0) }
            #expect(own == [from.owner])
            #expect(try await group.first.owners.query(of: .v7(), all).count == 0)
            #expect(try await group.unscoped.query(all).count == 0)
            let write = "update allowances set extra = 9"
            #expect(try await group.first.owners.query(of: .v7(), write).affected == 0)
        }
    }

    @Test func `and all else of an erased user are gone, and nothing brings them back`() async throws {
        try await withService(QuotaService.self) { group in
            var topic = TestTopic()
            try await group.deliver(topic.message(from.created(session)))
            try await group.fold(AllowanceProjection.self)
            let erased = try topic.message(UserErased(userId: from.owner))
            #expect(group.first.handler.isLastWord(erased))
            #expect(try group.first.handler.isLastWord(group.topic.message(UserErasedV2(userId: .v4()))))
            let ended = LoginSessionEnded(
                userId: .v7(), loginSessionId: .v4(), reason: .signedOut, tokensUntil: .now() + .seconds(900))
            #expect(try group.first.handler.isLastWord(group.topic.message(ended)))
            #expect(try await group.deliver(erased))
            try await group.deliver(erased)
            #expect(try await !group.deliver(topic.message(from.created(.v7()))))
            #expect(try await !group.deliver(topic.message(from.completed(session))))
            try await group.fold(AllowanceProjection.self)
            #expect(try await group.count("select count(*) from allowances") == 0)
            #expect(try await group.send("GET", "/v1/quota", as: from.owner).status == 404)
            let events = try await group.first.store.read(Allowance.stream(from.owner))
            #expect(events.count == 2)
            let published = try events.compactMap { try QuotaService.publication($0) }
            #expect(published.last?.type == SubjectErased.type(of: .quota))
            #expect(published.last?.data["removed"] == ["rows": 1, "objects": 0])
        }
    }
}
