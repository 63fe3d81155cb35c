import Configuration
import Contracts
import EventSourcing
import EventStore
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

@Suite(.timeLimit(.minutes(3))) @Loop struct `A purchase` {
    private let from: Messages
    private let stripe: StripeEvents

    init() {
        from = Messages()
        stripe = StripeEvents(owner: from.owner)
    }

    private func run(
        _ more: [String: String] = [:], instances: Int = 1, _ body: @Loop (Group) async throws -> Void
    ) async throws {
        try await withService(
            QuotaService.self,
            StripeEvents.variables.merging(TestOperator.variables) { $1 }.merging(more) { $1 }, instances: instances,
            body)
    }

    private func entitlement(_ group: Group, of owner: UUID? = nil) async throws -> JSONObject {
        let answer = try await group.send("GET", "/v1/entitlements", as: owner ?? from.owner)
        #expect(answer.status == 200 && answer.header("cache-control") == "no-store")
        return answer.json
    }

    private func events(_ group: Group) async throws -> [RecordedEvent] {
        try await group.store.read(Allowance.stream(from.owner))
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

    // MARK: What it gives

    @Test func `gives its plan at once, and takes it back at once`() async throws {
        try await run { group in
            #expect(try await entitlement(group)["reason"] == "none")
            let answer = try await group.stripe(stripe.subscribed("evt_1", "created"))
            #expect(answer.status == 200 && answer.json == ["received": true])
            let paid = try await entitlement(group)
            #expect(paid["isPremium"] == true && paid["plan"] == "premium" && paid["reason"] == "paid")
            #expect(paid["renews"] == true)
            let bought = try #require(paid["purchases"]?.arrayValue?.first)
            #expect(bought["amountMinor"] == 999 && bought["currency"] == "eur" && bought["status"] == "active")
            #expect(bought["purchase"] == "stripe/sub_1" && bought["isEntitling"] == true)
            #expect(try await group.send("GET", "/v1/quota", as: from.owner).json["plan"] == "premium")
            var topic = TestTopic()
            for _ in 0..<3 { try await group.deliver(topic.message(from.created(.v7()))) }
            let held = try await group.send("GET", "/v1/quota", as: from.owner).json
            #expect(held["reserved"] == 3 && held["limit"] == .null)

            try await group.stripe(
                stripe.subscribed(
                    "evt_2", "deleted", second: 10, status: "canceled",
                    more: ["ended_at": .int(stripe.now.seconds + 10)]))
            let over = try await entitlement(group)
            #expect(over["isPremium"] == false && over["plan"] == "free" && over["reason"] == "revoked")
            try await group.deliver(topic.message(from.created(.v7())))
            guard case .refused = try await events(group).last?.decoded(as: QuotaEvent.self) else {
                Issue.record("What is no longer paid for was given.")
                return
            }
            #expect(try await entitlement(group, of: .v7())["isPremium"] == false, "nobody else has it")
        }
    }

    @Test func `is taken back with its payment, and not with a part of it`() async throws {
        try await run { group in
            try await group.stripe(stripe.subscribed("evt_1"))
            try await group.stripe(stripe.refunded("evt_2", amount: 100))
            #expect(try await entitlement(group)["reason"] == "paid")
            try await group.stripe(stripe.refunded("evt_3"))
            #expect(try await entitlement(group)["reason"] == "refunded")
            #expect(try await entitlement(group)["isPremium"] == false)
        }
    }

    @Test func `that waits for its payment has a grace, and then none`() async throws {
        try await run { group in
            try await group.stripe(stripe.subscribed("evt_1", status: "past_due"))
            #expect(try await entitlement(group)["reason"] == "billing-retry")
        }
        try await run(["PURCHASE_GRACE": "1h"]) { group in
            try await group.stripe(stripe.subscribed("evt_1", status: "past_due"))
            let over = try await entitlement(group)
            #expect(over["reason"] == "unpaid" && over["isPremium"] == false)
        }
    }

    @Test func `of a form of before gives the same`() async throws {
        try await run { group in
            // The period stood beside the items.
            let item: JSONValue = [
                "data": [["price": ["id": "price_premium", "unit_amount": 499, "currency": "usd"]]]
            ]
            let period: JSONObject = [
                "items": item, "current_period_start": stripe.days(-1), "current_period_end": stripe.days(6),
                "trial_end": stripe.days(6),
            ]
            try await group.stripe(stripe.subscribed("evt_1", status: "trialing", more: period))
            let trial = try await entitlement(group)
            #expect(trial["reason"] == "trial" && trial["isPremium"] == true)
            #expect(trial["purchases"]?.arrayValue?.first?["amountMinor"] == 499)
        }
    }

    @Test func `with a status or a price that nobody knows is kept and shown, and gives nothing until it is known`()
        async throws
    {
        try await run { group in
            try await group.stripe(stripe.subscribed("evt_1", status: "hibernating"))
            let odd = try await entitlement(group)
            #expect(odd["isPremium"] == false && odd["reason"] == "status-unknown")
            #expect(odd["purchases"]?.arrayValue?.first?["status"] == "hibernating")
            try await group.stripe(stripe.subscribed("evt_2", second: 1, price: "price_gold"))
            #expect(try await entitlement(group)["reason"] == "price-unknown")
            #expect(
                try await operate(group, "POST", "purchases/replay", ["notice": "stripe/evt_2"]).json == ["applied": 1])
            #expect(try await entitlement(group)["reason"] == "price-unknown")
            // With the price in the settings it is enough to apply it again.
            let terms = PurchaseTerms(plans: ["price_gold": .premium], graceSeconds: 0)
            #expect(try await PurchaseIntake(group.store, terms, log: Logger(label: "test")).applyAgain(nil) == 2)
            #expect(try await entitlement(group)["reason"] == "paid")
        }
    }

    @Test func `and a gift of an operator do not fight`() async throws {
        try await run { group in
            try await group.stripe(stripe.subscribed("evt_1"))
            let plan = "allowances/\(from.owner)/plan"
            _ = try await operate(group, "PUT", plan, ["plan": "premium"])
            #expect(try await entitlement(group)["reason"] == "operator")
            try await group.stripe(stripe.refunded("evt_2"))
            #expect(try await entitlement(group)["isPremium"] == true, "no shop takes a gift away")
            let shown = try await operate(group, "GET", "purchases/\(from.owner)")
            #expect(shown.json == (try await entitlement(group)))
            _ = try await operate(group, "PUT", plan, ["plan": "free"])
            #expect(try await entitlement(group)["reason"] == "refunded")
        }
    }

    // MARK: How it is told

    @Test func `is decided once, however often and in whatever order it is told, on two instances`() async throws {
        let told = [
            stripe.subscribed("evt_1", "created", status: "incomplete"), stripe.subscribed("evt_2"),
            stripe.subscribed("evt_3", second: 5, more: ["cancel_at_period_end": true]), stripe.checkedOut("evt_4"),
        ]
        for order in [told, told.reversed(), [told[2], told[0], told[3], told[1]]] {
            try await run(instances: 2) { group in
                for event in order {
                    let both = group.instances.map { instance in
                        Loop.task { try await group.stripe(event, to: instance).status }
                    }
                    for answer in both { #expect(try await answer.value == 200) }
                    #expect(try await group.stripe(event).status == 200)
                }
                let ending = try await entitlement(group)
                #expect(ending["reason"] == "paid" && ending["renews"] == false)
                let types = try await events(group).map(\.type.name)
                #expect(types.allSatisfy { $0 == "PurchaseNoted" } && types.count <= 3)
                #expect(try await group.count("select count(*) from purchase_notices") == 4)
                #expect(try await group.count("select count(*) from purchase_notices where outcome = 'waiting'") == 0)
            }
        }
    }

    @Test func `waits for its account, and has all that came before it`() async throws {
        try await run { group in
            try await group.stripe(stripe.subscribed("evt_2", second: 2, status: "trialing", isNamed: false))
            try await group.stripe(stripe.subscribed("evt_1", "created", isNamed: false))
            #expect(try await entitlement(group)["reason"] == "none")
            let waiting = try await operate(group, "GET", "purchases?outcome=waiting").json["notices"]?.arrayValue
            #expect(waiting?.count == 2 && waiting?.allSatisfy { $0["customer"] == "stripe/cus_1" } == true)
            try await group.stripe(stripe.checkedOut("evt_3"))
            #expect(try await entitlement(group)["reason"] == "trial")
            #expect(try await group.count("select count(*) from purchase_notices where outcome = 'waiting'") == 0)
        }
    }

    @Test func `stays with the account that was named first`() async throws {
        try await run { group in
            let other = StripeEvents(owner: .v7())
            try await group.stripe(stripe.subscribed("evt_1"))
            try await group.stripe(other.subscribed("evt_2", second: 3, more: ["cancel_at_period_end": true]))
            #expect(try await entitlement(group)["renews"] == false)
            #expect(try await entitlement(group, of: other.owner)["isPremium"] == false)
        }
    }

    @Test func `stays with it when another one that is named is erased`() async throws {
        try await run { group in
            let other = StripeEvents(owner: .v7())
            try await group.stripe(stripe.subscribed("evt_1"))
            try await group.deliver(UserErased(userId: other.owner))
            try await group.stripe(
                other.subscribed(
                    "evt_2", "deleted", second: 3, status: "canceled",
                    more: ["ended_at": .int(stripe.now.seconds + 3)]))
            #expect(try await entitlement(group)["reason"] == "revoked")
            #expect(try await outcomes(group) == ["stripe/evt_1": "applied", "stripe/evt_2": "applied"])
            // What is kept of the one names nobody else.
            let naming = "select count(*) from purchase_notices where content::text like '%\(other.owner)%'"
            #expect(try await group.count(naming) == 0)
        }
    }

    @Test func `stays with it when what an earlier build kept names another one that is erased`() async throws {
        try await run { group in
            let other = StripeEvents(owner: .v7())
            try await group.stripe(stripe.subscribed("evt_1"))
            // As a build has left it that kept the names of others.
            _ = try await group.administrator.query(
                """
                update purchase_notices
                set content = jsonb_set(content::jsonb, '{metadata}', '{"user_id": "\(other.owner)"}')::json
                """)
            try await group.deliver(UserErased(userId: other.owner))
            #expect(try await operate(group, "POST", "purchases/replay", [:]).json == ["applied": 1])
            #expect(try await outcomes(group) == ["stripe/evt_1": "applied"])
            #expect(try await entitlement(group)["reason"] == "paid")
        }
    }

    @Test func `that no build could read waits for its account once one can`() async throws {
        try await run { group in
            try await group.stripe(stripe.subscribed("evt_1", isNamed: false))
            // As a build has left it to which its form was new.
            _ = try await group.administrator.query("update purchase_notices set outcome = 'unreadable'")
            #expect(try await operate(group, "POST", "purchases/replay", [:]).json == ["applied": 1])
            #expect(try await outcomes(group) == ["stripe/evt_1": "waiting"])
            try await group.stripe(stripe.checkedOut("evt_2"))
            #expect(try await entitlement(group)["reason"] == "paid")
        }
    }

    @Test func `is the next account's when the first is erased and it is told again`() async throws {
        try await run { group in
            let told = stripe.subscribed("evt_1", isNamed: false)
            try await group.stripe(told)
            try await group.stripe(stripe.checkedOut("evt_2"))
            #expect(try await entitlement(group)["reason"] == "paid")
            try await group.deliver(UserErased(userId: from.owner))
            let next = StripeEvents(owner: .v7())
            try await group.stripe(next.checkedOut("evt_3"))
            #expect(try await entitlement(group, of: next.owner)["reason"] == "none")
            try await group.stripe(told)
            #expect(try await entitlement(group, of: next.owner)["reason"] == "paid")
            #expect(try await outcomes(group) == ["stripe/evt_1": "applied", "stripe/evt_3": "applied"])
        }
    }

    @Test func `is kept before it is answered, and what says nothing of one as well`() async throws {
        try await run { group in
            try await group.stripe(stripe.subscribed("evt_1"))
            try await group.stripe(stripe.subscribed("evt_0", second: -9))
            try await group.stripe(stripe.event("evt_2", "invoice.upcoming", ["customer_email": "planted@example.org"]))
            try await group.stripe(stripe.subscribed("evt_3", more: ["items": ["data": []]]))
            #expect(
                try await outcomes(group) == [
                    "stripe/evt_0": "stale", "stripe/evt_1": "applied", "stripe/evt_2": "ignored",
                    "stripe/evt_3": "unreadable",
                ])
            let all = try await operate(group, "GET", "purchases").json["notices"]?.arrayValue
            #expect(all?.count == 4)
        }
        // While nothing can be kept, nothing is taken.
        try await run { group in
            await group.first.store.close()
            let answer = try await group.stripe(stripe.subscribed("evt_1"))
            #expect(answer.status == 503 && answer.code == "temporarily-unavailable")
        }
    }

    @Test func `leaves nothing of cards, names or receipts anywhere`() async throws {
        try await run { group in
            for event in [stripe.subscribed("evt_1"), stripe.checkedOut("evt_2"), stripe.refunded("evt_3")] {
                try await group.stripe(event)
            }
            let kept = try await group.administrator.query(
                """
                select string_agg(content::text, ' ') || (select string_agg(data::text, ' ') from events)
                from purchase_notices
                """
            ).rows[0].text(0)
            for secret in ["last4", "\"4242\"", "visa", "planted", "Planted"] {
                #expect(!kept.contains(secret), "\(secret)")
            }
            #expect(kept.contains("price_premium"))
        }
    }

    // MARK: Signatures

    @Test func `is taken with a good signature of now alone`() async throws {
        try await run { group in
            let event = stripe.subscribed("evt_1")
            let body = event.bytes
            let good = StripeEvents.signature(body)
            let wrong = [
                "", "t=1", good.replacing("v1=", with: "v2="), StripeEvents.signature(body + [0x20]),
                StripeEvents.signature(body, ["whsec_of_somebody_else_altogether"]), "t=x,v1=00", "t=,v1=",
                good.replacing("t=", with: "t=1"), good.replacing("t=", with: "t=99999999999"),
            ]
            for signature in wrong {
                let answer = try await group.stripe(event, signature: signature)
                #expect(answer.status == 400 && answer.code == "webhook-signature-wrong", "\(signature)")
            }
            for seconds in [-330, 330] as [Int64] {
                let late = StripeEvents.signature(body, at: Timestamp.now().adding(seconds: seconds))
                let answer = try await group.stripe(event, signature: late)
                #expect(answer.status == 400 && answer.code == "webhook-signature-late")
            }
            #expect(try await group.count("select count(*) from purchase_notices") == 0)
            // Stripe signs with both while they change; either is enough.
            for secrets in [
                [StripeEvents.secret], [StripeEvents.nextSecret], ["whsec_forgotten_long_ago", StripeEvents.secret],
            ] {
                let answer = try await group.stripe(event, signature: StripeEvents.signature(body, secrets))
                #expect(answer.status == 200)
            }
        }
    }

    @Test func `is of a bounded size and an event`() async throws {
        try await run { group in
            let large = [UInt8](repeating: 0x20, count: PurchaseRoutes.limitBytes + 1)
            let answer = try await group.send(
                "POST", "/v1/webhooks/stripe", headers: [("Stripe-Signature", StripeEvents.signature(large))],
                body: large)
            #expect(answer.status == 413 && answer.code == "body-too-large")
            for value in [
                [:], [1], "text", ["id": "evt_1", "type": "x", "created": 1],
                ["id": "", "type": "x", "created": 1, "data": ["object": [:]]],
                ["id": "evt_1", "type": "x", "created": -1, "data": ["object": [:]]],
            ] as [JSONValue] {
                let answer = try await group.stripe(value)
                #expect(answer.status == 400 && answer.code == "invalid-json", "\(value)")
            }
        }
    }

    // MARK: Around it

    @Test func `is nothing that anybody can tell where none are configured`() async throws {
        try await withService(QuotaService.self, TestOperator.variables) { group in
            #expect(try await group.stripe(stripe.subscribed("evt_1")).status == 404)
            #expect(try await operate(group, "GET", "purchases").status == 404)
            #expect(try await entitlement(group)["plan"] == "free")
            _ = try await operate(group, "PUT", "allowances/\(from.owner)/plan", ["plan": "premium"])
            #expect(try await entitlement(group)["reason"] == "operator")
        }
    }

    @Test func `is configured whole, or the start says what is missing`() {
        let tables: [(variables: [String: String], name: String)] = [
            (["STRIPE_WEBHOOK_SECRETS": StripeEvents.secret], "STRIPE_PRICES is missing"),
            (["STRIPE_PRICES": "price_1"], "STRIPE_PRICES must be prices"),
            (["STRIPE_PRICES": "price_1=gold"], "STRIPE_PRICES names gold"),
            (["STRIPE_PRICES": "price_1=free"], "STRIPE_PRICES names free"),
            (["STRIPE_WEBHOOK_SECRETS": "\(StripeEvents.secret),short"], "STRIPE_WEBHOOK_SECRETS has a secret"),
        ]
        for (variables, sentence) in tables {
            let environment = Environment(variables.merging(["OBJECT_STORE": "file:///nowhere"]) { $1 })
            QuotaService.check(environment)
            let error = #expect(throws: ConfigurationError.self) { try environment.finish() }
            #expect(error?.problems.contains { $0.hasPrefix(sentence) } == true, "\(sentence)")
        }
    }

    @Test func `goes with its owner, and nothing that comes later brings it back`() async throws {
        try await run { group in
            try await group.stripe(stripe.subscribed("evt_1"))
            try await group.stripe(stripe.checkedOut("evt_2"))
            try await group.deliver(UserErased(userId: from.owner))
            for table in ["purchase_customers", "purchase_notices"] {
                #expect(try await group.count("select count(*) from \(table)") == 0, "\(table)")
            }
            let published = try await events(group).compactMap { try QuotaService.publication($0) }
            #expect(published.last?.data["removed"] == ["rows": 3, "objects": 0])
            #expect(try await group.send("GET", "/v1/entitlements", as: from.owner).status == 404)
            let count = try await events(group).count
            for event in [stripe.subscribed("evt_3", second: 9), stripe.checkedOut("evt_4")] {
                #expect(try await group.stripe(event).status == 200)
            }
            #expect(try await group.count("select count(*) from purchase_notices") == 0)
            #expect(try await events(group).count == count)
        }
    }

    @Test func `is in its owner's export`() async throws {
        try await run { group in
            try await group.stripe(stripe.subscribed("evt_1"))
            let asked = ExportRequested(exportId: .v7(), ownerId: from.owner, deadline: .now() + .seconds(600))
            try await group.deliver(asked)
            let index = try #require(try await group.exportPart(of: asked.exportId)?.index)
            let objects = try #require(group.first.objects)
            let files = try ExportIndex.files(try await objects.read(index.key, limit: 1 << 20))
            func rows(_ name: String) async throws -> [JSONValue] {
                let file = try #require(files.first { $0.name == name })
                return try JSONObject.parse(try await objects.read(file.key, limit: Int(file.sizeBytes))).array("rows")
            }
            #expect(try await rows("quota/purchases.json").map { $0["purchase"] } == ["stripe/sub_1"])
            let notices = try await rows("quota/purchase-notices.json")
            #expect(notices.map { $0["notice"] } == ["stripe/evt_1"])
            #expect(notices.first?["content"]?["status"] == "active")
        }
    }

    @Test func `is what the tables of the compatible surface show`() async throws {
        try await run { group in
            let key = try await group.apiKey(.anon)
            let token = try group.compatibleToken(for: from.owner)
            func ask(_ method: String, _ path: String) async throws -> JSONValue {
                let answer = try await group.send(
                    method, "/rest/v1/\(path)", headers: [("apikey", key), ("Authorization", "Bearer \(token)")],
                    json: method == "POST" ? [:] : nil)
                #expect(answer.status == 200)
                return try JSONValue.parse(answer.body)
            }
            try await group.stripe(stripe.subscribed("evt_1", status: "past_due"))
            let row = try #require(try await ask("GET", "subscriptions").arrayValue?.first)
            // The app looks for one of two words and for no date.
            #expect(row["status"] == "active" && row["stripe_subscription_id"] == "sub_1")
            #expect(row["stripe_customer_id"] == "cus_1" && row["price_id"] == "price_premium")
            #expect(row.objectValue?.keys == QuotaTables.subscriptions.columns.map(\.name))
            #expect(try await ask("POST", "rpc/is_user_premium") == true)
            let standing = try #require(try await ask("POST", "rpc/get_user_subscription").arrayValue?.first)
            #expect(standing["is_premium"] == true && standing["provider"] == "stripe")
            #expect(standing["days_remaining"] == 2 && standing["auto_renew"] == true)

            // The shop still calls it active, and it is given back.
            try await group.stripe(stripe.subscribed("evt_2", second: 1))
            try await group.stripe(stripe.refunded("evt_3"))
            #expect(try await ask("GET", "subscriptions").arrayValue?.first?["status"] == "expired")
            #expect(try await ask("POST", "rpc/is_user_premium") == false)
            let after = try #require(try await ask("POST", "rpc/get_user_subscription").arrayValue?.first)
            #expect(after["is_premium"] == false && after["status"] == "expired" && after["days_remaining"] == .null)
        }
    }

    @Test func `that nobody could do anything with goes after a month`() async throws {
        try await run { group in
            try await group.stripe(stripe.subscribed("evt_1"))
            try await group.stripe(stripe.event("evt_2", "invoice.upcoming", [:]))
            _ = try await group.administrator.query(
                "update purchase_notices set received_at = now() - interval '31 days'")
            try await PurchaseIntake.sweep(group.store)
            #expect(try await outcomes(group) == ["stripe/evt_1": "applied"])
            // What was applied is there for another year, and no longer.
            for (days, left) in [(365, 1), (367, 0)] as [(Int, Int64)] {
                _ = try await group.administrator.query(
                    "update purchase_notices set received_at = now() - interval '\(days) days'")
                try await PurchaseIntake.sweep(group.store)
                #expect(try await group.count("select count(*) from purchase_notices") == left)
            }
        }
    }
}
