import EventStore
import JSON
import Primitives

/// What became of a notification of a shop.
enum NoticeOutcome: String, Sendable, CaseIterable {
    /// No account is known yet for the customer.
    case waiting
    /// It says nothing of a purchase.
    case ignored
    /// It is not what this build reads.
    case unreadable
    /// It became an event, or bound a customer to an account.
    case applied
    /// What was known was as new.
    case stale
}

/// The rows of `purchase_customers` and `purchase_notices`.
enum PurchaseRows {
    /// Keeps a notification, once: notice, type, customer, created at, content, outcome.
    static let keep = RowFunction(
        "keep_notice", .string("notice"), .string("type"), .optionalString("customer"), .time("createdAt"),
        .json("content"), .string("outcome"))
    /// Binds a customer to an account, unless it is bound: customer, owner.
    static let bind = RowFunction("bind_customer", .string("customer"), .uuid("ownerId"))
    /// Notes what became of a notification: notice, owner, outcome.
    static let settle = RowFunction("settle_notice", .string("notice"), .optionalUUID("ownerId"), .string("outcome"))
    /// Removes a notification about somebody who is erased: notice.
    static let discard = RowFunction("discard_notice", .string("notice"))
    /// Removes all that there is of somebody: subject.
    static let forget = RowFunction("forget_purchases", .uuid("subject"))

    static let all = [
        keep.declaration, bind.declaration, settle.declaration, discard.declaration, forget.declaration,
    ]
}
