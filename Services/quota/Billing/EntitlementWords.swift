import Contracts

extension PurchaseState {
    /// What was told, in words for people.
    var words: String {
        let what = plan.map { "the plan \($0)" } ?? "a price that no setting names (\(price.id))"
        let money = price.amountMinor.map { ", \($0) \(price.currency ?? "") in its smallest unit" } ?? ""
        let trial = status == .trialing ? trialEndsAt.map { ", trial until \($0)" } ?? "" : ""
        let end =
            if let endedAt { ", ended at \(endedAt)" } else if let stopsAt { ", ends at \(stopsAt)" } else if !renews {
                ", does not renew"
            } else { "" }
        return "\(purchase) is \(status) as of \(statedAt) (\(notice)): \(what)\(money), from \(periodStartsAt) to "
            + "\(periodEndsAt)\(trial)\(end)"
    }
}

extension RefundState {
    /// What was told, in words for people.
    var words: String {
        "\(isFull ? "all" : "a part") of the payment \(payment) of \(paidAt) was given back (\(notice)): \(amountMinor) "
            + "\(currency) in its smallest unit"
    }
}
