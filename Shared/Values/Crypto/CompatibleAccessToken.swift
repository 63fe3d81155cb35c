package import JSON
package import Primitives

/// Access tokens of the compatible surface: the same keys and rules as ``AccessToken``, another type, issuer and audience, so that
/// neither counts for the other.
package enum CompatibleAccessToken {
    private static let type = "JWT"
    /// The only audience and role.
    package static let audience = "authenticated"

    /// A signed token in the compact form.
    ///
    /// - Parameter keyID: the `kid` under which verifiers find the key's public half.
    /// - Throws: ``CryptoError/libraryFailure`` if OpenSSL fails to sign.
    package static func issue(
        _ claims: CompatibleTokenClaims, key: ES256PrivateKey, keyID: String
    ) throws(CryptoError) -> String {
        try SignedToken.issue(.object(claims.json), type: type, key: key, keyID: keyID)
    }

    /// The claims of a token that is genuine and currently valid. Parameters and errors are those of
    /// ``AccessToken/verify(_:keys:issuer:audience:now:clockTolerance:)``.
    ///
    /// - Throws: ``TokenError`` for the first check that fails.
    package static func verify(
        _ token: String, keys: (_ keyID: String) -> ES256PublicKey?, issuer: String, now: Timestamp,
        clockTolerance: Duration = .seconds(5)
    ) throws(TokenError) -> CompatibleTokenClaims {
        let payload = try SignedToken.payload(of: token, type: type, keys: keys)
        let claims: CompatibleTokenClaims
        do { claims = try CompatibleTokenClaims(payload) } catch { throw .malformed }
        guard claims.issuer == issuer else { throw .wrongIssuer }
        guard payload["aud"]?.stringValue == audience, payload["role"]?.stringValue == audience else {
            throw .wrongAudience
        }
        try SignedToken.check(payload, from: claims.issuedAt, until: claims.expiresAt, at: now, clockTolerance)
        return claims
    }
}

/// The claims of an access token of the compatible surface. Times are in whole seconds.
package struct CompatibleTokenClaims: Sendable, Equatable {
    /// One way in which the bearer has shown who they are.
    package struct Method: Sendable, Equatable {
        package let name: String
        package let at: Timestamp

        package init(_ name: String, at moment: Timestamp) {
            self.name = name
            at = Timestamp(seconds: moment.seconds)
        }
    }

    /// Whom the token speaks for, `sub`.
    package let subject: UUID
    /// Who issued it, `iss`.
    package let issuer: String
    package let issuedAt: Timestamp
    /// The moment from which it is no longer accepted, `exp`.
    package let expiresAt: Timestamp
    /// The login session, `session_id`.
    package let session: UUID
    /// Whether the bearer is an installation without an account, `is_anonymous`.
    package let isAnonymous: Bool
    /// The address, `email`; empty without one.
    package let email: String
    /// `app_metadata` and `user_metadata`.
    package let appMetadata: JSONObject
    package let userMetadata: JSONObject
    /// Whether a second factor was shown, `aal`: `aal2`, else `aal1`.
    package let hasSecondFactor: Bool
    /// How and when the bearer last showed who they are, newest first, `amr`.
    package let methods: [Method]
    /// The bearer's IANA time zone, `zoneinfo`; nil if unknown.
    package let timeZone: String?
    /// Whether the bearer has confirmed their address, `email_verified`; nil for a bearer without one.
    package let isEmailVerified: Bool?

    package init(
        subject: UUID, issuer: String, issuedAt: Timestamp, expiresAt: Timestamp, session: UUID, isAnonymous: Bool,
        email: String, appMetadata: JSONObject, userMetadata: JSONObject, hasSecondFactor: Bool, methods: [Method],
        timeZone: String?, isEmailVerified: Bool?
    ) {
        self.subject = subject
        self.issuer = issuer
        self.issuedAt = Timestamp(seconds: issuedAt.seconds)
        self.expiresAt = Timestamp(seconds: expiresAt.seconds)
        self.session = session
        self.isAnonymous = isAnonymous
        self.email = email
        self.appMetadata = appMetadata
        self.userMetadata = userMetadata
        self.hasSecondFactor = hasSecondFactor
        self.methods = methods
        self.timeZone = timeZone
        self.isEmailVerified = isEmailVerified
    }

    /// The claims as the payload of a token.
    var json: JSONObject {
        let shown = methods.map { method -> JSONValue in
            ["method": .string(method.name), "timestamp": .int(method.at.seconds)]
        }
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": .uuid(subject), "aud": .string(CompatibleAccessToken.audience),
            "role": .string(CompatibleAccessToken.audience), "iat": .int(issuedAt.seconds),
            "exp": .int(expiresAt.seconds), "session_id": .uuid(session), "email": .string(email), "phone": "",
            "app_metadata": .object(appMetadata), "user_metadata": .object(userMetadata),
            "aal": .string(hasSecondFactor ? "aal2" : "aal1"), "amr": .array(shown),
            "is_anonymous": .bool(isAnonymous),
        ]
        if let timeZone { claims["zoneinfo"] = .string(timeZone) }
        if let isEmailVerified { claims["email_verified"] = .bool(isEmailVerified) }
        return claims
    }

    /// Reads a payload; unknown members are ignored (RFC 7519, section 4).
    ///
    /// - Throws: `JSONError` when a claim is missing or malformed.
    init(_ payload: JSONObject) throws(JSONError) {
        var methods: [Method] = []
        for value in try payload.array("amr") {
            let method = value.objectValue ?? [:]
            methods.append(
                Method(try method.string("method"), at: Timestamp(seconds: try method.int("timestamp"))))
        }
        self.init(
            subject: try payload.uuid("sub"), issuer: try payload.string("iss"),
            issuedAt: Timestamp(seconds: try payload.int("iat")), expiresAt: Timestamp(seconds: try payload.int("exp")),
            session: try payload.uuid("session_id"), isAnonymous: try payload.bool("is_anonymous"),
            email: try payload.string("email"), appMetadata: try payload.object("app_metadata"),
            userMetadata: try payload.object("user_metadata"), hasSecondFactor: try payload.string("aal") == "aal2",
            methods: methods, timeZone: try payload.optionalString("zoneinfo"),
            isEmailVerified: payload["email_verified"] == nil ? nil : try payload.bool("email_verified"))
    }
}
