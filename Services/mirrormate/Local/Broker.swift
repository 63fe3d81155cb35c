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

        /// What people call it.
        var words: String {
            switch self {
            case .external: "a Kafka that runs elsewhere"
            case .apache: "an Apache Kafka of its own"
            case .development: "the development broker"
            }
        }

        /// The variable that asks for it.
        var variable: String { self == .external ? "KAFKA_BOOTSTRAP_SERVERS" : "KAFKA_HOME" }
    }

    /// What the development broker cannot do, in one line.
    static let developmentLimits =
        "the development broker keeps nothing: after its restart the services publish their history again, "
        + "and they refuse work before a partition overflows; set KAFKA_HOME for a real Kafka"

    let settings: Settings
    let kind: Kind
    let port: UInt16
    let controllerPort: UInt16
    /// Where it has a user of its own; nil when all run as the caller.
    let homes: PartHomes?
    /// The folder of an Apache Kafka that was started before; empty when there was none.
    let homeBefore: String
    /// The Java that it was started with; empty when that was the first on the path.
    let javaBefore: String

    private var part: StackPart { StackPart(name: "kafka", state: settings.state) }

    /// The kind that the environment asks for; nil where it says nothing.
    static var wantedKind: Kind? {
        if !(Variables["KAFKA_BOOTSTRAP_SERVERS"] ?? "").isEmpty { return .external }
        return (Variables["KAFKA_HOME"] ?? "").isEmpty ? nil : .apache
    }

    /// The kind to start a stack with: the one that it had. What another one's topics hold is another history, so nobody gets one
    /// because a variable is missing in today's shell.
    ///
    /// - Parameters:
    ///   - wanted: what the environment asks for.
    ///   - isSwitching: whether another kind than before is meant.
    /// - Throws: a failure that says which kind it had, and how to have it or another one.
    nonisolated static func kind(
        wanted: Kind?, before record: StackRecord, isSwitching: Bool
    ) throws(Failure) -> Kind {
        guard let before = Kind(rawValue: record.kafkaKind), !isSwitching else { return wanted ?? .development }
        if wanted == before { return before }
        let advice =
            "`mirrormate up --switch-kafka` starts it with the other one: what is in the topics of now stays behind there."
        switch (before, wanted) {
        case (.development, nil): return .development
        case (.apache, nil) where !record.kafkaHome.isEmpty: return .apache
        case (_, let wanted?):
            throw Failure(
                .configuration, "kafka-differs",
                "This stack has \(before.words), and \(wanted.variable) asks for \(wanted.words).",
                advice: "Unset \(wanted.variable), or: \(advice)")
        case (_, nil):
            throw Failure(
                .configuration, "kafka-differs", "This stack has \(before.words), and \(before.variable) is not set.",
                advice: "Set it as it was, or: \(advice)")
        }
    }

    /// Starts the broker if needed and waits until it can be used.
    ///
    /// - Returns: its address, and whether it was started.
    func start() async throws -> (bootstrap: String, started: Bool) {
        switch kind {
        case .external:
            _ = try await part.stop(patience: .seconds(30))
            return (Variables["KAFKA_BOOTSTRAP_SERVERS"] ?? "", false)
        case .apache: return try await startApache()
        case .development: return try await startDevelopment()
        }
    }

    private func startDevelopment() async throws -> (String, Bool) {
        let file = homes.map { "\($0.folder)/kafka/dev-broker" } ?? settings.state.run("dev-broker")
        guard let own = Files.program() else { throw part.failed("cannot find its program") }
        let started = try await part.ensure(
            try asItsUser(Command(own, ["dev-broker", "--ready-file", file], environment: settings.environment)))
        for _ in 0..<400 {
            guard let id = part.id else { throw part.failed("ended while starting") }
            // The file names the process too, because an earlier broker's may still lie there.
            let words = (Files.readText(file, of: user) ?? "").split { $0 == " " || $0 == "\n" }
            if words.count == 2, words[0] == "\(id)" { return (try address(words[1]), started) }
            try await Loop.sleep(for: .milliseconds(50))
        }
        throw part.failed("was not ready after 20 seconds")
    }

    private func startApache() async throws -> (String, Bool) {
        let folder = "\(homes?.folder ?? settings.state.path)/kafka"
        try Files.makeFolder(folder, mode: 0o700)
        var environment = settings.environment
        // Without links, as a copy of it is known by.
        if !javaInUse.isEmpty { environment["JAVA_HOME"] = javaInUse }
        environment["KAFKA_HOME"] = try kafkaHome()
        // One that is ready: a stack of many would write over what the others read.
        if let archive = Variables["KAFKA_CLASS_ARCHIVE"].flatMap({ Files.absolute($0) }) {
            environment["KAFKA_CLASS_ARCHIVE"] = archive
        }
        var command = Command(
            try settings.infra("kafka-local"), ["start", folder, "\(port)", "\(controllerPort)"],
            environment: environment)
        // The broker stays in the session of the script that starts it, which must not be the terminal's.
        command.bond = .detached
        command = try asItsUser(command)
        let starting = command
        let started = try await part.ensure(command) {
            try await runToEnd(starting, as: "Starting Kafka", log: settings.state.log("setup"))
            return Files.readText("\(folder)/kafka.pid", of: user).flatMap { Int32($0.prefix { $0.isNumber }) }
        }
        guard part.id != nil else { throw part.failed("ended while starting; its words are in \(folder)/kafka.log") }
        let text = Files.readText("\(folder)/kafka.address", of: user) ?? ""
        return (try address(text.prefix { !$0.isNewline }), started)
    }

    /// Whose the files are that it writes.
    private var user: uid_t { homes == nil ? geteuid() : PartUser.kafka.user }

    /// What the broker's user wrote, once it has the form of an address: it goes to the services and onto the screen.
    private func address(_ text: Substring) throws(Failure) -> String {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let isHost = parts[0].utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x2E
        }
        guard parts.count == 2, !parts[0].isEmpty, text.utf8.count < 256, isHost, UInt16(parts[1]) != nil else {
            throw part.failed("gave no address")
        }
        return String(text)
    }

    private func asItsUser(_ command: Command) throws(Failure) -> Command {
        guard let homes else { return command }
        return try homes.command(command, as: PartUser.kafka, named: "kafka")
    }

    private func kafkaHome() throws(Failure) -> String {
        let said = Variables["KAFKA_HOME"] ?? ""
        let home = said.isEmpty ? homeBefore : said
        guard let path = Files.absolute(home), Files.exists("\(path)/libs") else {
            throw Failure(
                .configuration, "kafka-home",
                said.isEmpty
                    ? "The Kafka of this stack was in \(home), where none is any more."
                    : "KAFKA_HOME is set to \(home), where no Kafka is.",
                advice:
                    "Set KAFKA_HOME to an unpacked Apache Kafka 4, or unset it to use the development broker in a new stack."
            )
        }
        return path
    }

    /// The Java that an Apache Kafka is started with; empty for the first on the path, and for another kind.
    var javaInUse: String {
        kind == .apache ? Self.java(said: Variables["JAVA_HOME"] ?? "", before: javaBefore) : ""
    }

    /// The folder of the Java to start with: the one that JAVA_HOME names, else the one of before as long as it is there; empty for
    /// the first on the path.
    nonisolated static func java(said: String, before: String) -> String {
        if !said.isEmpty { return Files.absolute(said) ?? said }
        return Files.isExecutable("\(before)/bin/java") ? before : ""
    }

    /// The folder of the Apache Kafka that is started; empty for another kind.
    func homeInUse() throws(Failure) -> String { kind == .apache ? try kafkaHome() : "" }
}
