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

    /// The claims of one token.
    package init(
        subject: UUID, issuer: String, audience: [String], issuedAt: Timestamp, expiresAt: Timestamp, id: UUID,
        session: UUID, kind: Kind, timeZone: String? = nil
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
            let audience = services(try payload.required("aud"))
        else { return nil }
        return AccessTokenClaims(
            subject: try payload.uuid("sub"), issuer: try payload.string("iss"), audience: audience,
            issuedAt: Timestamp(seconds: try payload.int("iat")), expiresAt: Timestamp(seconds: try payload.int("exp")),
            id: try payload.uuid("jti"), session: try payload.uuid("sid"), kind: kind,
            timeZone: try payload.optionalString("zoneinfo"))
    }

    /// One service as a string, or an array of them (RFC 7519, section 4.1.3).
    private static func services(_ value: JSONValue) -> [String]? {
        switch value {
        case .string(let service): return [service]
        case .array(let elements):
            let services = elements.compactMap(\.stringValue)
            return services.count == elements.count ? services : nil
        default: return nil
        }
    }
}
