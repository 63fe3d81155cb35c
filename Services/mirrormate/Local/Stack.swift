import Glibc
import Processes
import Runtime

/// The whole of a local stack: starts what does not run, in the order in which the parts need each other.
@Loop final class Stack {
    let settings: Settings
    let console: Console
    var record: StackRecord
    /// Whether what dies from now on is started anew; nil for as before.
    var restarts: Bool?
    /// Whether somebody is started who watches; not by the one who watches.
    var isSupervised = true
    /// Whether a Kafka of another kind than before is meant.
    var isSwitchingKafka = false

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
            guard await status().isUp else { continue }
            if isSupervised { try await Supervisor.settle(settings, console) }
            return
        }
        throw Failure(
            .unavailable, "not-up", "Something of the stack ends again as soon as it is started.",
            advice: "`mirrormate status` says what; its log is in \(settings.state.path)/logs.")
    }

    private func startMissing(instances: Int?) async throws {
        let lock = try settings.state.lock(console)
        defer { close(lock) }
        record = StackRecord.load(settings.state)
        try record.requireWhole()
        for service in Settings.services { _ = try settings.program(service) }
        // It would be waited for until every patience ends.
        if let stopped = troubles.first(where: { $0.kind == .stopped }) {
            throw Failure(.unavailable, "stands-still", "\(stopped.sentence).", advice: stopped.advice)
        }
        let previous = record.instances
        if let instances { record.instances = instances }
        if let restarts { record.restarts = restarts }
        var (database, environment) = try await startEngines()
        try await prepare(database, environment)
        environment.proxy = try await startWayOut(environment)
        try await startServices(environment)
        try await stopSurplus(previous)
        console.progress("starting the gateway")
        let files = try settings.infra("web")
        let page = environment.homes?.readable(files) ?? files
        let gateway = try await Gateway(settings: settings, port: port("gateway"), page: page).start(services)
        console.done("gateway on \(url) \(word(gateway))")
        try await environment.homes?.removeOldCopies()
        try writeClientEnvironment()
    }

    /// Starts PostgreSQL and Kafka unless they run; whoever calls it holds the stack's lock.
    ///
    /// - Returns: the database server, and what the services are started with.
    func startEngines() async throws -> (Database, ServiceEnvironment) {
        if let before = try OutsideFolder.formerPlace(settings.state) {
            console.note("The stack's folder was \(before) before; its data, which lie elsewhere, are found.")
        }
        // First, because they may refuse.
        let kind = try Broker.kind(wanted: Broker.wantedKind, before: record, isSwitching: isSwitchingKafka)
        let home = try await DatabaseHome.find(settings.state)
        let homes = try await PartHomes.find(settings)
        if let homes {
            // Of an older version everything runs as root, and would write more of what is root's.
            if homes.isNew {
                _ = try await stopServices()
                _ = try await stop("kafka", signal: SIGTERM, patience: .seconds(30))
            }
            try await homes.prepare()
        }
        try await Gateway.endLeftovers(settings.state)
        try choosePorts()
        console.progress("starting PostgreSQL and Kafka")
        record.database = home.data
        record.socket = home.socket
        let database = Database(settings: settings, home: home, port: port("postgres"))
        let broker = Broker(
            settings: settings, kind: kind, port: port("kafka"), controllerPort: port("kafka-controller"),
            homes: homes, homeBefore: record.kafkaHome, javaBefore: record.kafkaJava)
        let kafkaHome = try broker.homeInUse()
        let starting = Loop.task { try await database.start() }
        let kafka: (bootstrap: String, started: Bool)
        do { kafka = try await broker.start() } catch {
            // A database that is being made must not go on behind the command's back.
            _ = await starting.result
            throw error
        }
        let newDatabase = try await starting.value
        record.kafkaKind = broker.kind.rawValue
        record.kafkaBootstrap = kafka.bootstrap
        record.kafkaHome = kafkaHome
        record.kafkaJava = broker.javaInUse
        try record.save(settings.state)
        console.done("PostgreSQL on port \(port("postgres")) \(word(newDatabase))")
        console.done("Kafka (\(broker.kind)) at \(kafka.bootstrap) \(word(kafka.started))")
        if broker.kind == .development { console.note("  " + Broker.developmentLimits) }
        let environment = ServiceEnvironment(
            settings: settings, database: (home.socket, port("postgres")), kafka: (broker.kind, kafka.bootstrap),
            publicURL: url, homes: homes)
        return (database, environment)
    }

    /// What of it runs now.
    func status() async -> StackStatus { await StackStatus(of: self) }

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
            steps.append(Loop.task { try await runToEnd(migrate, as: "Migrating \(service)", log: log) })
            // The development broker has made all topics itself.
            if environment.kafka.kind == .development { continue }
            let topics = try environment.topics(service)
            steps.append(Loop.task { try await runToEnd(topics, as: "Making the topics of \(service)", log: log) })
        }
        // After a failure too the others are waited for: nothing goes on behind the command's back.
        var results: [Result<String, any Error>] = []
        for step in steps { results.append(await step.result) }
        for result in results { _ = try result.get() }
    }

    private func startServices(_ environment: ServiceEnvironment) async throws {
        console.progress("starting the services")
        var started: [String] = []
        if let homes = environment.homes {
            for service in MediaService.allCases {
                let server = MediaServer(settings: settings, homes: homes, service: service)
                if try await server.start() { started.append(service.part) }
            }
        }
        for instance in services {
            let command = try environment.serve(instance.service, port: instance.port, adminPort: instance.adminPort)
            if try await instance.part.ensure(command) { started.append(instance.name) }
        }
        let kafka = StackPart(name: "kafka", state: settings.state)
        // A Kafka that was not started here has no part.
        let engines = [StackPart(name: "postgres", state: settings.state)] + (kafka.id == nil ? [] : [kafka])
        for instance in services { try await instance.ready(needing: engines) }
        let all = services.map { "\($0.name)\(started.contains($0.name) ? "" : " (ran already)")" }
        console.done("services ready: \(all.joined(separator: ", "))")
    }

    /// Starts the proxy for what is outside where one is wanted, and else ends the one of before.
    ///
    /// - Returns: what the services go through: this one, or what the caller's `https_proxy` names.
    private func startWayOut(_ environment: ServiceEnvironment) async throws -> String? {
        guard try WayOut.isWanted() else {
            if try await WayOut.part(settings.state).stop(patience: .seconds(10)) { console.done("way out stopped") }
            return Variables["https_proxy"]
        }
        console.progress("starting the way out")
        let wayOut = WayOut(settings: settings, port: port(WayOut.name), homes: environment.homes)
        let started = try await wayOut.start()
        console.done("way out on \(wayOut.url) \(word(started))")
        return wayOut.url
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
        var all = [("gateway", "gateway"), ("postgres", "postgres"), ("kafka", "kafka"), ("kafka-controller", "kafka")]
        if try WayOut.isWanted() { all.append((WayOut.name, WayOut.name)) }
        var taken: Set<UInt16> = []
        for (name, part) in all + copies {
            // A running part keeps its port, which of course is not free.
            if let port = record.ports[name], StackPart(name: part, state: settings.state).id != nil {
                taken.insert(port)
            } else {
                record.ports[name] = try Ports.choose(
                    wanted: record.ports[name], taken: &taken, for: settings.state.path)
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

    /// Stops everything that `up` started, in the reverse order; what was not started here is left alone.
    ///
    /// - Returns: the names of what was stopped.
    func down() async throws -> [String] {
        guard Files.exists(settings.state.run("")) else { return [] }
        // Before the lock, which it holds while it starts what is ended here.
        try await Supervisor.stop(settings.state, console)
        let lock = try settings.state.lock(console)
        defer { close(lock) }
        record = StackRecord.load(settings.state)
        var stopped = try await stopServices()
        if try await stop("kafka", signal: SIGTERM, patience: .seconds(30)) { stopped.append("kafka") }
        console.progress("stopping PostgreSQL")
        if try await Database.stop(settings.state) { stopped.append("postgres") }
        // An `up` beside this may have started another one meanwhile.
        try await Supervisor.stop(settings.state, console)
        return stopped
    }

    /// Stops the gateway and all copies of all services.
    ///
    /// - Returns: the names of those that ran.
    func stopServices() async throws -> [String] {
        var stopped: [String] = []
        if try await Gateway.stop(settings.state) { stopped.append("gateway") }

        console.progress("stopping the services")
        var ending: [(String, Task<Bool, any Error>)] = []
        for service in Settings.services {
            for number in 1...max(record.instances, 1) {
                let part = StackPart(name: ServiceInstance.name(service, number), state: settings.state)
                ending.append((part.name, Loop.task { try await part.stop(patience: .seconds(20)) }))
            }
        }
        for (name, task) in ending where try await task.value { stopped.append(name) }
        if try await WayOut.part(settings.state).stop(patience: .seconds(10)) { stopped.append(WayOut.name) }
        for service in MediaService.allCases {
            let part = MediaServer.part(service, settings.state)
            if try await part.stop(patience: .seconds(20)) { stopped.append(part.name) }
        }
        return stopped
    }

    /// Deletes everything the stack keeps; call it after ``down()``.
    func erase() async throws {
        var folders = [settings.state.path]
        // They may lie elsewhere, for the reasons that DatabaseHome and PartHomes give.
        folders.append(DatabaseHome.shortSocket(settings.state))
        // One of before the folder was moved; in a copy the original's stands here, which is in use or made again.
        if record.socket.hasPrefix("/tmp/mirrormate-"), Files.names(in: record.socket).isEmpty {
            folders.append(record.socket)
        }
        if geteuid() == 0 {
            folders += try OutsideFolder.leftovers(settings.state)
            folders += folders.map(MediaServer.shortFolder)
        }
        // A service may have made as many files as there was room for.
        try await runToEnd(
            // Its words go the way of its answer: the folder of the logs is what it deletes.
            Command("/bin/sh", ["-c", "exec rm -rf -- \"$@\" 2>&1", "rm"] + folders), as: "Deleting the stack",
            log: "/dev/null", within: .seconds(3600))
    }

    private func stop(_ name: String, signal: Int32, patience: Duration) async throws -> Bool {
        console.progress("stopping \(name)")
        return try await StackPart(name: name, state: settings.state).stop(with: signal, patience: patience)
    }

    /// Runs an operator's command of a service over this stack's database.
    ///
    /// - Returns: what it says.
    /// - Throws: a failure when PostgreSQL does not run or the command fails.
    func operate(_ service: String, _ words: [String]) async throws -> String {
        let database = try await runningDatabase()
        guard let kind = Broker.Kind(rawValue: record.kafkaKind) else { throw notUp }
        let environment = ServiceEnvironment(
            settings: settings, database: (database.home.socket, database.port), kafka: (kind, record.kafkaBootstrap),
            publicURL: url, homes: try await PartHomes.find(settings))
        let command = try environment.operate(service, words)
        let text = try await runToEnd(command, as: "The command of \(service)", log: settings.state.log("operators"))
        // Log lines of the service come first; its answer is the last line.
        return text.split(separator: "\n").last.map(String.init) ?? ""
    }

    /// The database server that `up` started.
    ///
    /// - Throws: a failure when it does not run.
    func runningDatabase() async throws -> Database {
        guard StackPart(name: "postgres", state: settings.state).id != nil, let port = record.ports["postgres"] else {
            throw notUp
        }
        return Database(settings: settings, home: try await DatabaseHome.find(settings.state), port: port)
    }

    private var notUp: Failure {
        Failure(.unavailable, "not-up", "The stack does not run.", advice: "Start it with `mirrormate up`.")
    }
}
