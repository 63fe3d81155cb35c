import Glibc
import Processes
import Runtime

/// The whole of a local stack: starts what does not run, in the order in which the parts need each other.
@Loop final class Stack {
    let settings: Settings
    let console: Console
    var record: StackRecord

    init(_ settings: Settings, _ console: Console) {
        self.settings = settings
        self.console = console
        record = StackRecord.load(settings.state)
    }

    var url: String { "http://127.0.0.1:\(record.ports["gateway"] ?? 0)" }

    /// Starts everything that does not run, and ends copies of services that are not wanted any more.
    ///
    /// A process that was just killed may look alive for a moment, so in the end all is looked at once more.
    func up(instances: Int?) async throws {
        for _ in 0..<3 {
            try await startMissing(instances: instances)
            if await status().isUp { return }
        }
        throw Failure(
            .unavailable, "not-up", "Something of the stack ends again as soon as it is started.",
            advice: "`mirrormate status` says what; its log is in \(settings.state.path)/logs.")
    }

    private func startMissing(instances: Int?) async throws {
        let lock = try settings.state.lock(console)
        defer { close(lock) }
        record = StackRecord.load(settings.state)
        for service in Settings.services { _ = try settings.program(service) }
        let previous = record.instances
        if let instances { record.instances = instances }
        let (database, environment) = try await startEngines()
        try await prepare(database, environment)
        try await startServices(environment)
        try await stopSurplus(previous)
        console.progress("starting the gateway")
        let gateway = try await Gateway(settings: settings, port: port("gateway")).start(services)
        console.done("gateway on \(url) \(word(gateway))")
        try writeClientEnvironment()
    }

    /// Starts PostgreSQL and Kafka unless they run; whoever calls it holds the stack's lock.
    ///
    /// - Returns: the database server, and what the services are started with.
    func startEngines() async throws -> (Database, ServiceEnvironment) {
        try await Gateway.endLeftovers(settings.state)
        try choosePorts()
        console.progress("starting PostgreSQL and Kafka")
        let home = try await DatabaseHome.find(settings.state)
        record.database = home.data
        record.socket = home.socket
        let database = Database(settings: settings, home: home, port: port("postgres"))
        let broker = Broker(
            settings: settings, kind: Broker.wantedKind, port: port("kafka"), controllerPort: port("kafka-controller"))
        let starting = Loop.task { try await database.start() }
        let kafka = try await broker.start()
        let newDatabase = try await starting.value
        record.kafkaKind = broker.kind.rawValue
        record.kafkaBootstrap = kafka.bootstrap
        try record.save(settings.state)
        console.done("PostgreSQL on port \(port("postgres")) \(word(newDatabase))")
        console.done("Kafka (\(broker.kind)) at \(kafka.bootstrap) \(word(kafka.started))")
        if broker.kind == .development { console.note("  " + Broker.developmentLimits) }
        let environment = ServiceEnvironment(
            settings: settings, database: (home.socket, port("postgres")), kafka: (broker.kind, kafka.bootstrap),
            publicURL: url)
        return (database, environment)
    }

    /// All wanted copies of all services.
    var services: [ServiceInstance] {
        Settings.services.flatMap { service in
            (1...record.instances).map { number in
                let name = ServiceInstance.name(service, number)
                return ServiceInstance(
                    service: service, number: number, settings: settings, port: port(name),
                    adminPort: port("\(name)-admin"))
            }
        }
    }

    /// Brings roles, schemas and topics up to date.
    func prepare(_ database: Database, _ environment: ServiceEnvironment) async throws {
        console.progress("preparing the database and the topics")
        try await database.makeRoles()
        let log = settings.state.log("setup")
        var steps: [Task<String, any Error>] = []
        for service in Settings.services {
            let migrate = try environment.migrate(service)
            steps.append(Loop.task { try await run(migrate, as: "Migrating \(service)", log: log) })
            // The development broker has made all topics itself.
            if environment.kafka.kind == .development { continue }
            let topics = try environment.topics(service)
            steps.append(Loop.task { try await run(topics, as: "Making the topics of \(service)", log: log) })
        }
        for step in steps { _ = try await step.value }
    }

    private func startServices(_ environment: ServiceEnvironment) async throws {
        console.progress("starting the services")
        var started: [String] = []
        for instance in services {
            let command = try environment.serve(instance.service, port: instance.port, adminPort: instance.adminPort)
            if try await instance.part.ensure(command) { started.append(instance.name) }
        }
        for instance in services { try await instance.ready() }
        let all = services.map { "\($0.name)\(started.contains($0.name) ? "" : " (ran already)")" }
        console.done("services ready: \(all.joined(separator: ", "))")
    }

    private func stopSurplus(_ previous: Int) async throws {
        guard previous > record.instances else { return }
        for service in Settings.services {
            for number in (record.instances + 1)...previous {
                let name = ServiceInstance.name(service, number)
                let part = StackPart(name: name, state: settings.state)
                if try await part.stop(patience: .seconds(20)) { console.done("\(name) stopped") }
            }
        }
    }

    private func choosePorts() throws(Failure) {
        let copies = Settings.services.flatMap { service in
            (1...record.instances).flatMap { number in
                let name = ServiceInstance.name(service, number)
                return [(name, name), ("\(name)-admin", name)]
            }
        }
        let all = [("gateway", "gateway"), ("postgres", "postgres"), ("kafka", "kafka"), ("kafka-controller", "kafka")]
        var taken: Set<UInt16> = []
        for (name, part) in all + copies {
            // A running part keeps its port, which of course is not free.
            if let port = record.ports[name], StackPart(name: part, state: settings.state).id != nil {
                taken.insert(port)
            } else {
                record.ports[name] = try Ports.choose(wanted: record.ports[name], taken: &taken)
            }
        }
        try record.save(settings.state)
    }

    private func port(_ name: String) -> UInt16 { record.ports[name] ?? 0 }

    private func word(_ started: Bool) -> String { started ? "started" : "ran already" }

    private func writeClientEnvironment() throws(Failure) {
        let text = "MIRRORMATE_URL=\(url)\nMIRRORMATE_STATE=\(settings.state.path)\n"
        try Files.write(text, to: "\(settings.state.path)/env")
    }
}
