import JSON
import Photos
import Uploads

/// The JSON Schemas of requests and answers, by name.
enum Schemas {
    static let text: JSONValue = ["type": "string"]
    static let id: JSONValue = ["type": "string", "format": "uuid"]
    static let time: JSONValue = ["type": "string", "format": "date-time"]
    static let count: JSONValue = ["type": "integer", "minimum": 0]
    static let flag: JSONValue = ["type": "boolean"]

    static func maybe(_ type: String) -> JSONValue { ["type": [.string(type), "null"]] }
    static let maybeTime: JSONValue = ["type": ["string", "null"], "format": "date-time"]

    static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    static func object(
        _ members: [(String, JSONValue)], required: [String], isClosed: Bool = false
    ) -> JSONValue {
        .object(
            JSONObject(
                [
                    ("type", "object"), ("properties", .object(JSONObject(members))),
                    ("required", .array(required.map(JSONValue.string))),
                ] + (isClosed ? [("additionalProperties", .bool(false))] : [])))
    }

    static func list(_ of: JSONValue) -> JSONValue { ["type": "array", "items": of] }

    /// The anonymous device of whoever signs in.
    static let handedOver: [(String, JSONValue)] = [
        (
            "deviceId",
            [
                "type": ["string", "null"], "minLength": 16, "maxLength": 128, "pattern": "^[!-~]+$",
                "description":
                    "Of an anonymous device, together with its deviceSecret: what was practised on it becomes the account's.",
            ]
        ), ("deviceSecret", ["type": ["string", "null"], "writeOnly": true]),
    ]

    static let all: [(String, JSONValue)] =
        requests + answers + secondFactor + federation + practice + app + progress + sharing + retention + exports
        + purchases + webhooks

    /// Whether a schema requires members; a request without a body is treated as `{}`.
    static func needsMembers(_ name: String) -> Bool {
        all.first { $0.0 == name }?.1["required"]?.arrayValue?.isEmpty != true
    }

    /// The media types of recordings.
    static let mediaTypes = ["video/mp4", "video/quicktime", "video/webm"]

    /// The media types of the files that are bodies, by what they are.
    static let files = [
        "Video": mediaTypes, "Picture": PictureHead.Form.allCases.map(\.contentType), "Chunk": [Tus.chunkType],
        "StripeEvent": ["application/json"], "AppleNotification": ["application/json"],
    ]

    private static let password: JSONValue = ["type": "string", "minLength": 8, "maxLength": 1024, "writeOnly": true]
    private static let email: JSONValue = ["type": "string", "format": "email", "maxLength": 254]
    static let deviceName: JSONValue = [
        "type": ["string", "null"], "maxLength": 100,
        "description": "What the login session is called in the list of all; else the User-Agent.",
    ]
    private static let wantedMails: [(String, JSONValue)] = [
        ("productNews", flag), ("coachingReminders", flag), ("weeklySummary", flag),
    ]
    /// What a text is about that somebody can agree to.
    private static let consent: [(String, JSONValue)] = [
        (
            "provider",
            [
                "type": "string", "description": "Who gets the data, by the name that the server gives it.",
                "examples": ["openai"],
            ]
        ),
        (
            "purpose",
            [
                "type": "string", "description": "What for.",
                "examples": ["emotions", "transcription", "video", "vision", "wording"],
            ]
        ),
        (
            "dataClasses",
            [
                "type": "array", "items": text, "description": "The kinds of data that are sent.",
                "examples": [["audio"], ["measures", "transcript"]],
            ]
        ),
        ("version", ["type": "string", "description": "The version of the text.", "examples": ["2026-11"]]),
    ]
    private static let locale: JSONValue = [
        "type": "string", "pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", "maxLength": 35,
        "examples": ["en", "pt-BR"], "description": "The language of the text that was shown, a BCP 47 tag.",
    ]
    static let zone: JSONValue = [
        "type": ["string", "null"], "pattern": "^[A-Za-z0-9_+-][A-Za-z0-9_+/-]{0,63}$",
        "description": "An IANA time zone.",
    ]

    private static let waitingEmailChange: JSONValue = [
        "anyOf": [
            object([("email", email), ("takesEffectAt", time)], required: ["email", "takesEffectAt"]), ["type": "null"],
        ],
        "description":
            "The new address, which takes effect once the current address agrees, or at that time without an answer.",
    ]

    private static let requests: [(String, JSONValue)] = [
        (
            "SignUp",
            object(
                [
                    ("email", email), ("password", password), ("displayName", maybe("string")), ("timeZone", zone),
                    ("deviceName", deviceName),
                    (
                        "acceptedTerms",
                        [
                            "anyOf": [reference("TermsAcceptance"), ["type": "null"]],
                            "description": "The terms of use, accepted with the sign-up.",
                        ]
                    ),
                ], required: ["email", "password"], isClosed: true)
        ),
        (
            "EmailChange",
            [
                "oneOf": [
                    object([("email", email)], required: ["email"], isClosed: true),
                    object([("token", text)], required: ["token"], isClosed: true),
                    object([("oldAddressToken", text)], required: ["oldAddressToken"], isClosed: true),
                ]
            ]
        ),
        ("EmailKeeping", object([("token", text)], required: ["token"], isClosed: true)),
        (
            "NotificationChoice",
            object(
                [("security", flag)] + wantedMails, required: wantedMails.map(\.0), isClosed: true)
        ),
        (
            "TermsAcceptance",
            object(
                [("version", text), ("locale", locale)], required: ["version", "locale"], isClosed: true)
        ),
        (
            "ConsentChoice",
            object(
                [
                    (
                        "given",
                        list(
                            object(
                                [
                                    ("provider", text), ("purpose", text), ("version", text), ("locale", locale),
                                ], required: ["provider", "purpose", "version", "locale"], isClosed: true))
                    )
                ], required: ["given"], isClosed: true)
        ),
        (
            "SignIn",
            object(
                [("email", email), ("password", text), ("deviceName", deviceName)] + handedOver,
                required: ["email", "password"], isClosed: true)
        ),
        ("Refresh", object([("refreshToken", maybe("string"))], required: [], isClosed: true)),
        ("SignOut", object([("refreshToken", maybe("string"))], required: [], isClosed: true)),
        (
            "PasswordChange",
            [
                "oneOf": [
                    object(
                        [("currentPassword", text), ("newPassword", password)],
                        required: ["currentPassword", "newPassword"], isClosed: true),
                    object(
                        [("resetToken", text), ("newPassword", password)], required: ["resetToken", "newPassword"],
                        isClosed: true),
                ]
            ]
        ),
        (
            "Confirmation",
            [
                "type": "object",
                "properties": [
                    "password": ["type": ["string", "null"], "writeOnly": true], "token": ["type": ["string", "null"]],
                    "deviceSecret": ["type": ["string", "null"], "writeOnly": true],
                    "googleToken": ["type": ["string", "null"], "writeOnly": true],
                    "appleToken": ["type": ["string", "null"], "writeOnly": true],
                    "code": ["type": ["string", "null"], "writeOnly": true],
                    "recoveryCode": ["type": ["string", "null"], "writeOnly": true],
                ], "required": [], "maxProperties": 2, "additionalProperties": false,
            ]
        ),
        ("PasswordReset", object([("email", email)], required: ["email"], isClosed: true)),
        ("EmailVerification", object([("token", maybe("string"))], required: [], isClosed: true)),
        (
            "Device",
            object(
                [
                    ("deviceId", ["type": "string", "minLength": 16, "maxLength": 128, "pattern": "^[!-~]+$"]),
                    ("deviceSecret", maybe("string")), ("timeZone", zone), ("deviceName", deviceName),
                ], required: ["deviceId"], isClosed: true)
        ),
        ("MeChange", object([("displayName", maybe("string")), ("timeZone", zone)], required: [], isClosed: true)),
        (
            "SessionWish",
            object(
                [
                    ("kind", ["type": "string", "enum": ["mirrormate"]]),
                    ("contentType", ["type": "string", "enum": .array(mediaTypes.map(JSONValue.string))]),
                    ("contentLength", ["type": "integer", "minimum": 1]),
                    ("sha256", ["type": ["string", "null"], "pattern": "^[0-9A-Fa-f]{64}$"]),
                    ("maxDurationSeconds", ["type": ["integer", "null"], "minimum": 1, "maximum": 95]),
                    ("replaces", ["type": ["string", "null"], "format": "uuid"]),
                    ("timeZone", zone),
                    (
                        "language",
                        [
                            "type": ["string", "null"], "pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
                            "maxLength": 35,
                            "examples": ["en", "pt-BR"],
                            "description": """
                            The language that is spoken, a BCP 47 tag; en if it is left out. Words are judged in English \
                            only: of another language what depends on them is null with a reason, and does not count \
                            against the speaker.
                            """,
                        ]
                    ),
                    (
                        "scenario",
                        [
                            "type": ["string", "null"], "enum": ["general", "interview", "pitch", "casual", nil],
                            "description":
                                "What is spoken for, which decides what pace is right; general if it is left out.",
                        ]
                    ),
                ], required: ["kind", "contentType", "contentLength"], isClosed: true)
        ),
    ]
}

/// Answers.
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
            (
                "stage",
                [
                    "type": "string",
                    "examples": ["probe", "decode", "transcribe", "voice", "picture", "report"],
                    "description": """
                    What is under way, once the work has begun; there may be others later. Like progress it never goes back, also \
                    when an attempt has failed and another one begins over. report: all is measured, and what is said of it is written.
                    """,
                ]
            ),
            (
                "queuePosition",
                [
                    "type": "integer", "minimum": 1, "maximum": 1000,
                    "description": """
                    The place in line of a finalized session whose work has not begun: 1 is next, 3 has two before it. An estimate, \
                    a second or two old: several may be worked on at once, and what is tried once more is not counted. 1000 stands \
                    for any place from there on. There with status processing alone, as long as there is no stage.
                    """,
                ]
            ),
            ("createdAt", time), ("updatedAt", time), ("expiresAt", time), ("reportId", id),
            (
                "error",
                object(
                    [
                        (
                            "code",
                            [
                                "type": "string",
                                "examples": [
                                    "no-speech", "no-sound", "black-picture", "too-short", "too-long", "no-video",
                                    "unreadable", "processing-timeout",
                                ],
                                "description": """
                                Why there is no report. no-speech, no-sound, black-picture and too-short: the recording \
                                cannot be used at all; the first ones of a day cost nothing, as late cancellations. Every \
                                other failure costs nothing.
                                """,
                            ]
                        ),
                        ("title", ["type": "string", "description": "What went wrong and what to do, for people."]),
                        (
                            "retryable",
                            ["type": "boolean", "description": "Whether the same recording may succeed another time."]
                        ),
                    ], required: ["code", "title", "retryable"])
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
            ("media", keptRecording),
        ], required: ["id", "kind", "status", "progress", "createdAt", "updatedAt", "expiresAt", "media"])

    private static let tokens: [(String, JSONValue)] = [
        ("accessToken", text),
        ("refreshToken", ["type": "string", "description": "Always, but with Refresh-Token-In: cookie."]),
        ("expiresIn", count), ("tokenType", ["const": "Bearer"]),
    ]

    private static let accessToken = tokens.filter { $0.0 != "refreshToken" }

    /// A service's confirmation of an erasure.
    private static let confirmation = object(
        [("service", text), ("state", text), ("removed", maybe("object"))], required: ["service", "state", "removed"])

    /// A report as an item of a list; measures that are not rated are null.
    private static let summary = object(
        [
            ("sessionId", id), ("reportId", id), ("createdAt", time), ("confidenceScore", maybe("integer")),
            ("scoreCoverage", scoreCoverage), ("scoreRange", scoreRange), ("paceWordsPerMin", maybe("integer")),
            ("eyeContactPct", maybe("number")),
            ("fillerCount", maybe("integer")), ("durationSec", count), ("tags", list(text)),
        ],
        required: [
            "sessionId", "reportId", "createdAt", "confidenceScore", "scoreCoverage", "scoreRange", "paceWordsPerMin",
            "eyeContactPct",
            "fillerCount", "durationSec", "tags",
        ])

    /// One of several windows of an allowance.
    private static let window = object(
        [
            ("limit", maybe("integer")), ("used", count), ("reserved", count), ("remaining", maybe("integer")),
            ("resetsAt", maybeTime),
        ], required: ["limit", "used", "reserved", "remaining", "resetsAt"])

    /// How much may be done at once.
    private static let cap = object(
        [("limit", count), ("taken", count), ("remaining", count), ("withinSeconds", count)],
        required: ["limit", "taken", "remaining"])

    private static let answers: [(String, JSONValue)] = [
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
                    (
                        "photo",
                        [
                            "anyOf": [
                                object([("etag", text), ("updatedAt", time)], required: ["etag", "updatedAt"]),
                                ["type": "null"],
                            ],
                            "description": "What GET /v1/me/photo has, by its ETag; null when there is none.",
                        ]
                    ),
                ], required: ["id", "kind", "email", "emailVerified", "displayName", "timeZone", "createdAt", "photo"])
        ),
        ("Photo", ["type": "string", "format": "binary", "description": "A JPEG of 512 by 512 pixels."]),
        (
            "Notifications",
            object(
                [
                    (
                        "mails",
                        object([("security", flag)] + wantedMails, required: ["security"] + wantedMails.map(\.0))
                    ),
                    (
                        "alwaysSent",
                        ["type": "array", "items": text, "description": "The kinds that cannot be turned off."]
                    ),
                ], required: ["mails", "alwaysSent"])
        ),
        (
            "Terms",
            object(
                [
                    ("current", maybe("string")),
                    (
                        "accepted",
                        [
                            "type": ["object", "null"],
                            "properties": ["version": text, "locale": text, "acceptedAt": time],
                            "required": ["version", "locale", "acceptedAt"],
                        ]
                    ),
                    ("mustAccept", flag),
                ], required: ["current", "accepted", "mustAccept"])
        ),
        (
            "Consents",
            object(
                [
                    (
                        "offered",
                        list(
                            object(
                                consent + [
                                    (
                                        "texts",
                                        [
                                            "type": "object", "additionalProperties": text,
                                            "description":
                                                "The text that is to be shown, by its language, a BCP 47 tag.",
                                        ]
                                    )
                                ], required: consent.map(\.0) + ["texts"]))
                    ),
                    (
                        "given",
                        list(
                            object(
                                consent + [
                                    ("locale", text), ("givenAt", time),
                                    (
                                        "current",
                                        [
                                            "type": "boolean",
                                            "description":
                                                "Whether the text that was agreed to is still the one in force.",
                                        ]
                                    ),
                                ], required: consent.map(\.0) + ["locale", "givenAt", "current"]))
                    ),
                ], required: ["offered", "given"])
        ),
        ("DeviceSecret", object([("deviceSecret", text)], required: ["deviceSecret"])),
        ("Accepted", object([("status", text)], required: ["status"])),
        ("Me", object([("user", reference("User"))], required: ["user"])),
        (
            "EmailChangeStep",
            object(
                [("user", reference("User")), ("change", waitingEmailChange)], required: ["user", "change"])
        ),
        ("WaitingEmailChange", object([("change", waitingEmailChange)], required: ["change"])),
        (
            "Devices",
            object(
                [
                    (
                        "items",
                        list(
                            object(
                                [
                                    ("id", id), ("current", flag), ("createdAt", time),
                                    ("secretChangedAt", maybeTime),
                                    ("lastUsedAt", maybeTime),
                                    ("handedOverAt", maybeTime),
                                    ("revokedAt", maybeTime),
                                ],
                                required: [
                                    "id", "current", "createdAt", "secretChangedAt", "lastUsedAt", "handedOverAt",
                                    "revokedAt",
                                ]))
                    )
                ], required: ["items"])
        ),
        (
            "Tokens",
            object(tokens, required: accessToken.map(\.0))
        ),
        (
            "LoginSessions",
            object(
                [
                    (
                        "items",
                        list(
                            object(
                                [
                                    ("id", id), ("current", flag), ("device", maybe("string")), ("createdAt", time),
                                    ("lastUsedAt", time), ("expiresAt", time),
                                ], required: ["id", "current", "device", "createdAt", "lastUsedAt", "expiresAt"]))
                    )
                ], required: ["items"])
        ),
        ("Confirmed", object(accessToken, required: accessToken.map(\.0))),
        (
            "Welcome",
            object(
                [("user", reference("User"))] + tokens
                    + [("deviceSecret", text), ("recoveryCodes", list(["type": "string"]))],
                required: ["user"] + accessToken.map(\.0))
        ),
        (
            "Erasure",
            object(
                [
                    (
                        "erasure",
                        object(
                            [
                                ("userId", id), ("complete", flag), ("services", list(confirmation)),
                                (
                                    "receipt",
                                    object(
                                        [("url", ["type": "string", "format": "uri"]), ("expiresAt", time)],
                                        required: ["url", "expiresAt"])
                                ),
                            ],
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
                    ("remaining", maybe("integer")), ("resetsAt", maybeTime),
                    ("windows", ["type": "object", "additionalProperties": window]),
                    ("caps", ["type": "object", "additionalProperties": cap]),
                ], required: ["kind", "plan", "limit", "used", "reserved", "remaining", "resetsAt"])
        ),
        (
            "Entitlements",
            object(
                [
                    ("plan", text), ("isPremium", flag), ("reason", entitlementReason), ("endsAt", maybeTime),
                    ("renews", flag), ("purchases", list(purchase)),
                ], required: ["plan", "isPremium", "reason", "endsAt", "renews", "purchases"])
        ),
        ("ApplePurchase", applePurchase),
        ("WebhookReceived", object([("received", flag)], required: ["received"])),
        ("Report", report),
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
