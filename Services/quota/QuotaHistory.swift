import Contracts
import EventSourcing
package import History
import Primitives
import ServiceKit

/// The service's folds and decisions for tools that look at its history.
package enum QuotaHistory {
    package static let history = ServiceHistory(
        .quota, reads: QuotaService.reads,
        hears: [
            SessionCreated.type, SessionCompleted.type, SessionFailed.type, SessionExpired.type, SessionCancelled.type,
            SessionDeleted.type, UserErased.type,
        ],
        aggregates: [
            AggregateHistory(
                Allowance.self, categories: ["allowance"], owners: ["allowance"],
                command: { record, _ in try command(record) })
        ],
        readModels: [
            ReadModelHistory(AllowanceProjection.self, foreign: KeyEvent.isOne) { key in
                [StreamName(rawValue: "allowance-\(key.prefix { $0 != "/" })")]
            }
        ],
        words: { (recorded) throws(EventDecodingError) in
            KeyEvent.isOne(recorded.type) ? nil : words(try recorded.decoded())
        },
        publication: QuotaService.publication)

    /// What was asked, told from what followed. The end of the local day was asked of the database, so it is taken from
    /// the answer.
    private static func command(_ record: DecisionRecord<QuotaEvent>) throws -> QuotaCommand? {
        if let message = record.message {
            let reaction = try QuotaReactions.reaction(to: message) { _, moment in
                dayEnd(record.events.first) ?? moment
            }
            if case .apply(_, let command) = reaction { return command }
        }
        switch record.events.last {
        case .planChanged(let owner, let plan): return .changePlan(ownerId: owner, plan)
        case .extraGranted(let owner, let kind, let units): return .grant(ownerId: owner, kind: kind, units: units)
        case .subjectErased(let subject, let removed): return .erase(subject: subject, removed: removed)
        case .reserved, .refused, .committed, .released, .endingNoted, nil: return nil
        }
    }

    private static func dayEnd(_ event: QuotaEvent?) -> Timestamp? {
        switch event {
        case .reserved(_, let unit, _, _, _): unit.windowEndsAt
        case .refused(_, _, let resetsAt, _): resetsAt
        default: nil
        }
    }

    private static func words(_ event: QuotaEvent) -> String {
        switch event {
        case .reserved(let session, let unit, let count, let zone, _):
            "holds one \(session.kind) unit (\(unit.source)) for session \(session.sessionId): \(count.reserved) held and "
                + "\(count.used) used of \(count.limit.map { "\($0)" } ?? "unlimited") until \(unit.windowEndsAt) (\(zone))"
        case .refused(let session, let code, let resetsAt, let heldBy):
            "refused session \(session.sessionId), \(code): units are there again at \(resetsAt)"
                + (heldBy.map { "; session \($0.sessionId) holds the last one" } ?? "")
        case .committed(let session, _): "charged the unit of session \(session.sessionId): it was completed"
        case .released(let session, _, let reason, let late):
            "gave the unit of session \(session.sessionId) back, \(reason)"
                + (late ? ", although the analysis had begun" : "")
        case .endingNoted(let session): "session \(session.sessionId) ended before it was created here"
        case .planChanged(_, let plan): "the plan is \(plan) from here on"
        case .extraGranted(_, let kind, let units): "\(units) more \(kind) units as a gift"
        case .subjectErased: "the owner was erased; nothing is kept"
        }
    }
}
