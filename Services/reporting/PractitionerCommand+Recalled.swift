import EventSourcing
import History
import Primitives

extension PractitionerCommand {
    /// What was asked, told from what followed.
    static func recalled(_ record: DecisionRecord<ReportEvent>, _ state: Practitioner) -> PractitionerCommand? {
        // Several days, or a day because of a message: of a device that was handed over.
        if case .dayFrozen(let owner, _) = record.events.first, record.events.count > 1 || record.message != nil {
            let days = record.events.compactMap { event in
                if case .dayFrozen(_, let day) = event { day } else { nil }
            }
            return .adopt(ownerId: owner, Set(days))
        }
        return switch record.events.last {
        case .graceChanged(let owner, let minutes): .setGrace(ownerId: owner, minutes: minutes)
        // The owner's local day was near this one, or it would have been refused.
        case .dayFrozen(let owner, let day): .freeze(ownerId: owner, day, today: day)
        case .dayThawed(let owner, let day): .thaw(ownerId: owner, day)
        case .milestoneReached(let owner, let kind, let days): .reach(ownerId: owner, kind, longestStreakDays: days)
        case .written, .recordingLearned, .failed, .deleted, .erased, .practiceCounted, .practiceWithdrawn,
            .practiceForgotten, .subjectErased, nil:
            nil
        case .goalSet, .goalMet, .goalMissed, .goalDropped, .reportShared, .shareRevoked, .uploadNoted, .export: nil
        case .retentionLearned, .wording: nil
        }
    }
}
