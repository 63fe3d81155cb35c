import JSON

/// What clients send and get when somebody buys something.
extension Schemas {
    private static let address: JSONValue = [
        "type": "string", "format": "uri", "description": "For a browser, and for the caller alone.",
    ]

    static let purchases: [(String, JSONValue)] = [
        (
            "CheckoutWish",
            object(
                [
                    (
                        "price",
                        [
                            "type": "string", "maxLength": 255,
                            "description": "Stripe's name for one of the prices on offer; by default the usual one.",
                        ]
                    )
                ], required: [], isClosed: true)
        ),
        (
            "CheckoutPage",
            object(
                [("id", text), ("url", address), ("expiresAt", maybeTime)], required: ["id", "url", "expiresAt"])
        ),
        ("PortalPage", object([("url", address)], required: ["url"])),
    ]
}
