import JSON
import Primitives
import Progress

/// What a report says of the owner's report before it: what changed, and whether the exercise that it gave was followed by a change.
struct SinceLast {
    private let last: ReportHistoryRow
    private let obstacles: [Obstacle]
    /// Of the measures that progress is told of, those that both have.
    private let measures: [(name: String, comparison: Comparison)]

    /// - Parameter last: the owner's report before.
    init(_ report: ReportHistoryRow, after last: ReportHistoryRow) {
        let (before, now) = (Circumstances(last), Circumstances(report))
        self.last = last
        obstacles = before.obstacles(to: now)
        measures = TrackedMeasure.all(pace: ReportProgress.pace(of: report.basis?.scenario)).compactMap { measure in
            guard let a = last.measured(measure.name), let b = report.measured(measure.name) else { return nil }
            return (measure.name, Comparison(measure, a, b, before.obstacles(to: now, for: measure)))
        }
    }

    var json: JSONValue {
        [
            "sessionId": .uuid(last.sessionId), "createdAt": .time(last.createdAt),
            "comparable": .bool(obstacles.isEmpty), "reasons": .array(obstacles.map { .string($0.rawValue) }),
            "measures": .object(JSONObject(measures.map { ($0.name, .object($0.comparison.json)) })),
            "exercise": exercise,
        ]
    }

    /// The exercise is judged by the first of its measures that has a better and a worse.
    private var exercise: JSONValue {
        guard let trained = last.basis?.exercise, !trained.isEmpty else { return .null }
        let judged = trained.lazy.compactMap { name in measures.first { $0.name == name } }.first
        let reasons = judged?.comparison.obstacles ?? [.noDirection]
        return [
            "measures": .array(trained.map(JSONValue.string)), "measure": .optional(judged?.name),
            "verdict": .optional(judged?.comparison.verdict?.rawValue),
            "reasons": .array(reasons.map { .string($0.rawValue) }),
        ]
    }
}

/// What an owner's next report needs to know of those before it.
package struct ReportsBefore: Sendable {
    /// How the last one is worded; nil if there is none, or none says.
    package var wording: ReportWording?
    /// The newest of them, the oldest first.
    package var rows: [ReportHistoryRow]
    /// The measures of which a goal is open.
    package var aimed: Set<String>

    package init(wording: ReportWording? = nil, rows: [ReportHistoryRow] = [], aimed: Set<String> = []) {
        self.wording = wording
        self.rows = rows
        self.aimed = aimed
    }

    /// The members that a report has of them.
    ///
    /// - Parameter report: as it will be in the history.
    func members(of report: ReportHistoryRow) -> JSONObject {
        let all = rows + [report]
        let progress = ReportProgress(all.map { ProgressReport($0) })
        let measures = Dictionary(all.map { ($0.sessionId, $0.basis?.measures ?? [:]) }) { $1 }
        let next = ReportProgress.nextGoal(
            from: progress.tracked.map { progress.course(of: $0, measures) }, without: aimed)
        return [
            "sinceLast": rows.last.map { SinceLast(report, after: $0).json } ?? .null, "nextGoal": next?.json ?? .null,
        ]
    }
}
