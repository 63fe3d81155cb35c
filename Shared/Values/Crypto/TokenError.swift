/// Why an access token was not accepted. The error contains nothing of the token.
package enum TokenError: String, Error, Sendable, Equatable, CaseIterable, CustomStringConvertible {
    /// It is not a token of this system: wrong form, type or algorithm, or a missing claim.
    case malformed
    /// Its key is not, or is no longer, one of the published keys.
    case unknownKey = "unknown-key"
    /// Its signature was not made with its key.
    case badSignature = "bad-signature"
    /// It has expired.
    case expired
    /// It is not valid yet.
    case notYetValid = "not-yet-valid"
    /// Another system issued it.
    case wrongIssuer = "wrong-issuer"
    /// It was issued for another service.
    case wrongAudience = "wrong-audience"

    /// The stable code, for problem details and log lines.
    package var code: String { rawValue }

    package var description: String {
        switch self {
        case .malformed: "This is not an access token of this system; sign in to get one."
        case .unknownKey: "The access token's signing key is not known or was retired; refresh the session."
        case .badSignature: "The access token's signature is not valid; sign in again."
        case .expired: "The access token has expired; refresh the session."
        case .notYetValid: "The access token is not valid yet; check the clocks of client and server."
        case .wrongIssuer: "The access token was issued by another system; sign in here."
        case .wrongAudience: "The access token was issued for another service; ask for one for this service."
        }
    }
}
