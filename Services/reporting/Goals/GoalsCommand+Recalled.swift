import EventSourcing
import History
import Primitives

extension GoalsCommand {
    /// What was asked, told from what followed.
    static func recalled(_ record: DecisionRecord<ReportEvent>, _ state: Goals) -> GoalsCommand? {
        switch record.events.last {
        case .goalSet(let owner, let goal): .set(ownerId: owner, goal)
        case .goalMet(let owner, let goal, let hits, let isAnnounced):
            .judge(
                ownerId: owner, goalId: goal, hits: hits, at: record.recorded.recordedAt, isAnnounced: isAnnounced)
        // Whenever that was noticed, the time was over.
        case .goalMissed(let owner, let goal, let hits):
            .judge(
                ownerId: owner, goalId: goal, hits: hits,
                at: state.open[goal]?.endsAt.adding(seconds: Goals.patience) ?? record.recorded.recordedAt)
        case .goalDropped(let owner, let goal): .drop(ownerId: owner, goalId: goal)
        case .written, .recordingLearned, .failed, .deleted, .erased, .practiceCounted, .practiceWithdrawn,
            .practiceForgotten, .graceChanged, .dayFrozen, .dayThawed, .milestoneReached, .subjectErased,
            .reportShared, .shareRevoked, .uploadNoted, .export, .wording, nil:
            nil
        case .retentionLearned: nil
        }
    }
}
