import Configuration
import Contracts
import Primitives

/// The variables for purchases in shops.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `STRIPE_WEBHOOK_SECRETS` | secret | none | the signing secret of the endpoint at Stripe (`whsec_…`), several with commas between them while they change; without it nothing is taken from Stripe. See `docs/purchases.md` |
/// | `STRIPE_PRICES` | text | none | what is for sale: `price_1=premium,price_2=gold`, the prices at Stripe with the plans that they are for |
/// | `STRIPE_TOLERANCE` | duration | `5m` | how far the time of a signature may be from this clock |
/// | `PURCHASE_GRACE` | duration | `3d` | how long a plan lasts beyond what is paid for while the next payment is awaited or tried again |
struct PurchaseSettings: Sendable {
    /// What is needed to take something from Stripe.
    struct Stripe: Sendable {
        let secrets: [Secret]
        let tolerance: Duration
    }

    /// The most seconds that a plan lasts beyond what is paid for.
    static let longestGrace: Int64 = 366 * 86_400

    /// Nil where nothing is sold there.
    let stripe: Stripe?
    /// Nil where nothing can be bought here.
    let checkout: CheckoutSettings?
    /// Nil where nothing is sold there.
    let appStore: AppStore?
    let terms: PurchaseTerms

    /// Reads the variables; problems stay in `environment` until it is finished.
    ///
    /// - Parameter plans: those on offer.
    init(_ environment: Environment, plans: [PlanDefinition]) {
        let texts = environment.optionalSecret("STRIPE_WEBHOOK_SECRETS").map { secret in
            secret.reveal().split { $0 == "," || $0.isWhitespace }.map(String.init)
        }
        if let texts, texts.isEmpty || texts.contains(where: { $0.count < 16 }) {
            environment.refuse(
                "STRIPE_WEBHOOK_SECRETS",
                "has a secret of fewer than 16 characters; copy it from the endpoint at Stripe.")
        }
        let prices = Self.soldPlans(environment, "STRIPE_PRICES", plans: plans, example: "price_1")
        if texts != nil, prices.isEmpty {
            environment.refuse(
                "STRIPE_PRICES", "is missing; say which price is for which plan, such as price_1=premium.")
        }
        let tolerance = environment.duration("STRIPE_TOLERANCE", default: .seconds(300))
        stripe = texts.map { Stripe(secrets: $0.map { Secret($0) }, tolerance: tolerance) }
        checkout = CheckoutSettings(environment, sold: Array(prices.keys), isHeard: texts != nil)
        let apple = AppleSettings(environment, plans: plans)
        appStore = apple.store
        let grace = environment.duration("PURCHASE_GRACE", default: .seconds(3 * 86_400))
        terms = PurchaseTerms(
            plans: prices, products: apple.products,
            graceSeconds: min(grace.components.seconds, Self.longestGrace))
    }

    /// Whether any shop is there that purchases come from.
    var isSelling: Bool { stripe != nil || appStore != nil }

    /// What a shop sells: its names of it, and the plans that they are for.
    ///
    /// - Parameters:
    ///   - name: of the variable that says it.
    ///   - plans: those on offer.
    ///   - example: a name, as the shop has them.
    static func soldPlans(
        _ environment: Environment, _ name: String, plans: [PlanDefinition], example: String
    ) -> [String: PlanCode] {
        var sold: [String: PlanCode] = [:]
        let known = Set(plans.map(\.code)).subtracting([Plans.first])
        for entry in (environment.optional(name) ?? "").split(separator: ",") {
            let parts = entry.split(separator: "=").map { $0.filter { $0 != " " } }
            guard parts.count == 2, !parts[0].isEmpty else {
                let things = name.hasSuffix("PRICES") ? "prices" : "products"
                environment.refuse(name, "must be \(things) with their plans, such as \(example)=premium.")
                break
            }
            let plan = PlanCode(rawValue: parts[1])
            if !known.contains(plan) {
                environment.refuse(
                    name,
                    "names \(plan), which is no plan that can be bought; name one of the plans besides \(Plans.first).")
            }
            sold[parts[0]] = plan
        }
        return sold
    }
}

/// What purchases are understood by: it is recorded with each of them, so no later setting changes what was decided.
struct PurchaseTerms: Sendable, Equatable {
    /// The plan of each price at Stripe.
    let plans: [String: PlanCode]
    /// The plan of each product in the App Store.
    var products: [String: PlanCode] = [:]
    let graceSeconds: Int64
}
