import Contracts
import EventSourcing
import EventStore
import HTTPServer
import JSON
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Leads somebody to a page of the shop: to buy, or to change what was bought. Nothing is decided by it: what is bought is known when the
/// shop tells it (``PurchaseIntake``).
@Loop struct CheckoutPages {
    /// Who asks, and what tells a repeat from another wish.
    struct Wish {
        let owner: UUID
        /// The same for a request that is sent again.
        let id: UUID
        let metadata: EventMetadata
    }

    private let store: EventStore
    private let allowances: KeptStates<Allowance>
    /// Nil where nothing can be bought.
    private let settings: CheckoutSettings?
    private let stripe: StripeClient?

    init(_ store: EventStore, _ settings: CheckoutSettings?, _ log: Logger) {
        self.store = store
        self.settings = settings
        allowances = KeptStates(store)
        stripe = settings.map { StripeClient($0, log) }
    }

    /// A page on which something is bought.
    ///
    /// - Parameter price: one of those on offer; nil for the first.
    /// - Throws: the problems `purchases-off` (404), `price-not-offered` (422), `purchase-in-force` (409),
    ///   `purchase-pages-used-up` (429), `purchases-unavailable` (503), `not-found` for somebody who is erased; `AppendError`,
    ///   `PostgresError` or `EventDecodingError`.
    func checkout(_ wish: Wish, price: String?) async throws -> StripeClient.Page {
        guard let settings, let stripe, let usual = settings.prices.first else { throw Problem(.purchasesOff) }
        let price = price ?? usual
        guard settings.prices.contains(price) else {
            throw Problem(
                .priceNotOffered, members: [("prices", .array(settings.prices.map { .string($0) }))])
        }
        let known = try await allowances.state(of: Allowance.stream(wish.owner))
        guard !known.isErased else { throw Problem.notFound }
        let purchases = known.entitlement(at: .now()).purchases
        guard !purchases.contains(where: \.isEntitling) else { throw Problem(.purchaseInForce) }
        try await count(.checkout, wish)
        // A trial is for whoever has never bought: ending one and buying again gives no other.
        let trialDays = purchases.isEmpty ? settings.trialDays : 0
        let customer = try await customer(of: wish.owner)
        do {
            let fields = Self.fields(settings, price, wish.owner, customer: customer, trialDays: trialDays)
            return try await stripe.make(.checkout, fields, wish: wish.id)
        } catch let failure as StripeFailure {
            guard failure == .customerUnknown, customer != nil else { throw Problem.purchasesUnavailable }
        }
        // Removed there, or of another account of the shop: they are a new one.
        do {
            let fields = Self.fields(settings, price, wish.owner, customer: nil, trialDays: trialDays)
            return try await stripe.make(.checkout, fields, wish: wish.id)
        } catch is StripeFailure {
            throw Problem.purchasesUnavailable
        }
    }

    /// A page on which whoever has bought something sees, changes and ends it.
    ///
    /// - Throws: the problems `purchases-off` (404), `nothing-bought` (409), `purchase-pages-used-up` (429),
    ///   `purchases-unavailable` (503), `not-found` for somebody who is erased; `AppendError` or `PostgresError`.
    func portal(_ wish: Wish) async throws -> StripeClient.Page {
        guard let settings, let stripe else { throw Problem(.purchasesOff) }
        guard let customer = try await customer(of: wish.owner) else { throw Problem(.nothingBought) }
        try await count(.portal, wish)
        do {
            return try await stripe.make(
                .portal, [("customer", customer), ("return_url", settings.returnURL)], wish: wish.id)
        } catch let failure as StripeFailure {
            throw failure == .customerUnknown ? Problem(.nothingBought) : .purchasesUnavailable
        }
    }

    /// What Stripe is asked for (`POST /v1/checkout/sessions`). The account is named twice, for the page's end and the purchase itself.
    ///
    /// - Parameter customer: by whom something was bought before; nil lets Stripe make one.
    nonisolated static func fields(
        _ settings: CheckoutSettings, _ price: String, _ owner: UUID, customer: String?, trialDays: Int64
    ) -> [(String, String)] {
        var fields = [
            ("mode", "subscription"), ("line_items[0][price]", price), ("line_items[0][quantity]", "1"),
            ("success_url", settings.successURL), ("cancel_url", settings.cancelURL),
            ("client_reference_id", owner.description), ("subscription_data[metadata][user_id]", owner.description),
        ]
        if trialDays > 0 { fields.append(("subscription_data[trial_period_days]", String(trialDays))) }
        if let customer { fields.append(("customer", customer)) }
        return fields
    }

    private func count(_ page: PurchasePage, _ wish: Wish) async throws {
        let counting = Append(
            id: .v7(), requestHash: [], metadata: wish.metadata, writes: [],
            calls: [PurchasePageRows.taking(page, wish.owner)])
        switch await store.append(together: [counting])[0] {
        case .success: return
        case .failure(.guarded(.purchasePagesUsedUp)):
            let wait = try await PurchasePageRows.wait(for: page, of: wish.owner, store.pool)
            throw Problem(.purchasePagesUsedUp, headers: ["Retry-After": "\(max(1, wait.components.seconds))"])
        case .failure(.erased): throw Problem.notFound
        case .failure(let error): throw error
        }
    }

    /// Stripe's name for the account; nil while nothing was heard of one. Of several the one bound last.
    private func customer(of owner: UUID) async throws -> String? {
        let prefix = "\(StripeNotice.shop)/"
        let row = try await store.pool.query(
            """
            select customer from purchase_customers where owner_id = $1 and starts_with(customer, $2)
            order by bound_at desc, customer limit 1
            """, [.uuid(owner), .text(prefix)]
        ).first
        return row.map { String($0.text(0).dropFirst(prefix.count)) }
    }
}
