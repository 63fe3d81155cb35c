import EventSourcing
import EventStore
import Postgres
import Primitives
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `The history` {
    @Test(arguments: [
        "update events set type = 'x'", "delete from events", "truncate events",
        "insert into events values (9, 's', 1, gen_random_uuid(), 't', 1, '{}', '{}', null, now())",
        "update head set refused = null", "delete from migrations", "drop table events",
    ])
    func `cannot be changed by the service's login role`(statement: String) async throws {
        let fixture = try await StoreFixture()
        try await fixture.store.append(notes(StreamName("note", .v7()), after: 0, "a"))
        await #expect(throws: PostgresError.self) { _ = try await fixture.store.pool.query(statement) }
        #expect(try await fixture.store.readLog(after: 0, limit: 10).count == 1)
    }

    @Test(arguments: ["update notes.events set type = 'x'", "delete from notes.events", "truncate notes.events"])
    func `cannot be changed by the owner of the schema either`(statement: String) async throws {
        let fixture = try await StoreFixture()
        try await fixture.store.append(notes(StreamName("note", .v7()), after: 0, "a"))
        let owner = try await PostgresConnection.open(fixture.administrator)
        try await owner.script("set role notes_owner")
        await #expect(throws: PostgresError.self) { try await owner.script(statement) }
    }

    @Test func `wakes a waiter on a stream, also for what another instance appends`() async throws {
        let fixture = try await StoreFixture()
        let second = fixture.secondStore()
        let stream = StreamName("note", .v7())
        let woken = Loop.task {
            while true {
                let mark = fixture.store.head.position
                let events = try await fixture.store.read(stream)
                if !events.isEmpty { return events.count }
                try await fixture.store.head.wait(for: stream, since: mark, atMost: .seconds(30))
            }
        }
        try await second.append(notes(StreamName("note", .v7()), after: 0, "other"))
        try await second.append(notes(stream, after: 0, "a"))
        #expect(try await woken.value == 1)
    }
}
