import JSON

/// The whole report. It holds for reports of every `rulesVersion`: what only later ones have is not required.
extension Schemas {
    private static let share: JSONValue = ["type": ["number", "null"], "minimum": 0, "maximum": 1]
    private static let points: JSONValue = ["type": ["integer", "null"], "minimum": 0, "maximum": 100]
    private static let seconds: JSONValue = ["type": "number", "minimum": 0, "description": "Seconds from the start."]
    private static let any: JSONValue = [:]

    private static func described(_ schema: JSONValue, _ meaning: String) -> JSONValue {
        .object((schema.objectValue ?? [:]).adding(["description": .string(meaning)]))
    }

    private static func nullable(_ schema: JSONValue) -> JSONValue { ["oneOf": [schema, ["type": "null"]]] }

    private static func map(_ of: JSONValue) -> JSONValue { ["type": "object", "additionalProperties": of] }

    /// The names of measures beside each sentence of a list.
    private static func beside(_ list: String) -> JSONValue {
        described(
            Schemas.list(names), "Parallel to `\(list)`: the names in `measures` on which each sentence rests.")
    }

    private static let names = list(text)
    /// For each entry of a list, who made its sentences.
    private static let makers = list(names)

    /// Between what a score lies.
    static let scoreRange = nullable(
        object([("low", scorePoints), ("high", scorePoints)], required: ["low", "high"]))

    /// The points of 100 that could be judged.
    static let scoreCoverage = described(
        points, "How many of the 100 points could be judged; null of a report that does not say.")

    private static let scorePoints: JSONValue = ["type": "integer", "minimum": 0, "maximum": 100]

    /// What has a report's own id and times.
    private static let identity: [(String, JSONValue)] = [("sessionId", id), ("reportId", id), ("createdAt", time)]

    /// Who made it, and what is kept of its session. Told when it is read: the report itself never changes.
    private static let provenance: [(String, JSONValue)] = [
        ("madeBy", ["const": "software"]), ("notice", described(text, "The same as a sentence, for people.")),
        (
            "kept",
            object(
                [
                    ("report", described(names, "What of the session is kept with the report, until it is deleted.")),
                    ("recording", Schemas.keptRecording),
                ], required: ["report", "recording"])
        ),
    ]

    private static let score: [(String, JSONValue)] = [
        ("durationSec", count), ("confidenceScore", described(points, "Null if too little could be judged.")),
        ("scoreCoverage", scoreCoverage), ("scoreRange", scoreRange), ("scoreParts", list(scorePart)),
        ("scenario", described(text, "What was spoken for: general, interview, pitch or casual.")),
        ("spokenLanguage", described(maybe("string"), "The BCP 47 tag that the client gave; null if it gave none.")),
        ("rulesVersion", described(count, "Scores of different versions are not compared.")),
    ]

    private static let scorePart = object(
        [
            ("part", text), ("weight", described(count, "Points of 100.")),
            (
                "share",
                described(
                    ["type": "number"],
                    """
                    The percentage of this score that rests on it; all shares add up to 100. A part that is not valid and has \
                    one counts as 0, because the speaker could have made it possible to judge: `reason` says how.
                    """)
            ),
            ("value", described(share, "Null unless `valid`.")), ("valid", flag),
            ("measures", described(names, "The names in `measures` on which the share rests; each has its `weight`.")),
            ("reason", described(text, "Why there is no value.")),
            ("values", described(map(share), "Of what it judges; null is what could not be judged.")),
            ("deduction", described(["type": ["number", "null"]], "The points that it takes away.")),
        ], required: ["part", "weight", "share", "value", "valid", "measures"])

    private static let judged: [(String, JSONValue)] = [
        (
            "vocalAnalysis",
            object(
                [
                    ("paceWordsPerMin", maybe("integer")), ("volumeConsistency", share), ("tonalVariety", share),
                    ("clarity", share), ("pauseEffectiveness", share),
                ], required: [])
        ),
        (
            "bodyLanguageAnalysis",
            object(
                [
                    ("postureScore", share), ("gestureNaturalness", share), ("facialExpressiveness", share),
                    ("eyeContactPct", share), ("movementPurpose", share),
                ], required: [])
        ),
        ("gaze", object([("eyeContactPct", share)], required: ["eyeContactPct"])),
        ("emotionBreakdown", nullable(map(share))),
        (
            "toneTimeline",
            list(object([("t", seconds), ("energy", share), ("confidence", share)], required: ["t", "energy"]))
        ),
        (
            "paceTimeline",
            described(
                list(object([("t", seconds), ("wordsPerMin", count)], required: ["t", "wordsPerMin"])),
                "The pace while speaking, every ten seconds; empty if words could not be judged.")
        ),
        (
            "pitchTimeline",
            described(
                list(object([("t", seconds), ("semitones", maybe("number"))], required: ["t", "semitones"])),
                """
                The pitch of each second, in semitones above the recording's own median; null where too little is voiced. Empty if \
                pitch could not be judged.
                """)
        ),
        ("impressionTags", names), ("impressionTagMeasures", map(names)),
        ("fillerWords", described(nullable(map(count)), "Lower bounds; null if they could not be counted.")),
        ("fillersAtLeast", flag),
        (
            "fillerTimes",
            list(object([("word", text), ("start", seconds), ("end", seconds)], required: ["word", "start", "end"]))
        ),
        (
            "pauses",
            list(
                object(
                    [("start", seconds), ("end", seconds), ("kind", maybe("string"))], required: ["start", "end"]))
        ),
    ]

    private static let words: [(String, JSONValue)] = [
        ("feedback", text), ("feedbackMeasures", described(names, "What `feedback` rests on.")),
        ("strengths", list(text)), ("strengthMeasures", beside("strengths")),
        (
            "areasForImprovement",
            described(list(text), "The one to work on first, then at most two more; perhaps none.")
        ),
        ("improvementMeasures", beside("areasForImprovement")),
        ("practiceExercises", described(list(text), "An exercise for each of `areasForImprovement`.")),
        ("exerciseMeasures", beside("practiceExercises")),
        (
            "firstStep",
            described(
                nullable(
                    object(
                        [
                            ("what", text), ("why", text), ("exercise", text), ("nextRecording", text),
                            (
                                "points",
                                described(
                                    maybe("integer"),
                                    "What the score may gain at most; null without a score, and of fewer than three.")
                            ),
                            ("measures", names),
                        ], required: ["what", "why", "exercise", "nextRecording", "measures"])),
                "The one thing to work on first: why it matters, an exercise, and how the next recording will show it.")
        ),
        ("keyMoments", list(keyMoment)),
        ("warnings", described(list(text), "Codes of what was wrong with the recording.")),
        ("warningTexts", described(list(text), "Parallel to `warnings`: what each means and what to do about it.")),
        (
            "transcript",
            nullable(
                object(
                    [
                        ("text", text), ("lowConfidence", flag),
                        (
                            "words",
                            list(
                                object(
                                    [("w", text), ("start", seconds), ("end", seconds)],
                                    required: ["w", "start", "end"]))
                        ),
                    ], required: ["text", "words"]))
        ),
        (
            "wording",
            described(
                object([("language", text), ("variants", map(count))], required: ["language", "variants"]),
                "The language of the sentences, and which of their variants were chosen.")
        ),
    ]

    private static let keyMoment = object(
        [
            ("timestamp", described(count, "`start` in whole seconds.")),
            ("type", ["type": "string", "enum": ["strength", "improvement"]]), ("description", text),
            ("start", seconds), ("end", seconds),
            ("quote", described(maybe("string"), "What was said there; null if that is uncertain.")),
            ("measures", names),
        ], required: ["timestamp", "type", "description"])

    private static let measure = object(
        [
            ("value", described(any, "Null unless `valid`.")), ("unit", text),
            ("source", ["type": "string", "enum": ["measured", "model", "estimated", "notRated"]]), ("valid", flag),
            ("reason", described(text, "Why there is no value.")), ("code", text), ("lowConfidence", flag),
            ("direction", ["type": "string", "enum": ["higher", "lower", "within", "none"]]), ("version", count),
            (
                "weight",
                described(
                    ["type": "number"],
                    """
                    The percentage of the score that rests on it; all weights add up to 100. A measure that is not valid and \
                    has one counts as 0, because the speaker could have made it possible to judge: `reason` says how.
                    """)
            ),
            (
                "engine",
                described(text, "Who judged it, where that is a provider outside this server, with its model.")
            ),
        ], required: ["value", "unit", "source", "valid"])

    private static let origin: [(String, JSONValue)] = [
        ("measures", described(map(measure), "Where each value comes from and whether it holds, by name.")),
        (
            "engines",
            described(
                map(["type": ["string", "integer", "null"]]),
                """
                Names and versions of what measured, by task; `vision`, where a provider has looked at pictures, is that provider and its \
                model, and `video` the one that has looked at the whole recording; `text` is who worded the report: `catalogue`, which is this server's \
                own, or a provider and its model, of which every sentence was held against the measures.
                """)
        ),
        (
            "textEngines",
            described(
                object(
                    [
                        ("strengths", makers), ("areasForImprovement", makers), ("practiceExercises", makers),
                        ("feedback", names),
                    ], required: ["strengths", "areasForImprovement", "practiceExercises", "feedback"]),
                "Who worded each sentence, in the order of the members that hold them.")
        ),
        ("video", ["type": ["object", "null"]]),
    ]

    /// Members that every report has; reporting refuses a document without the numbers among them.
    static let report = object(
        identity + provenance + score + judged + words + origin + afterOthers,
        required: [
            "sessionId", "reportId", "createdAt", "madeBy", "notice", "kept", "durationSec", "impressionTags",
        ])
}
