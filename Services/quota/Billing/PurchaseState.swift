package import Contracts
package import Primitives

/// How a shop calls what a purchase is at the moment. Those that no rule here knows are kept and shown, and give nothing.
package struct PurchaseStatus: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The first payment has not come yet.
    package static let incomplete = PurchaseStatus(rawValue: "incomplete")
    /// It never came.
    package static let incompleteExpired = PurchaseStatus(rawValue: "incomplete_expired")
    package static let trialing = PurchaseStatus(rawValue: "trialing")
    package static let active = PurchaseStatus(rawValue: "active")
    /// The payment of the period failed; the shop tries again.
    package static let pastDue = PurchaseStatus(rawValue: "past_due")
    /// The shop tries no more.
    package static let unpaid = PurchaseStatus(rawValue: "unpaid")
    package static let paused = PurchaseStatus(rawValue: "paused")
    /// It is over, for good.
    package static let canceled = PurchaseStatus(rawValue: "canceled")

    /// The way through a purchase's life: of two states that were told for the same second, the later one counts.
    fileprivate var place: Int {
        let way: [PurchaseStatus] = [
            .incomplete, .trialing, .active, .paused, .pastDue, .unpaid, .incompleteExpired, .canceled,
        ]
        return way.firstIndex(of: self) ?? -1
    }
}

/// A purchase that is paid again and again, as a shop told it at one moment: all of it, so that one notification takes the place
/// of another. It has no content of cards or receipts.
package struct PurchaseState: Sendable, Hashable {
    /// What kind of notification it was, which settles the order within a second, the unit of a shop's clock.
    package enum Step: Int64, Sendable {
        case begun = 0
        case changed = 1
        case ended = 2
    }

    /// What it costs for each period.
    package struct Price: Sendable, Hashable {
        /// The shop's name for it.
        package var id: String
        /// For one, in the smallest unit of the currency; nil where the price is no single number.
        package var amountMinor: Int64?
        /// ISO 4217, in lower case as shops have it.
        package var currency: String?
        package var quantity: Int64

        package init(id: String, amountMinor: Int64?, currency: String?, quantity: Int64 = 1) {
            self.id = id
            self.amountMinor = amountMinor
            self.currency = currency
            self.quantity = quantity
        }
    }

    /// The notification that told it: shop and id, such as `stripe/evt_1`.
    package var notice: String
    /// Shop and id, such as `stripe/sub_1`.
    package var purchase: String
    /// Shop and id of whoever pays, such as `stripe/cus_1`.
    package var customer: String
    /// When it was so, by the shop's clock.
    package var statedAt: Timestamp
    package var step: Step
    package var status: PurchaseStatus
    /// What the price is for; nil for a price that no setting names.
    package var plan: PlanCode?
    package var price: Price
    package var boughtAt: Timestamp
    /// The period that the newest invoice is for: paid or not at Stripe, the last that was paid at Apple.
    package var periodStartsAt: Timestamp
    package var periodEndsAt: Timestamp
    package var trialEndsAt: Timestamp?
    /// When it is to end, where that is known before.
    package var stopsAt: Timestamp?
    /// When it did end.
    package var endedAt: Timestamp?
    /// When somebody said that it is not to go on.
    package var cancelledAt: Timestamp?
    /// Whether another period is to follow.
    package var renews: Bool
    /// How long premium lasts beyond what is paid for while the next payment is awaited, in seconds.
    package var graceSeconds: Int64

    package init(
        notice: String, purchase: String, customer: String, statedAt: Timestamp, step: Step, status: PurchaseStatus,
        plan: PlanCode?, price: Price, boughtAt: Timestamp, periodStartsAt: Timestamp, periodEndsAt: Timestamp,
        trialEndsAt: Timestamp? = nil, stopsAt: Timestamp? = nil, endedAt: Timestamp? = nil,
        cancelledAt: Timestamp? = nil, renews: Bool, graceSeconds: Int64
    ) {
        self.notice = notice
        self.purchase = purchase
        self.customer = customer
        self.statedAt = statedAt
        self.step = step
        self.status = status
        self.plan = plan
        self.price = price
        self.boughtAt = boughtAt
        self.periodStartsAt = periodStartsAt
        self.periodEndsAt = periodEndsAt
        self.trialEndsAt = trialEndsAt
        self.stopsAt = stopsAt
        self.endedAt = endedAt
        self.cancelledAt = cancelledAt
        self.renews = renews
        self.graceSeconds = graceSeconds
    }

    /// Whether it takes the place of another notification of the same purchase, in whatever order the two arrive.
    ///
    /// The same notification again does when it is understood in another way than before, by other settings.
    package func replaces(_ other: PurchaseState) -> Bool {
        if notice == other.notice { return self != other }
        if statedAt != other.statedAt { return statedAt > other.statedAt }
        if step != other.step { return step.rawValue > other.step.rawValue }
        if periodEndsAt != other.periodEndsAt { return periodEndsAt > other.periodEndsAt }
        if status.place != other.status.place { return status.place > other.status.place }
        return notice > other.notice
    }
}

/// Money that was given back for one payment, as a shop told it: all that was given back by then.
package struct RefundState: Sendable, Hashable {
    /// The notification that told it.
    package var notice: String
    /// Shop and id of the payment, such as `stripe/ch_1`.
    package var payment: String
    package var customer: String
    /// When it was so, by the shop's clock.
    package var statedAt: Timestamp
    /// When the payment was made: whatever period it lies in is no longer paid for.
    package var paidAt: Timestamp
    /// In the smallest unit of the currency.
    package var amountMinor: Int64
    package var currency: String
    /// Whether all of the payment was given back, or the period that it is for was taken away. Less takes nothing away.
    package var isFull: Bool

    package init(
        notice: String, payment: String, customer: String, statedAt: Timestamp, paidAt: Timestamp, amountMinor: Int64,
        currency: String, isFull: Bool
    ) {
        self.notice = notice
        self.payment = payment
        self.customer = customer
        self.statedAt = statedAt
        self.paidAt = paidAt
        self.amountMinor = amountMinor
        self.currency = currency
        self.isFull = isFull
    }

    /// Whether it takes the place of another notification of the same payment. At Stripe, what was given back only grows; Apple may take a
    /// refund back, so the later notification counts.
    package func replaces(_ other: RefundState) -> Bool {
        if Shop(of: payment) == .apple, statedAt != other.statedAt { return statedAt > other.statedAt }
        if amountMinor != other.amountMinor { return amountMinor > other.amountMinor }
        if isFull != other.isFull { return isFull }
        if statedAt != other.statedAt { return statedAt > other.statedAt }
        return notice > other.notice
    }
}
