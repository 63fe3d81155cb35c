import JSON
import Runtime

/// `mirrormate users …`: what operators find out about an account, and do for its owner.
@Loop enum UserCommand {
    static func find(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        let id = try await OperatorServices(arguments).user(arguments[Operands.account])
        if arguments[Flags.json] {
            console.answer(["id": .string(id)])
        } else {
            console.print(id)
        }
        return .success
    }

    /// Takes an account's second factor away; its owner is mailed.
    static func removeSecondFactor(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        let services = try OperatorServices(arguments)
        let id = try await services.user(arguments[Operands.account])
        try Confirmation.ask(
            "The account \(id) will have no second factor: its password alone lets in.", typing: "remove", arguments,
            console)
        try await services.tell(services.identity, "/operator/users/remove-second-factor", ["id": .string(id)])
        if arguments[Flags.json] {
            console.answer(["id": .string(id), "secondFactor": false])
        } else {
            console.print("The account \(id) has no second factor any more; its owner is told so by mail.")
        }
        return .success
    }

    /// Ends all login sessions of an account.
    static func signOut(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        let services = try OperatorServices(arguments)
        let id = try await services.user(arguments[Operands.account])
        try await services.tell(services.identity, "/operator/users/end-login-sessions", ["id": .string(id)])
        if arguments[Flags.json] {
            console.answer(["id": .string(id), "signedOut": true])
        } else {
            console.print("The account \(id) is signed out everywhere; who knows its password can sign in again.")
        }
        return .success
    }

    /// The anonymous devices whose practice came to an account last.
    static func devices(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        let services = try OperatorServices(arguments)
        let id = try await services.user(arguments[Operands.account])
        let answer = try await services.call(
            "POST", services.identity, "/operator/users/devices", ["id": .string(id)])
        if arguments[Flags.json] {
            console.answer(.object(answer))
            return .success
        }
        console.print(
            deviceTable(answer)?.paragraphs(console.style, within: console.room) ?? "The account has no devices.")
        return .success
    }

    /// A line for each device; nil without any.
    nonisolated static func deviceTable(_ answer: JSONObject) -> Columns? {
        let devices = (answer["items"]?.arrayValue ?? []).compactMap(\.objectValue)
        if devices.isEmpty { return nil }
        var table = Columns(["DEVICE", "SINCE", "LAST USED", "HANDED OVER", "REVOKED"])
        for device in devices {
            let members = ["id", "createdAt", "lastUsedAt", "handedOverAt", "revokedAt"]
            table.add(members.map { device[$0].map(Format.value) ?? "–" })
        }
        return table
    }

    /// Ends the secret of an anonymous device.
    static func revokeDevice(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        let services = try OperatorServices(arguments)
        let id = arguments[Operands.device]
        try Confirmation.ask(
            "What is on the device \(id) alone, and in no account, nobody will open again.", typing: "revoke",
            arguments,
            console)
        try await services.tell(services.identity, "/operator/users/revoke-device", ["id": .string(id)])
        if arguments[Flags.json] {
            console.answer(["id": .string(id), "revoked": true])
        } else {
            console.print("No secret of the device \(id) lets anybody in any more.")
        }
        return .success
    }
}
