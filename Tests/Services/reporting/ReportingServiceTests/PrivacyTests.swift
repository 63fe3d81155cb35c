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

@testable import reporting

@Suite(.timeLimit(.minutes(10))) @Loop struct `What was said in a report` {
    private let owner = UUID.v7()

    @Test(arguments: ["reports", "report_history"])
    func `is seen by its owner alone`(table: String) async throws {
        try await Desk.run { desk in
            _ = try await desk.written(for: owner)
            _ = try await desk.written(for: .v7())
            _ = try await desk.history(as: owner)
            let all = "select owner_id from \(table)"
            #expect(try await desk.group.administrator.query(all).count == 2)
            let own = try await desk.group.first.owners.query(of: owner, all).rows.map { $0.uuid(0) }
            #expect(own == [owner])
            #expect(try await desk.group.first.owners.query(of: .v7(), all).count == 0)
            #expect(try await desk.group.unscoped.query(all).count == 0)
        }
    }

    @Test func `can be changed by the role of the service through the log alone`() async throws {
        try await Desk.run { desk in
            _ = try await desk.written(for: owner)
            for statement in ["delete from reports", "update reports set content = '{}'"] {
                await #expect(throws: PostgresError.self) {
                    _ = try await desk.group.first.store.pool.query(statement)
                }
            }
        }
    }

    @Test func `stands in no event`() async throws {
        try await Desk.run { desk in
            let planted = "planted sentence 7b1f"
            let session = try await desk.written(for: owner, Desk.report(planted))
            let answer = try await desk.read(session, as: owner)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(planted))
            _ = try await desk.history(as: owner)
            for table in ["events", "report_history"] {
                let hits = "select count(*) from \(table) t where t::text like '%planted%'"
                #expect(try await desk.group.count(hits) == 0)
            }
        }
    }

    @Test func `is gone with its user, and nothing brings it back`() async throws {
        try await Desk.run { desk in
            let sessions = [try await desk.written(for: owner), try await desk.written(for: owner)]
            let deleted = try await desk.written(for: owner)
            try await desk.delete(deleted, of: owner)
            let other = UUID.v7()
            let kept = try await desk.written(for: other)
            #expect(try await desk.history(as: owner).sessions.count == 2)
            let late = try await desk.store()

            let erased = try desk.topic.message(UserErased(userId: owner))
            #expect(desk.group.first.handler.isLastWord(erased))
            #expect(try await desk.group.deliver(erased))
            try await desk.group.deliver(erased)

            #expect(try await !desk.complete(.v7(), of: owner, late))
            #expect(try await !desk.delete(sessions[0], of: owner))
            #expect(try await !desk.delete(.v7(), of: owner))
            for session in sessions { #expect(try await desk.read(session, as: owner).status == 404) }
            #expect(try await desk.history(as: owner).sessions == [])
            #expect(try await desk.history(as: other).sessions == [kept])
            for table in ["reports", "report_history"] {
                #expect(try await desk.group.count("select count(*) from \(table)") == 1)
            }
            let events = try await desk.group.first.store.read(.subject(owner))
            let published = try events.compactMap { try ReportingService.publication($0) }
            #expect(published.map(\.type) == [SubjectErased.type(of: .reporting)])
            #expect(published.first?.data["removed"] == ["rows": 2, "objects": 0])
        }
    }

    @Test func `goes also when an erasure was interrupted after it had closed the service for the user`() async throws {
        try await Desk.run { desk in
            let session = try await desk.written(for: owner)
            let store = desk.group.first.store
            let erased = try desk.topic.message(UserErased(userId: owner))
            try await store.append(
                Append(
                    id: .v7(), requestHash: [1], metadata: erased.metadata(actor: "test"), writes: [],
                    calls: [EventStoreRows.eraseSubject(owner)], thoughErased: true))
            #expect(try await desk.group.deliver(erased))
            #expect(try await desk.read(session, as: owner).status == 404)
            #expect(try await desk.group.count("select count(*) from reports") == 0)
            #expect(try await store.read(.subject(owner)).count == 1)
        }
    }
}
