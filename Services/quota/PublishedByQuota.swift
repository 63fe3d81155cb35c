package import Contracts

/// What is published of the private events for other services: at most one message for each.
package enum PublishedByQuota {
    /// The message that is published for an event; nil for what concerns this service alone.
    package static func outgoing(for event: QuotaEvent) -> Outgoing? {
        switch event {
        case .reserved(let session, let unit, let count, _, _): reserved(session, unit, count)
        case .refused(let session, let denial, _): Outgoing(QuotaRefused(session, denial))
        case .committed(let session, _): Outgoing(QuotaCommitted(session))
        case .released(let session, _, let reason, _): Outgoing(QuotaReleased(session, reason: reason))
        case .planChanged(let ownerId, let plan, _): Outgoing(PlanChanged(ownerId: ownerId, plan: plan))
        case .subjectErased(let subject, let removed, _):
            SubjectErased.outgoing(subject, from: .quota, removed: removed)
        case .endingNoted, .extraGranted, .purchaseNoted, .refundNoted, .planDefined: nil
        }
    }

    /// What has one window fits version 1, which every reader knows; only what has several needs version 2.
    private static func reserved(_ session: SessionIdentity, _ unit: HeldUnit, _ count: Count) -> Outgoing {
        if let only = count.windows.first, count.windows.count == 1 {
            return Outgoing(
                QuotaReserved(
                    session, plan: count.basis.plan, limit: only.limit, used: only.used,
                    reserved: only.reserved, windowEndsAt: unit.longest.endsAt))
        }
        let windows = zip(count.windows, unit.windows).map { count, window in
            QuotaReservedV2.Window(
                window.span.code, limit: count.limit, used: count.used, reserved: count.reserved,
                endsAt: window.endsAt)
        }
        return Outgoing(QuotaReservedV2(session, plan: count.basis.plan, windows: windows))
    }
}
