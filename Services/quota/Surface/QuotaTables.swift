import Contracts
import JSON
import Primitives
import RestTables

/// The tables `user_quotas` and `subscriptions` of the compatible surface. Their rows are made of an owner's allowance when somebody asks.
enum QuotaTables {
    static let quotas = RestTable(
        "user_quotas",
        [
            RestColumn("id", .uuid), RestColumn("user_id", .uuid), RestColumn("device_id", .text),
            RestColumn("last_analysis_date", .date), RestColumn("daily_count", .integer),
            RestColumn("created_at", .timestamp), RestColumn("updated_at", .timestamp),
        ], source: source(quotaColumns))
    private static let quotaColumns = """
        (e ->> 'id')::uuid as id, (e ->> 'user_id')::uuid as user_id, e ->> 'device_id' as device_id,
        (e ->> 'last_analysis_date')::date as last_analysis_date, (e ->> 'daily_count')::bigint as daily_count,
        (e ->> 'created_at')::timestamptz as created_at, (e ->> 'updated_at')::timestamptz as updated_at
        """

    static let subscriptions = RestTable(
        "subscriptions",
        [
            RestColumn("id", .uuid), RestColumn("user_id", .uuid), RestColumn("transaction_id", .text),
            RestColumn("product_id", .text), RestColumn("status", .text), RestColumn("expires_at", .timestamp),
            RestColumn("auto_renew_enabled", .boolean), RestColumn("is_trial", .boolean),
            RestColumn("trial_ends_at", .timestamp), RestColumn("purchased_at", .timestamp),
            RestColumn("cancelled_at", .timestamp), RestColumn("stripe_subscription_id", .text),
            RestColumn("stripe_customer_id", .text), RestColumn("price_id", .text), RestColumn("quantity", .integer),
            RestColumn("current_period_start", .timestamp), RestColumn("current_period_end", .timestamp),
            RestColumn("trial_end", .timestamp), RestColumn("cancel_at_period_end", .boolean),
            RestColumn("created_at", .timestamp), RestColumn("updated_at", .timestamp),
        ], source: source(subscriptionColumns))
    private static let subscriptionColumns = """
        (e ->> 'id')::uuid as id, (e ->> 'user_id')::uuid as user_id, e ->> 'transaction_id' as transaction_id,
        e ->> 'product_id' as product_id, e ->> 'status' as status, (e ->> 'expires_at')::timestamptz as expires_at,
        (e ->> 'auto_renew_enabled')::boolean as auto_renew_enabled, (e ->> 'is_trial')::boolean as is_trial,
        (e ->> 'trial_ends_at')::timestamptz as trial_ends_at, (e ->> 'purchased_at')::timestamptz as purchased_at,
        (e ->> 'cancelled_at')::timestamptz as cancelled_at, e ->> 'stripe_subscription_id' as stripe_subscription_id,
        e ->> 'stripe_customer_id' as stripe_customer_id, e ->> 'price_id' as price_id,
        (e ->> 'quantity')::bigint as quantity, (e ->> 'current_period_start')::timestamptz as current_period_start,
        (e ->> 'current_period_end')::timestamptz as current_period_end, (e ->> 'trial_end')::timestamptz as trial_end,
        (e ->> 'cancel_at_period_end')::boolean as cancel_at_period_end, (e ->> 'created_at')::timestamptz as created_at,
        (e ->> 'updated_at')::timestamptz as updated_at
        """

    /// What `get_user_subscription` gives: one row, of whom the statement is told.
    static let standings = RestTable(
        "get_user_subscription",
        [
            RestColumn("is_premium", .boolean), RestColumn("status", .text), RestColumn("expires_at", .timestamp),
            RestColumn("is_trial", .boolean), RestColumn("days_remaining", .integer),
            RestColumn("auto_renew", .boolean), RestColumn("provider", .text),
        ],
        source: """
            select (e ->> 'is_premium')::boolean as is_premium, e ->> 'status' as status,
                (e ->> 'expires_at')::timestamptz as expires_at, (e ->> 'is_trial')::boolean as is_trial,
                (e ->> 'days_remaining')::bigint as days_remaining, (e ->> 'auto_renew')::boolean as auto_renew,
                e ->> 'provider' as provider, e as row
            from json_array_elements($2::json) e where $1::uuid is null
            """, order: "provider")

    /// The rows come as a list, `$2`: looked through where all tables are, so that they are looked through in the same way.
    private static func source(_ columns: String) -> String {
        """
        select \(columns), e as row from json_array_elements($2::json) e
        where $1::uuid is null or (e ->> 'user_id')::uuid = $1
        """
    }
}

/// What an owner has, as these tables show it.
struct QuotaRow: Sendable, Equatable {
    let owner: UUID
    /// The plan in force, and why.
    let entitlement: EntitlementStanding
    /// The local day of the newest analysis; nil before the first.
    let lastDay: LocalDay?
    /// Analyses of that day that were charged; those that have not ended are none yet.
    let count: Int64
    let createdAt: Timestamp
    let updatedAt: Timestamp

    /// Whether somebody has more than everybody begins with.
    var isPremium: Bool { entitlement.isPremium }

    /// The row of `user_quotas`: everybody has one, so nobody has to write one first.
    var quota: JSONObject {
        [
            "id": .uuid(UUID.v5(namespace: owner, name: "user_quotas")), "user_id": .uuid(owner), "device_id": .null,
            "last_analysis_date": .optional(lastDay?.description), "daily_count": .int(count),
            "created_at": .time(createdAt), "updated_at": .time(updatedAt),
        ]
    }

    /// The rows of `subscriptions`: what was bought, and what an operator gave; none for somebody with neither.
    var subscriptions: [JSONObject] {
        let bought = entitlement.purchases.map { $0.subscription(of: owner) }
        guard entitlement.reason == .operator else { return bought }
        return [
            [
                "id": .uuid(UUID.v5(namespace: owner, name: "subscriptions")), "user_id": .uuid(owner),
                "transaction_id": .string("plan-\(entitlement.plan.rawValue)"), "product_id": entitlement.plan.json,
                "status": "active", "expires_at": .null, "auto_renew_enabled": false, "is_trial": false,
                "trial_ends_at": .null, "purchased_at": .time(createdAt), "cancelled_at": .null,
                "stripe_subscription_id": .null, "stripe_customer_id": .null, "price_id": .null, "quantity": 1,
                "current_period_start": .null, "current_period_end": .null, "trial_end": .null,
                "cancel_at_period_end": false, "created_at": .time(createdAt), "updated_at": .time(updatedAt),
            ]
        ] + bought
    }
}

extension PurchaseStanding {
    /// The row of `subscriptions`.
    fileprivate func subscription(of owner: UUID) -> JSONObject {
        let isOfStripe = state.purchase.hasPrefix("\(StripeNotice.shop)/")
        func id(_ text: String) -> String { String(text.drop { $0 != "/" }.dropFirst()) }
        return [
            "id": .uuid(UUID.v5(namespace: owner, name: "subscriptions/\(state.purchase)")), "user_id": .uuid(owner),
            "transaction_id": .string(id(state.purchase)),
            "product_id": .string(state.plan?.rawValue ?? state.price.id),
            "status": .string(compatibleStatus), "expires_at": .optional(endsAt),
            "auto_renew_enabled": .bool(isEntitling && state.renews), "is_trial": .bool(reason == .trial),
            "trial_ends_at": .optional(state.trialEndsAt), "purchased_at": .time(state.boughtAt),
            "cancelled_at": .optional(state.cancelledAt),
            "stripe_subscription_id": isOfStripe ? .string(id(state.purchase)) : .null,
            "stripe_customer_id": isOfStripe ? .string(id(state.customer)) : .null,
            "price_id": .string(state.price.id), "quantity": .int(state.price.quantity),
            "current_period_start": .time(state.periodStartsAt), "current_period_end": .time(state.periodEndsAt),
            "trial_end": .optional(state.trialEndsAt),
            "cancel_at_period_end": .bool(isEntitling && !state.renews),
            "created_at": .time(state.boughtAt), "updated_at": .time(state.statedAt),
        ]
    }

    /// Apps take `active` and `trialing` for premium and look at nothing else: so whatever gives a plan is one of the two, and what
    /// gives none is neither.
    fileprivate var compatibleStatus: String {
        if isEntitling { return (reason == .trial ? PurchaseStatus.trialing : .active).rawValue }
        return [.active, .trialing].contains(state.status) ? "expired" : state.status.rawValue
    }
}

extension EntitlementStanding {
    /// The row that `get_user_subscription` gives; nil stands for somebody of whom nothing is told.
    ///
    /// - Parameter moment: from when on days are counted.
    static func compatibleRow(_ standing: EntitlementStanding?, at moment: Timestamp) -> JSONObject {
        let purchase = standing?.reason == .operator ? nil : standing?.purchases.first
        let status = purchase?.compatibleStatus ?? (standing?.isPremium ?? false ? PurchaseStatus.active.rawValue : nil)
        let left = standing?.isPremium ?? false ? standing?.endsAt.map { ($0 - moment).components.seconds } : nil
        return [
            "is_premium": .bool(standing?.isPremium ?? false), "status": .optional(status),
            "expires_at": .optional(standing?.endsAt), "is_trial": .bool(standing?.reason == .trial),
            "days_remaining": .optional(left.map { max(0, ($0 + 86_399) / 86_400) }),
            "auto_renew": .bool(standing?.renews ?? false),
            "provider": .string(purchase.map { String($0.state.purchase.prefix { $0 != "/" }) } ?? "unknown"),
        ]
    }
}
