import JSON

/// The bodies of answers.
extension Schemas {
    private static let session = object(
        [
            ("id", id), ("kind", text),
            (
                "status",
                [
                    "type": "string",
                    "examples": [
                        "queued", "awaitingUpload", "processing", "complete", "error", "cancelled", "expired",
                        "refused",
                    ],
                ]
            ), ("progress", ["type": "number", "minimum": 0, "maximum": 1]),
            ("createdAt", time), ("updatedAt", time), ("expiresAt", time), ("reportId", id),
            (
                "error",
                object(
                    [("code", text), ("title", text), ("retryable", flag)], required: ["code", "title", "retryable"])
            ),
            (
                "refusal",
                object([("code", text), ("window", text), ("resetsAt", time)], required: ["code", "resetsAt"])
            ),
            (
                "upload",
                object(
                    [
                        ("method", ["const": "PUT"]), ("url", ["type": "string", "format": "uri"]),
                        ("headers", ["type": "object", "additionalProperties": text]), ("expiresAt", time),
                    ], required: ["method", "url", "headers", "expiresAt"])
            ),
        ], required: ["id", "kind", "status", "progress", "createdAt", "updatedAt", "expiresAt"])

    private static let tokens: [(String, JSONValue)] = [
        ("accessToken", text), ("refreshToken", text), ("expiresIn", count), ("tokenType", ["const": "Bearer"]),
    ]

    /// What a service has to say of an erasure.
    private static let confirmation = object(
        [("service", text), ("state", text), ("removed", maybe("object"))], required: ["service", "state", "removed"])

    /// A report as a line of a list; measures that are not rated are null.
    private static let summary = object(
        [
            ("sessionId", id), ("reportId", id), ("createdAt", time), ("confidenceScore", maybe("integer")),
            ("paceWordsPerMin", maybe("integer")), ("eyeContactPct", maybe("number")),
            ("fillerCount", maybe("integer")), ("durationSec", count), ("tags", list(text)),
        ],
        required: [
            "sessionId", "reportId", "createdAt", "confidenceScore", "paceWordsPerMin", "eyeContactPct",
            "fillerCount", "durationSec", "tags",
        ])

    /// One of several windows of an allowance.
    private static let window = object(
        [
            ("limit", maybe("integer")), ("used", count), ("reserved", count), ("remaining", maybe("integer")),
            ("resetsAt", maybe("string")),
        ], required: ["limit", "used", "reserved", "remaining", "resetsAt"])

    /// How much may be done at once.
    private static let cap = object(
        [("limit", count), ("taken", count), ("remaining", count), ("withinSeconds", count)],
        required: ["limit", "taken", "remaining"])

    static let answers: [(String, JSONValue)] = [
        (
            "PublicKeys",
            object(
                [
                    (
                        "keys",
                        list(
                            object(
                                [("kty", text), ("crv", text), ("alg", text), ("kid", text), ("x", text), ("y", text)],
                                required: ["kty", "crv", "alg", "kid", "x", "y"]))
                    )
                ], required: ["keys"])
        ),
        (
            "User",
            object(
                [
                    ("id", id), ("kind", text), ("email", maybe("string")), ("emailVerified", flag),
                    ("displayName", maybe("string")), ("timeZone", text), ("createdAt", time),
                ], required: ["id", "kind", "email", "emailVerified", "displayName", "timeZone", "createdAt"])
        ),
        ("Accepted", object([("status", text)], required: ["status"])),
        ("Me", object([("user", reference("User"))], required: ["user"])),
        (
            "Tokens",
            object(tokens, required: tokens.map(\.0))
        ),
        (
            "Welcome",
            object(
                [("user", reference("User"))] + tokens + [("deviceSecret", text)],
                required: ["user"] + tokens.map(\.0))
        ),
        (
            "Erasure",
            object(
                [
                    (
                        "erasure",
                        object(
                            [("userId", id), ("complete", flag), ("services", list(confirmation))],
                            required: ["userId", "complete", "services"])
                    )
                ], required: ["erasure"])
        ),
        ("Session", session),
        ("SessionPage", object([("items", list(reference("Session"))), ("nextCursor", text)], required: ["items"])),
        (
            "Event",
            object(
                [("id", text), ("event", ["type": "string", "enum": ["session", "gone"]]), ("data", text)],
                required: ["event", "data"])
        ),
        (
            "Upload",
            object(
                [("sha256", ["type": "string", "pattern": "^[0-9a-f]{64}$"]), ("sizeBytes", count)],
                required: ["sha256", "sizeBytes"])
        ),
        (
            "Quota",
            object(
                [
                    ("kind", text), ("plan", text), ("limit", maybe("integer")), ("used", count), ("reserved", count),
                    ("remaining", maybe("integer")), ("resetsAt", maybe("string")),
                    ("windows", ["type": "object", "additionalProperties": window]),
                    ("caps", ["type": "object", "additionalProperties": cap]),
                ], required: ["kind", "plan", "limit", "used", "reserved", "remaining", "resetsAt"])
        ),
        (
            "Report",
            object(
                [("sessionId", id), ("reportId", id), ("createdAt", time)],
                required: ["sessionId", "reportId", "createdAt"])
        ),
        ("ReportPage", object([("items", list(summary)), ("nextCursor", text)], required: ["items"])),
        (
            "Problem",
            object(
                [
                    ("type", text), ("title", text), ("status", ["type": "integer", "minimum": 400, "maximum": 599]),
                    ("detail", text), ("code", text), ("instance", text), ("traceId", text),
                ], required: ["type", "title", "status", "detail", "code"])
        ),
    ]
}
