import JSON

/// What the practice timer's own client sends and gets.
extension Schemas {
    private static let seconds: JSONValue = ["type": "integer", "minimum": 0, "description": "In seconds."]
    private static let day: JSONValue = ["type": "string", "format": "date"]

    private static let pauses = list(
        object([("start_time", time), ("end_time", time)], required: ["start_time", "end_time"]))

    private static let told: [(String, JSONValue)] = [
        ("session_start_time", time), ("session_end_time", time),
        (
            "duration_seconds",
            [
                "type": "integer", "minimum": 1, "maximum": 86_400,
                "description": "Without pauses; without session_end_time the session ends so much later, pauses added.",
            ]
        ), ("pauses", pauses), ("time_zone", ["type": "string", "description": "An IANA time zone."]),
    ]

    private static let session = object(
        [("session_id", id)] + told + [("local_date", day), ("created_at", time), ("updated_at", time)],
        required: ["session_id", "session_start_time", "session_end_time", "duration_seconds", "created_at"])

    static let app: [(String, JSONValue)] = [
        (
            "AppSignIn",
            object(
                [
                    ("googleToken", ["type": "string", "writeOnly": true, "description": "Google's identity token."]),
                    (
                        "googleAuthCode",
                        ["type": "string", "writeOnly": true, "description": "Instead: Google's code."]
                    ),
                    ("codeVerifier", ["type": "string", "writeOnly": true]), ("redirectUri", text), ("clientId", text),
                    ("nonce", text), ("timeZone", text), ("deviceName", deviceName),
                ], required: [])
        ),
        ("AppWelcome", object([("apiToken", text)], required: ["apiToken"])),
        ("AppMessage", object([("message", text)], required: ["message"])),
        (
            "AppError",
            object(
                [("error", text), ("message", text), ("code", text)], required: ["error", "message", "code"])
        ),
        (
            "AppSession",
            object(
                [("id", ["type": "string", "format": "uuid", "description": "The client's own."])] + told + [
                    (
                        "sessions",
                        ["type": "array", "maxItems": 500, "description": "Instead of all others: many of them."]
                    )
                ], required: [])
        ),
        ("AppSaved", object([("sessionId", id), ("message", text)], required: ["sessionId", "message"])),
        (
            "AppVerdicts",
            object(
                [
                    (
                        "results",
                        list(
                            object(
                                [
                                    ("status", ["type": "integer"]), ("sessionId", id), ("id", maybe("string")),
                                    ("message", text), ("error", text), ("code", text),
                                ], required: ["status"]))
                    )
                ], required: ["results"])
        ),
        ("AppSessions", object([("sessions", list(session)), ("nextCursor", text)], required: ["sessions"])),
        (
            "AppAnalytics",
            object(
                [
                    ("startDate", text), ("endDate", text), ("range", text), ("averageMinutes", ["type": "number"]),
                    (
                        "summary",
                        object(
                            [
                                ("totalMinutes", count), ("averageMinutesPerDay", ["type": "number"]),
                                ("totalSessions", count), ("daysWithSessions", count), ("currentStreak", count),
                                ("longestStreak", count), ("practisedDays", count), ("consistency7", count),
                                ("consistency30", count),
                            ],
                            required: [
                                "totalMinutes", "averageMinutesPerDay", "daysWithSessions", "currentStreak",
                                "longestStreak",
                            ])
                    ),
                    (
                        "dailyTotals",
                        [
                            "oneOf": [
                                [
                                    "type": "object", "additionalProperties": seconds,
                                    "description": "Seconds by local date; only days with sessions.",
                                ],
                                list(object([("date", day), ("seconds", seconds)], required: ["date", "seconds"])),
                            ]
                        ]
                    ),
                ], required: ["startDate", "endDate", "summary", "dailyTotals"])
        ),
    ]
}
