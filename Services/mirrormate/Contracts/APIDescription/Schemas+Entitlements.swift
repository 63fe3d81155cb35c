import JSON
import quota

/// What was bought, and what it gives.
extension Schemas {
    static let entitlementReason: JSONValue = [
        "type": "string", "enum": .array(EntitlementReason.allCases.map { .string($0.rawValue) }),
    ]

    static let applePurchase = object(
        [
            (
                "signedTransaction",
                [
                    "type": "string", "maxLength": 60_000,
                    "description": "The transaction's `jwsRepresentation`, unchanged.",
                ]
            )
        ], required: ["signedTransaction"], isClosed: true)

    static let purchase = object(
        [
            ("purchase", text), ("plan", maybe("string")), ("status", text), ("reason", entitlementReason),
            ("isEntitling", flag), ("endsAt", maybeTime), ("renews", flag), ("periodStartsAt", time),
            ("periodEndsAt", time), ("trialEndsAt", maybeTime), ("cancelledAt", maybeTime), ("boughtAt", time),
            ("amountMinor", maybe("integer")), ("currency", maybe("string")), ("quantity", ["type": "integer"]),
        ],
        required: [
            "purchase", "plan", "status", "reason", "isEntitling", "endsAt", "renews", "periodStartsAt", "periodEndsAt",
            "trialEndsAt", "cancelledAt", "boughtAt", "amountMinor", "currency", "quantity",
        ])
}
