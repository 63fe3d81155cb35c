import Contracts
import EventSourcing
import History

extension QuotaCommand {
    /// What was asked without a message, told from what followed.
    static func recalled(_ record: DecisionRecord<QuotaEvent>, _: Allowance) -> QuotaCommand? {
        switch record.events.last {
        case .planChanged(let owner, let plan, _): .changePlan(ownerId: owner, plan)
        case .extraGranted(let owner, let kind, let units, _): .grant(ownerId: owner, kind: kind, units: units)
        case .subjectErased(let subject, let removed, _): .erase(subject: subject, removed: removed)
        case .reserved, .refused, .committed, .released, .endingNoted, .planDefined, nil: nil
        }
    }
}
