import EventSourcing
import History
import JSON

extension SharesCommand {
    /// What was asked, told from what followed, without what no event has. Which of the earlier shares were over by then is not
    /// known: that was decided.
    static func recalled(_ record: DecisionRecord<ReportEvent>, _ state: Shares) -> SharesCommand? {
        switch record.events.last {
        case .reportShared(let owner, let share):
            .share(ownerId: owner, share, over: Set(state.kept.keys), tokenHash: [], card: [:])
        case .shareRevoked(let owner, let share): .revoke(ownerId: owner, shareId: share)
        case .written, .recordingLearned, .failed, .deleted, .erased, .practiceCounted, .practiceWithdrawn,
            .practiceForgotten, .graceChanged, .dayFrozen, .dayThawed, .milestoneReached, .subjectErased, .goalSet,
            .goalMet, .goalMissed, .goalDropped, .retentionLearned, .uploadNoted,
            .export, .wording, nil:
            nil
        }
    }
}
