package import Contracts

/// What other services hear of the private events: at most one message for each.
package enum PublishedByQuota {
    /// The message that is published for an event; nil for what concerns this service alone.
    package static func outgoing(for event: QuotaEvent) -> Outgoing? {
        switch event {
        case .reserved(let session, let unit, let count, _, _):
            Outgoing(
                QuotaReserved(
                    session.identity, plan: count.plan, limit: count.limit, used: count.used, reserved: count.reserved,
                    windowEndsAt: unit.windowEndsAt))
        case .refused(let session, let code, let resetsAt, let heldBy):
            Outgoing(QuotaRefused(session.identity, QuotaDenial(code: code, resetsAt: resetsAt, heldBy: heldBy)))
        case .committed(let session, _): Outgoing(QuotaCommitted(session.identity))
        case .released(let session, _, let reason, _): Outgoing(QuotaReleased(session.identity, reason: reason))
        case .planChanged(let ownerId, let plan): Outgoing(PlanChanged(ownerId: ownerId, plan: plan))
        case .subjectErased(let subject, let removed): SubjectErased.outgoing(subject, from: .quota, removed: removed)
        case .endingNoted, .extraGranted: nil
        }
    }
}
