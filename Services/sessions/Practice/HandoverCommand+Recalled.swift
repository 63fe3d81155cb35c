import EventSourcing
import History

extension HandoverCommand {
    /// What was asked, told from what followed.
    static func recalled(_ record: DecisionRecord<SessionEvent>, _: Handover) -> HandoverCommand? {
        switch record.events.last {
        case .handoverBegun(let terms): .begin(terms)
        // Its row is gone, and with it the place that it had come to.
        case .handoverFinished(_, let outcome): .finish(outcome, after: "")
        default: nil
        }
    }
}
