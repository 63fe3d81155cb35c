import Contracts
import JSON
import Postgres
import Primitives
import Replay
import Runtime
import reporting

/// `mirrormate explain progress`: which reports and which rule are behind what is said of a measure.
@Loop struct ProgressCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func run() async throws -> ExitCode {
        guard let measure = arguments[Operands.measure] else {
            throw Failure.usage("Name the owner and a measure: mirrormate explain progress USER MEASURE.")
        }
        let owner = try await logs.owner(
            arguments[Operands.keyOrOwner], usage: "mirrormate explain progress USER MEASURE")
        let rows = try await logs.store(.reporting).pool.query(
            """
            select row_to_json(r) from report_history r
            where owner_id = $1 and coalesce(kind, $2) = $2 order by created_at, session_id
            """, [.uuid(owner), .text(ReportHistoryRow.firstKind.rawValue)]
        ).rows.map { try ReportHistoryRow(JSONObject.parse($0.bytes(0))) }
        guard let explanation = ProgressExplanation(rows, measure: measure) else {
            throw Failure.unknown(
                "Progress is not told of \(measure)", measure, among: ProgressExplanation.measures)
        }
        if arguments[Flags.json] {
            console.answer(.object((["owner": .uuid(owner)] as JSONObject).adding(membersOf: explanation.json)))
            return rows.isEmpty ? .failure : .success
        }
        if rows.isEmpty {
            console.print("\(owner) has no report.")
            return .failure
        }
        console.print(explanation.headline)
        console.print("  \(explanation.rule)")
        show("what the trend looked at", explanation.taken)
        show("what does not count", explanation.left)
        return .success
    }

    private func show(_ name: String, _ lines: [ProgressExplanation.Line]) {
        if lines.isEmpty { return }
        console.print("  \(name):")
        for line in lines {
            let rules = line.rulesVersion.map { "rules \($0)" } ?? "rules unknown"
            let value = line.value.map { JSONValue.double($0).text } ?? "-"
            let reasons = line.reasons.isEmpty ? "" : "  \(line.reasons.joined(separator: ", "))"
            console.print(
                "    \(console.style.dim(Format.moment(line.createdAt)))  \(line.sessionId)  \(rules)  \(value)\(reasons)"
            )
        }
    }
}
