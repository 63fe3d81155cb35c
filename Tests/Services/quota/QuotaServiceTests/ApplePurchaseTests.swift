import Configuration
import Contracts
import EventSourcing
import EventStore
import HTTPServer
import JSON
import ObjectStorage
import Observability
import Postgres
import Primitives
import RestTables
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import quota

private typealias Group = ServiceUnderTest<QuotaService>

@Suite(.timeLimit(.minutes(3))) @Loop struct `A purchase in the App Store` {
    private let from: Messages
    private let folder: TemporaryFolder
    private let apple: AppleEvents

    init() throws {
        from = Messages()
        folder = TemporaryFolder()
        apple = AppleEvents(chain: try AppleChain(), token: from.owner)
    }

    /// The same from an app that names nobody.
    private var nameless: AppleEvents {
        var apple = apple
        apple.token = nil
        return apple
    }

    private func run(
        _ more: [String: String] = [:], instances: Int = 1, _ body: @Loop (Group) async throws -> Void
    ) async throws {
        try await withService(
            QuotaService.self,
            apple.variables(folder).merging(TestOperator.variables) { $1 }.merging(more) { $1 }, instances: instances,
            body)
    }

    private func entitlement(_ group: Group, of owner: UUID? = nil) async throws -> JSONObject {
        let answer = try await group.send("GET", "/v1/entitlements", as: owner ?? from.owner)
        #expect(answer.status == 200)
        return answer.json
    }

    private func events(_ group: Group, of owner: UUID? = nil) async throws -> [RecordedEvent] {
        try await group.store.read(Allowance.stream(owner ?? from.owner))
    }

    private func operate(
        _ group: Group, _ method: String, _ path: String, _ body: JSONValue? = nil
    ) async throws -> Answer {
        try await group.sendToAdmin(
            method, "/operator/\(path)", headers: [("Authorization", "Bearer \(TestOperator.key)")], json: body)
    }

    private func outcomes(_ group: Group) async throws -> [String: String] {
        let rows = try await group.administrator.query("select notice, outcome from purchase_notices").rows
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.text(0), $0.text(1)) })
    }

    private func handIn(
        _ group: Group, _ transaction: JSONObject, as user: UUID? = nil
    ) async throws -> Answer {
        try await group.handIn(try apple.chain.sign(transaction), as: user ?? from.owner)
    }

    // MARK: What it gives

    @Test func `gives its plan at once, and takes it back at once`() async throws {
        try await run { group in
            let answer = try await group.apple(try apple.subscribed())
            #expect(answer.status == 200 && answer.json == ["received": true])
            let paid = try await entitlement(group)
            #expect(paid["isPremium"] == true && paid["plan"] == "premium" && paid["reason"] == "paid")
            #expect(paid["renews"] == true)
            let bought = try #require(paid["purchases"]?.arrayValue?.first)
            #expect(bought["purchase"] == "apple/2000000000000001" && bought["status"] == "active")
            #expect(bought["amountMinor"] == 999 && bought["currency"] == "eur")
            #expect(try await group.send("GET", "/v1/quota", as: from.owner).json["plan"] == "premium")

            try await group.apple(
                try apple.notification(
                    "n2", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", second: 5, apple.transaction(),
                    apple.renewal(renews: false)))
            let ending = try await entitlement(group)
            #expect(ending["reason"] == "paid" && ending["renews"] == false)
            #expect(ending["endsAt"] == ending["purchases"]?.arrayValue?.first?["periodEndsAt"])
            #expect(ending["purchases"]?.arrayValue?.first?["cancelledAt"]?.stringValue != nil)

            try await group.apple(
                try apple.notification(
                    "n3", "EXPIRED/VOLUNTARY", second: 9, apple.transaction(to: 0), apple.renewal(renews: false),
                    status: 2))
            let over = try await entitlement(group)
            #expect(over["isPremium"] == false && over["plan"] == "free" && over["reason"] == "expired")
        }
    }

    @Test func `begins with a trial, and lasts through the grace that Apple gives`() async throws {
        try await run { group in
            let free: JSONObject = ["offerType": 1, "offerDiscountType": "FREE_TRIAL", "price": 0]
            try await group.apple(
                try apple.notification("n1", "SUBSCRIBED/INITIAL_BUY", apple.transaction(more: free), apple.renewal()))
            let trial = try await entitlement(group)
            #expect(trial["reason"] == "trial" && trial["isPremium"] == true)
            let shown = trial["purchases"]?.arrayValue?.first
            #expect(shown?["trialEndsAt"] == shown?["periodEndsAt"])

            let over = apple.transaction("2", from: -31, to: -1)
            try await group.apple(
                try apple.notification(
                    "n2", "DID_FAIL_TO_RENEW/GRACE_PERIOD", second: 1, over,
                    apple.renewal(
                        more: ["isInBillingRetryPeriod": true, "gracePeriodExpiresDate": apple.days(15)]), status: 4))
            let grace = try await entitlement(group)
            #expect(grace["reason"] == "billing-retry" && grace["isPremium"] == true)

            try await group.apple(
                try apple.notification(
                    "n3", "GRACE_PERIOD_EXPIRED", second: 2, over,
                    apple.renewal(more: ["isInBillingRetryPeriod": true, "gracePeriodExpiresDate": apple.days(0)]),
                    status: 3))
            #expect(try await entitlement(group)["reason"] == "unpaid")

            try await group.apple(
                try apple.notification(
                    "n4", "DID_RENEW/BILLING_RECOVERY", second: 3, apple.transaction("3"), apple.renewal()))
            #expect(try await entitlement(group)["reason"] == "paid")
        }
    }

    @Test func `is taken back with its payment, and comes back with it`() async throws {
        try await run { group in
            try await group.apple(try apple.subscribed())
            let refunded = apple.transaction(more: ["revocationDate": apple.days(0), "revocationReason": 0])
            try await group.apple(try apple.notification("n2", "REFUND", second: 3, refunded, status: 5))
            #expect(try await entitlement(group)["reason"] == "refunded")
            // Late, and of before.
            try await group.apple(
                try apple.notification("n3", "REFUND_REVERSED", second: 2, apple.transaction()))
            #expect(try await entitlement(group)["isPremium"] == false)
            try await group.apple(
                try apple.notification("n4", "REFUND_REVERSED", second: 4, apple.transaction()))
            #expect(try await entitlement(group)["reason"] == "paid")
            #expect(try await outcomes(group)["apple/n3"] == "stale")
            // The family's is revoked, without a payment of theirs.
            let shared = apple.transaction(
                more: ["inAppOwnershipType": "FAMILY_SHARED", "revocationDate": apple.days(0)])
            try await group.apple(try apple.notification("n5", "REVOKE", second: 5, shared, status: 5))
            #expect(try await entitlement(group)["reason"] == "revoked")
        }
    }

    @Test func `of a product that nobody has set is kept, and gives nothing until it is`() async throws {
        try await run { group in
            try await group.apple(
                try apple.notification(
                    "n1", "SUBSCRIBED/INITIAL_BUY", apple.transaction(product: "app.gold"), apple.renewal()))
            #expect(try await entitlement(group)["reason"] == "price-unknown")
            let terms = PurchaseTerms(plans: [:], products: ["app.gold": .premium], graceSeconds: 0)
            #expect(try await PurchaseIntake(group.store, terms, log: Logger(label: "test")).applyAgain(nil) == 1)
            #expect(try await entitlement(group)["reason"] == "paid")
        }
    }

    // MARK: What an app hands in

    @Test func `that an app hands in is answered with what it gives, and is taken once`() async throws {
        try await run { group in
            for second in 0..<3 as Range<Int64> {
                let answer = try await handIn(group, nameless.transaction(second: second))
                #expect(answer.status == 200 && answer.header("cache-control") == "no-store")
                #expect(answer.json["reason"] == "paid" && answer.json["isPremium"] == true)
                #expect(answer.json == (try await entitlement(group)))
            }
            #expect(try await events(group).count == 1)
            #expect(try await outcomes(group) == ["apple/transaction-2000000000000001": "applied"])
            // Of somebody's whole history the newest counts, whenever each was signed.
            _ = try await handIn(group, nameless.transaction("0", from: -31, to: -1, second: 9))
            #expect(try await entitlement(group)["reason"] == "paid")
            // What it replaced says nothing, and what was given back says so.
            _ = try await handIn(
                group, nameless.transaction("1", from: 0, to: 9, second: 9, more: ["isUpgraded": true]))
            #expect(try await outcomes(group)["apple/transaction-1"] == "ignored")
            let revoked = nameless.transaction(second: 10, more: ["revocationDate": nameless.days(0)])
            #expect(try await handIn(group, revoked).json["reason"] == "refunded")
        }
    }

    @Test func `that an app hands in says whose the notifications are`() async throws {
        try await run { group in
            try await group.apple(try nameless.subscribed())
            try await group.apple(
                try nameless.notification(
                    "n2", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", second: 5, nameless.transaction(),
                    nameless.renewal(renews: false)))
            #expect(Set(try await outcomes(group).values) == ["waiting"])
            #expect(try await entitlement(group)["reason"] == "none")
            let answer = try await handIn(group, nameless.transaction())
            #expect(answer.json["isPremium"] == true && answer.json["renews"] == false)
            #expect(try await group.count("select count(*) from purchase_notices where outcome = 'waiting'") == 0)
            // From here on they come for the account.
            try await group.apple(
                try nameless.notification(
                    "n3", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", second: 6, nameless.transaction(),
                    nameless.renewal()))
            #expect(try await entitlement(group)["renews"] == true)
        }
    }

    @Test func `stays with the account that has it first, until that is erased`() async throws {
        try await run { group in
            let other = UUID.v7()
            #expect(try await handIn(group, nameless.transaction()).status == 200)
            let refused = try await handIn(group, nameless.transaction(), as: other)
            #expect(refused.status == 409 && refused.code == "purchase-of-another-account")
            #expect(try await entitlement(group, of: other)["isPremium"] == false)
            #expect(try await entitlement(group)["isPremium"] == true)
            #expect(try await group.count("select count(*) from purchase_notices") == 1)

            try await group.deliver(UserErased(userId: from.owner))
            #expect(try await group.count("select count(*) from purchase_customers") == 0)
            let restored = try await handIn(group, nameless.transaction(), as: other)
            #expect(restored.status == 200 && restored.json["reason"] == "paid")
        }
    }

    @Test func `that names an account is that one's alone, while there is it`() async throws {
        try await run { group in
            let other = UUID.v7()
            let refused = try await handIn(group, apple.transaction(), as: other)
            #expect(refused.status == 409 && refused.code == "purchase-of-another-account")
            #expect(try await group.count("select count(*) from purchase_customers") == 0)
            #expect(try await handIn(group, apple.transaction()).status == 200)

            // Apple goes on naming the account that bought: it is named nowhere here when it is erased.
            try await group.deliver(UserErased(userId: from.owner))
            #expect(try await group.apple(try apple.subscribed("n1")).status == 200)
            #expect(try await group.count("select count(*) from purchase_notices") == 0)
            #expect(try await handIn(group, apple.transaction()).status != 200, "whoever is erased has nothing")
            #expect(try await handIn(group, apple.transaction(), as: other).json["reason"] == "paid")
            try await group.apple(
                try apple.notification(
                    "n2", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", second: 5, apple.transaction(),
                    apple.renewal(renews: false)))
            #expect(try await entitlement(group, of: other)["renews"] == false)
            let kept = try await group.administrator.query(
                "select string_agg(content::text, ' ') from purchase_notices"
            ).rows[0].text(0)
            #expect(!kept.lowercased().contains("\(from.owner)".lowercased()))
        }
    }

    // MARK: How it is told

    @Test func `is decided once, however often and in whatever order it is told, on two instances`() async throws {
        let told = [
            try apple.subscribed("n1"),
            try apple.notification(
                "n2", "DID_RENEW", second: 2, apple.transaction("2", from: 29, to: 59), apple.renewal()),
            try apple.notification(
                "n3", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", second: 5,
                apple.transaction("2", from: 29, to: 59), apple.renewal(renews: false)),
        ]
        for order in [told, told.reversed(), [told[2], told[0], told[1]]] {
            try await run(instances: 2) { group in
                for notification in order {
                    let both = group.instances.map { instance in
                        Loop.task { try await group.apple(notification, to: instance).status }
                    }
                    for answer in both { #expect(try await answer.value == 200) }
                    #expect(try await group.apple(notification).status == 200)
                }
                let ending = try await entitlement(group)
                #expect(ending["isPremium"] == true && ending["renews"] == false)
                let types = try await events(group).map(\.type.name)
                #expect(types.allSatisfy { $0 == "PurchaseNoted" } && types.count <= 3)
                #expect(try await group.count("select count(*) from purchase_notices") == 3)
            }
        }
    }

    @Test func `is told by what is kept before it is answered, also when it says nothing of one`() async throws {
        try await run { group in
            #expect(try await group.apple(try apple.notification("n1", "TEST", nil, status: nil)).status == 200)
            #expect(
                try await group.apple(try apple.notification("n2", "CONSUMPTION_REQUEST", apple.transaction())).status
                    == 200)
            #expect(
                try await group.apple(try apple.notification("n3", "OF_TOMORROW/NEW", apple.transaction())).status
                    == 200)
            let noEnd: JSONObject = ["expiresDate": .null]
            #expect(
                try await group.apple(
                    try apple.notification("n4", "DID_RENEW", apple.transaction(more: noEnd))
                ).status == 200)
            let summary: JSONObject = [
                "notificationType": "RENEWAL_EXTENSION", "subtype": "SUMMARY", "notificationUUID": "n5",
                "signedDate": apple.days(0),
                "summary": ["bundleId": .string(apple.bundle), "environment": "Production", "succeededCount": 7],
            ]
            #expect(try await group.apple(try apple.chain.sign(summary)).status == 200)
            let token: JSONObject = [
                "notificationType": "EXTERNAL_PURCHASE_TOKEN", "subtype": "UNREPORTED", "notificationUUID": "n6",
                "signedDate": apple.days(0),
                "externalPurchaseToken": ["externalPurchaseId": "b2158121", "bundleId": .string(apple.bundle)],
            ]
            #expect(try await group.apple(try apple.chain.sign(token)).status == 200)
            #expect(
                try await outcomes(group) == [
                    "apple/n1": "ignored", "apple/n2": "ignored", "apple/n3": "unreadable", "apple/n4": "unreadable",
                    "apple/n5": "ignored", "apple/n6": "ignored",
                ])
            #expect(try await entitlement(group)["reason"] == "none")
            let shown = try await operate(group, "GET", "purchases?outcome=unreadable").json["notices"]?.arrayValue
            #expect(Set(shown?.compactMap { $0["type"]?.stringValue } ?? []) == ["OF_TOMORROW/NEW", "DID_RENEW"])
            // A status that nobody knows is shown, and gives nothing.
            try await group.apple(
                try apple.notification(
                    "n7", "DID_CHANGE_RENEWAL_PREF", second: 9, apple.transaction(), apple.renewal(), status: 9))
            #expect(try await entitlement(group)["reason"] == "status-unknown")
            #expect(try await entitlement(group)["purchases"]?.arrayValue?.first?["status"] == "status-9")
            #expect(
                try await operate(group, "POST", "purchases/replay", ["notice": "apple/n7"]).json == ["applied": 1])
        }
        // While nothing can be kept, nothing is taken.
        try await run { group in
            let token = try group.token(for: from.owner)
            await group.first.store.close()
            let answer = try await group.apple(try apple.subscribed())
            #expect(answer.status == 503 && answer.code == "temporarily-unavailable")
            let signed = try apple.chain.sign(apple.transaction())
            let handedIn = try await group.send(
                "POST", "/v1/purchases/apple", headers: [("Authorization", "Bearer \(token)")],
                json: ["signedTransaction": .string(signed)])
            #expect(handedIn.status == 503 && handedIn.code == "temporarily-unavailable")
        }
    }

    @Test func `leaves nothing that no decision reads`() async throws {
        try await run { group in
            try await group.apple(try apple.subscribed())
            _ = try await handIn(group, apple.transaction())
            let kept = try await group.administrator.query(
                """
                select string_agg(content::text, ' ') || (select string_agg(data::text, ' ') from events)
                from purchase_notices
                """
            ).rows[0].text(0)
            for text in ["planted", "DEU", "143443", "1234567890", "x5c"] { #expect(!kept.contains(text), "\(text)") }
            #expect(kept.contains("app.plus.monthly"))
        }
    }

    // MARK: What is refused

    @Test func `is taken as Apple signed it alone`() async throws {
        let stranger = try AppleEvents(chain: AppleChain(), token: from.owner)
        try await run { group in
            let good = try apple.subscribed()
            // Somebody else's transaction in a notification that Apple signed.
            let inner = try apple.chain.sign(
                apple.payload(
                    "n9", "DID_RENEW",
                    [
                        "bundleId": .string(apple.bundle), "environment": "Production",
                        "signedTransactionInfo": .string(try stranger.chain.sign(apple.transaction())),
                    ]))
            let renewal = try apple.chain.sign(
                apple.payload(
                    "n9", "DID_RENEW",
                    [
                        "bundleId": .string(apple.bundle), "environment": "Production",
                        "signedTransactionInfo": .string(try apple.chain.sign(apple.transaction())),
                        "signedRenewalInfo": .string(try stranger.chain.sign(apple.renewal())),
                    ]))
            for wrong in [try stranger.subscribed(), String(good.dropLast(8)), "", "a.b.c", inner, renewal] {
                let answer = try await group.apple(wrong)
                #expect(answer.status == 400 && answer.code == "app-store-signature-wrong")
            }
            for wrong in [try stranger.chain.sign(apple.transaction()), "", "a.b.c"] {
                let answer = try await group.handIn(wrong, as: from.owner)
                #expect(answer.status == 400 && answer.code == "app-store-signature-wrong")
            }
            #expect(try await group.count("select count(*) from purchase_notices") == 0)
            #expect(try await group.count("select count(*) from purchase_customers") == 0)
        }
    }

    @Test func `is of an app of ours, and was paid for`() async throws {
        var (foreign, test) = (apple, apple)
        foreign.bundle = "org.example.foreign"
        test.environment = "Sandbox"
        try await run { group in
            for events in [foreign, test] {
                let code = events.bundle == foreign.bundle ? "app-store-app-wrong" : "app-store-environment-refused"
                // Inside of what is right as well.
                let mixed = try apple.notification("n2", "DID_RENEW", events.transaction(), apple.renewal())
                for answer in [
                    try await group.apple(try events.subscribed()), try await group.apple(mixed),
                    try await handIn(group, events.transaction()),
                ] { #expect(answer.status == 422 && answer.code == code) }
            }
            let renewal = try apple.notification("n2", "DID_RENEW", apple.transaction(), test.renewal())
            #expect(try await group.apple(renewal).code == "app-store-environment-refused")
            for environment in ["Xcode", "LocalTesting", ""] {
                test.environment = environment
                #expect(try await handIn(group, test.transaction()).code == "app-store-environment-refused")
            }
            let token: JSONObject = [
                "notificationType": "EXTERNAL_PURCHASE_TOKEN", "notificationUUID": "n6", "signedDate": apple.days(0),
                "externalPurchaseToken": ["externalPurchaseId": "SANDBOX_b2", "bundleId": .string(apple.bundle)],
            ]
            #expect(try await group.apple(try apple.chain.sign(token)).code == "app-store-environment-refused")
            #expect(try await group.count("select count(*) from purchase_notices") == 0)
        }
        test.environment = "Sandbox"
        try await run(["APPLE_SANDBOX": "true"]) { group in
            let taken = try await group.apple(try test.subscribed())
            #expect(taken.status == 200)
            #expect(try await entitlement(group)["reason"] == "paid")
            #expect(try await handIn(group, apple.transaction("2")).status == 200, "and what was paid for as well")
            test.environment = "Xcode"
            #expect(try await handIn(group, test.transaction()).code == "app-store-environment-refused")
        }
    }

    @Test func `is a subscription, and a notification has the form of one`() async throws {
        try await run { group in
            for type in ["Consumable", "Non-Consumable", "Non-Renewing Subscription"] as [JSONValue] {
                let answer = try await handIn(group, apple.transaction(more: ["type": type]))
                #expect(answer.status == 422 && answer.code == "purchase-not-subscription")
            }
            for more in [
                ["transactionId": ""], ["originalTransactionId": .null], ["expiresDate": .null], ["productId": 7],
                ["purchaseDate": "now"],
            ] as [JSONObject] {
                let answer = try await handIn(group, apple.transaction(more: more))
                #expect(answer.status == 400 && answer.code == "invalid-json")
            }
            for body in [[:], [1], "text", ["signedPayload": 1]] as [JSONValue] {
                let answer = try await group.send("POST", "/v1/webhooks/apple", body: body.bytes)
                #expect(answer.status == 400 && answer.code == "invalid-json", "\(body)")
            }
            var noData = apple.payload("n1", "DID_RENEW", [:])
            noData["data"] = nil
            var noID = apple.payload("", "DID_RENEW", ["bundleId": .string(apple.bundle), "environment": "Production"])
            for payload in [noData, noID] {
                #expect(try await group.apple(try apple.chain.sign(payload)).code == "invalid-json")
            }
            noID["notificationUUID"] = .string(String(repeating: "n", count: 256))
            #expect(try await group.apple(try apple.chain.sign(noID)).code == "invalid-json")
            let large = [UInt8](repeating: 0x20, count: PurchaseRoutes.limitBytes + 1)
            let answer = try await group.send("POST", "/v1/webhooks/apple", body: large)
            #expect(answer.status == 413 && answer.code == "body-too-large")
            let nobody = try await group.send("POST", "/v1/purchases/apple", json: ["signedTransaction": "a.b.c"])
            #expect(nobody.status == 401)
        }
    }

    // MARK: Around it

    @Test func `is nothing that anybody can tell where none are configured`() async throws {
        try await withService(QuotaService.self, StripeEvents.variables.merging(TestOperator.variables) { $1 }) {
            group in
            let told = try await group.apple(try apple.subscribed())
            #expect(told.status == 404)
            #expect(try await handIn(group, apple.transaction()).status == 404)
        }
        try await run { group in
            let told = try await group.stripe(StripeEvents(owner: from.owner).subscribed("evt_1"))
            #expect(told.status == 404)
            #expect(try await operate(group, "GET", "purchases").status == 200)
        }
    }

    @Test func `and one at Stripe give what lasts longest`() async throws {
        try await run(StripeEvents.variables) { group in
            try await group.stripe(StripeEvents(owner: from.owner).subscribed("evt_1", to: 9))
            try await group.apple(try apple.subscribed())
            let both = try await entitlement(group)
            #expect(
                both["purchases"]?.arrayValue?.map { $0["purchase"] } == ["apple/2000000000000001", "stripe/sub_1"])
            try await group.apple(
                try apple.notification(
                    "n2", "REFUND", second: 3, apple.transaction(more: ["revocationDate": apple.days(0)])))
            let one = try await entitlement(group)
            #expect(one["isPremium"] == true && one["purchases"]?.arrayValue?.first?["purchase"] == "stripe/sub_1")
        }
    }

    @Test func `is paid for once, and Stripe is asked nothing about it`() async throws {
        try await StripeStandIn.run { stripe in
            try await run(stripe.variables.merging(["STRIPE_TRIAL_DAYS": "7"]) { $1 }) { group in
                try await group.apple(try apple.subscribed())
                let checkout = try await group.send("POST", "/v1/purchases/checkout", as: from.owner, json: [:])
                #expect(checkout.status == 409 && checkout.code == "purchase-in-force")
                let portal = try await group.send("POST", "/v1/purchases/portal", as: from.owner)
                #expect(portal.status == 409 && portal.code == "nothing-bought")
                #expect(stripe.asked.isEmpty)

                // Over there it is somebody new, and still nobody who has never bought.
                try await group.apple(
                    try apple.notification(
                        "n2", "EXPIRED/VOLUNTARY", second: 9, apple.transaction(to: 0), apple.renewal(renews: false),
                        status: 2))
                let bought = try await group.send("POST", "/v1/purchases/checkout", as: from.owner, json: [:])
                #expect(bought.status == 200)
                let asked = try #require(stripe.asked.first)
                #expect(asked.fields["customer"] == nil)
                #expect(asked.fields["subscription_data[trial_period_days]"] == nil)
            }
        }
    }

    @Test func `is configured whole, or the start says what is missing`() {
        let good = apple.variables(folder)
        let tables: [(variables: [String: String], name: String)] = [
            (["APPLE_BUNDLES": ""], "APPLE_BUNDLES is missing"), (["APPLE_PRODUCTS": ""], "APPLE_PRODUCTS is missing"),
            (["APPLE_PRODUCTS": "monthly"], "APPLE_PRODUCTS must be products"),
            (["APPLE_PRODUCTS": "monthly=gold"], "APPLE_PRODUCTS names gold"),
            (["APPLE_SANDBOX": "perhaps"], "APPLE_SANDBOX"),
            (["APPLE_ROOT_FILE": "\(folder.path)/nowhere"], "APPLE_ROOT_FILE names a file that cannot be opened"),
            (
                ["APPLE_ROOT_FILE": folder.write(apple.chain.leaf.pem, to: "leaf.pem")],
                "APPLE_ROOT_FILE names a file without a root certificate"
            ),
        ]
        for (variables, sentence) in tables {
            let environment = Environment(
                good.merging(variables) { $1 }.merging(["OBJECT_STORE": "file:///nowhere"]) { $1 })
            QuotaService.check(environment)
            let error = #expect(throws: ConfigurationError.self) { try environment.finish() }
            #expect(error?.problems.contains { $0.hasPrefix(sentence) } == true, "\(sentence)")
        }
    }

    @Test func `is what the tables of the compatible surface show`() async throws {
        try await run { group in
            try await group.apple(try apple.subscribed())
            let headers = [
                ("apikey", try await group.apiKey(.anon)),
                ("Authorization", "Bearer \(try group.compatibleToken(for: from.owner))"),
            ]
            let rows = try await group.send("GET", "/rest/v1/subscriptions", headers: headers)
            let row = try #require(try JSONValue.parse(rows.body).arrayValue?.first)
            #expect(row["status"] == "active" && row["stripe_subscription_id"] == .null)
            #expect(row["transaction_id"] == "2000000000000001" && row["price_id"] == "app.plus.monthly")
            let told = try await group.send(
                "POST", "/rest/v1/rpc/get_user_subscription", headers: headers, json: [:])
            let standing = try #require(try JSONValue.parse(told.body).arrayValue?.first)
            #expect(standing["is_premium"] == true && standing["provider"] == "apple")
        }
    }

    @Test func `is in its owner's export, and goes with its owner`() async throws {
        try await run { group in
            try await group.apple(try apple.subscribed())
            _ = try await handIn(group, apple.transaction())
            let asked = ExportRequested(exportId: .v7(), ownerId: from.owner, deadline: .now() + .seconds(600))
            try await group.deliver(asked)
            let index = try #require(try await group.exportPart(of: asked.exportId)?.index)
            let objects = try #require(group.first.objects)
            let files = try ExportIndex.files(try await objects.read(index.key, limit: 1 << 20))
            let file = try #require(files.first { $0.name == "quota/purchase-notices.json" })
            let rows = try JSONObject.parse(try await objects.read(file.key, limit: Int(file.sizeBytes))).array("rows")
            #expect(rows.map { $0["type"] } == ["SUBSCRIBED/INITIAL_BUY", "transaction"])

            try await group.deliver(UserErased(userId: from.owner))
            for table in ["purchase_customers", "purchase_notices"] {
                #expect(try await group.count("select count(*) from \(table)") == 0, "\(table)")
            }
        }
    }
}
