import Postgres
import Runtime

extension CommandEntry {
    /// A command that looks at the services' logs: they are opened for it, and what keeps it from looking ends it with the
    /// exit code 3.
    init(
        looking name: String, _ topic: CommandTopic, _ summary: String, operands: [any CommandOperand] = [],
        flags: [any CommandFlag], exclusive: [[any CommandFlag]] = [],
        examples: [(line: String, purpose: String)] = [], notes: [String] = [], exitCodes: ExitCodes = .looking,
        isDefault: Bool = false, isPolite: Bool = true,
        run: @escaping @Loop @Sendable (Arguments, ServiceLogs, Console) async throws -> ExitCode
    ) {
        self.init(
            name: name, topic: topic, summary: summary, operands: operands, flags: flags, exclusive: exclusive,
            examples: examples, notes: notes, exitCodes: exitCodes, isDefault: isDefault, isPolite: isPolite
        ) { arguments, console in
            try await ServiceLogs.looking(for: name, arguments) { try await run(arguments, $0, console) }
        }
    }
}

extension ServiceLogs {
    /// Opens the logs for a command, and closes them.
    ///
    /// - Throws: the command's failures; whatever else happens, as a failure with the exit code 3.
    static func looking(
        for name: String, _ arguments: Arguments, _ work: (ServiceLogs) async throws -> ExitCode
    ) async throws -> ExitCode {
        try await reporting(name) {
            let logs = try await ServiceLogs(arguments)
            defer { logs.close() }
            return try await work(logs)
        }
    }

    /// Turns whatever keeps a command from looking into a failure.
    static func reporting(_ name: String, _ work: () async throws -> ExitCode) async throws -> ExitCode {
        do {
            return try await work()
        } catch let failure as Failure {
            throw failure
        } catch {
            // Whoever looks into history may know what the database says; no parameter stands in it.
            let why = (error as? PostgresError)?.debugDescription ?? "\(error)"
            throw Failure(
                .configuration, "cannot-look", "\(name) could not finish: \(why)",
                advice: ComposeDeployment.whatRuns)
        }
    }
}
