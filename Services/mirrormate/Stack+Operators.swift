import Processes
import Runtime

extension Stack {
    /// Runs an operator's command of a service over this stack's database.
    ///
    /// - Returns: what it says.
    /// - Throws: a failure when PostgreSQL does not run or the command fails.
    func operate(_ service: String, _ words: [String]) async throws -> String {
        let database = try await runningDatabase()
        guard let kind = Broker.Kind(rawValue: record.kafkaKind) else { throw notUp }
        let environment = ServiceEnvironment(
            settings: settings, database: (database.home.socket, database.port), kafka: (kind, record.kafkaBootstrap),
            publicURL: url)
        let command = try environment.operate(service, words)
        let text = try await run(command, as: "The command of \(service)", log: settings.state.log("operators"))
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
