import Contracts
import Primitives

extension QuotaEvent {
    /// What happened, in words for people.
    var words: String {
        switch self {
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
