import Contracts
import Primitives

extension QuotaEvent {
    /// What happened, in words for people.
    var words: String {
        switch self {
        case .reserved(let session, let unit, let count, let zone, _):
            "holds one \(session.kind) unit (\(unit.source)) for session \(session.sessionId): "
                + zip(count.windows, unit.windows).map { count, window in
                    "\(count.reserved) held and \(count.used) used of \(count.limit.map { "\($0)" } ?? "unlimited") in the "
                        + "\(window.span.rawValue) until \(window.endsAt)"
                }.joined(separator: ", ") + " (\(zone), \(Self.words(count.basis)))"
        case .refused(let session, let denial, let basis):
            "refused session \(session.sessionId), \(denial.code): the \(session.kind) limit \(denial.window?.rawValue ?? "") is "
                + "full, units are there again at \(denial.resetsAt)"
                + (denial.heldBy.map { "; session \($0.sessionId) holds the last one" } ?? "")
                + " (\(Self.words(basis)))"
        case .committed(let session, _): "charged the unit of session \(session.sessionId)"
        case .released(let session, _, let reason, let late):
            "gave the unit of session \(session.sessionId) back, \(reason)"
                + (late ? ", although the analysis had begun" : "")
                + (reason == .unusable ? ": the recording cannot be used at all" : "")
        case .endingNoted(let session): "session \(session.sessionId) ended before it was created here"
        case .planChanged(_, let plan, _): "the plan is \(plan) from here on"
        case .extraGranted(_, let kind, let units, _): "\(units) more \(kind) units as a gift"
        case .subjectErased: "the owner was erased; nothing is kept"
        case .purchaseNoted(_, let purchase): purchase.words
        case .refundNoted(_, let refund): refund.words
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
