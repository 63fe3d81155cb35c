import JSON
import Processes
import Runtime

/// The command `demo`: everything from nothing to a report.
@Loop struct DemoCommand {
    let arguments: Arguments
    let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func run() async throws -> ExitCode {
        try ComposeDeployment.refuse(
            "demo",
            instead: "docker compose up -d --wait; then open PUBLIC_URL of .env, where a recording becomes a report.")
        let settings = try Settings(arguments)
        let stack = Stack(settings, console)
        try await stack.up(instances: arguments[Flags.instances])
        let video = try await video(settings)
        let account = Account.random()
        let place = arguments[Flags.state].map { " --state \($0)" } ?? ""
        let server = Server(url: stack.url, again: " --email \(account.email)\(place)")
        try await account.signUp(server)
        try account.save(to: "\(settings.state.path)/demo/user.json")
        console.done("signed up \(account.email)")
        let report = try await Submission(server: server, console: console).report(
            of: try VideoFile(video), arguments.brief)
        let json = JSONValue.object(report)
        let file = "\(settings.state.path)/demo/report.json"
        try Files.write(json.prettyText + "\n", to: file)
        if arguments[Flags.json] {
            console.answer(json)
            return .success
        }
        console.print("\n" + ReportPage(report: report, style: console.style, width: console.width).text)
        let session = report["sessionId"]?.stringValue ?? "SESSION"
        console.print(
            "\n" + Self.next(url: stack.url, report: file, session: session, place: place, style: console.style))
        return .success
    }

    private func video(_ settings: Settings) async throws -> String {
        let path = "\(settings.state.path)/demo/demo.mp4"
        if Files.exists(path) { return path }
        console.progress("making the demo video")
        var command = Command(try settings.infra("make-demo-video"), [path], environment: settings.environment)
        command.folder = settings.home
        try await runToEnd(
            command, as: "Making the demo video", log: settings.state.log("setup"), within: .seconds(600))
        console.done("demo video made: \(path)")
        return path
    }

    /// The last words: what is where, and which commands come next.
    ///
    /// - Parameters:
    ///   - report: the file that holds the report.
    ///   - place: the option that names the stack's folder, with a space before it; empty where none is needed.
    nonisolated static func next(url: String, report: String, session: String, place: String, style: Style) -> String {
        var commands = Columns(["", ""])
        // The first digits are enough, and leave room for the words beside them.
        commands.add(["  ./mirrormate timeline \(session.prefix(13))\(place)", "what happened to it, event by event"])
        commands.add(["  ./mirrormate submit talk.mp4\(place)", "your own video"])
        commands.add(["  ./mirrormate status\(place)", "what runs"])
        commands.add(["  " + (place.isEmpty ? "make down" : "./mirrormate down\(place)"), "stop everything"])
        let lines = commands.text(Style(isColoured: false)).drop { $0 != "\n" }.dropFirst()
        return """
            \(style.dim("The demo video joins a public domain voice (LibriVox) with a NASA portrait of Eileen Collins,"))
            \(style.dim("who is not the speaker and endorses nothing; sound and lips do not match."))

            Open in a browser:   \(url)
            The report as JSON:  \(report)
            The API:             \(url)/docs

            \(style.bold("Next"))
            \(lines)
            """
    }
}
