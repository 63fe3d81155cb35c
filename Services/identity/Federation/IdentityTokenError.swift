/// Why an identity token was not accepted. The error contains nothing of the token.
package enum IdentityTokenError: String, Error, Sendable, Equatable, CaseIterable, CustomStringConvertible {
    /// It is none: too long, another form, not strict JSON, or a claim that is missing or of another type.
    case malformed
    /// It is signed in another way than RS256, is a token of another kind (`typ`), or needs an extension (`crit`).
    case unsupported
    /// Its key is not one that the provider publishes.
    case unknownKey = "unknown-key"
    /// Its signature was not made with its key.
    case badSignature = "bad-signature"
    /// Somebody else issued it.
    case wrongIssuer = "wrong-issuer"
    /// It was issued for another app, or for others too.
    case wrongAudience = "wrong-audience"
    /// It has expired.
    case expired
    /// It is not valid yet.
    case notYetValid = "not-yet-valid"
    /// It was issued longer ago than is accepted here.
    case tooOld = "too-old"
    /// Its nonce is another one than the request's, or only one of them has any.
    case wrongNonce = "wrong-nonce"

    /// The stable code, for problem details and log lines.
    package var code: String { rawValue }

    package var description: String {
        switch self {
        case .malformed: "This is no identity token; send the one that the provider's sign-in gave, unchanged."
        case .unsupported: "This is no identity token, or none signed with RS256; send one that Google or Apple issued."
        case .unknownKey: "The provider publishes no key of this name; sign in with the provider again."
        case .badSignature: "The identity token's signature is not valid; sign in with the provider again."
        case .wrongIssuer: "The identity token is of another provider; send it to that one's route."
        case .wrongAudience:
            "The identity token was issued for another app; its client id must be known to this server."
        case .expired: "The identity token has expired; sign in with the provider again."
        case .notYetValid: "The identity token is not valid yet; check the clocks."
        case .tooOld: "The identity token was issued too long ago; sign in with the provider again."
        case .wrongNonce:
            "The identity token has another nonce than the request; send the one that the sign-in was given."
        }
    }
}
