import JSON
import Primitives
import Replay
import Runtime

/// `mirrormate capture`: one case as a file.
@Loop struct CaptureCommand {
    private let arguments: Arguments
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    /// Writes a case to the file of `--output`, or to standard output.
    func run(_ logs: ServiceLogs) async throws -> ExitCode {
        if arguments[Flags.json], arguments[Flags.output] == nil {
            throw Failure.usage(
                "--json needs --output: what is printed without it is the case itself.", advice: "Add --output FILE.")
        }
        if let file = arguments[Flags.output] { try Files.seeWritable(file) }
        var capture = try await Self.captured(try await logs.id(arguments[Operands.subject]), logs)
        if arguments[Flags.withContent] { capture.content = try await CaseContent(logs).read(capture) }
        warn(capture)
        let text = capture.text
        guard let file = arguments[Flags.output] else {
            console.print(String(text.dropLast()))
            return .success
        }
        try Files.write(text, to: file, mode: 0o600)
        let events = capture.entries.count
        if arguments[Flags.json] {
            let document: JSONValue = [
                "file": .string(file), "events": .int(Int64(events)),
                "personalContent": .bool(!capture.content.isEmpty),
            ]
            console.answer(document)
        } else {
            console.print(
                "\(file): \(Format.count(events, "event")); "
                    + (capture.content.isEmpty ? "no personal content is in it" : "WITH PERSONAL CONTENT"))
        }
        return .success
    }

    /// The case of an id.
    ///
    /// - Throws: a failure when no log has anything about it.
    static func captured(_ id: UUID, _ logs: ServiceLogs) async throws -> Capture {
        let capture = try await CaptureMaker(logs.stores).capture(id)
        guard !capture.entries.isEmpty else {
            throw Failure(
                .configuration, "unknown-id", "Nothing in any log is about \(id).",
                advice: "Ids are in the answers of the API and in `mirrormate events SERVICE`.")
        }
        return capture
    }

    private func warn(_ capture: Capture) {
        guard !capture.content.isEmpty else { return }
        let profiles = capture.content.count { $0.table == "profiles" }
        let reports = capture.content.count { $0.table == "reports" }
        console.note(
            console.noteStyle.red(
                "!!! PERSONAL CONTENT: \(Format.count(profiles, "profile")) (names, addresses) and "
                    + "\(Format.count(reports, "report")) (what was said) are in this capture."))
        console.note(
            console.noteStyle.red("!!! Keep it as you keep the database, pass it on to nobody, delete it afterwards."))
    }
}
