import JSON
import Progress

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
                ("measures", ["type": "object", "additionalProperties": course]),
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
                        "additionalProperties": whole([
                            ("a", whole(value)), ("b", whole(value)),
                            ("change", described(number, "From a to b; null when it cannot be compared.")),
                            (
                                "verdict",
                                described(
                                    [
                                        "type": ["string", "null"],
                                        "examples": ["better", "worse", "same"],
                                    ],
                                    "Null when it cannot be compared, or nothing of it is better or worse.")
                            ), ("comparable", flag), ("reasons", reasons),
                        ]),
                    ]
                ),
            ])
        ),
    ]
}
