import JSON
import Primitives

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

    /// Claims from the payload of a token; nil when one is missing or has another form. Further members are ignored
    /// (RFC 7519, section 4).
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

    /// One service as a text, or a list of them (RFC 7519, section 4.1.3).
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
