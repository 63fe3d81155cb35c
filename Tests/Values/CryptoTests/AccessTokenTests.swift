import Crypto
import JSON
import Primitives
import Testing

struct AccessTokenTests {
    private let good: TokenFixture

    init() throws { good = try TokenFixture() }

    @Test func `an issued token verifies to the claims it was issued with`() throws {
        let token = try good.token()
        #expect(try good.verify(token) == good.claims)
        let header = try #require(Base64URL.decode(token.prefix { $0 != "." }))
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"ES256","kid":"k1","typ":"at+jwt"}"#)
    }

    @Test func `a device token for several services verifies for each of them`() throws {
        let claims = AccessTokenClaims(
            subject: .v4(), issuer: "mirrormate", audience: ["sessions", "api"], issuedAt: good.now,
            expiresAt: good.now.adding(seconds: 60), id: .v4(), session: .v4(), kind: .device)
        let token = try AccessToken.issue(claims, key: good.key, keyID: "k1")
        #expect(try good.verify(token) == claims)
        #expect(try good.verify(token, audience: "sessions") == claims)
        #expect(throws: TokenError.wrongAudience) { try good.verify(token, audience: "session") }
    }

    @Test func `a token says when and how its bearer last proved who they are, or that it is not known`() throws {
        let claims = AccessTokenClaims(
            subject: .v4(), issuer: "mirrormate", audience: ["api"], issuedAt: good.now,
            expiresAt: good.now.adding(seconds: 60), id: .v4(), session: .v4(), kind: .user,
            authenticatedAt: good.now.adding(seconds: -400), methods: ["pwd", "otp"])
        let token = try AccessToken.issue(claims, key: good.key, keyID: "k1")
        #expect(try good.verify(token) == claims)
        let payload = try JSONObject.parse(try #require(Base64URL.decode(token.split(separator: ".")[1])))
        #expect(payload["auth_time"] == .int(good.now.seconds - 400) && payload["amr"] == ["pwd", "otp"])
        let before = try good.verify(good.token())
        #expect(before.authenticatedAt == nil && before.methods == [])
        for wrong in [["auth_time": "soon"], ["amr": ["pwd", 1]], ["amr": 1]] as [JSONObject] {
            let token = try good.sign(good.input(payload: good.payload(wrong)))
            #expect(throws: TokenError.malformed) { try good.verify(token) }
        }
    }

    @Test func `a token is good until the microsecond before its expiry and refused from it on`() throws {
        let token = try good.token()
        let expiry = good.claims.expiresAt
        #expect(try good.verify(token, now: Timestamp(microseconds: expiry.microseconds - 1)) == good.claims)
        #expect(throws: TokenError.expired) { try good.verify(token, now: expiry) }
        #expect(throws: TokenError.expired) { try good.verify(token, now: expiry.adding(seconds: 1)) }
    }

    @Test func `a token from a clock ahead is good within the tolerance and refused beyond it`() throws {
        let token = try good.token()
        #expect(try good.verify(token, now: good.now.adding(seconds: -5)) == good.claims)
        #expect(throws: TokenError.notYetValid) {
            try good.verify(token, now: Timestamp(microseconds: good.now.microseconds - 5_000_001))
        }
    }

    @Test func `a stated not-before time is kept to, and one that is no number is malformed`() throws {
        func token(notBefore: Int64) throws -> String {
            try good.sign(good.input(payload: good.payload(["nbf": .int(notBefore)])))
        }
        #expect(throws: TokenError.notYetValid) { try good.verify(token(notBefore: good.now.seconds + 60)) }
        #expect(try good.verify(token(notBefore: good.now.seconds)) == good.claims)
        let soon = try good.sign(good.input(payload: good.payload(["nbf": "soon"])))
        #expect(throws: TokenError.malformed) { try good.verify(soon) }
    }

    @Test func `another issuer or audience is refused`() throws {
        let token = try good.token()
        #expect(throws: TokenError.wrongIssuer) { try good.verify(token, issuer: "mirrormate.example") }
        #expect(throws: TokenError.wrongAudience) { try good.verify(token, audience: "admin") }
    }

    @Test(arguments: ["sub", "iss", "aud", "iat", "exp", "jti", "sid", "kind"])
    func `a signed payload without a claim, or with a claim of another form, is refused`(claim: String) throws {
        let without = try good.sign(good.input(payload: good.payload(without: [claim])))
        #expect(throws: TokenError.malformed) { try good.verify(without) }
        for wrong in [JSONValue.null, true, 1.5, ["a": 1], [1]] {
            let token = try good.sign(good.input(payload: good.payload(JSONObject([(claim, wrong)]))))
            #expect(throws: TokenError.malformed) { try good.verify(token) }
        }
    }

    @Test func `a kind that does not exist is refused, and a claim that is not known is ignored`() throws {
        let admin = try good.sign(good.input(payload: good.payload(["kind": "admin"])))
        #expect(throws: TokenError.malformed) { try good.verify(admin) }
        let wide = try good.sign(good.input(payload: good.payload(["scope": "everything"])))
        #expect(try good.verify(wide) == good.claims)
    }

    @Test(arguments: [
        "", ".", "..", "...", "a.b.c", "e30.e30.e30", "bm9uc2Vuc2U.e30.", "e30", String(repeating: "a", count: 5_000),
        "W10.e30.AAAA", "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsxIiwidHlwIjoiYXQrand0In0=.e30.AAAA",
    ])
    func `text that is no token is malformed`(text: String) {
        #expect(throws: TokenError.malformed) { try good.verify(text) }
    }

    @Test func `the codes of the refusals are the published ones`() {
        #expect(
            TokenError.allCases.map(\.code) == [
                "malformed", "unknown-key", "bad-signature", "expired", "not-yet-valid", "wrong-issuer",
                "wrong-audience",
            ])
    }
}
