import Contracts
import EventRelay
import EventSourcing
import EventStore
import Glibc
import Observability
import Postgres
import Primitives
import Processes
import Runtime

/// From an append's acknowledgement in one service to its effect's commit in another process, at a steady rate.
@Loop enum LatencyBench {
    private static let rate = 1000
    private static let warmUp = 3000
    private static let measured = 15_000

    static func run(_ stage: Stage) async throws -> [Figure] {
        print("latency: \(measured / rate) s at \(rate) events/s, two stores, two processes …")
        let (_, roles) = try await Stage.makeStores(["source", "effects"])
        let topic = Topic(.identity)
        try await stage.makeTopics([(topic.name, topic.partitions)])
        let store = EventStore(roles["source"]!)
        let relay = Relay(
            store: store, service: .identity, topic: topic, kafka: stage.kafka, log: Logger(label: "relay"),
            publication: Deed.publication(by: .identity))
        let relaying = Loop.task { await relay.run() }
        defer { relaying.cancel() }
        let total = warmUp + measured
        let consumer = try LatencyConsumer.start(stage, roles["effects"]!, count: total)
        guard try await consumer.output?.next() == "ready" else { throw BenchError("The consumer did not start.") }
        while relay.state != .publishing { try await Loop.sleep(for: .milliseconds(5)) }

        let source = SteadySource(store)
        try await source.run(total, aSecond: rate)
        var effects: [Int64: Int64] = [:]
        try await Loop.withDeadline(.seconds(60)) {
            while effects.count < total, let line = try await consumer.output?.next() {
                let words = line.split(separator: " ")
                if words.count == 2, let position = Int64(words[0]) { effects[position] = Int64(words[1]) }
            }
        }
        _ = try await consumer.wait()
        await store.close()
        guard effects.count == total else { throw BenchError("\(effects.count) of \(total) events had an effect.") }
        let times = source.acknowledged.filter { $0.key > Int64(warmUp) }.map { effects[$0.key]! - $0.value }
        let latencies = Latencies(times)
        let command = "infra/bench latency"
        let late = Latencies(source.lateness)
        return [
            Figure(
                name: "effect.p50", value: latencies.quantile(0.5), unit: "ms", goal: .atMost(10), command: command,
                note: "commit to effect in another process at \(rate) events/s, \(times.count) events; "
                    + "p90 \(latencies.quantile(0.9).short), p99.9 \(latencies.quantile(0.999).short), "
                    + "max \(latencies.quantile(1).short) ms; the source was late by p99 \(late.quantile(0.99).short) ms"
            ),
            Figure(
                name: "effect.p99", value: latencies.quantile(0.99), unit: "ms", goal: .atMost(50), command: command),
        ]
    }
}

/// Appends at a steady rate, whether or not the responses keep up.
@Loop final class SteadySource {
    private let store: EventStore
    /// When each position's append was acknowledged.
    private(set) var acknowledged: [Int64: Int64] = [:]
    /// How much later than planned each append began.
    private(set) var lateness: [Int64] = []

    init(_ store: EventStore) { self.store = store }

    func run(_ total: Int, aSecond rate: Int) async throws {
        let start = monotonicNanoseconds()
        let step = 1_000_000_000 / Int64(rate)
        var tasks: [Task<Void, any Error>] = []
        var next = 0
        while next < total {
            while next < total, monotonicNanoseconds() >= start + Int64(next) * step {
                let number = next
                lateness.append(monotonicNanoseconds() - start - Int64(number) * step)
                tasks.append(Loop.task { try await self.append(number) })
                next += 1
            }
            try await Loop.sleep(for: .microseconds(500))
        }
        for task in tasks { try await task.value }
    }

    private func append(_ number: Int) async throws {
        let deed = Deed(session: .v7(), owner: Deed.identifier(2, number % 200))
        let receipt = try await store.append(
            Append(
                id: .v7(), requestHash: [UInt8](repeating: 7, count: 32), metadata: deed.metadata,
                writes: [StreamWrite(StreamName("session", deed.session), expectedVersion: 0, events: [NewEvent(deed)])]
            ))
        acknowledged[receipt.position] = monotonicNanoseconds()
    }
}
