import Contracts
import EventSourcingTesting
import Primitives

@testable import quota

/// One purchase at a shop, told again and again.
enum Bought {
    static let day: Int64 = 86_400
    static let grace = 3 * day
    static let owner = Fixture.owner
    static let start = Fixture.noon
    static let gold = PlanCode(rawValue: "gold")

    /// A moment some days after the purchase.
    static func days(_ count: Int64) -> Timestamp { start.adding(seconds: count * day) }

    /// A telling: by default of a month that is paid for and renews.
    static func state(
        _ status: PurchaseStatus = .active, at day: Int64 = 0, notice: String = "stripe/evt_1",
        purchase: String = "stripe/sub_1", customer: String = "stripe/cus_1", plan: PlanCode? = .premium,
        step: PurchaseState.Step = .changed, from: Int64 = 0, to: Int64 = 30, trial: Int64? = nil, stops: Int64? = nil,
        ended: Int64? = nil, renews: Bool = true
    ) -> PurchaseState {
        PurchaseState(
            notice: notice, purchase: purchase, customer: customer, statedAt: days(day), step: step, status: status,
            plan: plan, price: .init(id: "price_1", amountMinor: 999, currency: "eur"), boughtAt: start,
            periodStartsAt: days(from), periodEndsAt: days(to), trialEndsAt: trial.map(days), stopsAt: stops.map(days),
            endedAt: ended.map(days), renews: renews, graceSeconds: grace)
    }

    static func refund(
        paid day: Int64, of amount: Int64 = 999, isFull: Bool = true, notice: String = "stripe/evt_r",
        customer: String = "stripe/cus_1"
    ) -> RefundState {
        RefundState(
            notice: notice, payment: "stripe/ch_\(day)", customer: customer, statedAt: days(day + 1), paidAt: days(day),
            amountMinor: amount, currency: "eur", isFull: isFull)
    }

    /// An allowance that was told these.
    static func told(_ states: PurchaseState...) -> Given {
        Fixture.fresh.after(states.map { .notePurchase(ownerId: owner, $0) })
    }
}

extension Given {
    func refunded(_ refund: RefundState) -> Given { after(.noteRefund(ownerId: Bought.owner, refund)) }

    /// The plan in force some days after the purchase.
    func entitlement(on day: Int64, and seconds: Int64 = 0) -> EntitlementStanding {
        state.entitlement(at: Bought.days(day).adding(seconds: seconds))
    }
}
