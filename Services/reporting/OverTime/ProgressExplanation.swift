package import JSON
package import Primitives
import Progress

/// What is said of a measure over somebody's reports, in words: by which rule, of which reports, and why others do not count.
package struct ProgressExplanation: Sendable {
    /// One report.
    package struct Line: Sendable, Equatable {
        package let sessionId: UUID
        package let createdAt: Timestamp
        package let rulesVersion: Int64?
        /// Nil where the report has no valid value.
        package let value: Double?
        /// Why it does not count, as codes; empty when it does.
        package let reasons: [String]
    }

    package let measure: String
    /// How it stands, in a sentence.
    package let headline: String
    /// Which rule made it so, in a sentence.
    package let rule: String
    /// The reports that the trend looked at, the oldest first.
    package let taken: [Line]
    /// The others, the oldest first.
    package let left: [Line]

    /// - Parameters:
    ///   - rows: an owner's rows of `report_history`, in the order in which they were written.
    ///   - measure: its name in a report's `measures`; nil is given for one that progress is not told of.
    package init?(_ rows: [ReportHistoryRow], measure name: String) {
        let progress = ReportProgress(rows.map { ProgressReport($0) })
        guard let measure = progress.tracked.first(where: { $0.name == name }) else { return nil }
        let measures = Dictionary(uniqueKeysWithValues: rows.map { ($0.sessionId, $0.basis?.measures ?? [:]) })
        let course = progress.course(of: measure, measures)
        self.measure = name
        headline = Self.headline(course)
        rule = Self.rule(course)
        taken = course.seen.map { Self.line($0.report, $0.value, []) }
        let seen = Set(taken.map(\.sessionId))
        let obstacles = Dictionary(uniqueKeysWithValues: course.left.map { ($0.report.sessionId, $0.obstacle) })
        left = progress.reports.filter { !seen.contains($0.sessionId) }.map { report in
            let those = progress.reports.last.map { report.circumstances.obstacles(to: $0.circumstances) } ?? []
            let codes = (those.isEmpty ? obstacles[report.sessionId].map { [$0] } ?? [] : those).map(\.rawValue)
            let value = measures[report.sessionId]?[name]?.value
            return Self.line(report, value, codes.isEmpty ? [Self.older] : codes)
        }
    }

    /// The measures that progress is told of.
    package static let measures = ReportProgress([]).tracked.map(\.name)

    /// Comparable, and before the newest that a trend looks at.
    package static let older = "older"

    private static func line(_ report: ProgressReport, _ value: Double?, _ reasons: [String]) -> Line {
        Line(
            sessionId: report.sessionId, createdAt: report.createdAt,
            rulesVersion: report.circumstances.rulesVersion, value: value, reasons: reasons)
    }

    private static func headline(_ course: ReportProgress.Course) -> String {
        let trend = course.trend
        let change = trend.change.map { ", changed by \(text($0)) \(course.measure.unit)" } ?? ""
        let ends = trend.firstMedian.flatMap { first in
            trend.lastMedian.map { ", median of the first five \(text(first)), of the last five \(text($0))" }
        }
        return "\(course.measure.name): \(trend.verdict.rawValue) over \(trend.reports) reports\(change)\(ends ?? "")"
    }

    private static func rule(_ course: ReportProgress.Course) -> String {
        let trend = course.trend
        guard let change = trend.change, let chance = trend.chance else {
            return "A trend takes \(Trend.least) comparable reports with a valid value."
        }
        let measure = course.measure
        let order = "the order has a chance of \(text(chance)) where nothing changes (Mann-Kendall, exact)"
        switch trend.verdict {
        case .improved, .declined:
            return "The change is beyond the repeatability of \(text(measure.repeatability)), and \(order), "
                + "at most \(text(Trend.chance))."
        case .steady, .notEnoughYet:
            guard chance <= Trend.chance else {
                return "It could be chance: \(order), and only up to \(text(Trend.chance)) counts."
            }
            return "The change of \(text(change)) is within the repeatability of \(text(measure.repeatability)), "
                + "or within the range that is right; \(order)."
        }
    }

    private static func text(_ value: Double) -> String { JSONValue.double(ReportProgress.Course.rounded(value)).text }

    package var json: JSONObject {
        [
            "measure": .string(measure), "headline": .string(headline), "rule": .string(rule),
            "taken": .array(taken.map(\.json)), "left": .array(left.map(\.json)),
        ]
    }
}

extension ProgressExplanation.Line {
    fileprivate var json: JSONValue {
        [
            "sessionId": .uuid(sessionId), "createdAt": .time(createdAt), "rulesVersion": .optional(rulesVersion),
            "value": .optional(value), "reasons": .array(reasons.map(JSONValue.string)),
        ]
    }
}
