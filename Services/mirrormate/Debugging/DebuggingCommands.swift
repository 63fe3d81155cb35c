import JSON
import Postgres
import Primitives
import Runtime

/// The commands that look at history. Exit codes: 0 as expected, 1 difference or loss found, 2 wrong usage, 3 could not
/// look.
@Loop enum DebuggingCommands {
    nonisolated static let names = [
        "timeline", "events", "state", "diff", "explain", "ledger", "parked", "check", "rebuild", "replay", "capture",
    ]

    static func run(_ command: String, _ words: some Sequence<String>, _ console: Console) async throws -> ExitCode {
        do {
            return try await dispatch(command, Array(words), console)
        } catch let failure as Failure {
            throw failure
        } catch let error as PostgresError {
            // Whoever looks into history may know what the database says; no parameter stands in it.
            throw Failure(
                .configuration, "cannot-look", "\(command) could not finish: \(error.debugDescription)",
                advice: "`mirrormate status` says what runs.")
        } catch {
            throw Failure(
                .configuration, "cannot-look", "\(command) could not finish: \(error)",
                advice: "`mirrormate status` says what runs.")
        }
    }

    private static func dispatch(_ command: String, _ words: [String], _ console: Console) async throws -> ExitCode {
        let common = ["--json"]
        let shared = ["--state-dir", "--state"]
        switch command {
        case "timeline":
            let arguments = try Arguments(
                words, flags: common + ["--state", "--follow", "--data"], values: ["--state-dir"])
            return try await with(arguments) { try await TimelineCommand(arguments, $0, console).run() }
        case "events":
            let arguments = try Arguments(
                words, flags: common + ["--data"],
                values: shared + ["--stream", "--type", "--from", "--since", "--limit"])
            return try await with(arguments) { try await EventsCommand(arguments, $0, console).run() }
        case "ledger":
            let arguments = try Arguments(words, flags: common + ["--watch"], values: shared + ["--late"])
            return try await with(arguments) { try await LedgerCommand(arguments, $0, console).run() }
        case "parked":
            let arguments = try Arguments(words, flags: common, values: shared)
            return try await with(arguments) { try await ParkedCommand(arguments, $0, console).run() }
        case "check":
            let arguments = try Arguments(words, flags: common, values: shared + ["--sample", "--repair"])
            return try await with(arguments) { try await CheckCommand(arguments, $0, console).run() }
        case "diff":
            let arguments = try Arguments(words, flags: common, values: shared + ["--from", "--to"])
            return try await with(arguments) { try await DiffCommand(arguments, $0, console).diff() }
        case "explain":
            let arguments = try Arguments(words, flags: common, values: shared + ["--field"])
            return try await with(arguments) { try await DiffCommand(arguments, $0, console).explain() }
        case "rebuild":
            let arguments = try Arguments(
                words, flags: common + ["--compare", "--switch", "--rollback", "--drop-old"],
                values: shared + ["--against", "--cost"])
            return try await with(arguments) { try await RebuildCommand(arguments, $0, console).run() }
        case "capture":
            let arguments = try Arguments(words, flags: common + ["--with-content"], values: shared + ["-o"])
            return try await with(arguments) { try await CaptureCommand(arguments, console).run($0) }
        case "replay":
            let arguments = try Arguments(words, flags: common + ["--step"], values: shared + ["--until", "--from"])
            let command = ReplayCommand(arguments, console)
            if let file = arguments.values["--from"] { return try await command.replayFile(file) }
            return try await with(arguments) { try await command.replay($0) }
        default:
            let arguments = try Arguments(words, flags: common, values: shared + ["--version", "--at", "--position"])
            return try await with(arguments) { try await StateCommand(arguments, $0, console).run() }
        }
    }

    private static func with(
        _ arguments: Arguments, _ work: (Desk) async throws -> ExitCode
    ) async throws -> ExitCode {
        let desk = try await Desk(arguments)
        defer { desk.close() }
        return try await work(desk)
    }
}

extension Arguments {
    /// A moment: RFC 3339, or how long ago as `15m`, `2h`, `90s`.
    ///
    /// - Throws: a usage failure when it is neither.
    func moment(_ name: String) throws(Failure) -> Timestamp? {
        guard let text = values[name] else { return nil }
        if let moment = Timestamp(rfc3339: text) { return moment }
        if let ago = Duration(configuration: text) { return Timestamp.now() - ago }
        throw Self.usage("\(name) must be a time such as 2026-11-21T17:00:00Z, or how long ago, such as 15m.")
    }

    /// A whole number from 0 on.
    func position(_ name: String) throws(Failure) -> Int64? {
        guard let text = values[name] else { return nil }
        guard let number = Int64(text), number >= 0 else { throw Self.usage("\(name) must be a whole number.") }
        return number
    }
}
