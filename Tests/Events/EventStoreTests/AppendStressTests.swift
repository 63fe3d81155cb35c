import EventSourcing
import EventStore
import Glibc
import JSON
import Postgres
import Primitives
import Runtime
import Testing
import TestingSupport
import TestingTools

/// 64 callers on two instances append at random: good and bad, once and again, while connections are killed. Under the thread
/// sanitizer on a busy machine it takes minutes; the limit is for one that hangs.
@Suite(.timeLimit(.minutes(20))) @Loop struct `The append function under load` {
    private static let callers = 64
    private static let calls = 1_650
    private static let streams = (0..<40).map { _ in StreamName("note", .v7()) }

    @Test(.stress)
    func `stays gapless and consistent over 100,000 appends with conflicts, repeats, bad data and kills`()
        async throws
    {
        let seed = getenv("STRESS_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 1...1_000_000_000)
        print("seed of the random appends: \(seed)")
        let fixture = try await StoreFixture([Migration("stress", Array(stressSQL.utf8))])
        let instances = [fixture.store, fixture.secondStore()]
        let ledger = StressLedger()
        let start = monotonicNanoseconds()
        let killer = Loop.task { try await self.kill(fixture.administrator, seed) }
        let tasks = (0..<Self.callers).map { number in
            Loop.task {
                var caller = StressCaller(
                    number: number, store: instances[number % 2], random: SeededRandom(seed: seed &+ UInt64(number)),
                    ledger: ledger)
                for _ in 0..<Self.calls { try await caller.step(Self.streams) }
            }
        }
        for task in tasks { try await task.value }
        killer.cancel()
        let kills = (try? await killer.value) ?? ledger.kills
        let seconds = Double(monotonicNanoseconds() - start) / 1e9
        print("appends: \(ledger.counts.sorted { $0.key < $1.key }), kills: \(kills), seconds: \(seconds)")
        #expect(ledger.counts.values.reduce(0, +) >= 100_000)
        for kind in ["ok", "repeat", "conflict", "idReused", "guarded", "data", "bad-event"] {
            #expect(ledger.counts[kind, default: 0] > 100, "too few of \(kind)")
        }
        try await check(fixture, ledger)
        for instance in instances { await instance.close() }
    }

    /// Terminates the connections of both instances again and again.
    private func kill(_ administrator: PostgresSettings, _ seed: UInt64) async throws -> Int {
        var random = SeededRandom(seed: ~seed)
        let connection = try await PostgresConnection.open(administrator)
        defer { connection.close() }
        var kills = 0
        while !Task.isCancelled {
            do { try await Loop.sleep(for: .milliseconds(Int64(400 + random.next() % 1_200))) } catch { break }
            kills += try await connection.query(
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                where usename = 'notes' and datname = current_database() and random() < 0.5
                """
            ).count
        }
        return kills
    }

    private func check(_ fixture: StoreFixture, _ ledger: StressLedger) async throws {
        let connection = try await PostgresConnection.open(fixture.administrator)
        defer { connection.close() }
        func number(_ sql: String) async throws -> Int64 { try await connection.query(sql).rows[0].int(0) }
        let count = try await number("select count(*) from notes.events")
        #expect(try await number("select coalesce(max(position), 0) from notes.events") == count)
        #expect(try await number("select coalesce(min(position), 0) from notes.events") == 1)
        let sparse = try await number(
            """
            select count(*) from (select stream from notes.events group by stream
                having max(version) <> count(*) or min(version) <> 1) x
            """)
        #expect(sparse == 0)
        let disordered = try await number(
            """
            select count(*) from (select recorded_at, lag(recorded_at) over (order by position) before,
                version, lag(version) over (partition by stream order by position) version_before from notes.events) x
            where before > recorded_at or version_before >= version
            """)
        #expect(disordered == 0)
        // Each event names its append and how many belong to it: all of them must be adjacent and have the same time.
        let torn = try await number(
            """
            select count(*) from (select data ->> 'append' append from notes.events group by 1
                having count(*) <> min((data ->> 'of')::int) or max(position) - min(position) + 1 <> count(*)
                    or count(distinct recorded_at) <> 1) x
            """)
        #expect(torn == 0)
        // What was acknowledged is at the position that was returned; what was refused is absent.
        let rows = try await connection.query(
            "select data ->> 'append', min(position) from notes.events group by 1"
        ).rows
        let found = Dictionary(uniqueKeysWithValues: rows.map { ($0.text(0), $0.int(1)) })
        let misplaced = ledger.acknowledged.count { found[$0.key.description] != $0.value }
        #expect(misplaced == 0)
        #expect(ledger.refused.count { found[$0.description] != nil } == 0)
        let unexplained = found.keys.count { ledger.acknowledged[UUID($0)!] == nil }
        #expect(unexplained <= ledger.counts["unavailable", default: 0])
        // Row writes are committed or rolled back with their append.
        let names = try await number("select count(*) from notes.tallies")
        let tallied = try await number(
            "select count(*) from notes.events where version > 0 and (data ->> 'tally') = 'yes'")
        #expect(names == tallied)
        #expect(ledger.surprises.isEmpty, "\(ledger.surprises.prefix(5))")
        print("events: \(count), acknowledged appends: \(ledger.acknowledged.count)")
    }
}

private let stressSQL = """
    create table tallies (id uuid primary key);
    create function row_say_no(args json) returns text language sql as $$ select args ->> 'code' $$;
    create function row_tally(args json) returns text language sql as $$
        insert into tallies values ((args ->> 'id')::uuid);
        select null::text;
    $$;
    create function row_break(args json) returns text language plpgsql as $$
    begin
        raise exception 'broken on purpose' using errcode = 'P0001';
    end $$
    """
