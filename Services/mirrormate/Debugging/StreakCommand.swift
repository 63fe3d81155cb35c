import Contracts
import JSON
import Postgres
import Primitives
import Replay
import Runtime
import reporting

/// `mirrormate explain streak`: which sessions and rules are behind each day of somebody's streaks.
@Loop struct StreakCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func run() async throws -> ExitCode {
        let owner = try await logs.owner(
            arguments[Operands.keyOrOwner], usage: "mirrormate explain streak OWNER")
        let found = try await explanations(of: owner)
        if arguments[Flags.json] {
            console.answer(["owner": .uuid(owner), "kinds": .array(found.map { .object($0.json) })])
            return found.isEmpty ? .failure : .success
        }
        if found.isEmpty {
            console.print("\(owner) has logged no session.")
            return .failure
        }
        for explanation in found {
            console.print(explanation.headline)
            if !explanation.current.isEmpty { show("the streak that goes on", explanation.current) }
            if !explanation.longest.isEmpty { show("the longest streak", explanation.longest) }
        }
        return .success
    }

    private func explanations(of owner: UUID) async throws -> [StreakExplanation] {
        let pool = logs.store(.reporting).pool
        let rows = try await pool.query(
            "select row_to_json(d) from practice_days d where owner_id = $1 order by kind, day_number",
            [.uuid(owner)]
        ).rows.map { try PracticeDayRow(JSONObject.parse($0.bytes(0))) }
        let practitioner = try await pool.query(
            "select row_to_json(p) from practitioners p where owner_id = $1", [.uuid(owner)]
        ).first.map { try PractitionerRow(JSONObject.parse($0.bytes(0))) }
        let kinds = Dictionary(grouping: rows, by: \.identity.kind).sorted { $0.key.rawValue < $1.key.rawValue }
        var found: [StreakExplanation] = []
        for (kind, days) in kinds {
            let zone = days.last?.sessions.last?.time.timeZone ?? "UTC"
            let explanation = try await StreakExplanation(days, kind, practitioner, at: .now()) { moment in
                try await pool.query(
                    "select extract(epoch from ($1 at time zone $2) - ($1 at time zone 'UTC'))::bigint",
                    [.time(moment), .text(zone)]
                ).rows[0].int(0)
            }
            found.append(explanation)
        }
        return found
    }

    private func show(_ name: String, _ days: [StreakExplanation.Day]) {
        console.print("  \(name):")
        for day in days {
            console.print("    \(console.style.dim(day.day.description))  \(day.counts ? "+1" : "  ")  \(day.words)")
            for session in day.sessions {
                console.print(
                    "          \(session.id)  \(Format.moment(session.time.startedAt))  "
                        + "\(session.time.activeSeconds) s  \(session.time.timeZone)")
            }
        }
    }
}
