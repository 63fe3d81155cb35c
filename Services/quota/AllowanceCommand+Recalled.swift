import Contracts
import EventSourcing
import History

extension AllowanceCommand {
    /// What was asked without a message, told from what followed.
    static func recalled(_ record: DecisionRecord<QuotaEvent>, _: Allowance) -> AllowanceCommand? {
        switch record.events.last {
        case .planChanged(let owner, let plan, _): .changePlan(ownerId: owner, plan)
        case .extraGranted(let owner, let kind, let units, _): .grant(ownerId: owner, kind: kind, units: units)
        case .subjectErased(let subject, let removed, _): .recordErasure(subject: subject, removed: removed)
        case .purchaseNoted(let owner, let told): .notePurchase(ownerId: owner, told)
        case .refundNoted(let owner, let told): .noteRefund(ownerId: owner, told)
        case .reserved, .refused, .committed, .released, .endingNoted, .planDefined, nil: nil
        }
    }
}
