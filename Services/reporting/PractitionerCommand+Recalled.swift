import EventSourcing
import History
import Primitives

extension PractitionerCommand {
    /// What was asked, told from what followed.
    static func recalled(_ record: DecisionRecord<ReportEvent>, _ state: Practitioner) -> PractitionerCommand? {
        switch record.events.last {
        case .graceChanged(let owner, let minutes): .setGrace(ownerId: owner, minutes: minutes)
        // The owner's local day was near this one, or it would have been refused.
        case .dayFrozen(let owner, let day): .freeze(ownerId: owner, day, today: day)
        case .dayThawed(let owner, let day): .thaw(ownerId: owner, day)
        case .milestoneReached(let owner, let kind, let days): .reach(ownerId: owner, kind, longestStreakDays: days)
        case .written, .recordingLearned, .failed, .deleted, .erased, .practiceCounted, .practiceWithdrawn,
            .practiceForgotten, .subjectErased, nil:
            nil
        case .goalSet, .goalMet, .goalMissed, .goalDropped: nil
        }
    }
}
