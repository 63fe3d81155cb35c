import JSON
package import Primitives

/// The claims of an access token (RFC 9068). Times are in whole seconds; fractions are dropped when a token is issued.
package struct AccessTokenClaims: Sendable, Equatable {
    /// What the bearer of a token is.
    package enum Kind: String, Sendable, CaseIterable {
        /// A person who has signed in.
        case user
        /// An installation without an account.
        case device
    }

    /// Whom the token speaks for, `sub`.
    package let subject: UUID
    /// Who issued it, `iss`.
    package let issuer: String
    /// The services that may accept it, `aud`.
    package let audience: [String]
    /// When it was issued, `iat`.
    package let issuedAt: Timestamp
    /// The moment from which it is no longer accepted, `exp`.
    package let expiresAt: Timestamp
    /// The identifier of this token, `jti`.
    package let id: UUID
    /// The login session it belongs to, `sid`.
    package let session: UUID
    /// What the bearer is, `kind`.
    package let kind: Kind
    /// The bearer's IANA time zone, `zoneinfo` (OpenID Connect Core, section 5.1); nil if unknown.
    package let timeZone: String?
    /// When the bearer last showed who they are, `auth_time`; nil if that is not known.
    package let authenticatedAt: Timestamp?
    /// How they did, `amr` (RFC 8176), such as `pwd`; empty if that is not known.
    package let methods: [String]
    /// Whether the bearer has confirmed their address, `email_verified` (OpenID Connect Core, section 5.1); nil for a bearer
    /// without one, and in a token from before this was told.
    package let isEmailVerified: Bool?

    /// The claims of one token.
    package init(
        subject: UUID, issuer: String, audience: [String], issuedAt: Timestamp, expiresAt: Timestamp, id: UUID,
        session: UUID, kind: Kind, timeZone: String? = nil, authenticatedAt: Timestamp? = nil, methods: [String] = [],
        isEmailVerified: Bool? = nil
    ) {
        self.subject = subject
        self.issuer = issuer
        self.audience = audience
        self.issuedAt = Timestamp(seconds: issuedAt.seconds)
        self.expiresAt = Timestamp(seconds: expiresAt.seconds)
        self.id = id
        self.session = session
        self.kind = kind
        self.timeZone = timeZone
        self.authenticatedAt = authenticatedAt.map { Timestamp(seconds: $0.seconds) }
        self.methods = methods
        self.isEmailVerified = isEmailVerified
    }
}

extension AccessTokenClaims {
    /// The claims as the payload of a token.
    var json: JSONValue {
        let services: JSONValue = audience.count == 1 ? .string(audience[0]) : .array(audience.map(JSONValue.string))
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": .uuid(subject), "aud": services, "iat": .int(issuedAt.seconds),
            "exp": .int(expiresAt.seconds), "jti": .uuid(id), "sid": .uuid(session), "kind": .string(kind.rawValue),
        ]
        if let timeZone { claims["zoneinfo"] = .string(timeZone) }
        if let authenticatedAt { claims["auth_time"] = .int(authenticatedAt.seconds) }
        if let isEmailVerified { claims["email_verified"] = .bool(isEmailVerified) }
        if !methods.isEmpty { claims["amr"] = .array(methods.map(JSONValue.string)) }
        return .object(claims)
    }

    /// The claims in a token's payload; nil if one is missing or malformed. Unknown members are ignored (RFC 7519,
    /// section 4).
    init?(payload: JSONObject) {
        guard let claims = try? Self.read(payload) else { return nil }
        self = claims
    }

    private static func read(_ payload: JSONObject) throws(JSONError) -> AccessTokenClaims? {
        guard let kind = Kind(rawValue: try payload.string("kind")),
            let audience = texts(try payload.required("aud")), let methods = texts(payload["amr"] ?? [])
        else { return nil }
        return AccessTokenClaims(
            subject: try payload.uuid("sub"), issuer: try payload.string("iss"), audience: audience,
            issuedAt: Timestamp(seconds: try payload.int("iat")), expiresAt: Timestamp(seconds: try payload.int("exp")),
            id: try payload.uuid("jti"), session: try payload.uuid("sid"), kind: kind,
            timeZone: try payload.optionalString("zoneinfo"),
            authenticatedAt: try payload.optionalInt("auth_time").map(Timestamp.init(seconds:)), methods: methods,
            isEmailVerified: payload["email_verified"] == nil ? nil : try payload.bool("email_verified"))
    }

    /// One text, or an array of them, as `aud` may be either (RFC 7519, section 4.1.3).
    private static func texts(_ value: JSONValue) -> [String]? {
        switch value {
        case .string(let text): return [text]
        case .array(let elements):
            let texts = elements.compactMap(\.stringValue)
            return texts.count == elements.count ? texts : nil
        default: return nil
        }
    }
}
