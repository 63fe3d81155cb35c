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
                command: { record, _ in try command(record) }),
            AggregateHistory(DefinedPlan.self, categories: ["plan"], command: { record, _ in definition(record) }),
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

    /// What was asked, told from what followed. The end of the local day was asked of the database and the plans were
    /// those of that moment, so both are taken from the answer.
    private static func command(_ record: DecisionRecord<QuotaEvent>) throws -> QuotaCommand? {
        if let message = record.message {
            let reaction = try QuotaReactions.reaction(to: message, plans: plans(record.events.first)) { _, moment in
                dayEnd(record.events.first) ?? moment
            }
            if case .apply(_, let command) = reaction { return command }
        }
        switch record.events.last {
        case .planChanged(let owner, let plan, _): return .changePlan(ownerId: owner, plan)
        case .extraGranted(let owner, let kind, let units, _): return .grant(ownerId: owner, kind: kind, units: units)
        case .subjectErased(let subject, let removed, _): return .erase(subject: subject, removed: removed)
        case .reserved, .refused, .committed, .released, .endingNoted, .planDefined, nil: return nil
        }
    }

    private static func definition(_ record: DecisionRecord<QuotaEvent>) -> PlanCommand? {
        guard case .planDefined(let definition, _, let source) = record.events.last else { return nil }
        return .define(definition, source)
    }

    private static func dayEnd(_ event: QuotaEvent?) -> Timestamp? {
        switch event {
        case .reserved(_, let unit, _, _, _): unit.windows.last { $0.span == .localDay }?.endsAt
        case .refused(_, let denial, _): denial.window == .localDay ? denial.resetsAt : nil
        default: nil
        }
    }

    /// The plans by which a decision was made, as far as it needed them.
    private static func plans(_ event: QuotaEvent?) -> Plans {
        switch event {
        case .reserved(let session, _, let count, _, _): Plans(count.basis, for: session.kind)
        case .refused(let session, _, let basis): Plans(basis, for: session.kind)
        default: .original
        }
    }

    private static func words(_ event: QuotaEvent) -> String {
        switch event {
        case .reserved(let session, let unit, let count, let zone, _):
            "holds one \(session.kind) unit (\(unit.source)) for session \(session.sessionId): "
                + zip(count.windows, unit.windows).map { count, window in
                    "\(count.reserved) held and \(count.used) used of \(count.limit.map { "\($0)" } ?? "unlimited") in the "
                        + "\(window.span.rawValue) until \(window.endsAt)"
                }.joined(separator: ", ") + " (\(zone), \(words(count.basis)))"
        case .refused(let session, let denial, let basis):
            "refused session \(session.sessionId), \(denial.code): the \(session.kind) limit \(denial.window?.rawValue ?? "") is "
                + "full, units are there again at \(denial.resetsAt)"
                + (denial.heldBy.map { "; session \($0.sessionId) holds the last one" } ?? "")
                + " (\(words(basis)))"
        case .committed(let session, _): "charged the unit of session \(session.sessionId): it was completed"
        case .released(let session, _, let reason, let late):
            "gave the unit of session \(session.sessionId) back, \(reason)"
                + (late ? ", although the analysis had begun" : "")
        case .endingNoted(let session): "session \(session.sessionId) ended before it was created here"
        case .planChanged(_, let plan, _): "the plan is \(plan) from here on"
        case .extraGranted(_, let kind, let units, _): "\(units) more \(kind) units as a gift"
        case .subjectErased: "the owner was erased; nothing is kept"
        case .planDefined(let definition, let number, let source):
            "definition \(number) of the plan \(definition.code) (\(source.rawValue)): "
                + definition.kinds.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { "\($0.key) \($0.value.words)" }.joined(separator: "; ")
        }
    }

    private static func words(_ basis: TermsInForce) -> String {
        basis.number == 0 ? "plan \(basis.plan)" : "plan \(basis.plan), definition \(basis.number)"
    }
}

extension KindTerms {
    /// The limits in words, such as `2 an hour, 5 a local day, at most 2 at once`.
    package var words: String {
        let windows = windows.map { window in
            let units = window.units.map { "\($0)" } ?? "unlimited"
            return switch window.span {
            case .hour: "\(units) an hour"
            case .localDay: "\(units) a local day"
            }
        }
        let caps = [
            atOnce.map { "at most \($0) at once" }, burst.map { "at most \($0.units) within \($0.seconds) s" },
        ]
        return (windows + caps.compactMap(\.self)).joined(separator: ", ")
    }
}
