import EventConsumer
import EventRelay
import EventSourcing
import EventStore
import Glibc
import History
import JSON
import Postgres
import PostgresTesting
import Primitives
import Projections
import Replay
import Runtime

/// A rebuild of a read model from a million events, compared with COPY out and in of the same rows; and queries of that
/// log's history.
@Loop enum RebuildBench {
    static let count = 1_000_000
    private static let command = "infra/bench rebuild"

    static func run(_ stage: Stage) async throws -> [Figure] {
        print("rebuild: filling a log with \(count) events …")
        let (administrator, role) = try await log(of: count)
        let store = HistoryStore(DeedTale.history, reader: administrator)
        defer { store.close() }
        var figures = try await looks(store)
        print("rebuild: COPY out and in, then the rebuild …")
        let out = try await CopyOut(
            administrator, schema: "sessions", count: count, programs: stage.postgresPrograms
        ).rate()
        let slower = min(out, try await copyIn(administrator, stage))
        let alone = try await RebuildPeer.run(.deeds, administrator)
        guard alone.rows == count / 10 else { throw BenchError("The rebuild has \(alone.rows) rows.") }
        figures += [
            Figure(
                name: "rebuild.rate", value: alone.rate, unit: "events/s", goal: .atLeast(200_000), command: command,
                note: "\(count) events, 100,000 rows, comparison and switch not counted; "
                    + "\(alone.processorSeconds.short) s of processor time"),
            Figure(
                name: "rebuild.ratio", value: alone.rate / slower, unit: "times COPY", goal: .atLeast(0.7),
                command: command,
                peer: ("the slower of COPY out and in of the same rows", slower, "rows/s")),
        ]
        let live = try await LiveRebuildBench(administrator, role, command: command).run()
        figures += live.figures
        figures.append(
            Figure(
                name: "rebuild.memory", value: max(alone.megabytes, live.megabytes), unit: "MB", goal: .atMost(200),
                command: command, note: "the highest resident memory of a process that rebuilds"))
        return figures
    }

    /// A database with a log of so many deeds, folded already as far as anybody can tell.
    static func log(of count: Int) async throws -> (administrator: PostgresSettings, role: PostgresSettings) {
        let made = try await TestPostgres.makeDatabase(schemas: ["sessions"])
        _ = try await Migrator(
            schema: "sessions", role: "sessions",
            migrations: Migration.eventStore + Migration.relay + Migration.consumer + Migration.projections
        ).run(made.administrator)
        var administrator = made.administrator.with("search_path", "sessions")
        administrator.statementDeadline = .seconds(600)
        try await fill(administrator, count)
        return (administrator, made.roles["sessions"]!)
    }

    private static func fill(_ settings: PostgresSettings, _ count: Int) async throws {
        let connection = try await PostgresConnection.open(settings)
        defer { connection.close() }
        // A hundred sessions at a time, ten deeds each.
        try await connection.script(
            """
            insert into events
            select g, 'session-' || id, ((g - 1) / 100) % 10 + 1, gen_random_uuid(), 'VideoStored', 1,
                json_build_object('session', id, 'owner', id, 'bytes', 12345678, 'digest', id || id,
                    'mediaType', 'video/mp4'),
                json_build_object('correlation', id, 'actor', id, 'owner', id), null,
                timestamptz '2026-01-01' + g * interval '1 millisecond'
            from (select g, '00000001-0000-4000-8000-'
                || lpad(to_hex(((g - 1) / 1000) * 100 + (g - 1) % 100), 12, '0') as id
                from generate_series(1, \(count)) g) rows;
            create table deed_counts (key text primary key, owner_id uuid not null, deeds bigint not null,
                bytes bigint not null, last_at timestamptz not null);
            alter table deed_counts owner to sessions_owner;
            create index deed_counts_by_owner on deed_counts (owner_id);
            select register_read_model('deed_counts');
            update projections set position = \(count) where name = 'deed_counts';
            """)
        try await connection.script("vacuum analyze")
    }

    private static func copyIn(_ settings: PostgresSettings, _ stage: Stage) async throws -> Double {
        let file = "/tmp/mirrormate-bench-\(getpid()).copy"
        defer { unlink(file) }
        let psql = [
            "-X", "-h", settings.host, "-p", "\(settings.port)", "-U", settings.user, "-d", settings.database, "-c",
        ]
        let program = "\(stage.postgresPrograms)/psql"
        _ = try await Tool.run(program, psql + ["\\copy sessions.events to '\(file)'"])
        _ = try await Tool.run(program, psql + ["create table sessions.copied (like sessions.events)"])
        let start = monotonicNanoseconds()
        _ = try await Tool.run(program, psql + ["\\copy sessions.copied from '\(file)'"])
        return Double(count) / (Double(monotonicNanoseconds() - start) / 1e9)
    }

    private static func looks(_ store: HistoryStore) async throws -> [Figure] {
        let id = Deed.identifier(1, 50_050)
        var start = monotonicNanoseconds()
        let timeline = try await TimelineTracer([store]).trace(id)
        let first = Double(monotonicNanoseconds() - start) / 1e9
        guard timeline.events.count == 10 else { throw BenchError("A timeline of \(timeline.events.count) events.") }
        start = monotonicNanoseconds()
        let moment = timeline.events[4].event.recordedAt
        let place = try await store.position(at: moment)
        let row = try await StateFold(store).row(id.description, of: store.history.readModels[0], upTo: place)
        let second = Double(monotonicNanoseconds() - start) / 1e9
        guard row.value?["deeds"] == 5 else { throw BenchError("The row at that moment is wrong.") }
        return [
            Figure(name: "timeline", value: first, unit: "s", goal: .atMost(1), command: command),
            Figure(name: "state.at", value: second, unit: "s", goal: .atMost(1), command: command),
        ]
    }
}
