import Coaching
package import JSON
package import Progress

extension GoalProposal {
    /// As a person would say it; nil where there are no words for its measure.
    package var sentence: String? {
        GoalWords.sentence(
            target.measure, low: target.atLeast, high: target.atMost, from: from, recordings: target.recordings,
            days: target.days)
    }

    /// As clients read it: what can be sent to set the goal, and why.
    package var json: JSONValue {
        .object(
            target.json.adding([
                "unit": .string(target.unit), "from": .double(ReportProgress.Course.rounded(from)),
                "points": .int(Int64(points.rounded())),
                "sentence": .optional(sentence),
            ]))
    }
}
