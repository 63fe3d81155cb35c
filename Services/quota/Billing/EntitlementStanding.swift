package import Contracts
package import JSON
package import Primitives

/// The one answer to "is it premium", at one moment: everything that depends on a plan asks for it.
///
/// An operator's plan and what was bought are kept apart, so neither overwrites the other. While an operator has given a plan
/// other than the first, it holds: a person decided it knowingly, and no notification of a shop, late or of a refund, may take it
/// away. When it is taken back, by giving the first plan, what was bought holds again: that ends by what the shop says alone.
package struct EntitlementStanding: Sendable, Equatable {
    package let plan: PlanCode
    package let reason: EntitlementReason
    /// When the plan ends, unless more is heard until then; of a plan that is over, when it did. Nil where there is no end.
    package let endsAt: Timestamp?
    /// Whether it goes on by itself after that.
    package let renews: Bool
    /// All that was bought, the one that decides first.
    package let purchases: [PurchaseStanding]

    /// Whether it is more than everybody begins with.
    package var isPremium: Bool { plan != Plans.first }

    /// The purchase that decides; nil where none does.
    package var purchase: PurchaseStanding? {
        guard reason != .operator, let first = purchases.first, first.isEntitling else { return nil }
        return first
    }

    init(given: PlanCode, _ entitlement: Entitlement, at moment: Timestamp) {
        purchases = entitlement.purchases(at: moment)
        if given != Plans.first {
            (plan, reason, endsAt, renews) = (given, .operator, nil, false)
        } else if let first = purchases.first {
            plan = first.isEntitling ? first.state.plan ?? Plans.first : Plans.first
            (reason, endsAt, renews) = (first.reason, first.endsAt, first.isEntitling && first.state.renews)
        } else {
            (plan, reason, endsAt, renews) = (given, .none, nil, false)
        }
    }
}

extension Allowance {
    /// The plan that is in force at a moment, with its reason.
    package func entitlement(at moment: Timestamp) -> EntitlementStanding {
        EntitlementStanding(given: plan, entitlement, at: moment)
    }
}

extension EntitlementStanding {
    /// The answer of `GET /v1/entitlements`.
    package var json: JSONObject {
        [
            "plan": plan.json, "isPremium": .bool(isPremium), "reason": .string(reason.rawValue),
            "endsAt": .optional(endsAt), "renews": .bool(renews),
            "purchases": .array(purchases.map { .object($0.json) }),
        ]
    }

    /// The same in a sentence for people.
    package var words: String {
        let end = endsAt.map { isPremium ? ", until \($0)" : ", since \($0)" } ?? ""
        return "the plan is \(plan) (\(reason.rawValue)\(end)\(isPremium && renews ? ", renews" : ""))"
    }
}

extension PurchaseStanding {
    package var json: JSONObject {
        [
            "purchase": .string(state.purchase), "plan": .optional(state.plan?.rawValue), "status": state.status.json,
            "reason": .string(reason.rawValue), "isEntitling": .bool(isEntitling), "endsAt": .optional(endsAt),
            "renews": .bool(state.renews), "periodStartsAt": .time(state.periodStartsAt),
            "periodEndsAt": .time(state.periodEndsAt), "trialEndsAt": .optional(state.trialEndsAt),
            "cancelledAt": .optional(state.cancelledAt), "boughtAt": .time(state.boughtAt),
            "amountMinor": .optional(state.price.amountMinor), "currency": .optional(state.price.currency),
            "quantity": .int(state.price.quantity),
        ]
    }
}

extension PurchaseStanding {
    /// The same in a sentence for people.
    package var words: String {
        let what = isEntitling ? "gives" : "does not give"
        let plan = state.plan?.rawValue ?? "any plan"
        return "\(state.purchase), \(state.status): \(what) \(plan) (\(reason.rawValue)"
            + (endsAt.map { isEntitling ? ", until \($0)" : ", since \($0)" } ?? "") + ")"
    }
}
