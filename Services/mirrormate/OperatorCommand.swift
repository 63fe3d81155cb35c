import JSON
import Primitives
import Runtime

/// `mirrormate quota …` and `mirrormate plan …`: what operators decide about an account, told to the services themselves
/// through their admin ports.
@Loop struct OperatorCommand {
    private let arguments: Arguments
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    /// `quota grant EMAIL [--units N]` and `quota show EMAIL`.
    func quota() async throws -> ExitCode {
        guard arguments.operands.count == 2, ["grant", "show"].contains(arguments.operands[0]) else {
            throw Arguments.usage("Say `quota grant EMAIL` or `quota show EMAIL`.")
        }
        let email = arguments.operands[1]
        let isGrant = arguments.operands[0] == "grant"
        let units = try arguments.number("--units", in: 1...1_000) ?? 1
        let services = try OperatorServices(arguments)
        let path = "/operator/allowances/\(try await services.user(email))"
        let standing =
            isGrant
            ? try await services.call(
                "POST", services.quota, path + "/grants",
                JSONObject().adding([
                    "units": .int(Int64(units)), "kind": arguments.values["--kind"].map(JSONValue.string),
                ]), key: .v7())
            : try await services.call(
                "GET", services.quota, path + (arguments.values["--kind"].map { "?kind=\($0)" } ?? ""))
        if isGrant { console.done("\(email) was given \(units == 1 ? "one unit" : "\(units) units")") }
        show(standing)
        return .success
    }

    /// `plan EMAIL PLAN`.
    func plan() async throws -> ExitCode {
        guard arguments.operands.count == 2 else {
            throw Arguments.usage("Say `plan EMAIL premium` or `plan EMAIL free`.")
        }
        let (email, plan) = (arguments.operands[0], arguments.operands[1])
        let services = try OperatorServices(arguments)
        let path = "/operator/allowances/\(try await services.user(email))/plan"
        let standing = try await services.call("PUT", services.quota, path, ["plan": .string(plan)])
        console.done("\(email) has the plan \(plan)")
        show(standing)
        return .success
    }

    private func show(_ standing: JSONObject) {
        if arguments.flags.contains("--json") { return console.print(JSONValue.object(standing).prettyText) }
        let left = standing["remaining"]?.intValue.map { "\($0) left" } ?? "unlimited"
        let resets = standing["resetsAt"]?.stringValue.map { ", until \($0)" } ?? ""
        console.print("plan \(standing["plan"]?.stringValue ?? "?"): \(left)\(resets)")
        for line in AllowanceText.lines(standing) { console.print(line) }
    }
}
