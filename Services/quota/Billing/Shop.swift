import Primitives

/// The shops that purchases come from, as they are named before their ids: `stripe/sub_1`.
package enum Shop: String, Sendable, CaseIterable {
    case stripe
    case apple

    /// The shop of an id; nil for one that this build does not know.
    package init?(of id: String) { self.init(rawValue: String(id.prefix { $0 != "/" })) }
}

extension PurchaseState {
    /// When what was paid for ends.
    ///
    /// While a payment is tried again, Stripe names the period that is to be paid, and Apple the last one that was.
    var paidUntil: Timestamp {
        status == .pastDue && Shop(of: purchase) != .apple ? periodStartsAt : periodEndsAt
    }
}
