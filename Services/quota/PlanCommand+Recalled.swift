import EventSourcing
import History

extension PlanCommand {
    /// What was asked, told from what followed.
    static func recalled(_ record: DecisionRecord<QuotaEvent>, _: PlanRecord?) -> PlanCommand? {
        guard case .planDefined(let definition, _, let source) = record.events.last else { return nil }
        return .define(definition, source)
    }
}
