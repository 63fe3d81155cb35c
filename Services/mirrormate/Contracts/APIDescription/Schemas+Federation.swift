import JSON

/// What clients send and get of sign-ins with Google and Apple.
extension Schemas {
    /// What a provider gives has characters of ASCII that one sees.
    private static let visible: JSONValue = "^[!-~]+$"

    private static let nonce: (String, JSONValue) = (
        "nonce",
        [
            "type": ["string", "null"], "maxLength": 512,
            "description":
                "The one that the sign-in was given, as it stands in the token; none when it was given none.",
        ]
    )

    private static let identityToken: [(String, JSONValue)] = [
        (
            "identityToken",
            [
                "type": "string", "maxLength": 4096, "writeOnly": true,
                "description": "What the provider's sign-in gave, unchanged; at most ten minutes old.",
            ]
        ), nonce,
    ]

    private static let code: [(String, JSONValue)] = [
        (
            "code",
            [
                "type": "string", "pattern": visible, "maxLength": 2048, "writeOnly": true,
                "description": "The authorization code.",
            ]
        ),
        (
            "codeVerifier",
            [
                "type": ["string", "null"], "pattern": "^[A-Za-z0-9._~-]{43,128}$", "writeOnly": true,
                "description": "Of PKCE (RFC 7636); Google's code needs it.",
            ]
        ),
        (
            "redirectUri",
            [
                "type": ["string", "null"], "pattern": visible, "maxLength": 2048,
                "description": "The one of the sign-in; Google's code needs it.",
            ]
        ),
        (
            "clientId",
            [
                "type": ["string", "null"], "pattern": visible, "maxLength": 255,
                "description":
                    "Which of the app's client ids the code was given to; else the first that the server knows.",
            ]
        ), nonce,
    ]

    /// What shows an identity, in one of its two forms, with other members beside it.
    private static func shown(_ others: [(String, JSONValue)], required: [String] = []) -> JSONValue {
        [
            "oneOf": [
                object(identityToken + others, required: ["identityToken"] + required, isClosed: true),
                object(code + others, required: ["code"] + required, isClosed: true),
            ]
        ]
    }

    static let federation: [(String, JSONValue)] = [
        (
            "FederatedSignIn",
            shown(
                [
                    ("displayName", maybe("string")), ("timeZone", zone), ("deviceName", deviceName),
                    (
                        "acceptedTerms",
                        [
                            "anyOf": [reference("TermsAcceptance"), ["type": "null"]],
                            "description": "The terms of use, accepted with a first sign-in.",
                        ]
                    ),
                ] + handedOver)
        ),
        (
            "IdentityLink",
            shown([("provider", ["type": "string", "enum": ["google", "apple"]])], required: ["provider"])
        ),
        (
            "Nonce",
            object(
                [("nonce", text), ("expiresIn", ["type": "integer", "description": "In seconds."])],
                required: ["nonce", "expiresIn"])
        ),
        (
            "SignInProviders",
            object(
                [
                    (
                        "items",
                        list(
                            object(
                                [
                                    ("provider", ["type": "string", "enum": ["google", "apple"]]), ("clientId", text),
                                    ("authorizationUrl", ["type": "string", "format": "uri"]),
                                ], required: ["provider", "clientId", "authorizationUrl"]))
                    )
                ], required: ["items"])
        ),
        (
            "Identities",
            object(
                [
                    (
                        "items",
                        list(
                            object(
                                [
                                    ("provider", ["type": "string", "enum": ["google", "apple"]]), ("linkedAt", time),
                                ], required: ["provider", "linkedAt"]))
                    )
                ], required: ["items"])
        ),
    ]
}
