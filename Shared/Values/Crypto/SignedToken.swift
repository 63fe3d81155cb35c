import JSON
import Primitives

/// What the kinds of access tokens have in common: JSON Web Tokens that ES256 signs (RFC 8725 says how they are read).
///
/// A token's `alg` never decides how it is verified; any other value is refused. Keys come from the caller's table by `kid` alone;
/// `jku`, `jwk`, `x5u` and `x5c` are ignored.
enum SignedToken {
    private static let algorithm = "ES256"
    private static let longestToken = 4_096
    private static let longestKeyID = 128

    /// The compact form, `header.payload.signature`.
    ///
    /// - Throws: ``CryptoError/libraryFailure`` if OpenSSL fails to sign.
    static func issue(
        _ payload: JSONValue, type: String, key: ES256PrivateKey, keyID: String
    ) throws(CryptoError) -> String {
        let header: JSONValue = ["alg": .string(algorithm), "kid": .string(keyID), "typ": .string(type)]
        let signed = Base64URL.encode(header.bytes) + "." + Base64URL.encode(payload.bytes)
        return signed + "." + Base64URL.encode(try key.sign(Array(signed.utf8)))
    }

    /// The payload of a genuine token of a type.
    ///
    /// - Throws: ``TokenError`` for the first check that fails: form and header (`malformed`), key (`unknownKey`), signature
    ///   (`badSignature`), a payload that is no object (`malformed`).
    static func payload(
        of token: String, type: String, keys: (_ keyID: String) -> ES256PublicKey?
    ) throws(TokenError) -> JSONObject {
        guard token.utf8.count <= longestToken else { throw .malformed }
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Substring.init)
        guard parts.count == 3, let header = object(parts[0]), let signature = Base64URL.decode(parts[2]) else {
            throw .malformed
        }
        guard let key = keys(try keyID(header, type)) else { throw .unknownKey }
        let signed = Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        guard key.verify(signature, of: signed) else { throw .badSignature }
        guard let payload = object(parts[1]) else { throw .malformed }
        return payload
    }

    /// Refuses a token before and after its time.
    ///
    /// - Throws: ``TokenError``: `expired`, `notYetValid`, or `malformed` for an `nbf` that is not a number.
    static func check(
        _ payload: JSONObject, from issuedAt: Timestamp, until expiresAt: Timestamp, at now: Timestamp,
        _ clockTolerance: Duration
    ) throws(TokenError) {
        guard now < expiresAt else { throw .expired }
        let start = try notBefore(payload).map { max($0, issuedAt) } ?? issuedAt
        guard start <= now + clockTolerance else { throw .notYetValid }
    }

    /// The key id from a header as this system writes it; refuses every other header.
    private static func keyID(_ header: JSONObject, _ type: String) throws(TokenError) -> String {
        // No extension is supported, so a header that requires one is refused (RFC 7515, section 4.1.11).
        guard header["crit"] == nil, header["alg"]?.stringValue == algorithm,
            header["typ"]?.stringValue?.lowercased() == type.lowercased(), let keyID = header["kid"]?.stringValue,
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
