import JSON
import Primitives
import Runtime

/// `mirrormate sessions cancel`: ends a session, as the account that it belongs to.
@Loop struct SessionCancelCommand {
    private let arguments: Arguments
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func run() async throws -> ExitCode {
        try ComposeDeployment.refuse(
            "sessions cancel",
            instead:
                "Its owner can on the page at PUBLIC_URL of .env, or from where mirrormate is built, with --url PUBLIC_URL."
        )
        let server = try await ClientSignIn(arguments).server(try Settings(arguments).state, makesAccount: false)
        let id = try await server.id(of: arguments[Operands.session])
        let session = try await server.call("POST", "/v1/sessions/\(id)/cancel", JSONObject(), key: UUID.v7())
        if arguments[Flags.json] {
            console.answer(.object(session))
        } else {
            console.print("the session \(id) is \(session["status"]?.stringValue ?? "cancelled")")
        }
        return .success
    }
}
