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
        console.print("\n" + next(stack.url, file))
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

    private func next(_ url: String, _ file: String) -> String {
        let style = console.style
        return """
            \(style.dim("The demo video joins a public domain voice (LibriVox) with a NASA portrait of Eileen Collins,"))
            \(style.dim("who is not the speaker and endorses nothing; sound and lips do not match."))

            Open in a browser:   \(url)
            The report as JSON:  \(file)
            The API:             \(url)/docs

            \(style.bold("Next"))
              ./mirrormate submit talk.mp4     your own video
              ./mirrormate status              what runs
              make down                        stop everything
            """
    }
}
