import Contracts
import EventSourcingTesting
import JSON
import Primitives
import Testing

@testable import quota

private let b = Bought.self
private let a = AppleTold.self

/// The rules of what was bought in the App Store, each by its example.
@Suite("What was bought in the App Store") struct AppleRuleTests {
    private typealias Example = (
        name: String, notices: [AppleNotice], day: Int64, reason: EntitlementReason, plan: PlanCode, ends: Int64?
    )

    private static func examples() throws -> [Example] {
        let first = try a.notice("SUBSCRIBED/INITIAL_BUY", at: 0)
        let cancelled = try a.notice("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", at: 5, renews: false)
        let renewed = a.transaction("t2", from: 30, to: 60)
        let upgraded = a.transaction("t2", product: "gold", from: 10, to: 40)
        let grace = try a.notice("DID_FAIL_TO_RENEW/GRACE_PERIOD", at: 30, grace: 46, status: 4)
        let retry = try a.notice("DID_FAIL_TO_RENEW", at: 30, status: 3)
        let trial = a.transaction(to: 7, more: ["offerType": 1, "offerDiscountType": "FREE_TRIAL", "price": 0])
        let shared: JSONObject = ["inAppOwnershipType": "FAMILY_SHARED", "revocationDate": a.days(5)]
        return [
            ("a paid month", [first], 29, .paid, .premium, 33),
            ("the days in which the renewal is awaited", [first], 30, .grace, .premium, 33),
            ("a renewal that nobody told of", [first], 33, .expired, .free, 33),
            ("a renewal", [first, try a.notice("DID_RENEW", at: 30, renewed)], 59, .paid, .premium, 63),
            (
                "one that came the day before", [first, try a.notice("DID_RENEW", at: 29, renewed)], 29, .paid,
                .premium, 63
            ),
            ("a month that does not renew", [first, cancelled], 29, .paid, .premium, 30),
            ("its end, before anybody tells of it", [first, cancelled], 30, .expired, .free, 30),
            ("its end", [try a.notice("EXPIRED/VOLUNTARY", at: 30, renews: false, status: 2)], 30, .expired, .free, 30),
            (
                "a change of mind",
                [cancelled, try a.notice("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", at: 6)], 31, .grace, .premium,
                33
            ),
            ("a trial", [try a.notice("SUBSCRIBED/INITIAL_BUY", at: 0, trial)], 6, .trial, .premium, 10),
            (
                "a trial that is ended", [try a.notice("EXPIRED/VOLUNTARY", at: 7, trial, renews: false, status: 2)], 7,
                .expired, .free, 7
            ),
            (
                "a dear introduction",
                [
                    try a.notice(
                        "SUBSCRIBED", at: 0, a.transaction(more: ["offerType": 1, "offerDiscountType": "PAY_UP_FRONT"]))
                ],
                1, .paid, .premium, 33
            ),
            (
                "a trial by a code",
                [
                    try a.notice(
                        "OFFER_REDEEMED", at: 0,
                        a.transaction(more: ["offerType": 3, "offerDiscountType": "FREE_TRIAL"]))
                ],
                1, .trial, .premium, 33
            ),
            (
                "a trial as it was told before it had a name",
                [try a.notice("SUBSCRIBED", at: 0, a.transaction(more: ["offerType": 1, "price": .null]))], 1, .trial,
                .premium, 33
            ),
            ("a payment that failed, with a grace", [first, grace], 45, .billingRetry, .premium, 46),
            ("its end", [first, grace], 46, .unpaid, .free, 46),
            (
                "its end, told", [grace, try a.notice("GRACE_PERIOD_EXPIRED", at: 46, grace: 46, status: 3)], 46,
                .unpaid,
                .free, 46
            ),
            ("a payment that failed, without one", [first, retry], 30, .unpaid, .free, 30),
            (
                "one that failed before the month was over",
                [try a.notice("DID_FAIL_TO_RENEW", at: 29, status: 3)], 29, .paid, .premium, 30
            ),
            (
                "one that came after all",
                [grace, try a.notice("DID_RENEW/BILLING_RECOVERY", at: 35, a.transaction("t2", from: 35, to: 65))], 64,
                .paid, .premium, 68
            ),
            (
                "one that never came", [grace, try a.notice("EXPIRED/BILLING_RETRY", at: 90, status: 2)], 91, .expired,
                .free, 30
            ),
            (
                "a payment given back",
                [first, try a.notice("REFUND", at: 8, a.transaction(more: ["revocationDate": a.days(8)]), status: 5)],
                9,
                .refunded, .free, nil
            ),
            (
                "one of before, which the renewal has replaced",
                [try a.notice("DID_RENEW", at: 30, renewed), try a.notice("REFUND", at: 31, status: 5)], 32, .paid,
                .premium, 63
            ),
            (
                "one that was taken back",
                [first, try a.notice("REFUND", at: 8), try a.notice("REFUND_REVERSED", at: 9)],
                10, .paid, .premium, 33
            ),
            (
                "one that another notification tells of",
                [
                    try a.notice(
                        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", at: 8,
                        a.transaction(more: ["revocationDate": a.days(8)]), renews: false, status: 5)
                ], 9, .refunded, .free, nil
            ),
            (
                "what the family shares no more",
                [first, try a.notice("REVOKE", at: 5, a.transaction(more: shared), status: 5)], 6, .revoked, .free, 5
            ),
            (
                "a better plan, at once",
                [first, try a.notice("DID_CHANGE_RENEWAL_PREF/UPGRADE", at: 10, upgraded)], 10, .paid, b.gold, 43
            ),
            (
                "a lesser plan, not before the renewal",
                [
                    try a.notice("SUBSCRIBED", at: 0, a.transaction(product: "gold")),
                    try a.notice("DID_CHANGE_RENEWAL_PREF/DOWNGRADE", at: 10, a.transaction(product: "gold")),
                ], 29, .paid, b.gold, 33
            ),
            (
                "a lesser plan, from the renewal on",
                [
                    try a.notice("DID_CHANGE_RENEWAL_PREF/DOWNGRADE", at: 10, a.transaction(product: "gold")),
                    try a.notice("DID_RENEW", at: 30, renewed),
                ], 30, .paid, .premium, 63
            ),
            (
                "somebody who comes back",
                [
                    try a.notice("EXPIRED/VOLUNTARY", at: 30, status: 2),
                    try a.notice("SUBSCRIBED/RESUBSCRIBE", at: 50, a.transaction("t9", from: 50, to: 80)),
                ], 51, .paid, .premium, 83
            ),
            (
                "a month that was made longer",
                [first, try a.notice("RENEWAL_EXTENDED", at: 10, a.transaction(to: 44))], 43, .paid, .premium, 47
            ),
            (
                "a status of tomorrow", [try a.notice("PRICE_INCREASE/PENDING", at: 1, status: 9)], 2, .statusUnknown,
                .free, nil
            ),
            (
                "a product that nobody set", [try a.notice("SUBSCRIBED", at: 0, a.transaction(product: "odd"))], 1,
                .priceUnknown, .free, 33
            ),
            ("what an app handed in", [try a.handedIn(signed: 3)], 29, .paid, .premium, 33),
            (
                "what an app handed in, long after it was said to end",
                [cancelled, try a.handedIn(signed: 20)], 30, .expired, .free, 30
            ),
            (
                "an old month that an app handed in late",
                [try a.notice("DID_RENEW", at: 30, renewed), try a.handedIn(signed: 50)], 59, .paid, .premium, 63
            ),
            (
                "a renewal that an app told of first", [first, try a.handedIn(renewed, signed: 31)], 59, .paid,
                .premium, 63
            ),
            (
                "what an app handed in, given back",
                [first, try a.handedIn(a.transaction(more: ["revocationDate": a.days(8)]), signed: 9)], 10, .refunded,
                .free, nil
            ),
            (
                "what an app handed in of a family",
                [first, try a.handedIn(a.transaction(more: shared), signed: 9)], 10, .revoked, .free, 5
            ),
        ]
    }

    @Test("gives its plan for as long as Apple says, and no longer, in whatever order it is told and once")
    func example() throws {
        for (name, notices, day, reason, plan, ends) in try Self.examples() {
            for order in [notices, notices.reversed(), notices + notices] {
                let given = try a.told(order)
                let standing = given.entitlement(on: day)
                #expect(standing.reason == reason && standing.plan == plan, "\(name)")
                #expect(standing.endsAt == ends.map(b.days), "\(name)")
                #expect(standing.purchases.map(\.state.purchase) == ["apple/t1"], "\(name)")
                #expect(given.history.count <= notices.count + 1, "\(name)")
                for event in given.history {
                    #expect(try QuotaEvent.decode(event.type, event.data) == event, "\(name)")
                }
            }
        }
    }

    @Test("is nothing that a notification says of something else")
    func nothing() throws {
        for type in [
            "TEST", "CONSUMPTION_REQUEST", "REFUND_DECLINED", "RENEWAL_EXTENSION/SUMMARY", "ONE_TIME_CHARGE",
            "EXTERNAL_PURCHASE_TOKEN/UNREPORTED",
        ] { #expect(try a.notice(type, at: 0).subjects(a.terms).isEmpty, "\(type)") }
        for type in ["Consumable", "Non-Consumable", "Non-Renewing Subscription"] as [JSONValue] {
            let notice = try a.notice("REFUND", at: 0, a.transaction(more: ["type": type]))
            #expect(try !notice.isOfSubscription && notice.subjects(a.terms).isEmpty)
        }
        let replaced = a.transaction(more: ["isUpgraded": true])
        #expect(try a.handedIn(replaced, signed: 3).subjects(a.terms).isEmpty)
        for type in ["OF_TOMORROW", "METADATA_UPDATE/ANY", "did_renew"] {
            #expect(throws: JSONError.self) { try a.notice(type, at: 0).subjects(a.terms) }
        }
        for key in ["purchaseDate", "expiresDate", "productId"] {
            let notice = try a.notice("DID_RENEW", at: 0, a.transaction(more: [key: .null]))
            #expect(throws: JSONError.self) { try notice.subjects(a.terms) }
        }
    }

    @Test("has its price in the smallest unit of its currency")
    func money() {
        let table: [(price: JSONValue, currency: JSONValue, minor: Int64?, code: String?)] = [
            (9990, "EUR", 999, "eur"), (1_990, "usd", 199, "usd"), (500_000, "JPY", 500, "jpy"),
            (4_900_000, "KRW", 4_900, "krw"), (1_500, "KWD", 1_500, "kwd"), (0, "EUR", 0, "eur"),
            (.null, "EUR", nil, nil), (9990, .null, nil, nil), (9995, "EUR", 999, "eur"),
        ]
        for (price, currency, minor, code) in table {
            let money = AppleMoney.price(of: ["price": price, "currency": currency])
            #expect(money.amountMinor == minor && money.currency == code, "\(price) \(currency)")
        }
    }

    @Test("is kept as far as decisions read it, and can be read again")
    func kept() throws {
        let account = UUID.v7()
        let long = JSONValue.string(String(repeating: "x", count: 256))
        let transaction = a.transaction(
            more: [
                "appAccountToken": .string("\(account)".uppercased()), "storefront": "DEU", "currency": long,
                "offerIdentifier": "planted", "quantity": ["planted": 1], "webOrderLineItemId": "planted",
            ])
        let notice = try a.notice("DID_RENEW", at: 0, transaction)
        #expect(notice.id == "apple/n0" && notice.type == "DID_RENEW" && notice.customer == "apple/t1")
        #expect(notice.owner == account && notice.unnamed.owner == nil && notice.unnamed.customer == "apple/t1")
        let text = String(decoding: JSONValue.object(notice.content).bytes, as: UTF8.self)
        for word in ["planted", "DEU", "xxx"] { #expect(!text.contains(word), "\(word)") }
        let again = AppleNotice(
            id: notice.id, type: notice.type, createdAt: notice.createdAt,
            content: try JSONObject.parse(JSONValue.object(notice.content).bytes))
        #expect(again == notice)
        #expect(try again.subjects(a.terms) == notice.subjects(a.terms))
        // What is handed in again is the same, until it is revoked.
        let first = try a.handedIn(signed: 3)
        #expect(try a.handedIn(signed: 9).id == first.id)
        #expect(try a.handedIn(a.transaction(more: ["revocationDate": a.days(8)]), signed: 9).id != first.id)
    }

    @Test("is not taken for one at Stripe by any name")
    func shops() {
        #expect(Shop.allCases.map { Shop(of: "\($0.rawValue)/1") } == Shop.allCases)
        for name in ["", "apple", "stripe/", "google/1", "Apple/1"] {
            #expect(Shop(of: name) == (name == "apple" ? .apple : name == "stripe/" ? .stripe : nil), "\(name)")
        }
    }
}
