package import EventSourcing
package import EventStore
package import Primitives
import Progress

/// A person's goals, as far as the next decision needs them.
package struct Goals: Sendable, Equatable {
    /// How many goals somebody can have that are neither met nor missed.
    package static let openLimit = 5
    /// How many goals somebody can set within a day, also when they drop them again: the stream is read whole.
    package static let dayLimit = 20
    /// How long after its time a goal is missed, in seconds: recordings of its last minutes have their report by then.
    package static let patience: Int64 = 3_600

    package var open: [UUID: Goal] = [:]
    /// Those that were met or missed, and are still shown.
    package var ended: Set<UUID> = []
    /// When the last ones were set, at most ``dayLimit``, in their order.
    package var lastSet: [Timestamp] = []
}

/// What can be asked of somebody's goals.
package enum GoalsCommand: Sendable, Equatable {
    case set(ownerId: UUID, Goal)
    /// Not wanted or not shown any more.
    case drop(ownerId: UUID, goalId: UUID)
    /// Whether a goal is met or missed.
    ///
    /// - hits: the recordings that are as it wants them, in their order.
    /// - isAnnounced: whether others hear that it is met; false in replays of what was decided before they could.
    case judge(ownerId: UUID, goalId: UUID, hits: [GoalHit], at: Timestamp, isAnnounced: Bool = true)
}

/// Why a command to somebody's goals is refused.
package enum GoalsRefusal: Error, Sendable, Equatable, CaseIterable {
    /// Nobody can meet it, or it says nothing.
    case impossible
    /// As many goals as may be are open, or were set within a day.
    case usedUp
    /// One for the same measure is open.
    case measureTaken
    /// There is no such goal.
    case unknown
}

extension Goals: Decider {
    package typealias Command = GoalsCommand
    package typealias Event = ReportEvent
    package typealias State = Goals
    package typealias Refusal = GoalsRefusal

    package static let initial = Goals()

    /// The category of the streams of goals.
    package static let category = "goals"

    /// The stream of one person's goals.
    package static func stream(_ ownerId: UUID) -> StreamName { StreamName(category, ownerId) }

    package static func evolve(_ state: Goals, _ event: ReportEvent) -> Goals {
        var next = state
        switch event {
        case .goalSet(_, let goal):
            next.open[goal.goalId] = goal
            next.lastSet = Array((next.lastSet + [goal.setAt]).suffix(dayLimit))
        case .goalMet(_, let goal, _, _), .goalMissed(_, let goal, _):
            next.open[goal] = nil
            next.ended.insert(goal)
        case .goalDropped(_, let goal):
            next.open[goal] = nil
            next.ended.remove(goal)
        case .written, .recordingLearned, .failed, .deleted, .erased, .practiceCounted, .practiceWithdrawn,
            .practiceForgotten, .graceChanged, .dayFrozen, .dayThawed, .milestoneReached, .subjectErased,
            .reportShared, .shareRevoked, .uploadNoted, .export, .wording:
            break
        case .retentionLearned: break
        }
        return next
    }

    package static func decide(_ command: GoalsCommand, _ state: Goals) throws(GoalsRefusal) -> [ReportEvent] {
        switch command {
        case .set(let owner, let goal): return try state.set(owner, goal)
        case .drop(let owner, let goal):
            guard state.open[goal] != nil || state.ended.contains(goal) else { throw .unknown }
            return [.goalDropped(ownerId: owner, goalId: goal)]
        case .judge(let owner, let id, let hits, let now, let isAnnounced):
            // What was met stays met, whatever becomes of the reports.
            guard let goal = state.open[id] else { return [] }
            let counted = Array(hits.filter { goal.target.isMet(by: $0.value) }.prefix(Int(goal.target.recordings)))
            if counted.count >= goal.target.recordings {
                return [.goalMet(ownerId: owner, goalId: id, counted, isAnnounced: isAnnounced)]
            }
            return now >= goal.endsAt.adding(seconds: patience)
                ? [.goalMissed(ownerId: owner, goalId: id, counted)] : []
        }
    }

    private func set(_ owner: UUID, _ goal: Goal) throws(GoalsRefusal) -> [ReportEvent] {
        // A repeat of a request.
        if open[goal.goalId] != nil || ended.contains(goal.goalId) { return [] }
        guard goal.target.isPossible, goal.setAt < goal.endsAt else { throw .impossible }
        guard !open.values.contains(where: { $0.kind == goal.kind && $0.target.measure == goal.target.measure }) else {
            throw .measureTaken
        }
        guard open.count < Self.openLimit else { throw .usedUp }
        if lastSet.count == Self.dayLimit, let first = lastSet.first, first.adding(seconds: 86_400) > goal.setAt {
            throw .usedUp
        }
        return [.goalSet(ownerId: owner, goal)]
    }
}

extension Goals: Aggregate {
    package static func rowCalls(for _: GoalsCommand, _: Goals, _: [ReportEvent]) -> [RowCall] { [] }
}
