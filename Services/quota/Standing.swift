package import Contracts
package import Primitives

/// What an owner has of one kind of session at one moment, as `GET /v1/quota` shows it and as the next request is
/// decided.
package struct Standing: Sendable, Equatable {
    package var plan: PlanCode
    /// Units of the window, gifts included; nothing when unlimited.
    package var limit: Int64?
    /// Units charged in the window.
    package var used: Int64
    /// Units held by sessions that have not ended.
    package var reserved: Int64
    /// When the window ends; nothing before the first use of a day opens one.
    package var resetsAt: Timestamp?
    /// Units of the plan that are left in the window, below zero after a change to a smaller plan; nothing when
    /// unlimited.
    package var planUnitsLeft: Int64?
    /// Gifts that nobody holds or has used.
    package var extra: Int64

    /// Units that can still be had now; nothing when unlimited.
    package var remaining: Int64? { planUnitsLeft.map { max(0, $0) + extra } }

    /// Where the next unit would come from; nothing when there is none.
    package var nextUnit: UnitSource? {
        guard let planUnitsLeft, planUnitsLeft <= 0 else { return .plan }
        return extra > 0 ? .extra : nil
    }

    /// Puts together plan, window and gifts.
    ///
    /// - Parameters:
    ///   - window: the newest window; it counts only when `moment` lies before its end.
    ///   - extra: gifts that nobody holds or has used.
    package init(plan: PlanCode, kind: SessionKind, window: Allowance.Window?, extra: Int64, at moment: Timestamp) {
        let current = window.flatMap { moment < $0.endsAt ? $0 : nil }
        let usage = current?.usage ?? Allowance.Usage()
        let allowance = Plan.inForce(plan).allowance(for: kind)
        self.plan = plan
        used = usage.used + usage.extraUsed
        reserved = usage.reserved + usage.extraReserved
        resetsAt = current?.endsAt
        limit = allowance.limit.map { $0 + extra + usage.extraUsed + usage.extraReserved }
        planUnitsLeft = allowance.limit.map { $0 - usage.used - usage.reserved }
        self.extra = extra
    }
}

extension Allowance {
    /// What an owner has of a kind at a moment.
    package func standing(of kind: SessionKind, at moment: Timestamp) -> Standing {
        let state = kinds[kind]
        return Standing(plan: plan, kind: kind, window: state?.windows.last, extra: state?.extra ?? 0, at: moment)
    }
}
