import JSON
import Runtime

/// The commands `up`, `down` and `status`.
@Loop enum StackCommands {
    /// Starts whatever does not run.
    static func up(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        try ComposeDeployment.refuse("up", instead: "docker compose up -d --wait")
        let stack = Stack(try Settings(arguments), console)
        stack.isSwitchingKafka = arguments[Flags.switchKafka]
        stack.restarts = arguments[Flags.noRestart] ? false : arguments[Flags.doRestart] ? true : nil
        try await stack.up(instances: arguments[Flags.instances])
        if arguments[Flags.json] { console.answer(await stack.status().document) }
        return .success
    }

    /// Stops everything that `up` started.
    static func down(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        try ComposeDeployment.refuse("down", instead: "docker compose down")
        let settings = try Settings(arguments, for: .stop)
        // Who may end what runs may not own what is deleted.
        if arguments[Flags.erase] {
            try StackOwner.requireFolder(settings.state.path)
            // Where there is nothing, nothing is lost.
            if Files.exists(settings.state.path) {
                try Confirmation.ask(
                    "All data, secrets and reports in \(settings.state.path) will be deleted.", typing: "erase",
                    arguments,
                    console)
            }
        }
        let stack = Stack(settings, console)
        let stopped = try await stack.down()
        console.done(stopped.isEmpty ? "nothing was running" : "stopped: \(stopped.joined(separator: ", "))")
        if arguments[Flags.erase] {
            try await stack.erase()
            console.done("deleted \(stack.settings.state.path)")
        }
        if arguments[Flags.json] {
            let document: JSONValue = ["stopped": .array(stopped.map(JSONValue.string))]
            console.answer(document)
        }
        return .success
    }

    /// Shows what runs.
    static func status(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        try ComposeDeployment.refuse("status", instead: "docker compose ps -a")
        let status = await Stack(try Settings(arguments, for: .look), console).status()
        if arguments[Flags.json] {
            console.answer(status.document)
        } else {
            console.print(status.text(console.style))
            if !status.isUp {
                console.note(
                    status.troubles.first?.advice ?? "Not everything runs; `mirrormate up` starts what is missing.")
            } else if let unwatched = status.unwatched {
                console.note(unwatched.advice)
            }
        }
        return status.isUp ? .success : .unavailable
    }
}
