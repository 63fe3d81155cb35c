import Contracts
import EventRelay
import EventStore
import Kafka
import Observability
import Postgres
import Primitives
import Runtime

/// The relay from a warm log, compared with the slower of COPY out of the same rows and librdkafka's C producer with the
/// same records.
@Loop enum RelayBench {
    static func run(_ stage: Stage) async throws -> [Figure] {
        // The development broker keeps 5 MiB per partition.
        let count = stage.kafka.kind == .apache ? 200_000 : 24_000
        let services: [ServiceName] = [.sessions, .quota, .analysis]
        print("relay: \(count) events, \(services.count) alternating rounds …")
        let (administrator, roles) = try await Stage.makeStores(["bench"])
        try await fill(administrator, count)
        try await stage.makeTopics(services.map { (Topic($0).name, Topic($0).partitions) })
        let copy = CopyOut(administrator, schema: "bench", count: count, programs: stage.postgresPrograms)
        _ = try await copy.rate()
        var copies: [Double] = []
        var relays: [Double] = []
        var producers: [Double] = []
        var peer: ProducerPeer?
        for service in services {
            copies.append(try await copy.rate())
            relays.append(try await relay(stage, roles["bench"]!, administrator, service, count))
            if peer == nil { peer = try await ProducerPeer(stage.kafka, reading: Topic(service)) }
            let target = stage.kafka.kind == .apache ? "mirrormate.bench-\(service).v1" : Topic(service).name
            if stage.kafka.kind == .apache { try await stage.makeTopics([(target, Topic(service).partitions)]) }
            producers.append(try await peer!.rate(to: target))
        }
        let isCopySlower = copies.median < producers.median
        let slower = isCopySlower ? copies : producers
        let ratios = zip(relays, slower).map { $0 / $1 }
        let command = "infra/bench relay"
        return [
            Figure(
                name: "relay.ratio", value: ratios.median, unit: "times the slower peer", goal: .atLeast(0.5),
                command: command,
                peer: (isCopySlower ? "COPY out" : "librdkafka's C producer", slower.median, "events/s"),
                note: "rounds: \(ratios.listed); relay \(relays.listed); COPY \(copies.listed); C producer "
                    + producers.listed),
            Figure(name: "relay.rate", value: relays.median, unit: "events/s", command: command),
            Figure(name: "relay.copy", value: copies.median, unit: "events/s", command: command),
            Figure(name: "relay.producer", value: producers.median, unit: "events/s", command: command),
        ]
    }

    /// Fills the log with rows as ``Deed`` would be appended: 1,000 owners, 10 events per session.
    private static func fill(_ administrator: PostgresSettings, _ count: Int) async throws {
        let connection = try await PostgresConnection.open(administrator.with("search_path", "bench"))
        defer { connection.close() }
        try await connection.script(
            """
            insert into events
            select n, 'session-' || session, (n - 1) / \(count / 10) + 1, gen_random_uuid(), 'VideoStored', 1,
                format('{"session":"%s","owner":"%s","bytes":12345678,"digest":"%s","mediaType":"video/mp4"}',
                    session, owner, session::text || owner)::json,
                format('{"owner":"%s","correlation":"%s","causation":"%s","actor":"%s","traceparent":"%s"}',
                    owner, session, owner, owner, '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01')::json,
                null, clock_timestamp()
            from generate_series(1, \(count)) n,
                lateral (select md5('session' || (n % \(count / 10)))::uuid as session,
                    md5('owner' || (n % 1000))::uuid as owner) made
            """)
        try await connection.script("vacuum analyze events")
        try await connection.script("checkpoint")
    }

    /// Events per second from the moment the relay has read back its topic until all are acknowledged.
    private static func relay(
        _ stage: Stage, _ role: PostgresSettings, _ administrator: PostgresSettings, _ service: ServiceName,
        _ count: Int
    ) async throws -> Double {
        let connection = try await PostgresConnection.open(administrator.with("search_path", "bench"))
        try await connection.script(
            "update relay set cursor = 0, lease_until = '-infinity'; delete from relay_partitions")
        connection.close()
        let store = EventStore(role)
        let relay = Relay(
            store: store, service: service, topic: Topic(service), kafka: stage.kafka, log: Logger(label: "relay"),
            publication: Deed.publication(by: service))
        let task = Loop.task { await relay.run() }
        defer { task.cancel() }
        while relay.state != .publishing {
            if case .troubled(let code) = relay.state { throw BenchError("The relay stopped: \(code).") }
            try await Loop.sleep(for: .milliseconds(1))
        }
        let start = monotonicNanoseconds()
        while relay.cursor < count {
            if case .troubled(let code) = relay.state { throw BenchError("The relay stopped: \(code).") }
            try await Loop.sleep(for: .milliseconds(2))
        }
        let seconds = Double(monotonicNanoseconds() - start) / 1e9
        task.cancel()
        _ = await task.result
        await store.close()
        return Double(count) / seconds
    }
}
