import Contracts
import JSON
import Primitives

/// A notification of Stripe, as much of it as anything here reads. What is kept of it is chosen member by member, so nothing of
/// cards, addresses or receipts stays, whatever Stripe sends.
struct StripeNotice: Sendable, Equatable {
    /// The event's id behind the name of the shop.
    let id: String
    let type: String
    let createdAt: Timestamp
    /// Those members of the event's object that are kept.
    let content: JSONObject

    /// The name of the shop before its ids.
    static let shop = Shop.stripe.rawValue

    private static let longestText = 255
    private static let mostItems = 20

    /// What is kept of an object, by its path.
    private indirect enum Kept: Sendable {
        case value
        /// An id, or an object of which only the id is kept.
        case reference
        case object([String: Kept])
        case list(Kept)
    }

    private static let subscription: Kept = .object([
        "id": .value, "customer": .reference, "status": .value, "created": .value, "start_date": .value,
        "current_period_start": .value, "current_period_end": .value, "trial_end": .value, "cancel_at": .value,
        "cancel_at_period_end": .value, "canceled_at": .value, "ended_at": .value,
        "metadata": .object(["user_id": .value]),
        "items": .object([
            "data": .list(
                .object([
                    "quantity": .value, "current_period_start": .value, "current_period_end": .value,
                    "price": .object(["id": .value, "unit_amount": .value, "currency": .value]),
                ]))
        ]),
    ])
    private static let checkout: Kept = .object([
        "id": .value, "customer": .reference, "subscription": .reference, "client_reference_id": .value,
        "metadata": .object(["user_id": .value]),
    ])
    private static let charge: Kept = .object([
        "id": .value, "customer": .reference, "created": .value, "amount": .value, "amount_refunded": .value,
        "currency": .value, "refunded": .value,
    ])

    private static let subscriptionTypes = Set(
        ["created", "updated", "deleted", "paused", "resumed", "trial_will_end"].map { "customer.subscription.\($0)" })
    private static let checkoutType = "checkout.session.completed"
    private static let refundType = "charge.refunded"

    /// What is kept of an object of events of a type; nil for types that say nothing of a purchase.
    private static func kept(of type: String) -> Kept? {
        if subscriptionTypes.contains(type) { return subscription }
        return [checkoutType: checkout, refundType: charge][type]
    }

    /// Whether events of the type say anything of a purchase.
    var isOfPurchase: Bool { Self.kept(of: type) != nil }

    init(id: String, type: String, createdAt: Timestamp, content: JSONObject) {
        self.id = id
        self.type = type
        self.createdAt = createdAt
        self.content = content
    }

    /// Reads an event as Stripe sends it.
    ///
    /// - Throws: `JSONError` for what is no event.
    init(event: JSONObject) throws(JSONError) {
        let id = try event.string("id")
        let type = try event.string("type")
        guard !id.isEmpty, Self.isKept(id), !type.isEmpty, Self.isKept(type) else {
            throw JSONError(.type, at: "id", "must be an event's id, and type its type")
        }
        let object = try event.object("data").object("object")
        let content = Self.kept(of: type).flatMap { Self.keep(.object(object), $0)?.objectValue } ?? [:]
        self.init(
            id: "\(Self.shop)/\(id)", type: type, createdAt: try event.moment("created"), content: content)
    }

    /// Whether a text is of a length that anything here has, and has no NUL, which PostgreSQL's `json` fails on.
    private static func isKept(_ text: String) -> Bool { text.utf8.count <= longestText && !text.utf8.contains(0) }

    private static func keep(_ value: JSONValue, _ kept: Kept) -> JSONValue? {
        switch kept {
        case .value:
            if value.objectValue != nil || value.arrayValue != nil { return nil }
            if let text = value.stringValue, !isKept(text) { return nil }
            return value.isNull ? nil : value
        case .reference:
            return keep(value.objectValue?["id"] ?? value, .value)
        case .object(let members):
            guard let object = value.objectValue else { return nil }
            return .object(
                JSONObject(
                    object.members.compactMap { member in
                        members[member.key].flatMap { keep(member.value, $0) }.map { (member.key, $0) }
                    }))
        case .list(let each):
            return value.arrayValue.map { .array($0.prefix(mostItems).compactMap { keep($0, each) }) }
        }
    }

    // MARK: Reading what is kept

    /// Whose purchases it is about; nil where it does not say.
    var customer: String? { content["customer"]?.stringValue.map { "\(Self.shop)/\($0)" } }

    /// The account that it names; nil where it names none.
    var owner: UUID? {
        let named = [content["client_reference_id"], content["metadata"]?["user_id"]]
        return named.lazy.compactMap { $0?.stringValue.flatMap { UUID($0) } }.first
    }

    /// What it says under some terms.
    ///
    /// - Throws: `JSONError` for what is not of the form that this build reads.
    func subject(_ terms: PurchaseTerms) throws(JSONError) -> NoticeSubject? {
        guard isOfPurchase else { return nil }
        if type == Self.checkoutType { return .customer }
        guard let customer else { throw JSONError(.missing, at: "customer", "is missing") }
        return type == Self.refundType
            ? .refund(try refund(customer)) : .purchase(try purchase(customer, terms))
    }

    private func purchase(_ customer: String, _ terms: PurchaseTerms) throws(JSONError) -> PurchaseState {
        let items = try content.object("items").array("data").compactMap(\.objectValue)
        // An item that is for no plan, such as a seat or a fee, may stand beside the one that is.
        let sold = items.first { $0["price"]?["id"]?.stringValue.map { terms.plans[$0] != nil } ?? false }
        guard let item = sold ?? items.first else { throw JSONError(.missing, at: "items", "has no item") }
        let price = try item.object("price")
        let startsAt = try item.moment("current_period_start", or: content)
        let endsAt = try item.moment("current_period_end", or: content)
        let stopsAt = try content.optionalMoment("cancel_at")
        let endsWithPeriod = content["cancel_at_period_end"]?.boolValue ?? false
        let boughtAt =
            if let start = try content.optionalMoment("start_date") { start } else { try content.moment("created") }
        let priceID = try price.string("id")
        return PurchaseState(
            notice: id, purchase: "\(Self.shop)/\(try content.string("id"))", customer: customer, statedAt: createdAt,
            step: type.hasSuffix(".deleted") ? .ended : type.hasSuffix(".created") ? .begun : .changed,
            status: try content.code("status"), plan: terms.plans[priceID],
            price: PurchaseState.Price(
                id: priceID, amountMinor: try price.optionalInt("unit_amount"),
                currency: try price.optionalString("currency"), quantity: try item.optionalInt("quantity") ?? 1),
            boughtAt: boughtAt, periodStartsAt: startsAt,
            periodEndsAt: endsAt, trialEndsAt: try content.optionalMoment("trial_end"), stopsAt: stopsAt,
            endedAt: try content.optionalMoment("ended_at"), cancelledAt: try content.optionalMoment("canceled_at"),
            renews: !endsWithPeriod && stopsAt.map { $0 > endsAt } ?? true
                && !type.hasSuffix(".deleted"), graceSeconds: terms.graceSeconds)
    }

    private func refund(_ customer: String) throws(JSONError) -> RefundState {
        RefundState(
            notice: id, payment: "\(Self.shop)/\(try content.string("id"))", customer: customer, statedAt: createdAt,
            paidAt: try content.moment("created"), amountMinor: try content.int("amount_refunded"),
            currency: try content.string("currency"), isFull: try content.bool("refunded"))
    }
}

extension JSONObject {
    /// A moment in seconds, as Stripe has all of them.
    fileprivate func moment(_ key: String) throws(JSONError) -> Timestamp {
        let seconds = try int(key)
        // The years 1970 to 9999.
        guard (0...253_402_300_799).contains(seconds) else {
            throw JSONError(.type, at: key, "must be a moment in seconds")
        }
        return Timestamp(seconds: seconds)
    }

    /// A moment that lies in this object, or in the one around it: versions of Stripe's API differ.
    fileprivate func moment(_ key: String, or around: JSONObject) throws(JSONError) -> Timestamp {
        if let moment = try optionalMoment(key) { return moment }
        return try around.moment(key)
    }

    fileprivate func optionalMoment(_ key: String) throws(JSONError) -> Timestamp? {
        guard let value = self[key], !value.isNull else { return nil }
        return try moment(key)
    }
}
