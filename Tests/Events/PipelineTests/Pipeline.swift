import Contracts
import EventConsumer
import EventRelay
import EventSourcing
import EventStore
import Glibc
import JSON
import Kafka
import Observability
import Postgres
import PostgresTesting
import Primitives
import Runtime
import Testing

/// Two services on one Kafka: a sender's log, relayed to a topic, consumed by a receiver.
@Loop final class Pipeline {
    let kafka: TestKafka
    let sender: EventStore
    let receiver: EventStore
    let hearer: Hearer
    let administrator: PostgresSettings
    private let senderSettings: PostgresSettings
    private let receiverSettings: PostgresSettings
    private let group = "group-\(UUID.v4())"
    private var running: [Task<Void, any Error>] = []
    private var stores: [EventStore] = []
    private var relays: [Relay] = []
    private var consumers: [EventConsumer] = []
    /// What the relays have told, in order.
    private(set) var changes: [RelayChange] = []

    /// Where the parts' log lines go: nowhere, unless a fault is being looked for.
    private static let output: Int32 = getenv("PIPELINE_LOG") == nil ? open("/dev/null", O_WRONLY) : 2

    // More at a time would only compete for the machine and for PostgreSQL's connections.
    private static var places = 6
    private static let freed = Signal()

    /// Runs a test with its own pipeline, and stops everything that it started, however the test ends.
    static func run(
        _ kind: Broker, partitions: Int32 = 2, _ test: @Loop (Pipeline) async throws -> Void
    ) async throws {
        while places == 0 { try await freed.wait(atMost: .seconds(1)) }
        places -= 1
        defer {
            places += 1
            freed.raise()
        }
        let pipeline = try await Pipeline(kind, partitions: partitions)
        do {
            try await test(pipeline)
        } catch {
            await pipeline.close()
            throw error
        }
        await pipeline.close()
    }

    private init(_ kind: Broker, partitions: Int32) async throws {
        kafka = try await TestKafka(kind, partitions: partitions)
        let database = try await TestPostgres.makeDatabase(schemas: ["sender", "receiver"])
        administrator = database.administrator
        senderSettings = database.roles["sender"]!
        receiverSettings = database.roles["receiver"]!
        for schema in ["sender", "receiver"] {
            _ = try await Migrator(
                schema: schema, role: schema,
                migrations: Migration.eventStore + Migration.relay + Migration.consumer
            ).run(administrator)
        }
        sender = EventStore(senderSettings)
        receiver = EventStore(receiverSettings)
        hearer = Hearer(receiver)
        stores = [sender, receiver]
    }

    private func close() async {
        for task in running { task.cancel() }
        for task in running { _ = await task.result }
        for store in stores { await store.close() }
        await kafka.close()
    }

    // MARK: Parts

    /// Starts a relay, on the same store or, as another instance, with its own connections.
    func relay(ofItsOwn: Bool = false) -> Running<Relay> {
        var store = sender
        if ofItsOwn {
            store = EventStore(senderSettings)
            stores.append(store)
        }
        let relay = Relay(
            store: store, service: .sessions, topic: kafka.topic, kafka: kafka.settings,
            log: Logger(label: "relay", descriptor: Self.output), tell: { [weak self] in self?.changes.append($0) },
            publication: Word.publication)
        relays.append(relay)
        let task = Loop.task { await relay.run() }
        running.append(task)
        return Running(part: relay, task: task)
    }

    /// Starts a consumer; with another group's name it is given all partitions again, as Kafka does in a split.
    func consumer(_ group: String? = nil, _ hearer: Hearer? = nil) -> Running<EventConsumer> {
        let hearer = hearer ?? self.hearer
        let consumer = EventConsumer(
            store: hearer.store, group: group ?? self.group, topics: [kafka.topic], kafka: kafka.settings,
            log: Logger(label: "consumer", descriptor: Self.output), handler: hearer)
        consumers.append(consumer)
        let task = Loop.task { await consumer.run() }
        running.append(task)
        return Running(part: consumer, task: task)
    }

    /// Starts looking whether the receiver knows all that is in the topic now.
    func catchUp() -> TopicCatchUp {
        let catchUp = TopicCatchUp(
            receiver, kafka.settings, [kafka.topic], log: Logger(label: "catch-up", descriptor: Self.output))
        running.append(Loop.task { await catchUp.run() })
        return catchUp
    }

    /// A second instance of the receiver's handler, with its own connections.
    func secondHearer() -> Hearer {
        let store = EventStore(receiverSettings)
        stores.append(store)
        return Hearer(store)
    }

    var recovery: Recovery {
        Recovery(store: sender, topic: kafka.topic, kafka: kafka.settings, publication: Word.publication)
    }

    // MARK: Sending and receiving

    /// Appends events to the sender's log, each in its own stream.
    func append(_ words: [Word]) async throws {
        for word in words { try await appendAtOnce([word]) }
    }

    /// Appends events to the sender's log in one stream.
    func appendAtOnce(_ words: [Word]) async throws {
        let write = StreamWrite(StreamName("word", .v7()), expectedVersion: 0, events: words.map { NewEvent($0) })
        try await sender.append(
            Append(
                id: .v7(), requestHash: [], metadata: EventMetadata(owner: nil, correlation: .v7(), actor: "test"),
                writes: [write]))
    }

    func say(_ owner: UUID, _ numbers: some Sequence<Int64>) async throws {
        try await append(numbers.map { .said(owner: owner, number: $0) })
    }

    /// The same, until the broker holds them: for tests in which a consumer must find them there when it begins.
    func publish(_ owner: UUID, _ numbers: some Sequence<Int64>) async throws {
        try await say(owner, numbers)
        let end = try await sql("select max(position) from sender.events")[0].int(0)
        try await until("it is published") { self.relays.contains { $0.cursor >= end } }
    }

    /// What the receiver's log holds, in its order.
    func heard(_ type: String = "Heard") async throws -> [Heard] {
        var all: [Heard] = []
        var place: Int64 = 0
        while true {
            let events = try await receiver.readLog(after: place, limit: 1000)
            guard let last = events.last else { return all }
            for event in events where event.type.name == type { all.append(try event.decoded(as: Heard.self)) }
            place = last.position
        }
    }

    /// The numbers received for one owner, in order.
    func heard(of owner: UUID) async throws -> [Int64] { try await heard().filter { $0.owner == owner }.map(\.number) }

    /// Waits until something is true; fails the test when it is not within a minute.
    func until(
        _ what: String, _ location: SourceLocation = #_sourceLocation, _ condition: @Loop () async throws -> Bool
    ) async throws {
        let deadline = monotonicNanoseconds() + 60_000_000_000
        while try await !condition() {
            if monotonicNanoseconds() > deadline {
                Issue.record("It did not come true: \(what)\n\(await seenParts())", sourceLocation: location)
                throw CancellationError()
            }
            try await Loop.sleep(for: .milliseconds(20))
        }
    }

    /// The state of all parts, for the message of a failed test.
    private func seenParts() async -> String {
        var lines = relays.map { "relay: \($0.state), cursor \($0.cursor)" }
        lines += consumers.map { "consumer: assigned \($0.isAssigned), \($0.progress.map { "\($0)" })" }
        for partition in 0..<kafka.topic.partitions {
            let records = (try? await kafka.records(partition)) ?? []
            lines.append("partition \(partition): \(records.map { ChainRecord($0)?.identity ?? "foreign" }.suffix(12))")
        }
        let rows = try? await sql("select c::text from receiver.consumer_partitions c")
        lines += rows?.map { $0.text(0) } ?? []
        let parked = try? await sql(
            "select p.identity || ' ' || p.reason from receiver.parked_messages p order by p.id")
        lines += parked?.map { "parked: \($0.text(0))" } ?? []
        return lines.joined(separator: "\n")
    }

    /// Waits until exactly these numbers of an owner were received, in this order.
    func hear(_ owner: UUID, _ numbers: some Collection<Int64>, _ location: SourceLocation = #_sourceLocation)
        async throws
    {
        let wanted = Array(numbers)
        try await until("\(wanted.count) numbers heard", location) {
            // Counted in the database: reading the whole log each time would keep the loop busy.
            let found = try await self.receiver.pool.query(
                "select count(*) from events where stream = $1", [.text(StreamName("heard", owner).description)])
            return found.rows[0].int(0) >= wanted.count
        }
        #expect(try await heard(of: owner) == wanted, sourceLocation: location)
    }
}
