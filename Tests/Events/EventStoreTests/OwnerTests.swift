import EventSourcing
import EventStore
import Postgres
import Primitives
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `The owner of a stream` {
    /// The schema as it was before streams had owners, and what an upgrade adds.
    private static let before = Array(Migration.eventStore.prefix { $0.name != "own_functions" })

    /// The streams that the schema knows of an owner.
    private func streams(_ fixture: StoreFixture, of owner: UUID) async throws -> [String] {
        try await fixture.store.pool.query("select stream from stream_owners where owner = $1", [.uuid(owner)]).rows
            .map { $0.text(0) }
    }

    @Test func `is written with the append that begins it, if that stands`() async throws {
        let fixture = try await StoreFixture()
        let (owner, other) = (UUID.v7(), UUID.v7())
        let (begun, refused) = (StreamName("note", .v7()), StreamName("note", .v7()))
        try await fixture.store.append(notes(begun, after: 0, "a", "b", owner: owner))
        try await fixture.store.append(notes(begun, after: 2, "c", owner: other))
        try await fixture.store.append(notes(StreamName("note", .v7()), after: 0, "nobody's"))
        // Falls with its group, whose second append comes too late.
        let results = await fixture.store.append(together: [
            notes(refused, after: 0, "a", owner: owner), notes(begun, after: 0, "late", owner: owner),
        ])
        #expect(results.allSatisfy { if case .failure = $0 { true } else { false } })
        #expect(try await streams(fixture, of: owner) == [begun.description])
        #expect(try await streams(fixture, of: other).isEmpty)
        #expect(try await fixture.store.pool.query("select from stream_owners").count == 1)
        await #expect(throws: PostgresError.self) {
            _ = try await fixture.store.pool.query("delete from stream_owners")
        }
    }

    @Test func `is known after an upgrade, also of what an append began while it ran`() async throws {
        let fixture = try await StoreFixture(upTo: Self.before)
        let owner = UUID.v7()
        let (old, late, new) = (StreamName("note", .v7()), StreamName("note", .v7()), StreamName("note", .v7()))
        try await fixture.store.append(notes(old, after: 0, "a", owner: owner))
        try await fixture.store.append(notes(StreamName("note", .v7()), after: 0, "nobody's"))

        // An append has begun as it was before the upgrade, and is not done when the upgrade is under way.
        let holder = try await PostgresConnection.open(fixture.administrator)
        defer { holder.close() }
        try await holder.script("begin; select from notes.head for update")
        let append = Loop.task { try await fixture.store.append(notes(late, after: 0, "a", owner: owner)) }
        let looker = try await PostgresConnection.open(fixture.administrator)
        defer { looker.close() }
        func until(_ condition: String) async throws {
            while try await looker.query("select \(condition)").rows[0].bool(0) == false {
                try await Loop.sleep(for: .milliseconds(5))
            }
        }
        try await until("exists (select from pg_locks where not granted and locktype = 'transactionid')")
        let administrator = fixture.administrator
        let upgrade = Loop.task {
            try await Migrator(schema: "notes", role: "notes", migrations: Migration.eventStore).run(administrator)
        }
        try await until("exists (select from notes.migrations where name = 'append_owners')")
        try await holder.script("commit")
        _ = try await append.value
        #expect(try await upgrade.value.last == "stream_owners_filled")

        try await fixture.store.append(notes(new, after: 0, "a", owner: owner))
        #expect(try await Set(streams(fixture, of: owner)) == Set([old, late, new].map(\.description)))
    }
}
