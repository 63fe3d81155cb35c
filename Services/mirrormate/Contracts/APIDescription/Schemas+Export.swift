import JSON

/// What clients get of exports, and of how their account was used.
extension Schemas {
    private static func described(_ schema: JSONValue, _ meaning: String) -> JSONValue {
        .object((schema.objectValue ?? [:]).adding(["description": .string(meaning)]))
    }

    private static let moment: JSONValue = ["oneOf": [time, ["type": "null"]]]
    private static let seconds: JSONValue = ["type": "integer", "minimum": 0, "description": "In seconds."]
    private static let bytes: JSONValue = ["type": "integer", "minimum": 0, "description": "In bytes."]
    private static let service: JSONValue = [
        "type": "string", "examples": ["identity", "sessions", "quota", "reporting"],
    ]

    private static let export: JSONValue = object(
        [
            ("id", id),
            ("state", ["type": "string", "examples": ["open", "ready", "failed", "expired", "deleted"]]),
            ("requestedAt", time),
            ("deadline", described(time, "When it fails unless all parts are there.")),
            (
                "services",
                described(
                    list(object([("service", service), ("state", text)], required: ["service", "state"])),
                    "While it is open: whose part is there (done).")
            ),
            ("readyAt", time), ("expiresAt", described(time, "When the archive is removed.")),
            ("sizeBytes", bytes), ("files", count),
            (
                "archive",
                described(
                    object([("url", text), ("expiresAt", time)], required: ["url", "expiresAt"]),
                    "When it is ready: where the archive is fetched, by GET and without a token.")
            ),
            (
                "reason",
                ["type": "string", "examples": ["parts-missing", "too-large"], "description": "Why it failed."]
            ),
            ("missing", described(list(service), "Of a failed one: whose part did not come.")),
        ], required: ["id", "state", "requestedAt", "deadline"])

    private static let uses: [(String, JSONValue)] = [
        ("sessionsAnalyzed", count), ("secondsAnalyzed", seconds), ("sessionsLogged", count),
        ("secondsLogged", seconds),
    ]

    private static let usage: JSONValue = object(
        uses + [
            ("uploads", described(count, "Recordings that have come, since this is counted.")),
            ("bytesUploaded", bytes), ("firstUseAt", moment), ("lastUseAt", moment),
            (
                "months",
                list(
                    object(
                        [("month", ["type": "string", "examples": ["2026-11"]]), ("kind", text)] + uses,
                        required: ["month", "kind"] + uses.map(\.0)))
            ),
        ], required: uses.map(\.0) + ["uploads", "bytesUploaded", "firstUseAt", "lastUseAt", "months"])

    static let exports: [(String, JSONValue)] = [
        ("ExportWish", object([], required: [], isClosed: true)), ("Export", export),
        ("Exports", object([("items", list(export))], required: ["items"])),
        ("Archive", ["type": "string", "format": "binary"]), ("Usage", usage),
    ]
}
