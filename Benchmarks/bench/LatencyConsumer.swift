import Contracts
import EventConsumer
import EventSourcing
import EventStore
import Glibc
import Kafka
import Observability
import Postgres
import Primitives
import Processes
import Runtime

/// The other service: a separate process that answers every message with one event and reports when it was committed.
@Loop final class LatencyConsumer: MessageHandler {
    private let store: EventStore
    private let kafka: KafkaSettings
    private let count: Int
    private var effects: [(position: Int64, time: Int64)] = []
    private let grown = Signal()

    /// - Parameter arguments: the database's folder and name, the role, Kafka's address and kind, and how many messages.
    init(arguments: [String]) throws {
        guard arguments.count == 6, let count = Int(arguments[5]), let kind = KafkaSettings.Kind(rawValue: arguments[4])
        else { throw BenchError("usage: bench consumer FOLDER DATABASE ROLE BOOTSTRAP KIND COUNT") }
        let role = PostgresSettings(
            host: arguments[0], port: 5432, database: arguments[1], user: arguments[2], password: "",
            applicationName: "bench")
        store = EventStore(role.with("search_path", arguments[2]))
        kafka = KafkaSettings(
            bootstrap: arguments[3], clientID: "bench-effects", kind: kind, security: try Stage.security())
        self.count = count
    }

    /// Starts this program again as the consumer.
    static func start(_ stage: Stage, _ role: PostgresSettings, count: Int) throws -> ChildProcess {
        var command = Command(
            "/proc/self/exe",
            [
                "consumer", role.host, role.database, role.user, stage.kafka.bootstrap, stage.kafka.kind.rawValue,
                "\(count)",
            ])
        for name in KafkaSecurity.variables {
            command.environment[name] = getenv(name).map { String(cString: $0) }
        }
        command.output = .pipe
        command.errorOutput = .inherited
        return try ChildProcess.start(command)
    }

    /// Prints `ready`, consumes, and finally writes each message's position and the time of its effect.
    func run() async throws {
        let consumer = EventConsumer(
            store: store, group: "bench-effects", topics: [Topic(.identity)], kafka: kafka,
            log: Logger(label: "consumer", descriptor: 2), handler: self)
        let task = Loop.task { await consumer.run() }
        while !consumer.isAssigned { try await Loop.sleep(for: .milliseconds(5)) }
        print("ready")
        fflush(nil)
        while effects.count < count { try await grown.wait(atMost: .seconds(60)) }
        for effect in effects { print("\(effect.position) \(effect.time)") }
        fflush(nil)
        task.cancel()
        _ = await task.result
        await store.close()
    }

    func handle(_ message: ReceivedMessage, through gate: any AppendGate) async throws {
        let deed = try Deed.decode(Deed.eventType, message.incoming.data)
        try await gate.append(
            Append(
                id: message.appendID, requestHash: [], metadata: message.metadata(actor: "bench"),
                writes: [
                    StreamWrite(StreamName("effect", message.incoming.id), expectedVersion: 0, events: [NewEvent(deed)])
                ]))
        effects.append((message.origin.position, monotonicNanoseconds()))
        if effects.count == count { grown.raise() }
    }

    func isLastWord(_ message: ReceivedMessage) -> Bool { false }

    func takeBack(_ event: RecordedEvent, through _: any AppendGate) async throws {}
}
