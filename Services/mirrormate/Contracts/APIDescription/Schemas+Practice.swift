import JSON

/// What clients send and get of logged sessions, days and streaks.
extension Schemas {
    private static let day: JSONValue = ["type": "string", "format": "date"]
    private static let number: JSONValue = ["type": "number", "minimum": 0]
    private static let seconds: JSONValue = ["type": "integer", "minimum": 0, "description": "In seconds."]
    private static let zoneName: JSONValue = ["type": "string", "description": "An IANA time zone."]

    private static let pauses: JSONValue = [
        "type": "array", "maxItems": 100,
        "items": object([("startedAt", time), ("endedAt", time)], required: ["startedAt", "endedAt"]),
        "description": "Interruptions within the session, one after another.",
    ]

    private static let told: [(String, JSONValue)] = [
        ("kind", ["type": "string", "examples": ["meditation"]]), ("startedAt", time), ("endedAt", time),
        (
            "activeSeconds",
            [
                "type": "integer", "minimum": 1, "maximum": 86_400,
                "description": "Without pauses; with them no longer than from startedAt to endedAt.",
            ]
        ), ("pauses", pauses),
    ]

    private static let practiceSession: JSONValue = object(
        [("id", id)] + told + [
            ("timeZone", zoneName),
            (
                "utcOffsetSeconds",
                [
                    "type": "integer",
                    "description": "How far clocks there were ahead of UTC when it began, in seconds.",
                ]
            ),
            ("localDate", day), ("loggedAt", time), ("updatedAt", time),
        ],
        required: ["id"] + told.map(\.0) + ["timeZone", "utcOffsetSeconds", "localDate", "loggedAt", "updatedAt"])

    private static let sums: [(String, JSONValue)] = [
        ("seconds", seconds), ("sessions", count), ("daysWithSessions", count),
    ]

    private static let standing: [(String, JSONValue)] = [
        ("currentStreak", count), ("longestStreak", count), ("practisedDays", count),
        ("consistency7", ["type": "integer", "minimum": 0, "maximum": 7, "description": "Days kept of the last 7."]),
        (
            "consistency30",
            ["type": "integer", "minimum": 0, "maximum": 30, "description": "Days kept of the last 30."]
        ),
    ]

    private static let asked: [(String, JSONValue)] = [("kind", text), ("timeZone", zoneName), ("today", day)]

    private static let summary: [(String, JSONValue)] =
        sums + [
            ("totalMinutes", count), ("averageMinutesPerDay", number), ("averageMinutesPerSession", number),
            (
                "bestHour",
                [
                    "type": ["integer", "null"], "minimum": 0, "maximum": 23,
                    "description": "The hour of the day in which sessions of most time began.",
                ]
            ),
        ] + standing

    static let practice: [(String, JSONValue)] = [
        (
            "PracticeTelling",
            object(
                [("id", ["type": ["string", "null"], "format": "uuid", "description": "The client's own."])]
                    + told.dropLast() + [
                        ("pauses", pauses.allowingNull),
                        (
                            "timeZone",
                            [
                                "type": ["string", "null"], "maxLength": 64,
                                "description": "Where it took place, an IANA time zone; by default the caller's.",
                            ]
                        ),
                    ],
                required: ["kind", "startedAt", "endedAt", "activeSeconds"], isClosed: true)
        ),
        (
            "PracticeBatch",
            object(
                [("sessions", ["type": "array", "minItems": 1, "maxItems": 500])], required: ["sessions"],
                isClosed: true)
        ),
        ("PracticeSession", practiceSession),
        (
            "PracticePage",
            object([("items", list(reference("PracticeSession"))), ("nextCursor", text)], required: ["items"])
        ),
        (
            "PracticeVerdicts",
            object(
                [
                    (
                        "verdicts",
                        list(
                            object(
                                [
                                    ("id", maybe("string")), ("status", ["type": "integer"]),
                                    ("session", reference("PracticeSession")), ("problem", reference("Problem")),
                                ], required: ["id", "status"]))
                    )
                ], required: ["verdicts"])
        ),
        ("PracticeExport", object([("sessions", list(reference("PracticeSession")))], required: ["sessions"])),
        ("PracticeTable", ["type": "string", "description": "A line with the columns' names, then one a session."]),
        (
            "PracticeAnalytics",
            object(
                asked + [
                    ("startDate", day), ("endDate", day), ("summary", object(summary, required: summary.map(\.0))),
                    (
                        "dailyTotals",
                        [
                            "type": "object", "additionalProperties": seconds,
                            "description": "By local date; only days with sessions.",
                        ]
                    ),
                    (
                        "weeks",
                        list(
                            object([("week", ["type": "string", "examples": ["2026-W48"]])] + sums, required: ["week"]))
                    ),
                    (
                        "months",
                        list(
                            object(
                                [("month", ["type": "string", "examples": ["2026-11"]])] + sums, required: ["month"]))
                    ),
                    (
                        "hours",
                        list(
                            object(
                                [("hour", ["type": "integer", "minimum": 0, "maximum": 23]), ("seconds", seconds)],
                                required: ["hour", "seconds"]))
                    ),
                ],
                required: asked.map(\.0) + [
                    "startDate", "endDate", "summary", "dailyTotals", "weeks", "months", "hours",
                ])
        ),
        (
            "PracticeStreak",
            object(
                asked + standing + [
                    (
                        "atRiskUntil",
                        [
                            "type": ["string", "null"], "format": "date-time",
                            "description": "When the current streak ends unless a session begins before.",
                        ]
                    ), ("practisedToday", flag), ("graceMinutes", count),
                    (
                        "milestones",
                        list(
                            object(
                                [("streakDays", count), ("reachedAt", time)], required: ["streakDays", "reachedAt"]))
                    ), ("nextMilestone", maybe("integer")),
                ],
                required: asked.map(\.0) + standing.map(\.0) + [
                    "atRiskUntil", "practisedToday", "graceMinutes", "milestones", "nextMilestone",
                ])
        ),
        (
            "PracticeSettings",
            object([("graceMinutes", count), ("frozenDays", list(day))], required: ["graceMinutes", "frozenDays"])
        ),
        (
            "PracticeSettingsChange",
            object(
                [("graceMinutes", ["type": "integer", "minimum": 0, "maximum": 360])], required: ["graceMinutes"],
                isClosed: true)
        ),
    ]
}

extension JSONValue {
    /// A schema of something that may also be null.
    fileprivate var allowingNull: JSONValue { ["anyOf": [self, ["type": "null"]]] }
}
