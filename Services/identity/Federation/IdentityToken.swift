package import Crypto
import EventStore
import JSON
package import Primitives

/// An identity token as Google and Apple issue them, taken apart but not believed yet: a JWT under the rules of RFC 8725 and of
/// OpenID Connect Core 1.0, section 3.1.3.7.
///
/// The only algorithm is RS256. A token's `alg` never decides how it is verified; any other value is refused. So is a `typ` that
/// says it is a token of another kind, such as an access token (RFC 8725, section 3.11). Its key comes from the provider's set by
/// `kid` alone; `jku`, `jwk`, `x5u` and `x5c` are ignored. Nothing here asks a clock or a network.
package struct IdentityToken: Sendable {
    /// What a token must be besides genuine.
    package struct Expectation: Sendable, Equatable {
        package var issuers: Set<String>
        /// The app's client ids: a token is for one of them and for nobody else.
        package var audience: Set<String>
        package var nonce: Nonce

        package init(issuers: Set<String>, audience: Set<String>, nonce: Nonce = .exactly(nil)) {
            self.issuers = issuers
            self.audience = audience
            self.nonce = nonce
        }
    }

    /// Which nonce a token must have.
    package enum Nonce: Sendable, Equatable {
        /// The request's; none when the request has none.
        case exactly(String?)
        /// One, which the caller goes on to check.
        case any
        /// Whatever it has, or none: the client has no place to tell it.
        case untold
    }

    /// How far the providers' clocks may differ from this machine's, either way.
    package static let clockTolerance = Duration.seconds(30)
    /// How old a token may be, whatever its own end: somebody has just signed in.
    package static let longestAge = Duration.seconds(600)

    private static let algorithm = "RS256"
    private static let longestToken = 4_096
    private static let longestKeyID = 128

    /// The name of the key that it says it is signed with.
    package let keyID: String
    private let signed: [UInt8]
    private let signature: [UInt8]
    private let payload: [UInt8]

    /// - Parameter text: the compact form.
    /// - Throws: ``IdentityTokenError/malformed``, or `unsupported` for another algorithm or kind, or a header with `crit`.
    package init(_ text: String) throws(IdentityTokenError) {
        guard text.utf8.count <= Self.longestToken else { throw .malformed }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Substring.init)
        guard parts.count == 3, let header = Self.object(Base64URL.decode(parts[0])),
            let payload = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2])
        else { throw .malformed }
        // No extension is supported, so a header that requires one is refused (RFC 7515, section 4.1.11).
        guard header["crit"] == nil, header["alg"]?.stringValue == Self.algorithm, Self.isIdentity(header["typ"]) else {
            throw .unsupported
        }
        guard let keyID = header["kid"]?.stringValue, (1...Self.longestKeyID).contains(keyID.utf8.count) else {
            throw .malformed
        }
        self.keyID = keyID
        self.payload = payload
        self.signature = signature
        signed = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
    }

    /// The claims of a token that is genuine, meant for this app and currently valid.
    ///
    /// - Parameter key: the public key of ``keyID`` in the provider's set; nil when it has none.
    /// - Throws: ``IdentityTokenError`` for the first check that fails: key, signature, form of the claims, issuer, audience,
    ///   time, nonce.
    package func claims(
        signedWith key: RS256PublicKey?, expecting expected: Expectation, now: Timestamp
    ) throws(IdentityTokenError) -> IdentityTokenClaims {
        guard let key else { throw .unknownKey }
        guard key.verify(signature, of: signed) else { throw .badSignature }
        guard let object = Self.object(payload), let claims = IdentityTokenClaims(payload: object) else {
            throw .malformed
        }
        guard expected.issuers.contains(claims.issuer) else { throw .wrongIssuer }
        guard Self.isFor(expected.audience, claims) else { throw .wrongAudience }
        try Self.checkTimes(claims, now)
        switch expected.nonce {
        case .exactly(let nonce): guard claims.nonce == nonce else { throw .wrongNonce }
        case .any: guard claims.nonce != nil else { throw .wrongNonce }
        case .untold: break
        }
        return claims
    }

    /// For the append that a token allows which no nonce of ours binds: refuses it with `nonce-used` when the same text was used before.
    static func use(of text: String, issuedAt: Timestamp) -> RowCall {
        FederationRows.useNonce(
            .v5(namespace: .zero, name: "identity token \(Hex.encode(SHA256.digest(Array(text.utf8))))"),
            issuedAt + longestAge + clockTolerance + clockTolerance)
    }

    /// Google says `JWT`, Apple nothing.
    private static func isIdentity(_ type: JSONValue?) -> Bool {
        type.map { $0.stringValue?.lowercased() == "jwt" } ?? true
    }

    /// Every audience is ours; with more than one the party that asked is named, and ours too.
    private static func isFor(_ apps: Set<String>, _ claims: IdentityTokenClaims) -> Bool {
        guard claims.audience.allSatisfy(apps.contains) else { return false }
        return claims.audience.count == 1 || claims.authorizedParty.map(apps.contains) == true
    }

    private static func checkTimes(_ claims: IdentityTokenClaims, _ now: Timestamp) throws(IdentityTokenError) {
        guard now < claims.expiresAt + clockTolerance else { throw .expired }
        let start = claims.notBefore.map { max($0, claims.issuedAt) } ?? claims.issuedAt
        guard start <= now + clockTolerance else { throw .notYetValid }
        guard now <= claims.issuedAt + longestAge + clockTolerance else { throw .tooOld }
    }

    private static func object(_ bytes: [UInt8]?) -> JSONObject? {
        guard let bytes, let value = try? JSONValue.parse(bytes, limits: .foreign) else { return nil }
        return value.objectValue
    }
}
