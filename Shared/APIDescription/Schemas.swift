import JSON

/// The bodies of requests and answers.
enum Schemas {
    private static let text: JSONValue = ["type": "string"]
    private static let id: JSONValue = ["type": "string", "format": "uuid"]
    private static let time: JSONValue = ["type": "string", "format": "date-time"]
    private static let count: JSONValue = ["type": "integer", "minimum": 0]
    private static let flag: JSONValue = ["type": "boolean"]

    private static func maybe(_ type: String) -> JSONValue { ["type": [.string(type), "null"]] }

    private static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    private static func object(
        _ members: [(String, JSONValue)], required: [String], isClosed: Bool = false
    ) -> JSONValue {
        .object(
            JSONObject(
                [
                    ("type", "object"), ("properties", .object(JSONObject(members))),
                    ("required", .array(required.map(JSONValue.string))),
                ] + (isClosed ? [("additionalProperties", .bool(false))] : [])))
    }

    private static func list(_ of: JSONValue) -> JSONValue { ["type": "array", "items": of] }

    static let all: [(String, JSONValue)] = requests + answers

    private static let password: JSONValue = ["type": "string", "minLength": 8, "maxLength": 128, "writeOnly": true]
    private static let email: JSONValue = ["type": "string", "format": "email", "maxLength": 254]
    private static let zone: JSONValue = [
        "type": "string", "pattern": "^[A-Za-z0-9_+-][A-Za-z0-9_+/-]{0,63}$", "description": "An IANA time zone.",
    ]

    private static let requests: [(String, JSONValue)] = [
        (
            "SignUp",
            object(
                [
                    ("email", email), ("password", password), ("displayName", maybe("string")), ("timeZone", zone),
                ], required: ["email", "password"], isClosed: true)
        ),
        ("SignIn", object([("email", email), ("password", text)], required: ["email", "password"], isClosed: true)),
        ("Refresh", object([("refreshToken", text)], required: ["refreshToken"], isClosed: true)),
        ("SignOut", object([("refreshToken", maybe("string"))], required: [], isClosed: true)),
        (
            "PasswordChange",
            object(
                [("currentPassword", text), ("resetToken", text), ("newPassword", password)],
                required: ["newPassword"], isClosed: true)
        ),
        ("PasswordReset", object([("email", email)], required: ["email"], isClosed: true)),
        ("EmailVerification", object([("token", maybe("string"))], required: [], isClosed: true)),
        (
            "Device",
            object(
                [
                    ("deviceId", ["type": "string", "minLength": 16, "maxLength": 128, "pattern": "^[!-~]+$"]),
                    ("deviceSecret", maybe("string")), ("timeZone", zone),
                ], required: ["deviceId"], isClosed: true)
        ),
        ("MeChange", object([("displayName", maybe("string")), ("timeZone", zone)], required: [], isClosed: true)),
        (
            "SessionWish",
            object(
                [
                    ("kind", ["type": "string", "enum": ["mirrormate"]]),
                    ("contentType", ["type": "string", "enum": ["video/mp4", "video/quicktime", "video/webm"]]),
                    ("contentLength", ["type": "integer", "minimum": 1, "maximum": 104_857_600]),
                    ("sha256", ["type": "string", "pattern": "^[0-9A-Fa-f]{64}$"]),
                    ("maxDurationSeconds", ["type": "integer", "minimum": 1, "maximum": 95]), ("replaces", id),
                    ("timeZone", zone),
                ], required: ["kind", "contentType", "contentLength"], isClosed: true)
        ),
    ]

    private static let session = object(
        [
            ("id", id), ("kind", text), ("status", text), ("progress", ["type": "number", "minimum": 0, "maximum": 1]),
            ("createdAt", time), ("updatedAt", time), ("expiresAt", time), ("reportId", id),
            ("error", object([("code", text), ("title", text), ("retryable", flag)], required: ["code"])),
            ("refusal", ["type": "object"]), ("upload", object([("url", text)], required: ["url"])),
        ], required: ["id", "kind", "status", "progress", "createdAt", "updatedAt", "expiresAt"])

    private static let answers: [(String, JSONValue)] = [
        ("PublicKeys", object([("keys", list(["type": "object"]))], required: ["keys"])),
        ("User", object([("id", id), ("kind", text)], required: ["id"])),
        ("Accepted", object([("status", text)], required: ["status"])),
        ("Me", object([("user", reference("User"))], required: ["user"])),
        (
            "Tokens",
            object([("accessToken", text), ("refreshToken", text)], required: ["accessToken", "refreshToken"])
        ),
        (
            "Welcome",
            object(
                [
                    ("user", reference("User")), ("accessToken", text), ("refreshToken", text),
                    ("deviceSecret", text),
                ], required: ["user", "accessToken", "refreshToken"])
        ),
        (
            "Erasure",
            object(
                [
                    (
                        "erasure",
                        object(
                            [("userId", id), ("complete", flag), ("services", list(["type": "object"]))],
                            required: ["userId", "complete", "services"])
                    )
                ], required: ["erasure"])
        ),
        ("Session", session),
        ("SessionPage", object([("items", list(reference("Session"))), ("nextCursor", text)], required: ["items"])),
        ("Events", ["type": "string", "description": "Server-sent events; data is a Session."]),
        ("Upload", object([("sha256", text), ("sizeBytes", count)], required: ["sha256", "sizeBytes"])),
        (
            "Quota",
            object(
                [
                    ("kind", text), ("plan", text), ("limit", maybe("integer")), ("used", count), ("reserved", count),
                    ("remaining", maybe("integer")), ("resetsAt", maybe("string")),
                ], required: ["kind", "plan", "limit", "used", "reserved", "remaining", "resetsAt"])
        ),
        ("Report", ["type": "object", "description": "What was measured; docs/scoring.md."]),
        (
            "ReportPage",
            object([("items", list(["type": "object"])), ("nextCursor", text)], required: ["items"])
        ),
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
