import Contracts
import JSON
import Primitives

/// What the App Store tells: a notification (App Store Server Notifications V2), or a transaction that an app hands in (StoreKit's
/// `jwsRepresentation`). What is kept is chosen member by member, as for ``StripeNotice``.
///
/// A notification is a picture of the subscription at the moment of its `signedDate`, which sending it again does not change. A
/// transaction by itself says what was so when it was bought, whenever it was signed, so an old one takes no place of a later one.
///
/// The forms are Apple's: `developer.apple.com/documentation/appstoreservernotifications`, there `responseBodyV2DecodedPayload`,
/// `data` and `notificationType`, and `JWSTransactionDecodedPayload` and `JWSRenewalInfoDecodedPayload` of `appstoreserverapi`.
struct AppleNotice: ShopNotice, Equatable {
    let id: String
    /// Type and subtype of a notification, such as `DID_RENEW` or `DID_FAIL_TO_RENEW/GRACE_PERIOD`; ``handedIn`` for a transaction.
    let type: String
    /// The `signedDate`.
    let createdAt: Timestamp
    let content: JSONObject

    /// The name of the shop before its ids.
    static let shop = Shop.apple.rawValue
    /// The type of what an app has handed in.
    static let handedIn = "transaction"

    private static let longestText = 255
    private static let subscription = "Auto-Renewable Subscription"
    private static let keptOfTransaction = [
        "transactionId", "originalTransactionId", "productId", "type", "purchaseDate", "originalPurchaseDate",
        "expiresDate", "quantity", "price", "currency", "offerType", "offerDiscountType", "appAccountToken",
        "inAppOwnershipType", "revocationDate", "isUpgraded",
    ]
    private static let keptOfRenewal = ["autoRenewStatus", "isInBillingRetryPeriod", "gracePeriodExpiresDate"]

    /// What notifications of a type are about.
    private enum Use {
        /// The subscription as it is now.
        case state
        /// One payment, of now or of long ago.
        case refund
        case refundReversed
        /// Nothing that anything here goes by.
        case nothing
    }

    private static let uses: [String: Use] = [
        "SUBSCRIBED": .state, "OFFER_REDEEMED": .state, "DID_RENEW": .state, "DID_FAIL_TO_RENEW": .state,
        "GRACE_PERIOD_EXPIRED": .state, "EXPIRED": .state, "DID_CHANGE_RENEWAL_PREF": .state,
        "DID_CHANGE_RENEWAL_STATUS": .state, "PRICE_INCREASE": .state, "RENEWAL_EXTENDED": .state, "REVOKE": .state,
        handedIn: .state, "REFUND": .refund, "REFUND_REVERSED": .refundReversed, "REFUND_DECLINED": .nothing,
        "CONSUMPTION_REQUEST": .nothing, "RENEWAL_EXTENSION": .nothing, "ONE_TIME_CHARGE": .nothing,
        "EXTERNAL_PURCHASE_TOKEN": .nothing, "TEST": .nothing,
    ]

    init(id: String, type: String, createdAt: Timestamp, content: JSONObject) {
        self.id = id
        self.type = type
        self.createdAt = createdAt
        self.content = content
    }

    /// A notification whose signatures are good.
    ///
    /// - Parameters:
    ///   - payload: that of `signedPayload`.
    ///   - transaction: that of `signedTransactionInfo`; nil where there is none.
    ///   - renewal: that of `signedRenewalInfo`; likewise.
    /// - Throws: `JSONError` for what is no notification.
    init(notification payload: JSONObject, transaction: JSONObject?, renewal: JSONObject?) throws(JSONError) {
        let id = try payload.name("notificationUUID")
        let type = try payload.name("notificationType")
        let subtype = payload["subtype"]?.stringValue.flatMap { Self.isKept($0) ? "/\($0)" : nil } ?? ""
        let data = payload["data"]?.objectValue ?? [:]
        self.init(
            id: "\(Self.shop)/\(id)", type: type + subtype, createdAt: try payload.appleMoment("signedDate"),
            content: JSONObject().adding([
                "environment": Self.kept(data["environment"]), "status": Self.kept(data["status"]),
                "transaction": transaction.map { .object(Self.keep(Self.keptOfTransaction, of: $0)) },
                "renewal": renewal.map { .object(Self.keep(Self.keptOfRenewal, of: $0)) },
            ]))
    }

    /// A transaction that was handed in, whose signature is good. Handed in again it is the same, until it is revoked.
    ///
    /// - Throws: `JSONError` for what is no transaction.
    init(transaction: JSONObject) throws(JSONError) {
        let id = try transaction.name("transactionId")
        _ = try transaction.name("originalTransactionId")
        let end = transaction["revocationDate"]?.intValue == nil ? "" : "-revoked"
        self.init(
            id: "\(Self.shop)/\(Self.handedIn)-\(id)\(end)", type: Self.handedIn,
            createdAt: try transaction.appleMoment("signedDate"),
            content: JSONObject().adding([
                "environment": Self.kept(transaction["environment"]),
                "transaction": .object(Self.keep(Self.keptOfTransaction, of: transaction)),
            ]))
    }

    /// Whether a text is of a length that anything here has, and has no NUL, which PostgreSQL's `json` fails on.
    fileprivate static func isKept(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= longestText && !text.utf8.contains(0)
    }

    private static func kept(_ value: JSONValue?) -> JSONValue? {
        guard let value, !value.isNull, value.objectValue == nil, value.arrayValue == nil else { return nil }
        return value.stringValue.map(isKept) ?? true ? value : nil
    }

    private static func keep(_ keys: [String], of object: JSONObject) -> JSONObject {
        JSONObject(keys.compactMap { key in kept(object[key]).map { (key, $0) } })
    }

    // MARK: Reading what is kept

    private var transaction: JSONObject? { content["transaction"]?.objectValue }
    private var renewal: JSONObject? { content["renewal"]?.objectValue }
    private var mainType: String { String(type.prefix { $0 != "/" }) }
    private var isHandedIn: Bool { type == Self.handedIn }

    /// Apple names no customer: whoever pays is known by the first transaction of the subscription.
    var customer: String? {
        transaction?["originalTransactionId"]?.stringValue.map { "\(Self.shop)/\($0)" }
    }

    /// The app says at each purchase for whom it is.
    var owner: UUID? { transaction?["appAccountToken"]?.stringValue.flatMap { UUID($0) } }

    var unnamed: AppleNotice {
        var (content, transaction) = (content, transaction ?? [:])
        transaction["appAccountToken"] = nil
        content["transaction"] = .object(transaction)
        return AppleNotice(id: id, type: type, createdAt: createdAt, content: content)
    }

    /// Whether it is about something that is paid again and again, as plans are.
    var isOfSubscription: Bool {
        transaction.map { ($0["type"]?.stringValue ?? Self.subscription) == Self.subscription } ?? false
    }

    func subjects(_ terms: PurchaseTerms) throws(JSONError) -> [NoticeSubject] {
        guard let use = Self.uses[mainType] else {
            throw JSONError(.type, at: "notificationType", "is not known to this build")
        }
        guard let transaction, isOfSubscription, let customer else { return [] }
        switch use {
        case .nothing: return []
        case .refund: return [.refund(try refund(transaction, customer, isReversed: false))]
        case .refundReversed: return [.refund(try refund(transaction, customer, isReversed: true))]
        case .state:
            // What took the place of an upgraded transaction tells what is so.
            if transaction["isUpgraded"]?.boolValue == true { return [] }
            let purchase = NoticeSubject.purchase(try purchase(transaction, customer, terms))
            guard try revokedAt(transaction) != nil, !isFamilyRevocation(transaction) else { return [purchase] }
            return [purchase, .refund(try refund(transaction, customer, isReversed: false))]
        }
    }

    private func refund(
        _ transaction: JSONObject, _ customer: String, isReversed: Bool
    ) throws(JSONError) -> RefundState {
        let price = AppleMoney.price(of: transaction)
        return RefundState(
            notice: id, payment: "\(Self.shop)/\(try transaction.name("transactionId"))", customer: customer,
            statedAt: createdAt, paidAt: try transaction.appleMoment("purchaseDate"),
            amountMinor: isReversed ? 0 : price.amountMinor ?? 0, currency: price.currency ?? AppleMoney.noCurrency,
            isFull: !isReversed)
    }

    private func purchase(
        _ transaction: JSONObject, _ customer: String, _ terms: PurchaseTerms
    ) throws(JSONError) -> PurchaseState {
        let start = try transaction.appleMoment("purchaseDate")
        let end = try transaction.appleMoment("expiresDate")
        let product = try transaction.name("productId")
        let price = AppleMoney.price(of: transaction)
        let condition = try condition(transaction, start: start, end: end, terms)
        let renews = renewal.map { $0["autoRenewStatus"]?.intValue == 1 } ?? true
        return PurchaseState(
            notice: id, purchase: customer, customer: customer, statedAt: condition.statedAt, step: condition.step,
            status: condition.status, plan: terms.products[product],
            price: PurchaseState.Price(
                id: product, amountMinor: price.amountMinor, currency: price.currency,
                quantity: try transaction.optionalInt("quantity") ?? 1),
            boughtAt: try transaction.optionalAppleMoment("originalPurchaseDate") ?? start, periodStartsAt: start,
            periodEndsAt: end, trialEndsAt: condition.status == .trialing ? end : nil, endedAt: condition.endedAt,
            cancelledAt: type == "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED" ? createdAt : nil,
            renews: renews && condition.endedAt == nil, graceSeconds: condition.graceSeconds)
    }

    /// How a subscription stands.
    private struct Condition {
        var status: PurchaseStatus
        var statedAt: Timestamp
        var step: PurchaseState.Step
        var endedAt: Timestamp?
        var graceSeconds: Int64
    }

    /// The `status` of a notification's `data`, as Apple counts.
    private enum DataStatus {
        static let expired: Int64 = 2
        static let billingRetry: Int64 = 3
        static let gracePeriod: Int64 = 4
        static let revoked: Int64 = 5
        static let known: ClosedRange<Int64> = 1...5
    }

    private func condition(
        _ transaction: JSONObject, start: Timestamp, end: Timestamp, _ terms: PurchaseTerms
    ) throws(JSONError) -> Condition {
        let status = content["status"]?.intValue
        let revokedAt = try revokedAt(transaction)
        var condition = Condition(
            status: isTrial(transaction) ? .trialing : .active,
            // The notification of the same moment knows more.
            statedAt: isHandedIn ? min(start, createdAt) : createdAt, step: isHandedIn ? .begun : .changed,
            graceSeconds: terms.graceSeconds)
        if isFamilyRevocation(transaction) || mainType == "REVOKE" || status == DataStatus.revoked && revokedAt == nil {
            condition.status = .canceled
            condition.endedAt = revokedAt ?? createdAt
            if isHandedIn { condition.statedAt = condition.endedAt ?? createdAt }
            condition.step = .ended
        } else if mainType == "EXPIRED" || status == DataStatus.expired {
            condition.status = .canceled
            condition.endedAt = min(end, createdAt)
            condition.step = .ended
        } else if isRetried(status) {
            condition.status = .pastDue
            condition.graceSeconds = try graceSeconds(after: end, status)
        } else if let status, !DataStatus.known.contains(status) {
            condition.status = PurchaseStatus(rawValue: "status-\(status)")
        }
        return condition
    }

    private func isRetried(_ status: Int64?) -> Bool {
        ["DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED"].contains(mainType)
            || [DataStatus.billingRetry, DataStatus.gracePeriod].contains(status)
            || renewal?["isInBillingRetryPeriod"]?.boolValue == true
    }

    /// Apple says how long a plan lasts while a payment is tried again, which is not at all where the app has no grace period there.
    private func graceSeconds(after end: Timestamp, _ status: Int64?) throws(JSONError) -> Int64 {
        guard var last = try renewal?.optionalAppleMoment("gracePeriodExpiresDate") else { return 0 }
        if mainType == "GRACE_PERIOD_EXPIRED" || status == DataStatus.billingRetry { last = min(last, createdAt) }
        return min(max(0, (last - end).components.seconds), PurchaseSettings.longestGrace)
    }

    /// A free introductory offer, or another offer that is free for a time. Before `offerDiscountType` there was, the price told.
    private func isTrial(_ transaction: JSONObject) -> Bool {
        guard let offer = transaction["offerType"]?.intValue else { return false }
        if let discount = transaction["offerDiscountType"]?.stringValue { return discount == "FREE_TRIAL" }
        return offer == 1 && transaction["price"]?.intValue ?? 0 == 0
    }

    private func revokedAt(_ transaction: JSONObject) throws(JSONError) -> Timestamp? {
        try transaction.optionalAppleMoment("revocationDate")
    }

    /// Whether somebody's family shares it no more: no payment of theirs is given back.
    private func isFamilyRevocation(_ transaction: JSONObject) -> Bool {
        mainType == "REVOKE"
            || transaction["revocationDate"]?.intValue != nil
                && transaction["inAppOwnershipType"]?.stringValue == "FAMILY_SHARED"
    }
}

extension JSONObject {
    /// A moment in milliseconds, as Apple has all of them.
    ///
    /// - Throws: `JSONError` for anything else, and beyond the years 1970 to 9999.
    func appleMoment(_ key: String) throws(JSONError) -> Timestamp {
        let milliseconds = try int(key)
        guard (0...253_402_300_799_999).contains(milliseconds) else {
            throw JSONError(.type, at: key, "must be a moment in milliseconds")
        }
        return Timestamp(milliseconds: milliseconds)
    }

    fileprivate func optionalAppleMoment(_ key: String) throws(JSONError) -> Timestamp? {
        guard let value = self[key], !value.isNull else { return nil }
        return try appleMoment(key)
    }

    /// A text that may be part of an id.
    fileprivate func name(_ key: String) throws(JSONError) -> String {
        let text = try string(key)
        guard AppleNotice.isKept(text) else { throw JSONError(.type, at: key, "must be 1 to 255 bytes long") }
        return text
    }
}
