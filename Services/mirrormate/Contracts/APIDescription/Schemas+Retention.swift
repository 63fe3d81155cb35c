import JSON

/// What clients send and get of recordings that are kept.
extension Schemas {
    private static func described(_ schema: JSONValue, _ meaning: String) -> JSONValue {
        .object((schema.objectValue ?? [:]).adding(["description": .string(meaning)]))
    }

    /// Whether the recording of a session is kept.
    static let keptRecording = described(
        object(
            [
                ("kept", flag),
                ("until", described(["type": ["string", "null"], "format": "date-time"], "When it goes.")),
            ], required: ["kept", "until"]),
        "Whether its recording is kept, and until when; GET /v1/sessions/{id}/media-url gives its address.")

    private static let kindLimit = object(
        [("kind", text), ("mostMediaDays", count)], required: ["kind", "mostMediaDays"])

    static let retention: [(String, JSONValue)] = [
        (
            "MediaAddress",
            object(
                [
                    ("method", ["const": "GET"]), ("url", ["type": "string", "format": "uri"]), ("expiresAt", time),
                    ("contentType", text), ("sizeBytes", count),
                    ("until", described(time, "When the recording itself goes.")),
                ], required: ["method", "url", "expiresAt", "contentType", "sizeBytes", "until"])
        ),
        (
            "Recording",
            ["type": "string", "format": "binary", "description": "As it was uploaded, without location metadata."]
        ),
        (
            "Retention",
            object(
                [
                    (
                        "keepMediaDays",
                        described(count, "For how many days; 0 when a recording goes with its session's ending.")
                    ),
                    ("mostMediaDays", described(count, "What can be chosen at most; 0 when this server keeps none.")),
                    (
                        "kinds",
                        described(
                            list(kindLimit),
                            "For how many days recordings of each kind are kept at most, whatever is chosen.")
                    ),
                ], required: ["keepMediaDays", "mostMediaDays", "kinds"])
        ),
        (
            "RetentionChoice",
            object(
                [("keepMediaDays", ["type": "integer", "minimum": 0, "maximum": 3650])], required: ["keepMediaDays"],
                isClosed: true)
        ),
    ]
}
