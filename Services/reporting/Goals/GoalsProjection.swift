package import JSON
package import Primitives
import Projections

/// A row of `goals`: the goals of one person, and how each has ended.
package struct GoalsRow: Sendable, Equatable {
    /// How a goal stands. The raw values are what clients see.
    package enum Standing: String, Sendable, CaseIterable {
        case open, met, missed
    }

    package struct Entry: Sendable, Equatable {
        package var goal: Goal
        package var standing = Standing.open
        /// When that was noticed; nil as long as it is open.
        package var endedAt: Timestamp?
        /// What had counted by then; empty as long as it is open.
        package var hits: [GoalHit] = []
    }

    package var ownerId: UUID
    /// The oldest first.
    package var goals: [Entry] = []
    /// When the newest event was recorded.
    package var updatedAt: Timestamp

    /// When the first of the open ones ends; nil when none is open.
    package var nextEnd: Timestamp? { goals.filter { $0.standing == .open }.map(\.goal.endsAt).min() }

    fileprivate mutating func end(_ goal: UUID, _ standing: Standing, _ hits: [GoalHit], at: Timestamp) {
        guard let index = goals.firstIndex(where: { $0.goal.goalId == goal }) else { return }
        goals[index].standing = standing
        goals[index].endedAt = at
        goals[index].hits = hits
    }
}

extension GoalsRow.Entry {
    fileprivate init(_ object: JSONObject) throws(JSONError) {
        guard let standing = GoalsRow.Standing(rawValue: try object.string("standing")) else {
            throw JSONError(.type, at: "standing", "must be open, met or missed")
        }
        self.init(
            goal: try Goal(object), standing: standing,
            endedAt: try object.optionalTimestamp("endedAt"), hits: try GoalHit.list(object.array("hits")))
    }

    fileprivate var json: JSONObject {
        goal.json.adding([
            "standing": .string(standing.rawValue), "endedAt": .optional(endedAt),
            "hits": .array(hits.map { .object($0.json) }),
        ])
    }
}

/// The row as the table has it.
extension GoalsRow: TableRow {
    package static let columns = ["owner_id", "goals", "next_end", "updated_at"]

    package init(_ columns: JSONObject) throws(JSONError) {
        ownerId = try columns.uuid("owner_id")
        var goals: [Entry] = []
        for value in try columns.array("goals") {
            guard let goal = value.objectValue else {
                throw JSONError(.type, at: "goals", "must be an array of objects")
            }
            goals.append(try Entry(goal))
        }
        self.goals = goals
        updatedAt = try columns.timestamp("updated_at")
    }

    package var values: JSONObject {
        [
            "owner_id": .uuid(ownerId), "goals": .array(goals.map { .object($0.json) }),
            "next_end": .optional(nextEnd), "updated_at": .time(updatedAt),
        ]
    }
}

/// The fold of the service's own log into `goals`; the same functions live and in a rebuild.
package enum GoalsProjection: ReadModel {
    package static let name = "goals"

    package static func keys(of event: ReportEvent) -> [UUID] { event.aspirant.map { [$0] } ?? [] }

    package static func evolve(
        _ row: GoalsRow?, _ event: ReportEvent, key: UUID, recordedAt: Timestamp
    ) -> GoalsRow? {
        var next = row ?? GoalsRow(ownerId: key, updatedAt: recordedAt)
        next.updatedAt = recordedAt
        switch event {
        case .goalSet(_, let goal): next.goals.append(GoalsRow.Entry(goal: goal))
        case .goalMet(_, let goal, let hits, _): next.end(goal, .met, hits, at: recordedAt)
        case .goalMissed(_, let goal, let hits): next.end(goal, .missed, hits, at: recordedAt)
        case .goalDropped(_, let goal): next.goals.removeAll { $0.goal.goalId == goal }
        case .subjectErased: return nil
        case .written, .recordingLearned, .failed, .deleted, .erased, .practiceCounted, .practiceWithdrawn,
            .practiceForgotten, .graceChanged, .dayFrozen, .dayThawed, .milestoneReached, .reportShared, .shareRevoked,
            .uploadNoted,
            .export, .wording:
            return row
        case .retentionLearned: return row
        }
        return next
    }
}
