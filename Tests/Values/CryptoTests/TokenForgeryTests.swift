import Crypto
import JSON
import Primitives
import Testing

/// What RFC 8725 warns about: tokens that try to choose how they are verified.
struct TokenForgeryTests {
    private let good: TokenFixture

    init() throws { good = try TokenFixture() }

    @Test func `a key that is not published is refused, and so is another key under the same name`() throws {
        let unknown = try AccessToken.issue(good.claims, key: good.key, keyID: "k2")
        #expect(throws: TokenError.unknownKey) { try good.verify(unknown) }
        let stranger = try AccessToken.issue(good.claims, key: .generate(), keyID: "k1")
        #expect(throws: TokenError.badSignature) { try good.verify(stranger) }
    }

    @Test func `a changed payload or signature is refused`() throws {
        let parts = try good.token().split(separator: ".").map(String.init)
        let forged = TokenFixture.encode(.object(try good.payload(["sub": .uuid(.v4())])))
        #expect(throws: TokenError.badSignature) { try good.verify("\(parts[0]).\(forged).\(parts[2])") }
        var signature = try #require(Base64URL.decode(parts[2]))
        signature[40] ^= 1
        let changed = Base64URL.encode(signature)
        #expect(throws: TokenError.badSignature) { try good.verify("\(parts[0]).\(parts[1]).\(changed)") }
    }

    @Test func `a token without a signature is refused, whatever algorithm it states`() throws {
        for algorithm in ["none", "None", "NONE", ""] {
            let input = try good.input(header: ["alg": .string(algorithm)])
            #expect(throws: TokenError.malformed) { try good.verify(input + ".") }
        }
        let input = try good.input()
        #expect(throws: TokenError.badSignature) { try good.verify(input + ".") }
    }

    @Test func `a token authenticated with the public key as an HMAC secret is refused`() throws {
        let point = good.key.publicKey.x + good.key.publicKey.y
        for secret in [point, [4] + point, Array(good.key.publicKey.jwkX.utf8)] {
            func forge(_ header: JSONObject) throws -> String {
                let input = try good.input(header: header)
                return input + "." + Base64URL.encode(HMACSHA256.authenticate(Array(input.utf8), key: secret))
            }
            #expect(throws: TokenError.malformed) { try good.verify(forge(["alg": "HS256"])) }
            #expect(throws: TokenError.badSignature) { try good.verify(forge([:])) }
        }
    }

    /// Every header here is genuinely signed; only its content is wrong.
    @Test(
        arguments: [
            ["alg": "ES384"], ["alg": "RS256"], ["alg": "es256"], ["alg": nil], ["alg": 256], ["typ": "JWT"],
            ["typ": nil],
            ["typ": "rt+jwt"], ["kid": nil], ["kid": ""], ["kid": 1], ["crit": ["exp"], "exp": 1], ["crit": []],
            ["crit": nil],
        ] as [JSONObject])
    func `a signed header of another kind is refused`(header: JSONObject) throws {
        let token = try good.sign(good.input(header: header))
        #expect(throws: TokenError.malformed) { try good.verify(token) }
    }

    @Test func `a key carried in the header is not looked at`() throws {
        let stranger = try ES256PrivateKey.generate()
        let jwk: JSONValue = [
            "kty": "EC", "crv": "P-256", "x": .string(stranger.publicKey.jwkX), "y": .string(stranger.publicKey.jwkY),
        ]
        let token = try good.sign(good.input(header: ["jwk": jwk]), with: stranger)
        #expect(throws: TokenError.badSignature) { try good.verify(token) }
    }

    @Test func `a repeated header member is refused rather than read one way or the other`() throws {
        let header = Base64URL.encode(#"{"alg":"none","alg":"ES256","kid":"k1","typ":"at+jwt"}"#.utf8)
        let token = try good.sign(header + "." + TokenFixture.encode(.object(good.payload())))
        #expect(throws: TokenError.malformed) { try good.verify(token) }
    }
}
