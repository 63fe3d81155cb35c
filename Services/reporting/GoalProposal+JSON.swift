package import JSON
package import Progress

extension GoalProposal {
    /// As clients read it: what can be sent to set the goal, and why.
    package var json: JSONValue {
        .object(
            target.json.adding([
                "unit": .string(target.unit), "from": .double(ReportProgress.Course.rounded(from)),
                "points": .int(Int64(points.rounded())),
            ]))
    }
}
