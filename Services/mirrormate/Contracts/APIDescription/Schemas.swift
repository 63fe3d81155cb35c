import JSON

/// The bodies of requests; those of answers stand in Schemas+Answers.swift.
enum Schemas {
    static let text: JSONValue = ["type": "string"]
    static let id: JSONValue = ["type": "string", "format": "uuid"]
    static let time: JSONValue = ["type": "string", "format": "date-time"]
    static let count: JSONValue = ["type": "integer", "minimum": 0]
    static let flag: JSONValue = ["type": "boolean"]

    static func maybe(_ type: String) -> JSONValue { ["type": [.string(type), "null"]] }

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

    static let all: [(String, JSONValue)] = requests + answers

    /// Whether an object without members does not fit a schema; without a body, a request is taken for one with `{}`.
    static func needsMembers(_ name: String) -> Bool {
        all.first { $0.0 == name }?.1["required"]?.arrayValue?.isEmpty != true
    }

    /// What a recording may be.
    static let mediaTypes = ["video/mp4", "video/quicktime", "video/webm"]

    static let password: JSONValue = ["type": "string", "minLength": 8, "maxLength": 1024, "writeOnly": true]
    static let email: JSONValue = ["type": "string", "format": "email", "maxLength": 254]
    static let zone: JSONValue = [
        "type": ["string", "null"], "pattern": "^[A-Za-z0-9_+-][A-Za-z0-9_+/-]{0,63}$",
        "description": "An IANA time zone.",
    ]

    static let requests: [(String, JSONValue)] = [
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
                    ("contentType", ["type": "string", "enum": .array(mediaTypes.map(JSONValue.string))]),
                    ("contentLength", ["type": "integer", "minimum": 1, "maximum": 104_857_600]),
                    ("sha256", ["type": ["string", "null"], "pattern": "^[0-9A-Fa-f]{64}$"]),
                    ("maxDurationSeconds", ["type": ["integer", "null"], "minimum": 1, "maximum": 95]),
                    ("replaces", ["type": ["string", "null"], "format": "uuid"]),
                    ("timeZone", zone),
                ], required: ["kind", "contentType", "contentLength"], isClosed: true)
        ),
    ]
}
