import Contracts
import JSON
import Postgres
import Primitives
import Replay
import Runtime
import reporting

/// `mirrormate explain goal`: which reports count towards a goal, and which rule ended it.
@Loop struct GoalCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func run() async throws -> ExitCode {
        let id: UUID?
        switch (arguments[Operands.keyOrOwner].flatMap { SubjectName($0) }, arguments[Operands.measure]) {
        case (.id(let whole), nil): id = whole
        case (.start(let digits), nil): id = try await goal(startingWith: digits)
        default: throw Failure.usage("Name the goal's id, or its first digits (4 or more): mirrormate explain goal ID.")
        }
        guard let id, let (owner, explanation) = try await explanation(of: id) else {
            if arguments[Flags.json] {
                console.answer(["goal": .null])
            } else {
                console.print(id.map { "There is no goal \($0)." } ?? "There is no goal that begins so.")
            }
            return .failure
        }
        if arguments[Flags.json] {
            console.answer(["owner": .uuid(owner), "goal": .object(explanation.json)])
            return .success
        }
        console.print(explanation.headline)
        console.print("  \(explanation.rule)")
        for line in explanation.lines {
            let rules = line.rulesVersion.map { "rules \($0)" } ?? "rules unknown"
            let value = line.value.map { JSONValue.double($0).text } ?? "no valid value"
            console.print(
                "    \(console.style.dim(Format.moment(line.begunAt)))  \(line.counts ? "+1" : "  ")  \(line.sessionId)  "
                    + "\(rules)  \(value)")
        }
        return .success
    }

    /// The goal whose id begins so; nil for none.
    ///
    /// - Throws: `PostgresError`, or a failure when several begin so.
    private func goal(startingWith digits: String) async throws -> UUID? {
        let found = try await logs.store(.reporting).pool.query(
            """
            select distinct x ->> 'goalId' from goals cross join lateral json_array_elements(goals.goals) x
            where starts_with(x ->> 'goalId', $1) order by 1 limit 6
            """, [.text(digits)]
        ).rows.map { $0.text(0) }
        if found.count > 1 { throw Failure.ambiguous(digits, among: found) }
        return found.first.flatMap { UUID($0) }
    }

    private func explanation(of id: UUID) async throws -> (owner: UUID, GoalExplanation)? {
        let pool = logs.store(.reporting).pool
        let found = try await pool.query(
            """
            select row_to_json(g) from goals g
            where exists (select from json_array_elements(goals) x where x ->> 'goalId' = $1)
            """, [.text(id.description)]
        ).first.map { try GoalsRow(JSONObject.parse($0.bytes(0))) }
        guard let found, let entry = found.goals.first(where: { $0.goal.goalId == id }) else { return nil }
        let rows = try await pool.query(
            """
            select row_to_json(r) from report_history r
            where owner_id = $1 and created_at >= $2 order by created_at, session_id
            """, [.uuid(found.ownerId), .time(entry.goal.setAt)]
        ).rows.map { try ReportHistoryRow(JSONObject.parse($0.bytes(0))) }
        return (found.ownerId, GoalExplanation(entry, rows))
    }
}
