package import EventStore
package import Primitives

/// What calls to providers have cost on a day (UTC), and may still cost while they are under way, by owner: the table `provider_spending`,
/// and of all: `provider_day_spending`.
package enum Spending {
    /// How many days it is kept.
    package static let keptDays = 40

    private static let reserveMost = RowFunction(
        "reserve_spending", .uuid("ownerId"), .time("begunAt"), .int("micros"), .optionalInt("ownerDayMicros"),
        .optionalInt("dayMicros"), refusals: [.ownerBudget, .budget])
    private static let settleMost = RowFunction(
        "settle_spending", .uuid("ownerId"), .time("begunAt"), .int("micros"))
    /// Keeps of an erased user what the deployment has spent: the subject.
    package static let forget = RowFunction("forget_spending", .uuid("subject"))

    /// What a call costs at most is spent, if limits allow that.
    package static func reserve(_ call: ProviderCall, of owner: UUID, ownerDayMicros: Int64?, dayMicros: Int64?)
        -> RowCall
    {
        reserveMost(owner, call.begunAt, call.mostMicros, ownerDayMicros, dayMicros)
    }

    /// A call cost something else than was reserved for it.
    package static func settle(_ call: ProviderCall, of owner: UUID, cost: Int64) -> RowCall {
        let (difference, overflow) = cost.subtractingReportingOverflow(call.mostMicros)
        return settleMost(owner, call.begunAt, overflow ? 0 : difference)
    }

    package static let all = [reserveMost.declaration, settleMost.declaration, forget.declaration]
}

extension RowRefusal {
    /// The owner's limit of the day would be exceeded.
    package static let ownerBudget = RowRefusal("owner-budget")
    /// The deployment's limit of the day would be exceeded.
    package static let budget = RowRefusal("budget")
}
