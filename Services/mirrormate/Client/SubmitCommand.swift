import Contracts
import JSON
import Runtime

/// The command `submit`.
@Loop struct SubmitCommand {
    let arguments: Arguments
    let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func run() async throws -> ExitCode {
        let video = arguments[Operands.video]
        let state = try Settings(arguments).state
        let server = Server(url: try url(state))
        try await signIn(server, state)
        let report = try await Submission(server: server, console: console).report(of: video, arguments.brief)
        let json = JSONValue.object(report)
        if let output = arguments[Flags.output] { try Files.write(json.prettyText + "\n", to: output) }
        if arguments[Flags.json] {
            console.print(json.prettyText)
        } else {
            console.print("\n" + ReportPage(report: report, style: console.style, width: console.width).text)
        }
        return .success
    }

    private func url(_ state: StateFolder) throws(Failure) -> String {
        if let url = arguments[Flags.url] ?? Variables["MIRRORMATE_URL"] { return url }
        for line in (try Files.readText("\(state.path)/env") ?? "").split(separator: "\n") {
            if line.hasPrefix("MIRRORMATE_URL=") { return String(line.dropFirst("MIRRORMATE_URL=".count)) }
        }
        throw Failure(
            .configuration, "no-server", "No server is known.",
            advice: "Start one with `mirrormate up`, or name one with --url or MIRRORMATE_URL.")
    }

    private func signIn(_ server: Server, _ state: StateFolder) async throws {
        if let email = arguments[Flags.email] {
            guard let password = arguments[Flags.password] ?? Variables["MIRRORMATE_PASSWORD"] else {
                throw Failure.usage("--email needs a password, best in MIRRORMATE_PASSWORD.")
            }
            return try await Account(email: email, password: password).signIn(server)
        }
        let file = "\(state.path)/demo/client.json"
        if !arguments[Flags.newUser], let account = try Account.load(file) {
            return try await account.signIn(server)
        }
        let account = Account.random()
        try await account.signUp(server)
        try account.save(to: file)
    }
}

extension Arguments {
    /// What is said of a recording that is submitted.
    var brief: RecordingBrief {
        RecordingBrief(
            language: self[Flags.language], scenario: self[Flags.scenario].map(SpeakingScenario.init(rawValue:)))
    }
}
