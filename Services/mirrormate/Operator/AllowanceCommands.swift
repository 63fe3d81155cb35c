import JSON
import Primitives
import Runtime

/// The commands `quota …` and `plan …`: what operators decide about an account, told to the services themselves through
/// their admin ports.
@Loop enum AllowanceCommands {
    /// Shows what an account may still do.
    static func show(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        let services = try OperatorServices(arguments)
        let path = try await path(arguments[Operands.account], services)
        let query = arguments[Flags.kind].map { "?kind=\($0)" } ?? ""
        show(try await services.call("GET", services.quota, path + query), arguments, console)
        return .success
    }

    /// Gives units beyond the plan.
    static func grant(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        let (email, units) = (arguments[Operands.account], arguments[Flags.units])
        let services = try OperatorServices(arguments)
        let path = try await path(email, services) + "/grants"
        let standing = try await services.call(
            "POST", services.quota, path,
            JSONObject().adding([
                "units": .int(Int64(units)), "kind": arguments[Flags.kind].map(JSONValue.string),
            ]), key: .v7())
        console.done("\(email) was given \(units == 1 ? "one unit" : "\(units) units")")
        show(standing, arguments, console)
        return .success
    }

    /// Puts another plan in force.
    static func setPlan(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        let (email, plan) = (arguments[Operands.account], arguments[Operands.plan])
        let services = try OperatorServices(arguments)
        let path = try await path(email, services) + "/plan"
        let standing = try await services.call("PUT", services.quota, path, ["plan": .string(plan)])
        console.done("\(email) has the plan \(plan)")
        show(standing, arguments, console)
        return .success
    }

    private static func path(_ email: String, _ services: OperatorServices) async throws -> String {
        "/operator/allowances/\(try await services.user(email))"
    }

    private static func show(_ standing: JSONObject, _ arguments: Arguments, _ console: Console) {
        if arguments[Flags.json] { return console.answer(.object(standing)) }
        let left = standing["remaining"]?.intValue.map { "\($0) left" } ?? "unlimited"
        let resets = standing["resetsAt"]?.stringValue.map { ", until \($0)" } ?? ""
        console.print("plan \(standing["plan"]?.stringValue ?? "?"): \(left)\(resets)")
        for line in AllowanceText.lines(standing) { console.print(line) }
    }
}
