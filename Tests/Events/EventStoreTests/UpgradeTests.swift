import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `An upgrade of a schema that holds data` {
    private static func migration(_ name: String, _ sql: String) -> Migration { Migration(name, Array(sql.utf8)) }

    /// What the first release has: a table that appends write to.
    private static let first = migration(
        "tally",
        """
        create table tally (name text primary key, amount bigint not null);
        create function row_count_up(args json) returns text language sql as $$
            insert into tally (name, amount) values (args ->> 'name', 1)
            on conflict (name) do update set amount = tally.amount + 1;
            select null::text;
        $$;
        grant select on tally to :role;
        """)

    /// What the second release adds: nothing that the first one uses changes its meaning.
    private static let expand = migration(
        "tally_since",
        """
        alter table tally add column since timestamptz;
        create or replace function row_count_up(args json) returns text language sql as $$
            insert into tally (name, amount, since) values (args ->> 'name', 1, clock_timestamp())
            on conflict (name) do update set amount = tally.amount + 1;
            select null::text;
        $$;
        """)

    private static func all(_ own: [Migration]) -> [Migration] { Migration.eventStore + own }

    private static func migrator(_ own: [Migration]) -> Migrator {
        Migrator(schema: "notes", role: "notes", migrations: all(own))
    }

    private static func count(_ fixture: StoreFixture, _ store: EventStore, _ name: String) async throws {
        try await store.append(
            notes(StreamName("note", .v7()), after: 0, name, calls: [countUp(name)]))
    }

    @Test func `runs while the old release keeps appending, and keeps all data`() async throws {
        let fixture = try await StoreFixture([Self.first])
        for _ in 1...5 { try await Self.count(fixture, fixture.store, "before") }
        // The old release continues, over connections that it opened before.
        let old = Loop.task {
            for _ in 1...60 { try await Self.count(fixture, fixture.store, "during") }
        }
        #expect(try await Self.migrator([Self.first, Self.expand]).run(fixture.administrator) == ["tally_since"])
        try await old.value
        let new = fixture.secondStore()
        for _ in 1...5 { try await Self.count(fixture, new, "after") }
        for _ in 1...5 { try await Self.count(fixture, fixture.store, "after") }

        let rows = try await new.pool.query("select name, amount, since is not null from tally order by name").rows
        #expect(rows.map { $0.text(0) } == ["after", "before", "during"])
        #expect(rows.map { $0.int(1) } == [10, 5, 60])
        #expect(rows[0].bool(2))
        #expect(!rows[1].bool(2))
        #expect(try await new.readLog(after: 0, limit: 100).map(\.position) == Array(1...75))
        // Neither release lacks anything, so either may be started now: a rollback is possible.
        #expect(try await Self.migrator([Self.first]).missing(new.pool).isEmpty)
        #expect(try await Self.migrator([Self.first, Self.expand]).missing(new.pool).isEmpty)
        await new.close()
    }

    @Test func `applies each file once, also when several migrate at the same time`() async throws {
        let fixture = try await StoreFixture([Self.first])
        let administrator = fixture.administrator
        let runs = (1...4).map { _ in
            Loop.task { try await Self.migrator([Self.first, Self.expand]).run(administrator) }
        }
        var applied: [String] = []
        for run in runs { applied += try await run.value }
        #expect(applied == ["tally_since"])
    }

    @Test func `gathers statistics of its own tables, and of no other schema's`() async throws {
        let fixture = try await StoreFixture([Self.first])
        let administrator = try await PostgresConnection.open(fixture.administrator)
        defer { administrator.close() }
        // Of the same owner, so that nothing but the schema keeps `analyze` away.
        try await administrator.script(
            "create schema beside authorization notes_owner; create table beside.other (a int); "
                + "alter table beside.other owner to notes_owner")
        _ = try await Self.migrator([Self.first, Self.expand]).run(fixture.administrator)
        let rows = try await administrator.query(
            "select relname, reltuples >= 0 from pg_class where relname in ('tally', 'other') order by relname", []
        ).rows
        #expect(rows.map { $0.text(0) } == ["other", "tally"])
        #expect(rows.map { $0.bool(1) } == [false, true])
    }

    @Test func `refuses a file that was changed after it ran`() async throws {
        let fixture = try await StoreFixture([Self.first])
        let changed = Self.migration("tally", Self.first.sql + " -- changed")
        await #expect(throws: MigrationError.self) { _ = try await Self.migrator([changed]).run(fixture.administrator) }
        #expect(try await Self.migrator([changed]).missing(fixture.store.pool) == ["tally"])
    }

    @Test func `leaves nothing of a file that fails half way`() async throws {
        let fixture = try await StoreFixture([Self.first])
        let broken = Self.migration("broken", "create table half (a int); select 1 / 0;")
        await #expect(throws: MigrationError.self) {
            _ = try await Self.migrator([Self.first, broken]).run(fixture.administrator)
        }
        #expect(try await fixture.store.pool.query("select to_regclass('half') is null").rows[0].bool(0))
        #expect(try await Self.migrator([Self.first, broken]).missing(fixture.store.pool) == ["broken"])
    }
}
