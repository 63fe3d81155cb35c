import Glibc
import Processes
import Runtime

/// The stack's Kafka: somebody's own, a private Apache Kafka, or the development broker.
@Loop struct Broker {
    /// Which of the three it is.
    enum Kind: String {
        /// Named by `KAFKA_BOOTSTRAP_SERVERS`; neither started nor stopped here.
        case external
        /// Started here from the folder `KAFKA_HOME`.
        case apache
        /// librdkafka's in-memory broker, started here as its own process.
        case development
    }

    /// What the development broker cannot do, in one line.
    static let developmentLimits =
        "the development broker keeps nothing: after its restart the services publish their history again, "
        + "and they refuse work before a partition overflows; set KAFKA_HOME for a real Kafka"

    let settings: Settings
    let kind: Kind
    let port: UInt16
    let controllerPort: UInt16

    private var part: StackPart { StackPart(name: "kafka", state: settings.state) }

    /// The kind that the environment asks for.
    static var wantedKind: Kind {
        if !(Variables["KAFKA_BOOTSTRAP_SERVERS"] ?? "").isEmpty { return .external }
        return (Variables["KAFKA_HOME"] ?? "").isEmpty ? .development : .apache
    }

    /// Starts the broker if needed and waits until it can be used.
    ///
    /// - Returns: its address, and whether it was started.
    func start() async throws -> (bootstrap: String, started: Bool) {
        switch kind {
        case .external:
            _ = try await part.stop(patience: .seconds(30))
            return (Variables["KAFKA_BOOTSTRAP_SERVERS"] ?? "", false)
        case .apache: return ("127.0.0.1:\(port)", try await startApache())
        case .development: return try await startDevelopment()
        }
    }

    private func startDevelopment() async throws -> (String, Bool) {
        let file = settings.state.run("dev-broker")
        guard let own = Files.absolute("/proc/self/exe") else { throw part.failed("cannot find its program") }
        let started = try await part.ensure(
            Command(own, ["dev-broker", "--ready-file", file], environment: settings.environment))
        for _ in 0..<400 {
            guard let id = part.id else { throw part.failed("ended while starting") }
            // The file names the process too, because an earlier broker's may still lie there.
            let words = (try Files.readText(file) ?? "").split { $0 == " " || $0 == "\n" }
            if words.count == 2, words[0] == "\(id)" { return (String(words[1]), started) }
            try await Loop.sleep(for: .milliseconds(50))
        }
        throw part.failed("was not ready after 20 seconds")
    }

    private func startApache() async throws -> Bool {
        let home = try kafkaHome()
        let folder = "\(settings.state.path)/kafka"
        try Files.makeFolder(folder, mode: 0o700)
        let file = "\(folder)/server.properties"
        let text = properties(folder: folder)
        if try Files.readText(file) != text { try Files.write(text, to: file) }
        var environment = settings.environment
        environment.merge(Variables.inherited(["JAVA_HOME"])) { $1 }
        environment["KAFKA_HEAP_OPTS"] = Variables["KAFKA_HEAP_OPTS"] ?? "-Xms256m -Xmx512m"
        environment["LOG_DIR"] = "\(folder)/logs"
        if !Files.exists("\(folder)/data/meta.properties") {
            try await format(home: home, file: file, environment: environment)
        }
        let before = Files.size(part.log) ?? 0
        let started = try await part.ensure(
            Command("\(home)/bin/kafka-server-start.sh", [file], environment: environment))
        guard started else { return false }
        for _ in 0..<1_200 {
            guard part.id != nil else { throw part.failed("ended while starting", logAfter: before) }
            let words = Files.tail(part.log, lines: 400, after: before)
            if words.contains(where: { $0.contains("Kafka Server started") }) { return true }
            try await Loop.sleep(for: .milliseconds(100))
        }
        throw part.failed("was not ready after two minutes", logAfter: before)
    }

    private func kafkaHome() throws(Failure) -> String {
        let home = Variables["KAFKA_HOME"] ?? ""
        guard let path = Files.absolute(home), Files.isExecutable("\(path)/bin/kafka-server-start.sh") else {
            throw Failure(
                .configuration, "kafka-home", "KAFKA_HOME is set to \(home), where no Kafka is.",
                advice: "Set it to an unpacked Apache Kafka 4, or unset it to use the development broker.")
        }
        return path
    }

    private func format(home: String, file: String, environment: [String: String]) async throws {
        let log = settings.state.log("setup")
        let id = try await run(
            Command("\(home)/bin/kafka-storage.sh", ["random-uuid"], environment: environment),
            as: "Naming the Kafka cluster", log: log)
        try await run(
            Command(
                "\(home)/bin/kafka-storage.sh", ["format", "-t", String(id.prefix { $0 != "\n" }), "-c", file],
                environment: environment),
            as: "Formatting Kafka's storage", log: log)
    }

    private func properties(folder: String) -> String {
        """
        # Written by mirrormate: one node that is broker and controller, for one machine.
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:\(controllerPort)
        listeners=PLAINTEXT://127.0.0.1:\(port),CONTROLLER://127.0.0.1:\(controllerPort)
        advertised.listeners=PLAINTEXT://127.0.0.1:\(port)
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
        controller.listener.names=CONTROLLER
        log.dirs=\(folder)/data
        auto.create.topics.enable=false
        offsets.topic.num.partitions=8
        offsets.topic.replication.factor=1
        transaction.state.log.num.partitions=8
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        share.coordinator.state.topic.num.partitions=8
        share.coordinator.state.topic.replication.factor=1
        share.coordinator.state.topic.min.isr=1
        group.initial.rebalance.delay.ms=0

        """
    }
}
