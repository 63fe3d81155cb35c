import Contracts
import JSON
import Runtime

/// `mirrormate restart`: ends services of a running stack in order, and starts them again with what is configured now.
@Loop struct RestartCommand {
    private let arguments: Arguments
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func run() async throws -> ExitCode {
        try ComposeDeployment.refuse("restart", instead: "docker compose restart SERVICE")
        let stack = Stack(try Settings(arguments), console)
        // Without a stack there is nothing to restart, and starting one is another wish.
        _ = try await stack.runningDatabase()
        let wanted = arguments[Operands.services].map(\.rawValue)
        let stopped = try await stack.restart(wanted.isEmpty ? Settings.services : wanted)
        if arguments[Flags.json] {
            let document: JSONValue = ["restarted": .array(stopped.map(JSONValue.string))]
            console.answer(document)
        } else {
            console.done("restarted: \(stopped.joined(separator: ", "))")
        }
        return .success
    }
}

extension Stack {
    /// Ends all copies of services, and starts whatever of the stack does not run.
    ///
    /// - Returns: the names of the copies that were started anew.
    func restart(_ wanted: [String]) async throws -> [String] {
        let copies = services.filter { wanted.contains($0.service) }
        console.progress("stopping \(wanted.joined(separator: ", "))")
        let ending = copies.map { copy in Loop.task { try await copy.part.stop(patience: .seconds(20)) } }
        for task in ending { _ = try await task.value }
        try await up(instances: nil)
        return copies.map(\.name)
    }
}
