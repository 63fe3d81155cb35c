import Glibc
import Primitives
import Runtime

/// `mirrormate logs`: the logs of a stack's parts as one, in the order of time.
@Loop struct LogsCommand {
    private let arguments: Arguments
    private let console: Console
    private let files: [LogFile]
    private let width: Int

    init(_ arguments: Arguments, _ console: Console) throws(Failure) {
        self.arguments = arguments
        self.console = console
        if ComposeDeployment.isHere {
            throw Failure(
                .configuration, "no-logs", "The logs of containers are Docker's.",
                advice: "docker compose logs --follow SERVICE")
        }
        let settings = try Settings(arguments, for: .look)
        let record = StackRecord.load(settings.state)
        let wanted = arguments[Operands.parts]
        let names = (wanted.isEmpty ? Settings.services + ["gateway"] : wanted).flatMap { part in
            guard Settings.services.contains(part) else { return [part] }
            return (1...max(record.instances, 1)).map { ServiceInstance.name(part, $0) }
        }
        let there = names.filter { Files.exists(settings.state.log($0)) }
        guard !there.isEmpty else {
            throw Failure(
                .configuration, "no-logs", "There is no log in \(settings.state.path)/logs.",
                advice: "`mirrormate up` starts a stack; --state names another one's folder.")
        }
        if let closed = there.first(where: { access(settings.state.log($0), R_OK) != 0 }) {
            throw Failure(
                .configuration, "logs-closed", "\(settings.state.log(closed)) cannot be read.",
                advice: "Run the command as who started the stack.")
        }
        files = there.map { LogFile(part: $0, path: settings.state.log($0)) }
        width = there.map(\.count).max() ?? 0
    }

    func run() async throws -> ExitCode {
        let lines = wanted(LogLine.merged(files.map { $0.nextLines() }))
        show(lines.suffix(arguments[Flags.lines]))
        if lines.isEmpty { console.note("No line is like that\(arguments[Flags.follow] ? " yet" : "").") }
        guard arguments[Flags.follow] else { return .success }
        do {
            try await Interrupt.cancelling {
                while true {
                    try await Loop.sleep(for: .milliseconds(200))
                    show(wanted(LogLine.merged(files.map { $0.nextLines() }))[...])
                }
            }
        } catch is CancellationError {}
        return .success
    }

    private func wanted(_ lines: [LogLine]) -> [LogLine] {
        let since = arguments[Flags.since]
        let level = arguments[Flags.atLeast]
        let text = arguments[Flags.trace]
        return lines.filter { line in
            if let since, (line.at ?? .epoch) < since { return false }
            if let level, !line.isAtLeast(level) { return false }
            return text.map { line.raw.contains($0) } ?? true
        }
    }

    private func show(_ lines: ArraySlice<LogLine>) {
        for line in lines {
            if arguments[Flags.json] {
                console.answer(line.document, onOneLine: true)
            } else {
                console.print(line.text(console.style, partWidth: width))
            }
        }
    }
}
