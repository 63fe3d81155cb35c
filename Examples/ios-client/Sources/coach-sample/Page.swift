import Foundation
import MirrorMateClient

/// What is worth saying first, as lines of text.
enum Page {
    static func text(of report: Report) -> String {
        var lines = [score(report), report.feedback ?? ""]
        if let step = report.firstStep {
            lines += ["", "First: \(step.what)", step.why, step.exercise, step.nextRecording]
        }
        lines += (report.strengths ?? []).map { "+ \($0)" }
        lines += (report.keyMoments ?? []).map { "\($0.timestamp) s: \($0.description)" }
        return lines.joined(separator: "\n")
    }

    private static func score(_ report: Report) -> String {
        guard let score = report.confidenceScore else {
            return "Not rated: \(report.measures?["confidenceScore"]?.reason ?? "too little could be judged")"
        }
        let range = report.scoreRange.map { " (\($0.low) to \($0.high))" } ?? ""
        return "\(score) of 100\(range)"
    }

    static func text(of history: ReportPage, _ progress: OverallProgress) -> String {
        let scores = history.items.map { $0.confidenceScore.map(String.init) ?? "–" }
        let improved = progress.measures.filter { $0.value.trend == .improved }.keys.sorted()
        return """

            History: \(scores.joined(separator: ", ")), newest first; \(progress.totals.reports) in all
            Improved: \(improved.isEmpty ? "nothing that can be told yet" : improved.joined(separator: ", "))
            Streak: \(progress.streak.currentStreak) days
            """
    }

    static func text(of goals: Goals, _ quota: Quota) -> String {
        let open = goals.items.filter { $0.standing == .open }.map(\.measure.rawValue)
        let next = goals.proposal.map { "; next could be \($0.measure.rawValue)" } ?? ""
        let resets = quota.resetsAt.map { ", the next one from \($0.formatted(.iso8601))" } ?? ""
        return """
            Goals: \(open.isEmpty ? "none" : open.joined(separator: ", "))\(next)
            Left: \(quota.remaining.map(String.init) ?? "as many as you like")\(resets)
            """
    }
}
