import Crypto
import JSON
import Primitives
import Testing

/// A key, the claims of a valid token, and ways to sign tokens that are not quite valid.
struct TokenFixture {
    let now = Timestamp(seconds: 1_795_255_323)
    let key: ES256PrivateKey
    let claims: AccessTokenClaims

    init() throws {
        key = try .generate()
        claims = AccessTokenClaims(
            subject: .v7(), issuer: "mirrormate", audience: ["api"], issuedAt: now, expiresAt: now.adding(seconds: 900),
            id: .v7(), session: .v7(), kind: .user)
    }

    /// A valid token.
    func token() throws -> String {
        try AccessToken.issue(claims, key: key, keyID: "k1")
    }

    /// Verifies like a service that knows the key as `k1`.
    func verify(
        _ token: String, issuer: String = "mirrormate", audience: String = "api", now: Timestamp? = nil
    ) throws -> AccessTokenClaims {
        try AccessToken.verify(
            token, keys: { $0 == "k1" ? key.publicKey : nil }, issuer: issuer, audience: audience, now: now ?? self.now)
    }

    /// The payload of a valid token with some members replaced and some removed.
    func payload(_ changes: JSONObject = [:], without missing: [String] = []) throws -> JSONObject {
        let part = try #require(Base64URL.decode(try token().split(separator: ".")[1]))
        var payload = try #require(try JSONValue.parse(part).objectValue)
        for (name, value) in changes.members { payload[name] = value }
        for name in missing { payload[name] = nil }
        return payload
    }

    /// The signed part of a valid token with some members of its header replaced.
    func input(header changes: JSONObject = [:], payload: JSONObject? = nil) throws -> String {
        var header: JSONObject = ["alg": "ES256", "kid": "k1", "typ": "at+jwt"]
        for (name, value) in changes.members { header[name] = value }
        let payload = try payload ?? self.payload()
        return Self.encode(.object(header)) + "." + Self.encode(.object(payload))
    }

    /// A token for a signing input, signed with the fixture's key or another.
    func sign(_ input: String, with other: ES256PrivateKey? = nil) throws -> String {
        input + "." + Base64URL.encode(try (other ?? key).sign(Array(input.utf8)))
    }

    static func encode(_ value: JSONValue) -> String { Base64URL.encode(value.bytes) }
}
