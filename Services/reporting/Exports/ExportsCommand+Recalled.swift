import EventSourcing
import History
import Primitives

extension ExportsCommand {
    /// What was asked, told from what followed.
    static func recalled(_ record: DecisionRecord<ReportEvent>, _ state: Exports) -> ExportsCommand? {
        let events = record.events.compactMap { event in
            if case .export(let event) = event { event } else { nil }
        }
        // A new one closes the one that could be fetched before it.
        if case .requested(let export, let terms) = events.last { return .request(export, terms) }
        return switch events.first {
        case .partReceived(let export, let service, let part):
            // Only the last part makes use of the moment.
            if case .ready(_, let readyAt, _) = events.last {
                .receive(export, service: service, part, at: readyAt)
            } else {
                .receive(export, service: service, part, at: state[export.exportId]?.terms.requestedAt ?? .epoch)
            }
        case .failed(let export, _): .look(export, at: state[export.exportId]?.terms.deadline ?? .epoch)
        case .closed(let export, .expired):
            if case .ready(_, let end) = state[export.exportId]?.standing { .look(export, at: end) } else { nil }
        case .closed(let export, .deleted): .delete(export)
        case .requested, .ready, nil: nil
        }
    }
}
