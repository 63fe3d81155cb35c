import JSON
package import Primitives

/// Access tokens: signed JSON Web Tokens of the type `at+jwt` (RFC 9068), under the rules of RFC 8725.
///
/// The only algorithm is ES256. A token's `alg` never decides how it is verified; any other value is refused. Keys come
/// from the caller's table by `kid` alone; `jku`, `jwk`, `x5u` and `x5c` are ignored.
package enum AccessToken {
    private static let algorithm = "ES256"
    private static let type = "at+jwt"
    private static let longestToken = 4_096
    private static let longestKeyID = 128

    /// A signed token in the compact form, `header.payload.signature`.
    /// - Parameter keyID: the `kid` under which verifiers find the key's public half.
    /// - Throws: ``CryptoError/libraryFailure`` if OpenSSL fails to sign.
    package static func issue(
        _ claims: AccessTokenClaims, key: ES256PrivateKey, keyID: String
    ) throws(CryptoError) -> String {
        let header: JSONValue = ["alg": .string(algorithm), "kid": .string(keyID), "typ": .string(type)]
        let signed = Base64URL.encode(header.bytes) + "." + Base64URL.encode(claims.json.bytes)
        return signed + "." + Base64URL.encode(try key.sign(Array(signed.utf8)))
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
        guard token.utf8.count <= longestToken else { throw .malformed }
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Substring.init)
        guard parts.count == 3, let header = object(parts[0]), let signature = Base64URL.decode(parts[2]) else {
            throw .malformed
        }
        guard let key = keys(try keyID(header)) else { throw .unknownKey }
        let signed = Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        guard key.verify(signature, of: signed) else { throw .badSignature }
        guard let payload = object(parts[1]), let claims = AccessTokenClaims(payload: payload) else {
            throw .malformed
        }
        guard claims.issuer == issuer else { throw .wrongIssuer }
        guard claims.audience.contains(audience) else { throw .wrongAudience }
        guard now < claims.expiresAt else { throw .expired }
        let start = try notBefore(payload).map { max($0, claims.issuedAt) } ?? claims.issuedAt
        guard start <= now + clockTolerance else { throw .notYetValid }
        return claims
    }

    /// The key id from a header as this system writes it; refuses every other header.
    private static func keyID(_ header: JSONObject) throws(TokenError) -> String {
        // No extension is supported, so a header that requires one is refused (RFC 7515, section 4.1.11).
        guard header["crit"] == nil, header["alg"]?.stringValue == algorithm,
            header["typ"]?.stringValue?.lowercased() == type, let keyID = header["kid"]?.stringValue,
            (1...longestKeyID).contains(keyID.utf8.count)
        else { throw .malformed }
        return keyID
    }

    private static func notBefore(_ payload: JSONObject) throws(TokenError) -> Timestamp? {
        guard let value = payload["nbf"] else { return nil }
        guard let seconds = value.intValue else { throw .malformed }
        return Timestamp(seconds: seconds)
    }

    private static func object(_ part: Substring) -> JSONObject? {
        guard let bytes = Base64URL.decode(part), let value = try? JSONValue.parse(bytes, limits: .foreign) else {
            return nil
        }
        return value.objectValue
    }
}
