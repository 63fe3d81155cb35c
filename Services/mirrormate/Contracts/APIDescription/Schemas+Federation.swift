import JSON

/// What clients send and get of sign-ins with Google and Apple.
extension Schemas {
    private static let shown: [(String, JSONValue)] = [
        (
            "identityToken",
            [
                "type": ["string", "null"], "maxLength": 4096, "writeOnly": true,
                "description": "What the provider's sign-in gave, unchanged; at most ten minutes old.",
            ]
        ),
        (
            "nonce",
            [
                "type": ["string", "null"], "maxLength": 512,
                "description":
                    "The one that the sign-in was given, as it stands in the token; none when it was given none.",
            ]
        ),
        (
            "code",
            [
                "type": ["string", "null"], "maxLength": 2048, "writeOnly": true,
                "description": "In the place of identityToken: the authorization code.",
            ]
        ),
        (
            "codeVerifier",
            [
                "type": ["string", "null"], "pattern": "^[A-Za-z0-9._~-]{43,128}$", "writeOnly": true,
                "description": "Of PKCE (RFC 7636), with the code; Google's needs it.",
            ]
        ),
        (
            "redirectUri",
            [
                "type": ["string", "null"], "maxLength": 2048,
                "description": "The one of the sign-in, with the code; Google's needs it.",
            ]
        ),
        (
            "clientId",
            [
                "type": ["string", "null"], "maxLength": 255,
                "description":
                    "Which of the app's client ids the code was given to; else the first that the server knows.",
            ]
        ),
    ]

    static let federation: [(String, JSONValue)] = [
        (
            "FederatedSignIn",
            object(
                shown + [
                    ("displayName", maybe("string")), ("timeZone", zone), ("deviceName", deviceName),
                    (
                        "acceptedTerms",
                        [
                            "anyOf": [reference("TermsAcceptance"), ["type": "null"]],
                            "description": "The terms of use, accepted with a first sign-in.",
                        ]
                    ),
                ], required: [], isClosed: true)
        ),
        (
            "IdentityLink",
            object(
                [("provider", ["type": "string", "enum": ["google", "apple"]])] + shown, required: ["provider"],
                isClosed: true)
        ),
        (
            "Nonce",
            object(
                [("nonce", text), ("expiresIn", ["type": "integer", "description": "In seconds."])],
                required: ["nonce", "expiresIn"])
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
