package import Access
import JSON
package import Primitives

/// What a verified identity token says (OpenID Connect Core 1.0, sections 2 and 5.1), as far as this service goes by it.
package struct IdentityTokenClaims: Sendable, Equatable {
    /// Who issued it, `iss`.
    package let issuer: String
    /// Whom it is about, `sub`: the only name by which somebody is known.
    package let subject: String
    /// The apps that it was issued for, `aud`.
    package let audience: [String]
    /// The app that asked for it, `azp`.
    package let authorizedParty: String?
    package let issuedAt: Timestamp
    package let expiresAt: Timestamp
    package let notBefore: Timestamp?
    package let nonce: String?
    /// The address as the provider has it, confirmed or not.
    package let email: String?
    /// Whether the provider says that the address is confirmed; else it counts for nothing.
    package let isEmailVerified: Bool
    /// Whether the address is one that Apple forwards from.
    package let isPrivateEmail: Bool
    /// The domain that the account at Google belongs to, `hd`; nil without one.
    package let hostedDomain: String?

    /// The longest subject, in ASCII characters (OpenID Connect Core 1.0, section 2).
    private static let longestSubject = 255
    private static let longestNonce = 512

    /// The claims in a token's payload; nil if one is missing or malformed. Unknown members are ignored (RFC 7519,
    /// section 4).
    init?(payload: JSONObject) {
        guard let claims = try? Self(reading: payload) else { return nil }
        self = claims
    }

    private init?(reading payload: JSONObject) throws(JSONError) {
        issuer = try payload.string("iss")
        subject = try payload.string("sub")
        guard (1...Self.longestSubject).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            let audience = Self.texts(try payload.required("aud")), !audience.isEmpty
        else { return nil }
        self.audience = audience
        authorizedParty = try payload.optionalString("azp")
        issuedAt = Timestamp(seconds: try payload.int("iat"))
        expiresAt = Timestamp(seconds: try payload.int("exp"))
        notBefore = try payload.optionalInt("nbf").map(Timestamp.init(seconds:))
        nonce = try payload.optionalString("nonce")
        guard (nonce?.utf8.count ?? 0) <= Self.longestNonce else { return nil }
        email = payload["email"]?.stringValue
        isEmailVerified = Self.isTrue(payload["email_verified"])
        isPrivateEmail = Self.isTrue(payload["is_private_email"])
        hostedDomain = payload["hd"]?.stringValue
    }

    /// The address that the provider vouches for; nil without one, or with one that is no address here.
    ///
    /// Google vouches for its own addresses and for those of a domain whose accounts it manages, which `hd` names. Of others it
    /// only says that they were confirmed some time, perhaps by somebody who had them before.
    package func confirmedAddress(of provider: IdentityProvider) -> EmailAddress? {
        guard isEmailVerified, let address = email.flatMap({ try? EmailAddress($0) }) else { return nil }
        switch provider {
        case .apple: return address
        case .google:
            let domain = address.key.split(separator: "@").last.map(String.init) ?? ""
            let own = ["gmail.com", "googlemail.com", hostedDomain?.lowercased() ?? ""]
            return own.contains(domain) ? address : nil
        }
    }

    /// Apple sends some of its truths as texts.
    private static func isTrue(_ value: JSONValue?) -> Bool { value == .bool(true) || value == .string("true") }

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
