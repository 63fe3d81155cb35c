import EventSourcing
import EventStore
import Postgres
import Primitives
import Runtime

/// Durable appends of single events in one gapless order, compared with pgbench's plain inserts into an identical table.
@Loop enum AppendBench {
    private static let callers = 64
    private static let seconds = 5
    private static let rounds = 5

    static func run(_ stage: Stage) async throws -> [Figure] {
        print("append: \(rounds) alternating rounds of \(seconds) s each …")
        let (administrator, roles) = try await Stage.makeStores(["bench"])
        let store = EventStore(roles["bench"]!)
        let load = AppendLoad(store, callers: callers)
        let peer = PlainInsert(administrator, schema: "bench", programs: stage.postgresPrograms)
        try await peer.prepare()
        _ = try await load.run(seconds: 1)
        var ours: [Double] = []
        var theirs: [Double] = []
        var latencies: [Int64] = []
        for round in 0..<rounds {
            try await peer.settle()
            let (count, times) = try await load.run(seconds: Double(seconds))
            ours.append(count)
            latencies += times
            try await peer.settle()
            theirs.append(try await peer.run(seconds: seconds, round: round))
        }
        try await checkOrder(store)
        await store.close()
        let ratios = zip(ours, theirs).map { $0 / $1 }
        let command = "infra/bench append"
        let waits = Latencies(latencies)
        return [
            Figure(
                name: "append.ratio", value: ratios.median, unit: "times pgbench", goal: .atLeast(1.5),
                command: command,
                peer: ("pgbench -M prepared -c 32, plain insert, same indexes", theirs.median, "events/s"),
                note: "rounds: \(ratios.listed); ours \(ours.listed); pgbench \(theirs.listed)"),
            Figure(
                name: "append.rate", value: ours.median, unit: "events/s", command: command,
                note: "64 callers, one event each, fsync on, one gapless order (checked)"),
            Figure(name: "append.p50", value: waits.quantile(0.5), unit: "ms", command: command),
            Figure(name: "append.p99", value: waits.quantile(0.99), unit: "ms", command: command),
        ]
    }

    private static func checkOrder(_ store: EventStore) async throws {
        let row = try await store.pool.query(
            """
            select max(position) - count(*), (select count(*) from (
                select stream from events group by stream having max(version) <> count(*)) torn) from events
            """
        ).rows[0]
        guard row.int(0) == 0, row.int(1) == 0 else {
            throw BenchError("The log has gaps: \(row.int(0)), \(row.int(1)).")
        }
    }
}

/// Callers that append one event after another, each to its own stream.
@Loop final class AppendLoad {
    private let store: EventStore
    private var versions: [Int64]
    private var times: [Int64] = []
    /// How many events were appended in the current run.
    var count: Int { times.count }

    private let kind: UInt64

    /// - Parameter kind: distinguishes the streams of several loads on one log.
    init(_ store: EventStore, callers: Int, kind: UInt64 = 1) {
        self.store = store
        self.kind = kind
        versions = Array(repeating: 0, count: callers)
    }

    /// Events per second, and each append's time in nanoseconds.
    func run(seconds: Double) async throws -> (rate: Double, times: [Int64]) {
        times = []
        let start = monotonicNanoseconds()
        let end = start + Int64(seconds * 1e9)
        let tasks = versions.indices.map { caller in Loop.task { try await self.call(caller, until: end) } }
        for task in tasks { try await task.value }
        return (Double(times.count) / (Double(monotonicNanoseconds() - start) / 1e9), times)
    }

    private func call(_ caller: Int, until end: Int64) async throws {
        let deed = Deed(session: Deed.identifier(kind, caller), owner: Deed.identifier(2, caller))
        let stream = StreamName("session", deed.session)
        let hash = [UInt8](repeating: UInt8(caller), count: 32)
        while true {
            let began = monotonicNanoseconds()
            if began >= end { return }
            try await store.append(
                Append(
                    id: .v7(), requestHash: hash, metadata: deed.metadata,
                    writes: [StreamWrite(stream, expectedVersion: versions[caller], events: [NewEvent(deed)])]))
            versions[caller] += 1
            times.append(monotonicNanoseconds() - began)
        }
    }
}
