import Configuration
import Contracts
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import quota

private typealias Group = ServiceUnderTest<QuotaService>

@Suite(.timeLimit(.minutes(3))) @Loop struct `A page for buying` {
    private let owner = UUID.v7()

    private func run(
        _ more: [String: String] = [:], _ body: @Loop (Group, StripeStandIn) async throws -> Void
    ) async throws {
        try await StripeStandIn.run { stripe in
            try await withService(QuotaService.self, stripe.variables.merging(more) { $1 }) { group in
                try await body(group, stripe)
            }
        }
    }

    private func checkout(
        _ group: Group, as user: UUID? = nil, key: String? = nil, _ body: JSONValue = [:]
    ) async throws -> Answer {
        try await group.send(
            "POST", "/v1/purchases/checkout", as: user ?? owner, headers: key.map { [("Idempotency-Key", $0)] } ?? [],
            json: body)
    }

    private func portal(_ group: Group, as user: UUID? = nil) async throws -> Answer {
        try await group.send("POST", "/v1/purchases/portal", as: user ?? owner)
    }

    private var events: StripeEvents { StripeEvents(owner: owner) }

    // MARK: What is asked for

    @Test func `is made by Stripe for the account, by the settings`() async throws {
        try await run { group, stripe in
            let answer = try await checkout(group)
            #expect(answer.status == 200 && answer.header("cache-control") == "no-store")
            #expect(answer.json["url"] == "https://checkout.stripe.com/c/pay/cs_test_1#fidkdWxOYHwnPyd1")
            #expect(answer.json["id"] == "cs_test_1" && answer.json["expiresAt"] == "2030-03-17T17:46:40.000000Z")
            let asked = try #require(stripe.asked.first)
            #expect(stripe.asked.count == 1 && asked.path == "/v1/checkout/sessions")
            #expect(
                asked.fields == [
                    "mode": "subscription", "line_items[0][price]": "price_premium", "line_items[0][quantity]": "1",
                    "success_url": "mirrormate://payment-success?session_id={CHECKOUT_SESSION_ID}",
                    "cancel_url": "mirrormate://payment-cancel", "client_reference_id": owner.description,
                    "subscription_data[metadata][user_id]": owner.description,
                ])
            #expect(asked.headers["authorization"] == "Bearer \(StripeStandIn.key)")
            #expect(asked.headers["stripe-version"] == StripeClient.apiVersion)
            #expect(asked.headers["content-type"] == "application/x-www-form-urlencoded")
            #expect(asked.headers["idempotency-key"].flatMap { UUID($0) } != nil)
            // Nothing is bought yet, and nothing is known here.
            #expect(try await group.store.read(Allowance.stream(owner)).isEmpty)
        }
    }

    @Test func `leads back to where the settings say, and offers the prices that they name`() async throws {
        let more = [
            "STRIPE_PRICES": "price_premium=premium,price_year=premium,price_old=premium",
            "STRIPE_CHECKOUT_PRICES": "price_premium, price_year",
            "STRIPE_SUCCESS_URL": "https://app.example.org/thanks",
            "STRIPE_CANCEL_URL": "https://app.example.org/plans?later=1",
        ]
        try await run(more) { group, stripe in
            #expect(try await checkout(group).status == 200)
            #expect(try await checkout(group, ["price": "price_year"]).status == 200)
            #expect(stripe.asked.map { $0.fields["line_items[0][price]"] } == ["price_premium", "price_year"])
            #expect(stripe.asked[0].fields["success_url"] == "https://app.example.org/thanks")
            #expect(stripe.asked[0].fields["cancel_url"] == "https://app.example.org/plans?later=1")
            for price in ["price_old", "price_other", ""] {
                let answer = try await checkout(group, ["price": .string(price)])
                #expect(answer.status == 422 && answer.code == "price-not-offered", "\(price)")
                #expect(answer.json["prices"] == ["price_premium", "price_year"])
            }
            #expect(stripe.asked.count == 2)
        }
    }

    @Test func `is the same one for a request that is repeated, and for no other`() async throws {
        let more = [
            "STRIPE_PRICES": "price_premium=premium,price_year=premium",
            "STRIPE_CHECKOUT_PRICES": "price_premium,price_year",
        ]
        try await run(more) { group, stripe in
            var answers: [Answer] = []
            for key in ["a", "a", "b"] { answers.append(try await checkout(group, key: key)) }
            answers.append(try await checkout(group, key: "a", ["price": "price_year"]))
            answers.append(try await checkout(group, as: .v7(), key: "a"))
            #expect(answers.allSatisfy { $0.status == 200 })
            let keys = stripe.asked.map { $0.headers["idempotency-key"] }
            #expect(keys[0] == keys[1] && Set(keys).count == 4)
        }
    }

    @Test func `gives a trial once`() async throws {
        try await run(["STRIPE_TRIAL_DAYS": "7"]) { group, stripe in
            #expect(try await checkout(group).status == 200)
            #expect(stripe.asked[0].fields["subscription_data[trial_period_days]"] == "7")
            #expect(stripe.asked[0].fields["customer"] == nil)
            try await group.stripe(
                events.subscribed("evt_1", "deleted", status: "canceled", more: ["ended_at": .int(events.now.seconds)]))
            #expect(try await checkout(group).status == 200)
            #expect(stripe.asked[1].fields["subscription_data[trial_period_days]"] == nil)
            #expect(stripe.asked[1].fields["customer"] == "cus_1", "it is bought by the customer of before")
        }
    }

    @Test func `is not given while what was bought is in force`() async throws {
        try await run { group, stripe in
            try await group.stripe(events.subscribed("evt_1", "created"))
            let answer = try await checkout(group)
            #expect(answer.status == 409 && answer.code == "purchase-in-force")
            #expect(stripe.asked.isEmpty)
            #expect(try await checkout(group, as: .v7()).status == 200)
        }
    }

    @Test func `is asked for as a new customer where Stripe does not know the one of before`() async throws {
        try await run { group, stripe in
            try await group.stripe(events.checkedOut("evt_1"))
            stripe.behaviours = [StripeStandIn.error(400, code: "resource_missing", parameter: "customer")]
            #expect(try await checkout(group).status == 200)
            #expect(stripe.asked.map { $0.fields["customer"] } == ["cus_1", nil])
        }
    }

    // MARK: The portal

    @Test func `on which a purchase is changed is for whoever has bought something`() async throws {
        try await run(["STRIPE_RETURN_URL": "https://app.example.org/settings"]) { group, stripe in
            let none = try await portal(group)
            #expect(none.status == 409 && none.code == "nothing-bought" && stripe.asked.isEmpty)
            try await group.stripe(events.subscribed("evt_1", "created"))
            let answer = try await portal(group)
            #expect(answer.status == 200 && answer.header("cache-control") == "no-store")
            #expect(answer.json == ["url": "https://billing.stripe.com/p/session/test_1"])
            #expect(stripe.asked.map(\.path) == ["/v1/billing_portal/sessions"])
            #expect(
                stripe.asked[0].fields == ["customer": "cus_1", "return_url": "https://app.example.org/settings"])
            #expect(try await portal(group, as: .v7()).code == "nothing-bought", "it is nobody else's")

            stripe.behaviours = [StripeStandIn.error(404, code: "resource_missing", parameter: "customer")]
            #expect(try await portal(group).code == "nothing-bought")
        }
    }

    // MARK: Failures

    @Test func `is told to be missing in our own words, once for what does not pass`() async throws {
        try await run { group, stripe in
            let failures = [
                StripeStandIn.error(400, code: "resource_missing", parameter: "line_items[0][price]"),
                StripeStandIn.error(401), StripeStandIn.error(402, code: "card_declined"),
                (200, ["id": "cs_1", "url": "http://checkout.stripe.com/c/pay/cs_1"], [:]),
            ]
            for (index, failure) in failures.enumerated() {
                stripe.behaviours = [failure]
                let answer = try await checkout(group)
                #expect(answer.status == 503 && answer.code == "purchases-unavailable", "\(failure)")
                #expect(answer.header("retry-after") == "30")
                #expect(!String(decoding: answer.body, as: UTF8.self).contains("planted"))
                #expect(stripe.asked.count == index + 1, "\(failure)")
            }
        }
        try await run { group, stripe in
            stripe.behaviours = [StripeStandIn.error(500, headers: ["Stripe-Should-Retry": "false"])]
            let unwished = try await checkout(group)
            #expect(unwished.code == "purchases-unavailable" && stripe.asked.count == 1)
            stripe.behaviours = [(200, "no object", [:])]
            let unreadable = try await checkout(group)
            #expect(unreadable.code == "purchases-unavailable" && stripe.asked.count == 2)
        }
        // Nobody is there.
        try await run(["STRIPE_API_URL": "http://127.0.0.1:1", "STRIPE_DEADLINE": "1s"]) { group, _ in
            #expect(try await checkout(group).code == "purchases-unavailable")
            try await group.stripe(events.checkedOut("evt_1"))
            let answer = try await portal(group)
            #expect(answer.status == 503 && answer.code == "purchases-unavailable")
        }
    }

    @Test func `is asked for again with the same key where Stripe has a trouble`() async throws {
        try await run { group, stripe in
            stripe.behaviours = [StripeStandIn.error(500), StripeStandIn.error(429, headers: ["Retry-After": "1"])]
            let answer = try await checkout(group)
            let keys = Set(stripe.asked.map { $0.headers["idempotency-key"] })
            #expect(answer.status == 200 && stripe.asked.count == 3 && keys.count == 1)
        }
    }

    // MARK: Limits

    @Test func `is given a few times an hour`() async throws {
        try await run { group, stripe in
            for _ in 0..<PurchasePage.checkout.count { #expect(try await checkout(group).status == 200) }
            let answer = try await checkout(group)
            #expect(answer.status == 429 && answer.code == "purchase-pages-used-up")
            let wait = try #require(answer.header("retry-after").flatMap { Int64($0) })
            #expect((1...3_600).contains(wait))
            #expect(stripe.asked.count == PurchasePage.checkout.count)
            // The other page, and others, are not affected.
            try await group.stripe(events.checkedOut("evt_1"))
            for _ in 0..<PurchasePage.portal.count { #expect(try await portal(group).status == 200) }
            #expect(try await portal(group).code == "purchase-pages-used-up")
            #expect(try await checkout(group, as: .v7()).status == 200)

            _ = try await group.administrator.query(
                """
                update purchase_pages set full_at = full_at - interval '1 hour',
                    begun = array(select one - interval '1 hour' from unnest(begun) one)
                """)
            #expect(try await checkout(group).status == 200)
            try await PurchasePageRows.sweep(group.store.pool)
            #expect(try await group.count("select count(*) from purchase_pages") == 1, "the one of just now")
            try await group.deliver(UserErased(userId: owner))
            #expect(try await group.count("select count(*) from purchase_pages") == 0)
            let erased = try await checkout(group)
            #expect(erased.status == 404 && erased.code == "not-found")
        }
    }

    // MARK: Settings

    @Test func `is not there where nothing can be bought`() async throws {
        for variables in [[:], StripeEvents.variables] {
            try await withService(QuotaService.self, variables) { group in
                for answer in [try await checkout(group), try await portal(group)] {
                    #expect(answer.status == 404 && answer.code == "purchases-off")
                }
                for name in ["create-checkout-session", "create-portal-session"] {
                    let answer = try await function(group, name)
                    #expect(answer.status == 501 && answer.code == "purchases_not_set_up")
                }
            }
        }
    }

    @Test func `is configured whole, or the start says what is missing`() {
        let good = StripeEvents.variables.merging([
            "STRIPE_SECRET_KEY": StripeStandIn.key, "OBJECT_STORE": "file:///nowhere",
        ]) { $1 }
        let tables: [(variables: [String: String], sentence: String)] = [
            (["STRIPE_WEBHOOK_SECRETS": ""], "STRIPE_SECRET_KEY is set without STRIPE_WEBHOOK_SECRETS"),
            (["STRIPE_SECRET_KEY": "pk_test_5f2d1c9b8a7e6f4d3c2b1a09"], "STRIPE_SECRET_KEY must be a secret"),
            (["STRIPE_PRICES": "price_1=premium,price_2=premium"], "STRIPE_CHECKOUT_PRICES is missing"),
            (["STRIPE_CHECKOUT_PRICES": "price_2"], "STRIPE_CHECKOUT_PRICES names price_2"),
            (["STRIPE_TRIAL_DAYS": "731"], "STRIPE_TRIAL_DAYS must be"),
            (["STRIPE_SUCCESS_URL": "javascript://x/%0aalert(1)"], "STRIPE_SUCCESS_URL must be a link"),
            (["STRIPE_CANCEL_URL": "app.example.org/plans"], "STRIPE_CANCEL_URL must be a link"),
            (["STRIPE_RETURN_URL": "https://app.example.org/ settings"], "STRIPE_RETURN_URL must be a link"),
            (["STRIPE_API_URL": "http://api.stripe.com"], "STRIPE_API_URL must be an https address"),
            (
                ["STRIPE_API_URL": "http://127.0.0.1:1", "PUBLIC_URL": "https://api.example.org"],
                "STRIPE_API_URL is of this machine"
            ),
        ]
        for (variables, sentence) in tables {
            let environment = Environment(good.merging(variables) { $1 })
            QuotaService.check(environment)
            let error = #expect(throws: ConfigurationError.self) { try environment.finish() }
            #expect(error?.problems.contains { $0.hasPrefix(sentence) } == true, "\(sentence)")
            #expect(error?.problems.contains { $0.contains("5f2d1c9b") } != true, "no key is told")
        }
        let environment = Environment(good)
        QuotaService.check(environment)
        #expect(throws: Never.self) { try environment.finish() }
    }

    // MARK: As functions

    private func function(_ group: Group, _ name: String, as user: UUID? = nil) async throws -> Answer {
        let token = try group.compatibleToken(for: user ?? owner)
        // The app sends no key, and links that were never looked at.
        return try await group.send(
            "POST", "/functions/v1/\(name)", headers: [("Authorization", "Bearer \(token)")],
            json: ["user_id": .uuid(.v7()), "success_url": "https://elsewhere.example", "cancel_url": "nonsense"])
    }

    @Test func `is what the app calls by its own functions`() async throws {
        try await run { group, stripe in
            let key = try await group.apiKey(.anon)
            for name in ["create-checkout-session", "create-portal-session"] {
                let anon = try await group.send(
                    "POST", "/functions/v1/\(name)", headers: [("apikey", key), ("Authorization", "Bearer \(key)")],
                    json: [:])
                #expect(anon.status == 401 && anon.json["error"]?.stringValue?.isEmpty == false)
            }
            let page = try await function(group, "create-checkout-session")
            #expect(
                page.status == 200 && page.json.keys == ["sessionId", "url"] && page.json["sessionId"] == "cs_test_1")
            #expect(stripe.asked[0].fields["client_reference_id"] == owner.description)
            #expect(stripe.asked[0].fields["success_url"]?.hasPrefix("mirrormate://") == true)
            let none = try await function(group, "create-portal-session")
            #expect(none.status == 400 && none.json["error"] == "No subscription found")

            stripe.behaviours = [StripeStandIn.error(400)]
            let failed = try await function(group, "create-checkout-session")
            #expect(failed.status == 503 && failed.code == "purchases_unavailable")
            #expect(failed.header("retry-after") == "30")

            try await group.stripe(events.subscribed("evt_1", "created"))
            #expect(try await function(group, "create-checkout-session").code == "purchase_in_force")
            for _ in 0..<PurchasePage.portal.count {
                let portal = try await function(group, "create-portal-session")
                #expect(portal.json == ["url": "https://billing.stripe.com/p/session/test_1"])
            }
            let often = try await function(group, "create-portal-session")
            #expect(often.status == 429 && often.json["remaining"] == 0 && often.code == "rate_limited")
        }
    }
}
