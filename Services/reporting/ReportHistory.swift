import Contracts
import EventSourcing
package import History
import ServiceKit

/// The service's folds and decisions for tools that look at its history.
package enum ReportHistory {
    package static let history = ServiceHistory(
        .reporting, reads: ReportingService.reads,
        hears: [
            AnalysisCompleted.type, SessionCancelled.type, SessionFailed.type, SessionExpired.type, SessionDeleted.type,
            UserErased.type,
        ],
        aggregates: [
            AggregateHistory(Report.self, categories: ["report", "subject"], owners: ["subject"]) { record, _ in
                try command(record)
            }
        ],
        readModels: [ReadModelHistory(ReportProjection.self, of: "report", foreign: KeyEvent.isOne)],
        publication: ReportingService.publication)

    /// What was asked, told from what followed. What the document said is taken from the answer.
    private static func command(_ record: DecisionRecord<ReportEvent>) throws -> ReportCommand? {
        if let message = record.message, case .reaction(let reaction) = try ReportReactions.reply(to: message) {
            guard case .apply(_, let command) = reaction else { return nil }
            return command
        }
        switch record.events.last {
        case .written(let report, let document, let summary): return .write(report, document: document, summary)
        case .failed(let report, let code): return .fail(report, code)
        case .erased: return .erase
        case .subjectErased(let subject, let removed): return .recordErasure(subject: subject, removed: removed)
        case .deleted, nil: return nil
        }
    }
}
