import Crypto
import JSON
import Primitives
import ServiceTesting

@testable import quota

/// Stands in for Stripe: makes events as its API has them, with far more in them than anything here reads, and signs them.
struct StripeEvents {
    static let secret = "whsec_5f2d1c9b8a7e6f4d3c2b1a09"
    static let nextSecret = "whsec_9a8b7c6d5e4f30215f2d1c9b"
    static let variables = [
        "STRIPE_WEBHOOK_SECRETS": "\(nextSecret),\(secret)", "STRIPE_PRICES": "price_premium=premium",
    ]

    let owner: UUID
    /// Whole seconds, as Stripe has them.
    var now = Timestamp(seconds: Timestamp.now().seconds)
    var customer = "cus_1"
    var subscription = "sub_1"

    /// A moment some days from now.
    func days(_ count: Int64) -> JSONValue { .int(now.seconds + count * 86_400) }

    /// An event around an object.
    ///
    /// - Parameter second: when it was so, in seconds from now.
    func event(_ id: String, _ type: String, second: Int64 = 0, _ object: JSONValue) -> JSONValue {
        [
            "id": .string(id), "object": "event", "api_version": "2025-03-31.basil", "type": .string(type),
            "created": .int(now.seconds + second), "livemode": true, "pending_webhooks": 1,
            "request": ["id": "req_1", "idempotency_key": "0f7f7d7c"], "data": ["object": object],
        ]
    }

    /// An event of the subscription: by default of a month that is paid for since yesterday.
    ///
    /// - Parameter isNamed: whether it names the account.
    func subscribed(
        _ id: String, _ change: String = "updated", second: Int64 = 0, status: String = "active",
        price: String = "price_premium", from: Int64 = -1, to: Int64 = 29, isNamed: Bool = true,
        more: JSONObject = [:]
    ) -> JSONValue {
        let object: JSONObject = [
            "id": .string(subscription), "object": "subscription", "customer": .string(customer),
            "status": .string(status), "created": days(-1), "start_date": days(-1), "cancel_at_period_end": false,
            "cancel_at": .null, "canceled_at": .null, "ended_at": .null, "trial_end": .null,
            "metadata": isNamed ? ["user_id": .string(owner.description), "note": "planted-note"] : [:],
            "default_payment_method": ["card": ["last4": "4242", "brand": "visa"]], "description": "planted-receipt",
            "items": [
                "object": "list",
                "data": [
                    [
                        "id": "si_1", "quantity": 1, "current_period_start": days(from), "current_period_end": days(to),
                        "price": [
                            "id": .string(price), "unit_amount": 999, "currency": "eur", "nickname": "planted-name",
                        ],
                    ]
                ],
            ],
        ]
        return event(
            id, "customer.subscription.\(change)", second: second, .object(object.adding(membersOf: more)))
    }

    /// The end of a checkout, which names the account.
    func checkedOut(_ id: String) -> JSONValue {
        event(
            id, "checkout.session.completed",
            [
                "id": "cs_1", "object": "checkout.session", "customer": .string(customer), "mode": "subscription",
                "subscription": .string(subscription), "client_reference_id": .string(owner.description),
                "customer_details": ["email": "planted@example.org", "name": "Planted Name"],
            ])
    }

    /// All of today's payment is given back, or a part.
    func refunded(_ id: String, amount: Int64 = 999) -> JSONValue {
        event(
            id, "charge.refunded", second: 60,
            [
                "id": "ch_1", "object": "charge", "customer": .string(customer), "created": days(-1), "amount": 999,
                "amount_refunded": .int(amount), "currency": "eur", "refunded": .bool(amount == 999),
                "receipt_url": "https://pay.example/planted-receipt",
                "payment_method_details": ["card": ["last4": "4242"]],
            ])
    }

    /// The header of a signature.
    static func signature(_ body: [UInt8], _ secrets: [String] = [secret], at moment: Timestamp = .now()) -> String {
        let signatures = secrets.map { secret in
            let message = Array("\(moment.seconds).".utf8) + body
            return "v1=" + Hex.encode(HMACSHA256.authenticate(message, key: Array(secret.utf8)))
        }
        return (["t=\(moment.seconds)"] + signatures + ["v0=00"]).joined(separator: ",")
    }
}

extension ServiceUnderTest {
    /// Sends an event as Stripe does.
    @discardableResult
    func stripe(_ event: JSONValue, signature: String? = nil, to instance: Instance? = nil) async throws -> Answer {
        let body = event.bytes
        return try await send(
            "POST", "/v1/webhooks/stripe",
            headers: [
                ("Content-Type", "application/json; charset=utf-8"),
                ("Stripe-Signature", signature ?? StripeEvents.signature(body)),
            ], body: body, to: instance)
    }
}
