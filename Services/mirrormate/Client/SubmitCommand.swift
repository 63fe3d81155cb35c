import Contracts
import JSON
import Primitives
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
        try ComposeDeployment.refuse(
            "submit",
            instead:
                "Send it on the page at PUBLIC_URL of .env, or from where mirrormate is built, with --url PUBLIC_URL.")
        guard arguments[Operands.video] != nil || arguments[Flags.resume] != nil else {
            throw Failure.usage(
                "VIDEO is missing: \(Operands.video.help).", advice: "`mirrormate submit --help` says what it takes.")
        }
        let state = try Settings(arguments).state
        // All that can be seen to be wrong here is said before a unit is spent.
        let video = try arguments[Operands.video].map(VideoFile.init)
        if let output = arguments[Flags.output] { try Files.seeWritable(output) }
        // Who has no account yet has no session to go on with.
        let server = try await ClientSignIn(arguments).server(state, makesAccount: arguments[Flags.resume] == nil)
        let submission = Submission(server: server, console: console)
        let report: JSONObject
        switch (video, arguments[Flags.resume]) {
        case (let video, let session?):
            report = try await submission.report(ofSession: try await server.id(of: session), video)
        case (let video?, nil):
            report = try await submission.report(of: video, arguments.brief, isReplacing: arguments[Flags.replace])
        case (nil, nil): preconditionFailure("That was looked at first.")
        }
        let json = JSONValue.object(report)
        if let output = arguments[Flags.output] { try Files.write(json.prettyText + "\n", to: output) }
        if arguments[Flags.json] {
            console.answer(json)
        } else {
            console.print("\n" + ReportPage(report: report, style: console.style, width: console.width).text)
        }
        return .success
    }
}

extension Arguments {
    /// What is said of a recording that is submitted.
    var brief: RecordingBrief {
        RecordingBrief(
            language: self[Flags.language], scenario: self[Flags.scenario].map(SpeakingScenario.init(rawValue:)))
    }
}
