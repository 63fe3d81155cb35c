import Contracts
import JSON
import Primitives

/// What a notification of a shop says.
enum NoticeSubject: Sendable, Equatable {
    case purchase(PurchaseState)
    case refund(RefundState)
    /// Who a customer is, and no more.
    case customer
}

/// A notification of a shop, as much of it as is kept.
protocol ShopNotice: Sendable {
    /// The shop's own id of it behind the shop's name, such as `stripe/evt_1`.
    var id: String { get }
    /// What the shop calls its kind.
    var type: String { get }
    /// When the shop made it, by the shop's clock.
    var createdAt: Timestamp { get }
    /// Those of its members that are kept.
    var content: JSONObject { get }
    /// Whose purchases it is about; nil where it does not say.
    var customer: String? { get }
    /// The account that it names; nil where it names none.
    var owner: UUID? { get }
    /// The same without the account that it names.
    var unnamed: Self { get }

    /// What it says under some terms; nothing for what says nothing of a purchase.
    ///
    /// - Throws: `JSONError` for what is not of the form that this build reads.
    func subjects(_ terms: PurchaseTerms) throws(JSONError) -> [NoticeSubject]
}

extension StripeNotice: ShopNotice {
    func subjects(_ terms: PurchaseTerms) throws(JSONError) -> [NoticeSubject] {
        try subject(terms).map { [$0] } ?? []
    }

    var unnamed: StripeNotice {
        var content = content
        content["client_reference_id"] = nil
        content["metadata"] = nil
        return StripeNotice(id: id, type: type, createdAt: createdAt, content: content)
    }
}
