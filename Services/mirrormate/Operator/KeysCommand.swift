import JSON
import Runtime

/// The commands `keys rotate`, a new key for signing access tokens, `keys change`, another key for other tokens and codes, and
/// `keys reseal`, which seals all of them with the present key.
@Loop struct KeysCommand {
    let arguments: Arguments
    let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func rotate() async throws -> ExitCode {
        try ComposeDeployment.refuse("keys", instead: "docker compose exec identity service rotate-keys")
        let isRevoking = arguments[Flags.revoke]
        let stack = Stack(try Settings(arguments), console)
        if isRevoking {
            try Confirmation.ask(
                "Every access token of now will be refused: clients have to refresh theirs.", typing: "revoke",
                arguments,
                console)
        }
        let answer = try await stack.operate("identity", ["rotate-keys"] + (isRevoking ? ["--revoke"] : []))
        if arguments[Flags.json] {
            let document: JSONValue = ["revoked": .bool(isRevoking)]
            console.answer(document)
        } else {
            console.print(answer)
        }
        return .success
    }

    func change() async throws -> ExitCode {
        let name = arguments[Operands.secret]
        let isRevoking = arguments[Flags.revoke]
        let words = ["change-secret", name] + (isRevoking ? ["--revoke"] : [])
        try ComposeDeployment.refuse(
            "keys", instead: "docker compose exec identity service \(words.joined(separator: " "))")
        let stack = Stack(try Settings(arguments), console)
        if isRevoking {
            try Confirmation.ask(
                "Nothing that earlier keys of \(name) made will be believed.", typing: "revoke", arguments, console)
        }
        let answer = try await stack.operate("identity", words)
        if arguments[Flags.json] {
            let document: JSONValue = ["secret": .string(name), "revoked": .bool(isRevoking)]
            console.answer(document)
        } else {
            console.print(answer)
        }
        return .success
    }

    func reseal() async throws -> ExitCode {
        try ComposeDeployment.refuse("keys", instead: "docker compose exec identity service reseal")
        let answer = try await Stack(try Settings(arguments), console).operate("identity", ["reseal"])
        if arguments[Flags.json] {
            let document: JSONValue = ["answer": .string(answer)]
            console.answer(document)
        } else {
            console.print(answer)
        }
        return .success
    }
}
