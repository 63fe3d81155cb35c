import JSON
import Practice
import Primitives
import Progress

/// What `GET /v1/progress` answers over all reports, but for the streak: pure, so that it can be made beside the event loop.
struct ProgressAnswer: Sendable {
    /// How many days and weeks are told, today and its week among them.
    private static let days: Int64 = 30
    private static let weeks: Int64 = 52

    private let progress: ReportProgress
    private let days: [DayFacts]
    private let courses: [ReportProgress.Course]
    private let next: GoalProposal?
    private let today: LocalDay

    /// - Parameters:
    ///   - days: those of the reports.
    ///   - measures: of the examined reports.
    ///   - aimed: measures of which a goal is open.
    ///   - today: where it is asked.
    init(
        _ progress: ReportProgress, _ days: [DayFacts], _ measures: [UUID: [String: ReportBasis.Measured]],
        aimed: Set<String>, today: LocalDay
    ) {
        self.progress = progress
        self.days = days
        self.today = today
        courses = progress.tracked.map { progress.course(of: $0, measures) }
        next = ReportProgress.nextGoal(from: courses, without: aimed)
    }

    var json: JSONObject {
        [
            "totals": totals, "best": best, "comparable": comparable, "notCompared": notCompared,
            "measures": .object(JSONObject(courses.map { ($0.measure.name, $0.json) })),
            "nextGoal": next?.json ?? .null,
            "days": Self.sums(days.filter { $0.day > today - Self.days }, as: "day", in: { $0...$0 }) {
                $0.description
            },
            // Whole weeks: half of one would look like a bad one.
            "weeks": Self.sums(
                days.filter { $0.day >= today.monday - 7 * (Self.weeks - 1) }, as: "week", in: \.wholeWeek
            ) { $0.week },
            "months": Self.sums(days, as: "month", in: \.wholeMonth) { $0.month },
        ]
    }

    private var totals: JSONValue {
        [
            "reports": .int(Int64(progress.reports.count)),
            "scored": .int(Int64(progress.reports.count { $0.confidenceScore != nil })),
            "seconds": .int(days.reduce(0) { $0 + $1.seconds }), "days": .int(Int64(days.count)),
            "firstAt": .optional(progress.reports.first?.createdAt),
            "lastAt": .optional(progress.reports.last?.createdAt),
            "withoutZone": .int(Int64(progress.reports.count { !$0.isPlaced })),
        ]
    }

    private var best: JSONValue {
        progress.best.map {
            [
                "confidenceScore": .optional($0.confidenceScore), "sessionId": .uuid($0.sessionId),
                "createdAt": .time($0.createdAt),
            ]
        } ?? .null
    }

    private var comparable: JSONValue {
        guard let newest = progress.reports.last, !progress.comparable.isEmpty else { return .null }
        return .object(newest.circumstances.json.adding(["reports": .int(Int64(progress.comparable.count))]))
    }

    private var notCompared: JSONValue {
        .array(
            progress.notCompared.map { group in
                [
                    "rulesVersion": .optional(group.circumstances.rulesVersion),
                    "language": .string(group.circumstances.language), "reports": .int(Int64(group.reports)),
                    "reasons": group.obstacles.json,
                ]
            })
    }

    private static func sums(
        _ days: [DayFacts], as name: String, in stretch: (LocalDay) -> ClosedRange<LocalDay>,
        by naming: (LocalDay) -> String
    ) -> JSONValue {
        .array(
            RecordedSum.of(days, in: stretch, by: naming).map {
                .object(
                    JSONObject([
                        (name, .string($0.name)), ("recordings", .int($0.recordings)), ("seconds", .int($0.seconds)),
                        ("days", .int($0.days)),
                    ]))
            })
    }
}

extension Circumstances {
    /// As clients read them.
    var json: JSONObject {
        [
            "kind": .string(kind), "rulesVersion": .optional(rulesVersion), "language": .string(language),
            "scenario": .string(scenario),
        ]
    }
}

extension [Obstacle] {
    /// As clients read them.
    var json: JSONValue { .array(map { .string($0.rawValue) }) }
}
