import Coaching
import JSON
import Primitives
import Progress

/// What a report says of the owner's report before it: what changed, and whether the exercise that it gave was followed by a change.
struct SinceLast {
    private let turn: Int64
    private let pace: ClosedRange<Double>
    private let last: ReportHistoryRow
    private let obstacles: [Obstacle]
    /// Of the measures that progress is told of, those that both have.
    private let measures: [(measure: TrackedMeasure, comparison: Comparison)]

    /// - Parameter last: the owner's report before.
    init(_ report: ReportHistoryRow, after last: ReportHistoryRow) {
        let (before, now) = (Circumstances(last), Circumstances(report))
        turn = ChangeWords.turn(of: report.wording?.variants ?? [:])
        pace = ReportProgress.pace(of: report.basis?.scenario)
        self.last = last
        obstacles = before.obstacles(to: now)
        measures = TrackedMeasure.all(pace: pace).compactMap { measure in
            guard let a = last.measured(measure.name), let b = report.measured(measure.name) else { return nil }
            return (measure, Comparison(measure, a, b, before.obstacles(to: now, for: measure)))
        }
    }

    var json: JSONValue {
        let words = ChangeWords(turn: turn, pace: pace)
        // Where nothing can be compared, only that is said.
        let sentences =
            obstacles.isEmpty
            ? words.sentences(measures.compactMap(Self.change)) : [words.incomparable(obstacles.map(Self.obstacle))]
        return [
            "sessionId": .uuid(last.sessionId), "createdAt": .time(last.createdAt),
            "comparable": .bool(obstacles.isEmpty), "reasons": .array(obstacles.map { .string($0.rawValue) }),
            "measures": .object(JSONObject(measures.map { ($0.measure.name, .object($0.comparison.json)) })),
            "sentences": .array(sentences.map { .string($0.text) }),
            "sentenceMeasures": .array(
                sentences.map { .array($0.measures.map { .string($0.rawValue) }) }),
            "exercise": exercise(words),
        ]
    }

    /// The exercise is judged by the first of its measures that has a better and a worse.
    private func exercise(_ words: ChangeWords) -> JSONValue {
        guard let trained = last.basis?.exercise, !trained.isEmpty else { return .null }
        let judged = trained.lazy.compactMap { name in measures.first { $0.measure.name == name } }.first
        let reasons = judged?.comparison.obstacles ?? [.noDirection]
        return [
            "measures": .array(trained.map(JSONValue.string)), "measure": .optional(judged?.measure.name),
            "verdict": .optional(judged?.comparison.verdict?.rawValue),
            "reasons": .array(reasons.map { .string($0.rawValue) }),
            "sentence": .string(words.exercise(judged.flatMap(Self.change))),
        ]
    }

    /// A measure as words tell of it.
    private static func change(_ measure: TrackedMeasure, _ comparison: Comparison) -> MeasureChange? {
        guard let told = ComparedMeasure(rawValue: measure.name) else { return nil }
        let (before, now) = (comparison.a.value, comparison.b.value)
        let outcome: MeasureChange.Outcome =
            switch comparison.verdict {
            case .better: .better
            case .worse: .worse
            case .same: .same
            case nil:
                .incomparable(
                    comparison.obstacles.first.map {
                        $0 == .notValid && (before ?? now) != nil ? .validOnce : obstacle($0)
                    } ?? .notValid)
            }
        let hasMoved = before.flatMap { before in now.map { ($0 - before).magnitude > measure.repeatability } }
        return MeasureChange(told, before: before, now: now, outcome, hasMoved: hasMoved ?? false)
    }

    private static func obstacle(_ obstacle: Obstacle) -> ChangeObstacle {
        switch obstacle {
        case .rulesUnknown: .rulesUnknown
        case .rulesDiffer: .rulesDiffer
        case .kindsDiffer: .kindsDiffer
        case .languagesDiffer: .languagesDiffer
        case .scenariosDiffer: .scenariosDiffer
        case .enginesDiffer: .enginesDiffer
        case .definitionsDiffer: .definitionsDiffer
        // Of the measures that are told of, each has a better and a worse.
        case .notValid, .noDirection: .notValid
        }
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
