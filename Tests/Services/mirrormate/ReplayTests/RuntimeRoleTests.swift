import Contracts
import Postgres
import PostgresTesting
import Primitives
import Projections
import Replay
import Runtime
import Testing
import TestingSupport

@testable import sessions

/// What the service's own login could do to history, were its password in wrong hands.
@Suite(.timeLimit(.minutes(10))) @Loop struct `The login role of a service` {
    /// Names under which something that guards history could be passed off as a read model.
    nonisolated private static let targets = [
        "events", "head", "incarnations", "cut_incarnations", "erased_subjects", "projections", "rebuilds",
        "read_models", "migrations", "relay", "consumer_partitions", "signing_keys", "request_key", "object_intents",
        "EVENTS", #""events""#, "sessions.events", "events_fresh", "session_list_fresh", "pg_class",
        "events; drop table events", "",
    ]

    /// The way in which a table was replaced, destroyed and forged while the role could write the registry and the records
    /// of rebuilds, with what might do instead of each step.
    nonisolated private static func attack(_ name: String) -> [String] {
        let text = "'\(name.replacing("'", with: "''"))'"
        let table = "\"\(name.replacing("\"", with: "\"\""))_fresh\""
        return [
            "insert into projections (name) values (\(text))",
            "insert into projections values (\(text), 0)",
            "update projections set name = \(text) where name = 'session_list'",
            "insert into read_models values (\(text))",
            "update read_models set name = \(text)",
            "select register_read_model(\(text))",
            "insert into rebuilds (model, started_by, code) values (\(text), 'me', 'mine')",
            "select begin_rebuild(\(text), 'me', 'mine')",
            "insert into \(table) select * from events",
            "insert into \(table) select * from head",
            "select complete_rebuild(\(text), false)",
            "select note_rebuild((select max(id) from rebuilds), 0, 0, 0, null, null)",
            "update rebuilds set model = \(text), state = 'built'",
            "select switch_rebuild((select max(id) from rebuilds))",
            "update rebuilds set model = \(text), state = 'switched', previous_position = 0",
            "select undo_rebuild(\(text))",
            "select drop_rebuild(\(text))",
            "select abandon_rebuild((select max(id) from rebuilds))",
            "select rename_read_model(\(text), 'elsewhere', '')",
        ]
    }

    /// Other ways to the owner's rights.
    nonisolated private static let attempts = [
        "set role sessions_owner", "set session authorization sessions_owner", "grant sessions_owner to sessions",
        "alter table events owner to sessions", "alter role sessions superuser",
        "create table sessions.mine (key text primary key)",
        "create function sessions.row_mine(json) returns text as $$ select ''$$ language sql",
        "create or replace function append_batch() returns void as $$ $$ language sql",
        "alter function append_batch set search_path = pg_temp, sessions",
        "create trigger mine before insert on events for each row execute function refuse_change()",
        "alter table events disable trigger all", "create rule mine as on insert to session_list do instead nothing",
        "update events set type = 'x'", "delete from events", "truncate events", "drop table events",
        "insert into events values (999, 's', 1, gen_random_uuid(), 't', 1, '{}', '{}', null, now())",
        "update head set refused = null", "delete from incarnations", "delete from erased_subjects",
        "delete from migrations", "delete from read_models", "delete from rebuilds", "delete from projections",
        "delete from cut_incarnations", "truncate session_list", "drop table session_list",
        "set session_replication_role = replica",
    ]

    private func populated(_ schemas: AllSchemas) async throws {
        var random = SeededRandom(seed: 7)
        try await RandomHistory<Session>.sessions.write(40, to: schemas.logs[.sessions]!, &random)
        try await schemas.fold(SessionProjection.self, of: .sessions)
    }

    /// Everything that the attacks must leave as it is: the tables themselves and what the guarded ones hold.
    private func state(_ schemas: AllSchemas) async throws -> [String] {
        let connection = try await PostgresConnection.open(schemas.administrator.with("search_path", "sessions"))
        defer { connection.close() }
        return try await connection.query(
            """
            select 'table ' || relname || ' ' || oid || ' ' || relfilenode || ' ' || relowner || ' ' || relrowsecurity
            from pg_class where relnamespace = 'sessions'::regnamespace and relkind in ('r', 'v', 'm')
            union all select 'function ' || oid || ' ' || md5(prosrc) || coalesce(proconfig::text, '') || proowner
                from pg_proc where pronamespace = 'sessions'::regnamespace
            union all select 'trigger ' || tgname || tgenabled::text from pg_trigger t join pg_class c on c.oid = tgrelid
                where relnamespace = 'sessions'::regnamespace
            union all select 'event ' || e::text from events e
            union all select 'head ' || h::text from head h
            union all select 'incarnation ' || i::text from incarnations i
            union all select 'migration ' || m::text from migrations m
            union all select 'model ' || m::text from read_models m
            union all select 'projection ' || p::text from projections p
            union all select 'rebuild ' || model || ' ' || state from rebuilds
            order by 1
            """
        ).rows.map { $0.text(0) }
    }

    /// Runs statements over one connection of the login role, whatever becomes of each.
    ///
    /// - Returns: those that were carried out.
    private func tried(_ schemas: AllSchemas, _ statements: [String]) async throws -> [String] {
        let connection = try await PostgresConnection.open(schemas.writer(.sessions))
        defer { connection.close() }
        var done: [String] = []
        for statement in statements {
            do {
                try await connection.script(statement)
                done.append(statement)
            } catch is PostgresError {}
        }
        return done
    }

    @Test func `passes no other table off as a read model`() async throws {
        try await AllSchemas.run { schemas in
            try await populated(schemas)
            let before = try await state(schemas)
            for name in Self.targets {
                _ = try await tried(schemas, Self.attack(name))
                #expect(try await state(schemas) == before, "\(name)")
            }
        }
    }

    @Test func `does not get the owner's rights, nor changes what it may only read`() async throws {
        try await AllSchemas.run { schemas in
            try await populated(schemas)
            let before = try await state(schemas)
            #expect(try await tried(schemas, Self.attempts) == [])
            #expect(try await state(schemas) == before)
        }
    }

    @Test func `cannot lead the owner's functions astray with temporary tables or another search path`() async throws {
        try await AllSchemas.run { schemas in
            try await populated(schemas)
            let before = try await state(schemas)
            let shadows = [
                "create temporary table read_models (name text)", "insert into pg_temp.read_models values ('events')",
                "create temporary table projections (name text, position bigint)",
                "insert into pg_temp.projections values ('events', 0)",
                "create temporary table rebuilds (id bigint, model text, state text, position bigint)",
                "insert into pg_temp.rebuilds values (1, 'events', 'built', 0)",
                "create temporary table events_fresh (key text primary key)",
                "create temporary table pg_class (oid oid, relname text, relkind text)",
                "create function pg_temp.is_read_model(regclass) returns boolean as $$ select true $$ language sql",
                "create function pg_temp.check_read_model(text) returns void as $$ $$ language sql",
                "create function pg_temp.row_mine(json) returns text as $$ delete from events returning '' $$ language sql",
            ]
            for path in ["pg_temp, sessions", "pg_temp, pg_catalog, sessions", "sessions, pg_temp"] {
                let qualified = Self.attack("events").map { statement in
                    statement.replacing("select begin_", with: "select sessions.begin_")
                        .replacing("select switch_", with: "select sessions.switch_")
                        .replacing("select undo_", with: "select sessions.undo_")
                        .replacing("select drop_", with: "select sessions.drop_")
                }
                _ = try await tried(
                    schemas, shadows + ["set search_path = \(path)"] + qualified + ["select sessions.switch_rebuild(1)"]
                )
                #expect(try await state(schemas) == before, "\(path)")
            }
        }
    }

    @Test func `ends a rebuild only from the state that it is in, and none that another session runs`() async throws {
        try await AllSchemas.run { schemas in
            try await populated(schemas)
            let owner = try await PostgresConnection.open(schemas.writer(.sessions))
            defer { owner.close() }
            let id = try await owner.query("select begin_rebuild('session_list', 'me', 'mine')").rows[0].int(0)
            let switching = "select switch_rebuild(\(id))"
            let noting =
                "select note_rebuild(\(id), (select position from projections where name = 'session_list'), 0, 0, null, null)"
            await expectRefusal("MMRB5") { try await owner.script(switching) }
            await expectRefusal("MMRB3") { try await owner.script(noting) }
            try await owner.script("select complete_rebuild('session_list', false)")
            let others = [
                noting, switching, "select complete_rebuild('session_list', false)",
                "select undo_rebuild('session_list')", "select drop_rebuild('session_list')",
                "select begin_rebuild('session_list', 'you', 'yours')",
            ]
            #expect(try await tried(schemas, others) == [])
            try await owner.script(noting)
            #expect(try await tried(schemas, others) == [])
            try await owner.script(switching)
            await expectRefusal("MMRB5") { try await owner.script(switching) }
            await expectRefusal("MMRB5") { try await owner.script(noting) }
            await expectRefusal("MMRB5") { try await owner.script("select complete_rebuild('session_list', false)") }
            try await owner.script("select undo_rebuild('session_list')")
            await expectRefusal("MMRB4") { try await owner.script("select undo_rebuild('session_list')") }
        }
    }

    @Test func `keeps the rights with which an older program folds`() async throws {
        try await AllSchemas.run { schemas in
            try await populated(schemas)
            let statements = [
                "insert into projections (name) values ('session_list') on conflict do nothing",
                "select position from projections where name = 'session_list' for update skip locked",
                "update projections set position = position where name = 'session_list'",
            ]
            #expect(try await tried(schemas, statements) == statements)
        }
    }

    @Test(arguments: ReleasedData.all)
    func `has the same rights after an upgrade as in a new schema`(release: String) async throws {
        var rights: [[String]] = []
        for release in [nil, release] {
            try await AllSchemas.run(release: release) { schemas in
                let pool = PostgresPool(schemas.administrator, size: 1)
                defer { pool.close() }
                var all: [String] = []
                for store in schemas.stores { all += try await SchemaRights.of(store.service.rawValue, pool) }
                rights.append(all)
            }
        }
        #expect(rights[0].count > 100)
        #expect(rights[0] == rights[1])
    }
}

/// Expects a refusal of the database with this code.
private func expectRefusal(
    _ code: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: @Loop () async throws -> Void
) async {
    let error = await #expect(throws: PostgresError.self, sourceLocation: sourceLocation) { try await body() }
    #expect(error?.code.rawValue == code, sourceLocation: sourceLocation)
}
