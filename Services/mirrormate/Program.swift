import Glibc
import JSON
import Primitives
import Processes
import Runtime

/// The command line tool `mirrormate`.
@main enum Program {
    static func main() async {
        let console = Console()
        let words = Array(CommandLine.arguments.dropFirst())
        // Before there is another thread, so that all of them get it: who looks leaves the machine to those who serve.
        if DebuggingCommands.names.contains(words.first ?? "") { _ = nice(10) }
        let task = Loop.task { await run(words, console) }
        let code = (try? await task.value) ?? .failure
        exit(code.rawValue)
    }

    @Loop private static func run(_ words: [String], _ console: Console) async -> ExitCode {
        do {
            return try await dispatch(words, console)
        } catch let failure as Failure {
            console.show(failure)
            return failure.exit
        } catch let error as ProcessError {
            console.show(Failure(.failure, error.code, error.description, advice: "Then try again."))
            return .failure
        } catch {
            console.show(
                Failure(.failure, "unexpected", "\(error)", advice: "Try again; `mirrormate status` says what runs."))
            return .failure
        }
    }

    @Loop private static func dispatch(_ words: [String], _ console: Console) async throws -> ExitCode {
        guard let command = words.first, !["--help", "-h", "help"].contains(command) else {
            console.print(Help.text(for: words.count > 1 ? words[1] : ""))
            return words.isEmpty ? .usage : .success
        }
        let rest = words.dropFirst()
        if rest.contains("--help") || rest.contains("-h") {
            console.print(Help.text(for: command))
            return .success
        }
        let stack = ["--state", "--bin", "--instances"]
        let operatorValues = ["--state", "--units", "--kind", "--identity", "--quota", "--key-file"]
        switch command {
        case "up": return try await up(Arguments(rest, flags: ["--json"], values: stack), console)
        case "down": return try await down(Arguments(rest, flags: ["--json", "--erase"], values: ["--state"]), console)
        case "status":
            return try await status(Arguments(rest, flags: ["--json"], values: ["--state", "--bin"]), console)
        case "demo": return try await DemoCommand(Arguments(rest, flags: ["--json"], values: stack), console).run()
        case "submit":
            let values = ["--state", "--url", "--email", "--password", "--output"]
            return try await SubmitCommand(
                Arguments(rest, flags: ["--json", "--new-user"], values: values), console
            ).run()
        case "contracts":
            return try await ContractsCommand(
                Arguments(rest, flags: [], values: ["--against", "--service", "--root"]), console
            ).run()
        case "keys":
            let flags = ["--json", "--revoke"]
            return try await KeysCommand(
                Arguments(rest, flags: flags, values: ["--state", "--bin"]), console
            ).run()
        case "backup":
            return try await BackupCommand(Arguments(rest, flags: [], values: ["--state", "--bin"]), console).run()
        case "restore":
            return try await RestoreCommand(
                Arguments(rest, flags: ["--json", "--yes"], values: ["--state", "--bin"]), console
            ).run()
        case "doctor":
            return try await DoctorCommand(
                Arguments(rest, flags: ["--json"], values: ["--state", "--bin"]), console
            ).run()
        case "quota":
            return try await OperatorCommand(Arguments(rest, flags: ["--json"], values: operatorValues), console)
                .quota()
        case "plan" where rest.first == "list":
            return try await PlanListCommand(Arguments(rest, flags: ["--json"], values: operatorValues), console).run()
        case "plan":
            return try await OperatorCommand(Arguments(rest, flags: ["--json"], values: operatorValues), console).plan()
        case "dev-broker":
            return try await DevelopmentBroker.run(Arguments(rest, flags: [], values: ["--ready-file"]), console)
        case let command where DebuggingCommands.names.contains(command):
            return try await DebuggingCommands.run(command, rest, console)
        default:
            throw Failure(
                .usage, "usage",
                "There is no command \(command).\(Suggestion.text(for: command, among: Help.commands))",
                advice: "The commands are \(Help.commands.joined(separator: ", ")).")
        }
    }

    @Loop private static func up(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        try arguments.noOperands()
        let stack = Stack(try Settings(arguments), console)
        try await stack.up(instances: try arguments.number("--instances", in: 1...8))
        if arguments.flags.contains("--json") { console.print(await stack.status().document.prettyText) }
        return .success
    }

    @Loop private static func down(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        try arguments.noOperands()
        let stack = Stack(try Settings(arguments), console)
        let stopped = try await stack.down()
        console.done(stopped.isEmpty ? "nothing was running" : "stopped: \(stopped.joined(separator: ", "))")
        if arguments.flags.contains("--erase") {
            try await stack.erase()
            console.done("deleted \(stack.settings.state.path)")
        }
        if arguments.flags.contains("--json") {
            console.print(StackJSON.stopped(stopped).prettyText)
        }
        return .success
    }

    @Loop private static func status(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        try arguments.noOperands()
        let stack = Stack(try Settings(arguments), console)
        let (document, isUp) = await stack.status()
        let wantsJSON = arguments.flags.contains("--json")
        console.print(wantsJSON ? document.prettyText : stack.statusText(document))
        if !isUp, !wantsJSON { console.note("Not everything runs; `mirrormate up` starts what is missing.") }
        return isUp ? .success : .unavailable
    }
}
