import EventSourcing
import EventStore
import Glibc
import JSON
import Postgres
import Primitives
import Runtime
import Testing

/// 64 callers on two instances append at random: good and bad, once and again, while connections are killed.
@Suite(.timeLimit(.minutes(3)), .serialized) @Loop struct `The append function under load` {
    private static let callers = 64
    private static let calls = 1_650
    private static let streams = (0..<40).map { _ in StreamName("note", .v7()) }

    @Test func `stays gapless and whole over 100,000 random appends with conflicts, repeats, bad data and kills`() async throws {
        let seed = getenv("STRESS_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 1...1_000_000_000)
        print("seed of the random appends: \(seed)")
        let fixture = try await StoreFixture([Migration("stress", Array(stressSQL.utf8))])
        let instances = [fixture.store, fixture.secondStore()]
        let ledger = Ledger()
        let start = monotonicNanoseconds()
        let killer = Loop.task { try await self.kill(fixture.administrator, seed) }
        let tasks = (0..<Self.callers).map { number in
            Loop.task {
                var caller = Caller(
                    number: number, store: instances[number % 2], random: Random64(seed &+ UInt64(number)), ledger: ledger)
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
        var random = Random64(~seed)
        let connection = try await PostgresConnection.open(administrator)
        defer { connection.close() }
        var kills = 0
        while !Task.isCancelled {
            do { try await Loop.sleep(for: .milliseconds(Int64(100 + random.next() % 600))) } catch { break }
            kills += try await connection.query(
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                where usename = 'notes' and datname = current_database() and random() < 0.7
                """
            ).count
        }
        return kills
    }

    private func check(_ fixture: StoreFixture, _ ledger: Ledger) async throws {
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
        // Each event names its append and how many belong to it: they must stand together, at one time, all of them.
        let torn = try await number(
            """
            select count(*) from (select data ->> 'append' append from notes.events group by 1
                having count(*) <> min((data ->> 'of')::int) or max(position) - min(position) + 1 <> count(*)
                    or count(distinct recorded_at) <> 1) x
            """)
        #expect(torn == 0)
        // What was acknowledged is there, where it was said to be; what was refused is not.
        let rows = try await connection.query(
            "select data ->> 'append', min(position) from notes.events group by 1"
        ).rows
        let found = Dictionary(uniqueKeysWithValues: rows.map { ($0.text(0), $0.int(1)) })
        let misplaced = ledger.acknowledged.count { found[$0.key.description] != $0.value }
        #expect(misplaced == 0)
        #expect(ledger.refused.count { found[$0.description] != nil } == 0)
        let unexplained = found.keys.count { ledger.acknowledged[UUID($0)!] == nil }
        #expect(unexplained <= ledger.counts["unavailable", default: 0])
        // Row writes stand or fall with their append.
        let names = try await number("select count(*) from notes.tallies")
        let tallied = try await number("select count(*) from notes.events where version > 0 and (data ->> 'tally') = 'yes'")
        #expect(names == tallied)
        #expect(ledger.surprises.isEmpty, "\(ledger.surprises.prefix(5))")
        print("events: \(count), acknowledged appends: \(ledger.acknowledged.count)")
    }
}

/// What all callers were told.
@Loop private final class Ledger {
    var counts: [String: Int] = [:]
    var acknowledged: [UUID: Int64] = [:]
    var refused: Set<UUID> = []
    /// Answers that had no reason of their own.
    var surprises: [String] = []
    var kills = 0
}

@Loop private struct Caller {
    let number: Int
    let store: EventStore
    var random: Random64
    let ledger: Ledger
    /// What this caller believes of the streams; others move them on.
    var versions: [StreamName: Int64] = [:]
    var mine: [(id: UUID, hash: [UInt8])] = []

    mutating func step(_ streams: [StreamName]) async throws {
        let dice = random.next() % 1000
        switch dice {
        case 0..<60 where !mine.isEmpty:
            // A repeat of an earlier one, whatever the stream's version is now.
            let (id, hash) = mine[Int(random.next() % UInt64(mine.count))]
            await expect("repeat", of: id, notes(id, hash, [(streams[0], 0, 1)])) { $0 == "repeat" }
        case 60..<80 where !mine.isEmpty:
            let (id, _) = mine[Int(random.next() % UInt64(mine.count))]
            await expect("idReused", of: nil, notes(id, [9, 9], [(streams[0], 0, 1)])) { $0 == "idReused" }
        case 80..<100:
            let id = UUID.v7()
            await expect("bad-event", of: id, notes(id, [1], [(own(), 0, 1)], text: "a\u{0}b")) { $0 == "data" }
        case 100..<103:
            // Passes our check, and only the table's constraint refuses it: its neighbours must not notice.
            let id = UUID.v7()
            await expect("data", of: id, notes(id, [1], [(StreamName(rawValue: ""), 0, 1)])) { $0 == "data" }
        case 103..<108:
            let id = UUID.v7()
            let say = RowCall("say_no", ["code": "no"])
            await expect("guarded", of: id, notes(id, [1], [(own(), 0, 1)], calls: [.init("tally", ["id": .uuid(id)]), say])) {
                $0 == "guarded"
            }
        case 108..<110:
            // Fails the whole statement with an error that is nobody else's.
            let id = UUID.v7()
            await expect("broken", of: id, notes(id, [1], [(own(), 0, 1)], calls: [.init("break", [:])])) { $0 == "data" }
        case 110..<120:
            let id = UUID.v7()
            await good(id, [(own(), 0, 1)], calls: [RowCall("tally", ["id": .uuid(id)])])
        case 120..<600:
            // A new stream: nothing can be in its way.
            await good(UUID.v7(), [(own(), 0, Int(1 + random.next() % 3))])
        default:
            // The streams that all share.
            let first = streams[Int(random.next() % UInt64(streams.count))]
            var writes = [(first, versions[first] ?? 0, Int(1 + random.next() % 2))]
            if dice > 900 {
                let second = streams[Int(random.next() % UInt64(streams.count))]
                if second != first { writes.append((second, versions[second] ?? 0, 1)) }
            }
            await contended(UUID.v7(), writes)
        }
    }

    private func own() -> StreamName { StreamName("own", .v7()) }

    private mutating func good(_ id: UUID, _ writes: [(StreamName, Int64, Int)], calls: [RowCall] = []) async {
        let hash = [UInt8(number)]
        if await expect("ok", of: id, notes(id, hash, writes, calls: calls), { $0 == "ok" || $0 == "repeat" }) == "ok" {
            mine.append((id, hash))
        }
    }

    private mutating func contended(_ id: UUID, _ writes: [(StreamName, Int64, Int)]) async {
        let hash = [UInt8(number)]
        let append = notes(id, hash, writes)
        do {
            let receipt = try await store.append(append)
            ledger.counts["ok", default: 0] += 1
            ledger.acknowledged[id] = receipt.position
            for (stream, version, count) in writes { versions[stream] = version + Int64(count) }
            mine.append((id, hash))
        } catch AppendError.conflict(let stream, let actual) {
            ledger.counts["conflict", default: 0] += 1
            ledger.refused.insert(id)
            let expected = writes.first { $0.0 == stream }?.1
            if expected == nil || expected == actual { ledger.surprises.append("a conflict that is none: \(stream)") }
            versions[stream] = actual
        } catch AppendError.unavailable {
            ledger.counts["unavailable", default: 0] += 1
        } catch {
            ledger.surprises.append("\(error)")
        }
    }

    /// Appends and compares the answer's kind; counts it under a name.
    @discardableResult
    private func expect(
        _ name: String, of id: UUID?, _ append: Append, _ isRight: (String) -> Bool
    ) async -> String {
        var kind: String
        do {
            let receipt = try await store.append(append)
            kind = receipt.isRepeat ? "repeat" : "ok"
            if let id {
                if let first = ledger.acknowledged[id], first != receipt.position {
                    ledger.surprises.append("two positions for one append")
                }
                ledger.acknowledged[id] = receipt.position
            }
        } catch {
            switch error {
            case .conflict: kind = "conflict"
            case .idReused: kind = "idReused"
            case .guarded: kind = "guarded"
            case .data: kind = "data"
            case .unavailable: kind = "unavailable"
            case .erased, .storeRefused: kind = "\(error)"
            }
            if kind != "unavailable", kind != "idReused", let id { ledger.refused.insert(id) }
        }
        ledger.counts[kind == "unavailable" ? kind : name, default: 0] += 1
        if kind != "unavailable", !isRight(kind) { ledger.surprises.append("\(name): \(kind)") }
        // An append whose answer was lost and that came again inside is told as a repeat.
        return kind == "repeat" && name == "ok" ? "ok" : kind
    }

    private func notes(
        _ id: UUID, _ hash: [UInt8], _ writes: [(StreamName, Int64, Int)], text: String = "", calls: [RowCall] = []
    ) -> Append {
        let count = writes.reduce(0) { $0 + $1.2 }
        let tally = calls.contains { $0.name == "tally" }
        return Append(
            id: id, requestHash: hash, metadata: metadata(),
            writes: writes.map { stream, version, events in
                StreamWrite(
                    stream, expectedVersion: version,
                    events: (0..<events).map { _ in
                        NewEvent(Part(append: id, of: Int64(count), text: text, isTallied: tally))
                    })
            }, calls: calls)
    }
}

/// An event that names its append.
private struct Part: PrivateEvent {
    var append: UUID
    var of: Int64
    var text: String
    var isTallied: Bool
    var type: EventType { EventType("Part") }
    var data: JSONObject {
        ["append": .uuid(append), "of": .int(of), "text": .string(text), "tally": .string(isTallied ? "yes" : "no")]
    }

    static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> Part {
        try reading(type) { () throws(JSONError) in
            Part(
                append: try data.uuid("append"), of: try data.int("of"), text: try data.string("text"),
                isTallied: try data.string("tally") == "yes")
        }
    }
}

/// Numbers that a seed determines (SplitMix64).
private struct Random64 {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
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
