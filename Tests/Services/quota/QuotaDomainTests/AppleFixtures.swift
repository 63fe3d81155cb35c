import Contracts
import EventSourcingTesting
import JSON
import Primitives

@testable import quota

/// What the App Store tells of one subscription, as it is after its signatures were checked.
enum AppleTold {
    static let terms = PurchaseTerms(
        plans: [:], products: ["monthly": .premium, "gold": Bought.gold], graceSeconds: Bought.grace)

    /// A moment as Apple writes it.
    static func days(_ count: Int64) -> JSONValue { .int(Bought.days(count).seconds * 1_000) }

    /// A transaction: by default of a month from the beginning.
    static func transaction(
        _ id: String = "t1", product: String = "monthly", from: Int64 = 0, to: Int64 = 30, original: String = "t1",
        more: JSONObject = [:]
    ) -> JSONObject {
        let all: JSONObject = [
            "transactionId": .string(id), "originalTransactionId": .string(original), "productId": .string(product),
            "type": "Auto-Renewable Subscription", "purchaseDate": days(from), "expiresDate": days(to),
            "originalPurchaseDate": days(0), "price": 9990, "currency": "EUR",
        ]
        return all.adding(membersOf: more)
    }

    /// A notification.
    ///
    /// - Parameters:
    ///   - type: with the subtype behind a stroke.
    ///   - day: when it was signed.
    ///   - grace: when the grace that Apple gives ends.
    static func notice(
        _ type: String, at day: Int64, id: String? = nil, _ transaction: JSONObject = transaction(),
        renews: Bool = true, grace: Int64? = nil, status: Int64? = 1
    ) throws -> AppleNotice {
        let words = type.split(separator: "/").map(String.init)
        let payload = JSONObject().adding([
            "notificationUUID": .string(id ?? "n\(day)"), "notificationType": .string(words[0]),
            "subtype": words.count > 1 ? .string(words[1]) : nil, "signedDate": days(day),
            "data": .object(JSONObject().adding(["status": status.map(JSONValue.int)])),
        ])
        let renewal = JSONObject().adding([
            "autoRenewStatus": renews ? 1 : 0, "gracePeriodExpiresDate": grace.map(days),
        ])
        return try AppleNotice(notification: payload, transaction: transaction, renewal: renewal)
    }

    /// A transaction that was handed in.
    static func handedIn(_ transaction: JSONObject = transaction(), signed day: Int64) throws -> AppleNotice {
        try AppleNotice(transaction: transaction.adding(["signedDate": days(day)]))
    }

    /// An allowance that was told these.
    static func told(_ notices: AppleNotice..., terms: PurchaseTerms = terms) throws -> Given {
        try told(notices, terms: terms)
    }

    static func told(_ notices: [AppleNotice], terms: PurchaseTerms = terms) throws -> Given {
        Fixture.fresh.after(try notices.flatMap { try commands($0, terms) })
    }

    static func commands(_ notice: AppleNotice, _ terms: PurchaseTerms = terms) throws -> [AllowanceCommand] {
        try notice.subjects(terms).compactMap { subject in
            switch subject {
            case .purchase(let state): .notePurchase(ownerId: Bought.owner, state)
            case .refund(let state): .noteRefund(ownerId: Bought.owner, state)
            case .customer: nil
            }
        }
    }
}
