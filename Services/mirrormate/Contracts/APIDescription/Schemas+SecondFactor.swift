import JSON

/// What clients send and get of a second factor.
extension Schemas {
    private static let code: JSONValue = ["type": "string", "pattern": "^[0-9]{6}$"]

    static let secondFactor: [(String, JSONValue)] = [
        (
            "SecondFactorSignIn",
            [
                "type": "object",
                "properties": [
                    "ticket": [
                        "type": "string", "description": "Of the answer to the sign-in; for five minutes, once.",
                    ],
                    "code": ["type": ["string", "null"], "writeOnly": true],
                    "recoveryCode": ["type": ["string", "null"], "writeOnly": true],
                    "deviceName": ["type": ["string", "null"], "maxLength": 100],
                    "deviceId": handedOver[0].1, "deviceSecret": handedOver[1].1,
                ], "required": ["ticket"], "additionalProperties": false,
            ]
        ),
        (
            "SecondFactorTicket",
            object(
                [("ticket", ["type": "string", "description": "Of the answer to the sign-in; for 15 minutes."])],
                required: ["ticket"], isClosed: true)
        ),
        ("SecondFactorCode", object([("code", code)], required: ["code"], isClosed: true)),
        (
            "SecondFactor",
            object(
                [
                    (
                        "secondFactor",
                        [
                            "oneOf": [
                                object(
                                    [
                                        ("since", ["type": "string", "format": "date-time"]),
                                        ("recoveryCodesLeft", ["type": "integer", "minimum": 0]),
                                    ], required: ["since", "recoveryCodesLeft"]), ["type": "null"],
                            ]
                        ]
                    )
                ], required: ["secondFactor"])
        ),
        (
            "SecondFactorSecret",
            object(
                [
                    ("secret", ["type": "string", "description": "Base 32, to be typed."]),
                    ("address", ["type": "string", "format": "uri", "description": "The same, for a QR code."]),
                ], required: ["secret", "address"])
        ),
        ("RecoveryCodes", object([("recoveryCodes", list(["type": "string"]))], required: ["recoveryCodes"])),
    ]
}
