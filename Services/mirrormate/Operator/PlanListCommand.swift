import JSON
import Runtime

/// `mirrormate plan list`: the plans that are in force, as quota's log has them.
@Loop struct PlanListCommand {
    private let arguments: Arguments
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func run() async throws -> ExitCode {
        let services = try OperatorServices(arguments)
        let answer = try await services.call("GET", services.quota, "/operator/plans")
        if arguments[Flags.json] {
            console.answer(.object(answer))
            return .success
        }
        console.print(Self.table(answer).paragraphs(console.style, within: console.room))
        return .success
    }

    /// A line for each kind of each plan.
    nonisolated static func table(_ answer: JSONObject) -> Columns {
        var table = Columns(["PLAN", "KIND", "ALLOWS", "FORGIVES", "DEFINITION", "SINCE", "SOURCE"], right: [3, 4])
        for plan in (answer["plans"]?.arrayValue ?? []).compactMap(\.objectValue) {
            let isOffered = plan["isOffered"]?.boolValue ?? true
            let common = [
                plan["number"].map(Format.value) ?? "", plan["since"].map(Format.value) ?? "",
                (plan["source"].map(Format.value) ?? "") + (isOffered ? "" : ", not on offer"),
            ]
            let name = plan["plan"].map(Format.value) ?? ""
            let kinds = plan["kinds"]?.objectValue ?? [:]
            for (kind, terms) in kinds.members {
                let late = terms["lateCancellations"].map(Format.value) ?? ""
                table.add([name, kind, terms["words"].map(Format.value) ?? "", late] + common)
            }
            if kinds.isEmpty { table.add([name, "–", "nothing", ""] + common) }
        }
        return table
    }
}

/// What is left of an allowance, limit by limit.
enum AllowanceText {
    /// A line for each window and cap; none for an allowance with one window, of which everything is said by then.
    static func lines(_ standing: JSONObject) -> [String] {
        let windows = (standing["windows"]?.objectValue ?? [:]).members.map { name, window in
            let left = window["remaining"]?.intValue.map { "\($0) left" } ?? "unlimited"
            let resets = window["resetsAt"]?.stringValue.map { ", until \($0)" } ?? ""
            return "  \(name): \(left), \(number(window, "used")) used, \(number(window, "reserved")) held\(resets)"
        }
        let caps = (standing["caps"]?.objectValue ?? [:]).members.map { name, cap in
            let stretch = cap["withinSeconds"]?.intValue.map { " within \($0) s" } ?? ""
            return "  \(name): \(number(cap, "taken")) of \(number(cap, "limit"))\(stretch)"
        }
        return windows + caps
    }

    private static func number(_ object: JSONValue, _ name: String) -> Int64 { object[name]?.intValue ?? 0 }
}
