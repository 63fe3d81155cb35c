import JSON
import Runtime

/// The command `keys rotate`: a new key for signing access tokens.
@Loop struct KeysCommand {
    let arguments: Arguments
    let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func rotate() async throws -> ExitCode {
        let isRevoking = arguments[Flags.revoke]
        let stack = Stack(try Settings(arguments), console)
        let answer = try await stack.operate("identity", ["rotate-keys"] + (isRevoking ? ["--revoke"] : []))
        if arguments[Flags.json] {
            let document: JSONValue = ["version": 1, "revoked": .bool(isRevoking)]
            console.print(document.prettyText)
        } else {
            console.done(answer)
        }
        return .success
    }
}
