import EventStore
import JSON
import Primitives

/// The row functions of endpoints and of what is to be sent to them.
enum WebhookRows {
    private static let addWebhook = RowFunction(
        "add_webhook", .uuid("endpointId"), .uuid("ownerId"), .string("address"), .string("secret"), .json("kinds"),
        .time("addedAt"))
    private static let removeWebhook = RowFunction("remove_webhook", .uuid("endpointId"), .uuid("ownerId"))
    private static let rotateWebhook = RowFunction(
        "rotate_webhook", .uuid("endpointId"), .uuid("ownerId"), .string("secret"), .time("until"))
    private static let disableWebhook = RowFunction(
        "disable_webhook", .uuid("endpointId"), .uuid("ownerId"), .string("end"))
    private static let queueWebhook = RowFunction(
        "queue_webhook", .uuid("deliveryId"), .uuid("endpointId"), .uuid("ownerId"), .string("kind"), .string("body"),
        .time("happenedAt"))
    private static let forgetWebhooks = RowFunction("forget_webhooks", .uuid("ownerId"))

    static let all = [
        addWebhook.declaration, removeWebhook.declaration, rotateWebhook.declaration, disableWebhook.declaration,
        queueWebhook.declaration, forgetWebhooks.declaration,
    ]

    /// Stores address and secret of an endpoint.
    static func add(_ endpoint: WebhookEndpoint, of owner: UUID, _ sealed: SealedEndpoint) -> RowCall {
        addWebhook(
            endpoint.endpointId, owner, Hex.encode(sealed.address), Hex.encode(sealed.secret), endpoint.kindNames,
            endpoint.addedAt)
    }

    /// Removes an endpoint with all that was or is to be sent to it.
    static func remove(_ endpoint: UUID, of owner: UUID) -> RowCall { removeWebhook(endpoint, owner) }

    /// Gives an endpoint another secret; the present one counts beside it until a moment.
    static func rotate(_ endpoint: UUID, of owner: UUID, _ secret: [UInt8], until: Timestamp) -> RowCall {
        rotateWebhook(endpoint, owner, Hex.encode(secret), until)
    }

    /// Ends what is to be sent to an endpoint.
    static func disable(_ endpoint: UUID, of owner: UUID, _ end: WebhookEnd) -> RowCall {
        disableWebhook(endpoint, owner, end.rawValue)
    }

    /// Queues what is to be sent to an endpoint, unless that is gone or disabled by now, or it was queued before.
    static func queue(_ notice: Notice, to endpoint: UUID, of owner: UUID) -> RowCall {
        queueWebhook(
            notice.deliveryId(to: endpoint), endpoint, owner, notice.kind.rawValue, notice.body, notice.happenedAt)
    }

    /// Removes all that is kept of an owner.
    static func forget(_ owner: UUID) -> RowCall { forgetWebhooks(owner) }
}
