import JSON
import Progress
import reporting

/// What clients get of all reports together.
extension Schemas {
    private static let day: JSONValue = ["type": "string", "format": "date"]
    private static let number: JSONValue = ["type": ["number", "null"]]

    private static func described(_ schema: JSONValue, _ meaning: String) -> JSONValue {
        .object((schema.objectValue ?? [:]).adding(["description": .string(meaning)]))
    }

    private static func nullable(_ schema: JSONValue) -> JSONValue { ["oneOf": [schema, ["type": "null"]]] }

    private static func whole(_ members: [(String, JSONValue)]) -> JSONValue {
        object(members, required: members.map(\.0))
    }

    private static let reasons = described(
        list(["type": "string", "examples": .array(Obstacle.allCases.map { .string($0.rawValue) })]),
        "Why it cannot be compared; empty when it can.")

    private static let circumstances: [(String, JSONValue)] = [
        ("kind", text),
        (
            "rulesVersion",
            described(maybe("integer"), "By which rules it was judged; null of a report that does not say.")
        ),
        ("language", described(text, "The primary language subtag of what was spoken.")),
        ("scenario", described(text, "What was spoken for.")),
    ]

    private static let value: [(String, JSONValue)] = [
        ("value", described(number, "Null unless `valid`.")), ("valid", flag),
        ("code", described(maybe("string"), "Why there is no value; null when there is one, or no code.")),
        ("lowConfidence", flag),
    ]

    private static let course = object(
        [
            ("unit", text), ("better", ["type": "string", "enum": ["higher", "lower", "within"]]),
            (
                "range",
                described(
                    whole([("low", ["type": "number"]), ("high", ["type": "number"])]),
                    "Inside it there is nothing to gain; only of what is better within a range.")
            ),
            (
                "repeatability",
                described(["type": "number"], "A change counts when it is larger than this, in the measure's unit.")
            ),
            (
                "trend",
                described(
                    ["type": "string", "examples": .array(Trend.Verdict.allCases.map { .string($0.rawValue) })],
                    "Over the newest \(Trend.window) comparable reports, as far as they have a valid value.")
            ),
            ("reports", described(count, "How many values the trend looked at.")),
            ("needed", described(count, "How many it takes.")),
            (
                "change",
                described(
                    number, "By how much the measure changed over them (Theil-Sen); null as long as they are too few.")
            ),
            (
                "chance",
                described(
                    number,
                    "How likely an order as clear as theirs is where nothing changes (Mann-Kendall, one-sided); 0 to 1."
                )
            ),
            ("first", described(number, "The median of the first \(Trend.few) comparable values; null below ten.")),
            ("last", described(number, "The median of the last \(Trend.few) comparable values; null below ten.")),
            ("latest", nullable(whole([("sessionId", id), ("createdAt", time), ("value", ["type": "number"])]))),
        ],
        required: [
            "unit", "better", "repeatability", "trend", "reports", "needed", "change", "chance", "first", "last",
            "latest",
        ])

    private static let target: [(String, JSONValue)] = [
        ("measure", ["type": "string", "examples": .array(GoalTarget.measures.map(JSONValue.string))]),
        ("atLeast", described(number, "In the measure's unit.")),
        ("atMost", described(number, "In the measure's unit.")),
        ("recordings", ["type": "integer", "minimum": 1, "maximum": .int(GoalTarget.recordingLimit)]),
        (
            "days",
            [
                "type": "integer", "minimum": 1, "maximum": .int(GoalTarget.dayLimit),
                "description": "Local days, that of setting it among them.",
            ]
        ),
    ]

    private static let proposal = described(
        nullable(
            whole(
                target + [
                    ("unit", text), ("from", described(["type": "number"], "The median of the newest values.")),
                    ("points", described(count, "What the score may gain by this measure, about.")),
                    ("sentence", described(text, "The goal as a person would say it, with no names of measures.")),
                ])),
        "The goal that is worth most next; null where nothing costs the score more than chance.")

    private static let goal = whole(
        [("goalId", id), ("kind", text)] + target + [
            ("setAt", time), ("endsAt", described(time, "The end of its last local day.")), ("timeZone", text),
            ("unit", text),
            (
                "standing",
                ["type": "string", "examples": .array(GoalsRow.Standing.allCases.map { .string($0.rawValue) })]
            ),
            ("endedAt", described(maybe("string"), "When it was met or missed; null as long as it is open.")),
            (
                "counted",
                described(
                    list(
                        whole([
                            ("sessionId", id), ("value", ["type": "number"]), ("rulesVersion", maybe("integer")),
                        ])), "The recordings that are as it wants them.")
            ),
        ])

    private static let compared = whole([
        ("a", whole(value)), ("b", whole(value)),
        ("change", described(number, "From a to b; null when it cannot be compared.")),
        (
            "verdict",
            described(
                ["type": ["string", "null"], "examples": ["better", "worse", "same"]],
                "Null when it cannot be compared, or nothing of it is better or worse.")
        ), ("comparable", flag), ("reasons", reasons),
    ])

    /// What a report says of those before it.
    static let afterOthers: [(String, JSONValue)] = [
        (
            "sinceLast",
            described(
                nullable(
                    whole([
                        ("sessionId", id), ("createdAt", time), ("comparable", flag), ("reasons", reasons),
                        (
                            "measures",
                            described(
                                ["type": "object", "additionalProperties": compared],
                                "`a` is the last report, `b` this one.")
                        ),
                        (
                            "sentences",
                            described(
                                list(text),
                                "What changed, what did not, and what cannot be told and why, for a person to read.")
                        ),
                        (
                            "sentenceMeasures",
                            described(list(list(text)), "What each sentence rests on, in the order of `sentences`.")
                        ),
                        (
                            "exercise",
                            described(
                                nullable(
                                    whole([
                                        ("measures", list(text)),
                                        ("measure", described(maybe("string"), "The one that is judged.")),
                                        ("verdict", maybe("string")), ("reasons", reasons),
                                        ("sentence", text),
                                    ])),
                                "Whether the exercise to begin with was followed by a change; null if it gave none.")
                        ),
                    ])), "What changed since the owner's last report; null of the first one.")
        ), ("nextGoal", proposal),
    ]

    private static func sums(_ name: String, _ schema: JSONValue) -> JSONValue {
        list(whole([(name, schema), ("recordings", count), ("seconds", count), ("days", count)]))
    }

    private static let totals = whole([
        ("reports", count), ("scored", count), ("seconds", count), ("days", count),
        ("firstAt", maybe("string")), ("lastAt", maybe("string")),
        (
            "withoutZone",
            described(count, "Reports of which it is not known where they were recorded; they count in `timeZone`.")
        ),
    ])

    private static let streak = whole([
        ("currentStreak", count), ("longestStreak", count), ("practisedDays", count),
        ("consistency7", ["type": "integer", "minimum": 0, "maximum": 7, "description": "Days kept of the last 7."]),
        (
            "consistency30",
            ["type": "integer", "minimum": 0, "maximum": 30, "description": "Days kept of the last 30."]
        ),
        (
            "atRiskUntil",
            [
                "type": ["string", "null"], "format": "date-time",
                "description": "When the current streak ends unless a recording begins before.",
            ]
        ), ("recordedToday", flag),
    ])

    static let progress: [(String, JSONValue)] = [
        (
            "Progress",
            whole([
                ("kind", text), ("timeZone", text), ("today", day), ("totals", totals),
                (
                    "best",
                    described(
                        nullable(whole([("confidenceScore", count), ("sessionId", id), ("createdAt", time)])),
                        "The highest score that can be compared with the newest report's.")
                ),
                (
                    "comparable",
                    described(
                        nullable(whole(circumstances + [("reports", count)])),
                        "What the newest report is, and how many reports can be compared with it; null without a report."
                    )
                ),
                (
                    "notCompared",
                    list(
                        whole([
                            ("rulesVersion", maybe("integer")), ("language", text), ("reports", count),
                            ("reasons", reasons),
                        ]))
                ),
                ("measures", ["type": "object", "additionalProperties": course]), ("nextGoal", proposal),
                ("days", described(sums("day", day), "Of the last 30 days, those with recordings.")),
                (
                    "weeks",
                    described(
                        sums("week", ["type": "string", "examples": ["2026-W48"]]),
                        "Of the last 52 weeks of ISO 8601, this one among them.")
                ),
                ("months", sums("month", ["type": "string", "examples": ["2026-11"]])), ("streak", streak),
            ])
        ),
        (
            "MeasureSeries",
            object(
                [
                    (
                        "items",
                        list(
                            whole(
                                [("sessionId", id), ("createdAt", time)] + value + circumstances + [
                                    ("comparable", flag), ("reasons", reasons),
                                ]))
                    ), ("nextCursor", text),
                ], required: ["items"])
        ),
        (
            "ReportComparison",
            whole([
                ("a", whole([("sessionId", id), ("reportId", id), ("createdAt", time)] + circumstances)),
                ("b", whole([("sessionId", id), ("reportId", id), ("createdAt", time)] + circumstances)),
                ("comparable", described(flag, "Whether any measure can be compared.")), ("reasons", reasons),
                (
                    "measures",
                    [
                        "type": "object",
                        "additionalProperties": compared,
                    ]
                ),
            ])
        ),
        (
            "GoalSetting",
            object(
                target + [
                    ("kind", ["type": "string", "default": "mirrormate"]),
                    (
                        "timeZone",
                        [
                            "type": "string",
                            "description": "Whose days count; by default those of the latest recording.",
                        ]
                    ),
                ], required: ["measure"], isClosed: true)
        ),
        ("Goal", goal), ("Goals", whole([("items", list(goal)), ("proposal", proposal)])),
    ]
}
