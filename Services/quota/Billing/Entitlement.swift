import Contracts
package import Primitives

/// What shops have told of an owner's purchases: the newest of each, whatever the order in which it came.
package struct Entitlement: Sendable, Equatable {
    /// By ``PurchaseState/purchase``.
    package var purchases: [String: PurchaseState] = [:]
    /// By ``RefundState/payment``.
    package var refunds: [String: RefundState] = [:]

    package init() {}

    /// What a notification changes: no events when what is known is as new.
    package static func decide(_ told: PurchaseState, _ state: Entitlement, ownerId: UUID) -> [QuotaEvent] {
        if let known = state.purchases[told.purchase], !told.replaces(known) { return [] }
        return [.purchaseNoted(ownerId: ownerId, told)]
    }

    /// What a notification changes: no events when what is known is as new.
    package static func decide(_ told: RefundState, _ state: Entitlement, ownerId: UUID) -> [QuotaEvent] {
        if let known = state.refunds[told.payment], !told.replaces(known) { return [] }
        return [.refundNoted(ownerId: ownerId, told)]
    }

    package static func evolve(_ state: Entitlement, _ told: PurchaseState) -> Entitlement {
        var state = state
        state.purchases[told.purchase] = told
        return state
    }

    package static func evolve(_ state: Entitlement, _ told: RefundState) -> Entitlement {
        var state = state
        state.refunds[told.payment] = told
        return state
    }

    /// What each purchase gives at a moment, those that give something first and of them what lasts longest.
    package func purchases(at moment: Timestamp) -> [PurchaseStanding] {
        purchases.values.map { PurchaseStanding($0, isRefunded: isRefunded($0), at: moment) }
            .sorted { $0.comesBefore($1) }
    }

    /// Whether the payment for the period was given back. Refunds name who paid, not what for; a payment is made within the period
    /// that it is for.
    private func isRefunded(_ purchase: PurchaseState) -> Bool {
        refunds.values.contains {
            $0.isFull && $0.customer == purchase.customer && $0.paidAt >= purchase.periodStartsAt
                && $0.paidAt < purchase.periodEndsAt
        }
    }
}

/// Why somebody has a plan, or not the one that was bought.
package enum EntitlementReason: String, Sendable, CaseIterable {
    /// Nothing was bought and nothing given.
    case none
    /// An operator gave it.
    case `operator`
    case trial
    case paid
    /// What was paid for is over, and whether the next payment came is not known yet.
    case grace
    /// The payment failed and the shop tries again.
    case billingRetry = "billing-retry"
    /// What was paid for is over.
    case expired
    /// It was ended before its period was over.
    case revoked
    /// The payment was given back.
    case refunded
    /// It was never paid, or not any more.
    case unpaid
    /// The first payment has not come yet.
    case incomplete
    case paused
    /// The shop calls it what no rule here knows.
    case statusUnknown = "status-unknown"
    /// No setting says what the price is for.
    case priceUnknown = "price-unknown"
}

/// What one purchase gives at one moment.
package struct PurchaseStanding: Sendable, Equatable {
    package let state: PurchaseState
    package let reason: EntitlementReason
    /// Whether it gives its plan at that moment.
    package let isEntitling: Bool
    /// When it stops giving it, unless more is heard until then; nil where it gives nothing and never did, or nobody knows.
    package let endsAt: Timestamp?

    /// - Parameter isRefunded: whether the payment for the period was given back.
    package init(_ state: PurchaseState, isRefunded: Bool, at moment: Timestamp) {
        self.state = state
        let stages = Self.stages(of: state)
        let (reason, end): (EntitlementReason, Timestamp?) =
            switch state.status {
            case _ where isRefunded: (.refunded, nil)
            case .trialing, .active, .pastDue:
                if let now = stages.first(where: { moment < $0.until }) {
                    (now.reason, stages.last?.until)
                } else {
                    (state.status == .pastDue ? .unpaid : .expired, stages.last?.until)
                }
            case .incomplete: (.incomplete, nil)
            case .incompleteExpired, .unpaid: (.unpaid, nil)
            case .paused: (.paused, nil)
            case .canceled:
                ((state.endedAt ?? state.statedAt) < state.periodEndsAt ? .revoked : .expired, state.endedAt)
            default: (.statusUnknown, nil)
            }
        let gives = [EntitlementReason.trial, .paid, .grace, .billingRetry].contains(reason)
        self.reason = gives && state.plan == nil ? .priceUnknown : reason
        isEntitling = gives && state.plan != nil
        endsAt = end
    }

    /// What a purchase in good order gives, one after another.
    private static func stages(of state: PurchaseState) -> [(reason: EntitlementReason, until: Timestamp)] {
        if state.status == .pastDue {
            let retry = (EntitlementReason.billingRetry, state.paidUntil.adding(seconds: state.graceSeconds))
            // Apple takes payments before what was paid for is over.
            return Shop(of: state.purchase) == .apple ? [(.paid, state.paidUntil), retry] : [retry]
        }
        let isTrial = state.status == .trialing
        let period = isTrial ? state.trialEndsAt ?? state.periodEndsAt : state.periodEndsAt
        let paid = state.stopsAt.map { min($0, period) } ?? period
        let stages: [(reason: EntitlementReason, until: Timestamp)] = [(isTrial ? .trial : .paid, paid)]
        guard state.renews, paid == period else { return stages }
        return stages + [(.grace, paid.adding(seconds: state.graceSeconds))]
    }

    /// Of several that give something the one that lasts longest decides; of those that give nothing the one last heard of is shown.
    fileprivate func comesBefore(_ other: PurchaseStanding) -> Bool {
        if isEntitling != other.isEntitling { return isEntitling }
        if isEntitling, endsAt != other.endsAt { return (endsAt ?? .epoch) > (other.endsAt ?? .epoch) }
        if state.statedAt != other.state.statedAt { return state.statedAt > other.state.statedAt }
        return state.purchase < other.state.purchase
    }
}
