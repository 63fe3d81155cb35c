import JSON
import notifications

/// What clients send and get of webhooks.
extension Schemas {
    private static func described(_ schema: JSONValue, _ meaning: String) -> JSONValue {
        .object((schema.objectValue ?? [:]).adding(["description": .string(meaning)]))
    }

    private static let choices: JSONValue = .array(NoticeKind.choices.map { .string($0.rawValue) })

    private static let endpoint: [(String, JSONValue)] = [
        ("endpointId", id), ("url", text),
        ("kinds", described(list(["type": "string", "examples": choices]), "What it is told of.")),
        ("addedAt", described(time, "From when on it is told.")),
        (
            "standing",
            described(
                ["type": "string", "examples": ["told", "gone", "failing"]],
                "`gone`: it answered 410; `failing`: for days nothing arrived. Neither is sent anything more.")
        ), ("failingSince", described(maybeTime, "Since when nothing arrives.")),
    ]

    private static let secret = described(
        text, "`whsec_` and 32 bytes in Base64; it cannot be told again.")

    private static let delivery: [(String, JSONValue)] = [
        ("deliveryId", described(id, "Also the `webhook-id` of each attempt.")),
        (
            "kind",
            ["type": "string", "examples": .array(NoticeKind.allCases.map { .string($0.rawValue) })]
        ), ("happenedAt", time), ("queuedAt", time),
        (
            "state",
            described(
                ["type": "string", "examples": ["waiting", "delivered", "failed", "dropped"]],
                "`failed`: it is not tried any more; `dropped`: its endpoint is sent nothing any more.")
        ), ("attempts", count), ("dueAt", described(maybeTime, "When it is sent again.")),
        ("triedAt", described(maybeTime, "When the last attempt ended.")),
        ("status", described(maybe("integer"), "What the endpoint answered last.")),
        ("failure", described(maybe("string"), "Why there was no answer, such as `deadline-exceeded`.")),
    ]

    static let webhooks: [(String, JSONValue)] = [
        (
            "WebhookEndpointWish",
            object(
                [
                    (
                        "url",
                        [
                            "type": "string", "maxLength": .int(Int64(WebhookAddress.longest)),
                            "examples": ["https://hooks.example.org/mirrormate"],
                            "description":
                                "An https address with a host name, on port 443, without a user and a fragment.",
                        ]
                    ),
                    (
                        "kinds",
                        [
                            "type": "array", "minItems": 1, "uniqueItems": true,
                            "items": ["type": "string", "enum": choices], "description": "What it is to be told of.",
                        ]
                    ),
                ], required: ["url", "kinds"], isClosed: true)
        ),
        (
            "NewWebhookEndpoint",
            object(
                endpoint + [
                    (
                        "secret",
                        described(
                            maybe("string"),
                            "`whsec_` and 32 bytes in Base64; it cannot be told again, so it is null when the request was a repeat."
                        )
                    )
                ], required: endpoint.map(\.0) + ["secret"])
        ),
        (
            "WebhookEndpoints",
            object([("items", list(object(endpoint, required: endpoint.map(\.0))))], required: ["items"])
        ),
        (
            "WebhookSecret",
            object(
                [
                    ("endpointId", id), ("secret", secret),
                    ("earlierUntil", described(time, "So long the secret before it signs as well.")),
                ], required: ["endpointId", "secret", "earlierUntil"])
        ), ("WebhookQueued", object([("deliveryId", id)], required: ["deliveryId"])),
        (
            "WebhookDeliveries",
            object(
                [("items", list(object(delivery, required: delivery.map(\.0)))), ("nextCursor", text)],
                required: ["items"])
        ),
    ]
}
