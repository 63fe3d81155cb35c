package import JSON
package import Primitives
import Progress

/// How a goal stands, in words: which reports count, which do not and why, and by which rule it was met or missed.
package struct GoalExplanation: Sendable {
    /// A report within the goal's time.
    package struct Line: Sendable, Equatable {
        package let sessionId: UUID
        package let begunAt: Timestamp
        /// Of the rules that judged; nil of a report that does not say.
        package let rulesVersion: Int64?
        /// Nil where the report has no valid value.
        package let value: Double?
        package let counts: Bool
    }

    package let entry: GoalsRow.Entry
    /// How it stands, in a sentence.
    package let headline: String
    /// Which rule made it so, in a sentence.
    package let rule: String
    /// In the order in which they were recorded. Reports that are gone are not among them.
    package let lines: [Line]

    /// - Parameters:
    ///   - entry: the goal, of its owner's row of `goals`.
    ///   - rows: the owner's rows of `report_history`.
    package init(_ entry: GoalsRow.Entry, _ rows: [ReportHistoryRow]) {
        let goal = entry.goal
        self.entry = entry
        let hits = Set((entry.standing == .open ? goal.hits(among: rows) : entry.hits).map(\.sessionId))
        lines = goal.tried(among: rows).map { row in
            Line(
                sessionId: row.sessionId, begunAt: row.begunAt, rulesVersion: row.basis?.rulesVersion,
                value: row.value(of: goal.target.measure), counts: hits.contains(row.sessionId))
        }
        headline =
            "\(goal.target.measure) \(Self.wanted(goal.target)) in \(Self.counted(goal.target.recordings, "recording")) within "
            + "\(Self.counted(goal.target.days, "day")): \(entry.standing.rawValue), \(hits.count) of \(goal.target.recordings)"
        rule =
            switch entry.standing {
            case .open:
                "Recordings count that are begun before \(goal.endsAt.rfc3339), the end of the last of its days in "
                    + "\(goal.timeZone); it is missed an hour later."
            case .met: "As many recordings as it asks for were as it wants them: that stays so."
            case .missed:
                "Its time was over at \(goal.endsAt.rfc3339), the end of the last of its days in \(goal.timeZone), and "
                    + "an hour had passed in which late reports could still come."
            }
    }

    private static func counted(_ number: Int64, _ what: String) -> String {
        "\(number) \(what)\(number == 1 ? "" : "s")"
    }

    private static func wanted(_ target: GoalTarget) -> String {
        func text(_ value: Double) -> String { JSONValue.double(value).text }
        return switch (target.atLeast, target.atMost) {
        case (let least?, let most?): "between \(text(least)) and \(text(most)) \(target.unit)"
        case (let least?, nil): "at least \(text(least)) \(target.unit)"
        case (nil, let most?): "at most \(text(most)) \(target.unit)"
        case (nil, nil): "anything"
        }
    }

    package var json: JSONObject {
        entry.goal.json.adding([
            "standing": .string(entry.standing.rawValue), "endedAt": .optional(entry.endedAt),
            "headline": .string(headline), "rule": .string(rule),
            "reports": .array(
                lines.map {
                    [
                        "sessionId": .uuid($0.sessionId), "begunAt": .time($0.begunAt),
                        "rulesVersion": .optional($0.rulesVersion), "value": .optional($0.value),
                        "counts": .bool($0.counts),
                    ]
                }),
        ])
    }
}
