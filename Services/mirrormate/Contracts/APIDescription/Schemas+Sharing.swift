import JSON
import reporting

/// What clients get of shared reports.
extension Schemas {
    private static func described(_ schema: JSONValue, _ meaning: String) -> JSONValue {
        .object((schema.objectValue ?? [:]).adding(["description": .string(meaning)]))
    }

    private static let parts: JSONValue = [
        "type": "array", "minItems": 1, "uniqueItems": true,
        "items": ["type": "string", "enum": .array(Share.Part.allCases.map { .string($0.rawValue) })],
    ]

    private static let range: JSONValue = [
        "oneOf": [object([("low", count), ("high", count)], required: ["low", "high"]), ["type": "null"]]
    ]

    /// What a card shows; a part that was not chosen, or that the report does not have, is null or empty.
    private static let card: [(String, JSONValue)] = [
        ("firstName", maybe("string")), ("language", described(text, "Of its words, a BCP 47 tag.")),
        ("confidenceScore", maybe("integer")), ("scoreRange", range), ("strengths", list(text)),
        ("workOn", described(maybe("string"), "The one thing to work on.")),
    ]

    private static let share: [(String, JSONValue)] = [
        ("shareId", id), ("sessionId", id), ("parts", parts),
        ("card", described(object(card, required: card.map(\.0)), "What viewers see.")), ("views", count),
        ("maxViews", count), ("createdAt", time), ("expiresAt", time),
        ("standing", ["type": "string", "examples": ["open", "expired", "used-up"]]),
    ]

    private static let shown: [(String, JSONValue)] = card + [("expiresAt", described(time, "When the link is over."))]

    static let sharing: [(String, JSONValue)] = [
        (
            "ShareWish",
            object(
                [
                    ("parts", described(parts, "What the card shows; by default all.")),
                    (
                        "expiresIn",
                        [
                            "type": "integer", "minimum": .int(Share.lifetimes.lowerBound),
                            "maximum": .int(Share.lifetimes.upperBound), "default": .int(Share.lifetime),
                            "description": "For how many seconds; not together with `expiresAt`.",
                        ]
                    ), ("expiresAt", described(time, "Until when, at most 30 days ahead.")),
                    (
                        "maxViews",
                        [
                            "type": "integer", "minimum": .int(Share.viewLimits.lowerBound),
                            "maximum": .int(Share.viewLimits.upperBound), "default": .int(Share.views),
                        ]
                    ),
                    (
                        "firstName",
                        [
                            "type": "string", "minLength": 1, "maxLength": .int(Int64(ShareCard.longestName)),
                            "description": "Shown on the card; nobody's name is shown that is not sent here.",
                        ]
                    ),
                ], required: [], isClosed: true)
        ),
        ("Shares", object([("items", list(object(share, required: share.map(\.0))))], required: ["items"])),
        (
            "NewShare",
            object(
                share + [
                    (
                        "link",
                        described(
                            maybe("string"),
                            "For viewers; it cannot be told again, so it is null when the request was a repeat.")
                    )
                ], required: share.map(\.0) + ["link"])
        ),
        (
            "SharedToken",
            object([("token", ["type": "string", "maxLength": 256])], required: ["token"], isClosed: true)
        ),
        ("SharedCard", object(shown, required: shown.map(\.0))),
    ]
}
