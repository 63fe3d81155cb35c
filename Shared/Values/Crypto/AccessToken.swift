package import Primitives

/// Access tokens: signed JSON Web Tokens of the type `at+jwt` (RFC 9068), under the rules of ``SignedToken``.
package enum AccessToken {
    private static let type = "at+jwt"

    /// A signed token in the compact form, `header.payload.signature`.
    /// - Parameter keyID: the `kid` under which verifiers find the key's public half.
    /// - Throws: ``CryptoError/libraryFailure`` if OpenSSL fails to sign.
    package static func issue(
        _ claims: AccessTokenClaims, key: ES256PrivateKey, keyID: String
    ) throws(CryptoError) -> String {
        try SignedToken.issue(claims.json, type: type, key: key, keyID: keyID)
    }

    /// The claims of a token that is genuine, meant for this service and currently valid.
    /// - Parameters:
    ///   - token: the compact form, without the `Bearer` scheme.
    ///   - keys: gives the public key for a `kid`, or nil.
    ///   - issuer: the only accepted `iss`.
    ///   - audience: the service that must be among `aud`.
    ///   - now: the current time. A token is refused from the moment of its `exp`.
    ///   - clockTolerance: how far `iat` and `nbf` may lie in the future, for clock differences between machines.
    /// - Throws: ``TokenError`` for the first check that fails: form and header (`malformed`), key (`unknownKey`),
    ///   signature (`badSignature`), claims (`malformed`, `wrongIssuer`, `wrongAudience`), time (`expired`,
    ///   `notYetValid`; `malformed` for an `nbf` that is not a number).
    package static func verify(
        _ token: String, keys: (_ keyID: String) -> ES256PublicKey?, issuer: String, audience: String, now: Timestamp,
        clockTolerance: Duration = .seconds(5)
    ) throws(TokenError) -> AccessTokenClaims {
        let payload = try SignedToken.payload(of: token, type: type, keys: keys)
        guard let claims = AccessTokenClaims(payload: payload) else { throw .malformed }
        guard claims.issuer == issuer else { throw .wrongIssuer }
        guard claims.audience.contains(audience) else { throw .wrongAudience }
        try SignedToken.check(payload, from: claims.issuedAt, until: claims.expiresAt, at: now, clockTolerance)
        return claims
    }
}
