import JSON
import Runtime

/// `mirrormate users find`: the id of an account, which other commands take.
@Loop enum UserCommand {
    static func find(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        let id = try await OperatorServices(arguments).user(arguments[Operands.account])
        if arguments[Flags.json] {
            console.print((["version": 1, "id": .string(id)] as JSONValue).prettyText)
        } else {
            console.print(id)
        }
        return .success
    }
}
