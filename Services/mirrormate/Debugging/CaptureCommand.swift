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

    /// Writes a case to `-o FILE`, or to standard output.
    func run(_ desk: Desk) async throws -> ExitCode {
        var capture = try await captured(desk)
        if arguments.flags.contains("--with-content") { capture.content = try await CaseContent(desk).read(capture) }
        warn(capture)
        let text = capture.text
        guard let file = arguments.values["-o"] else {
            console.print(String(text.dropLast()))
            return .success
        }
        try Files.write(text, to: file, mode: 0o600)
        let events = capture.entries.count
        if arguments.flags.contains("--json") {
            let document: JSONValue = [
                "file": .string(file), "events": .int(Int64(events)),
                "personalContent": .bool(!capture.content.isEmpty),
            ]
            console.print(document.prettyText)
        } else {
            console.print(
                "\(file): \(Words.count(events, "event")); "
                    + (capture.content.isEmpty ? "no personal content is in it" : "WITH PERSONAL CONTENT"))
        }
        return .success
    }

    /// The case of the id that was asked for.
    func captured(_ desk: Desk) async throws -> Capture {
        guard let id = UUID(try arguments.operand("session, user or event id")) else {
            throw Arguments.usage("The id must be a UUID.")
        }
        let capture = try await CaptureMaker(desk.stores).capture(id)
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
                "!!! PERSONAL CONTENT: \(Words.count(profiles, "profile")) (names, addresses) and "
                    + "\(Words.count(reports, "report")) (what was said) are in this capture."))
        console.note(
            console.noteStyle.red("!!! Keep it as you keep the database, pass it on to nobody, delete it afterwards."))
    }
}
