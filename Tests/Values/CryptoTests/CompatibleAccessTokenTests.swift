import Crypto
import JSON
import Primitives
import Testing

struct CompatibleAccessTokenTests {
    private let native: TokenFixture
    private let issuer = "https://api.example.org/auth/v1"

    init() throws { native = try TokenFixture() }

    private var claims: CompatibleTokenClaims {
        CompatibleTokenClaims(
            subject: .v4(), issuer: issuer, issuedAt: native.now, expiresAt: native.now.adding(seconds: 3_600),
            session: .v4(), isAnonymous: false, email: "ada@example.org",
            appMetadata: ["provider": "email", "providers": ["email"]], userMetadata: ["display_name": "Ada"],
            hasSecondFactor: true,
            methods: [.init("totp", at: native.now), .init("password", at: native.now.adding(seconds: -9))],
            timeZone: "Europe/Berlin", isEmailVerified: true)
    }

    private func token(_ claims: CompatibleTokenClaims) throws -> String {
        try CompatibleAccessToken.issue(claims, key: native.key, keyID: "k1")
    }

    private func verify(_ token: String, at now: Timestamp? = nil) throws -> CompatibleTokenClaims {
        try CompatibleAccessToken.verify(
            token, keys: { $0 == "k1" ? native.key.publicKey : nil }, issuer: issuer, now: now ?? native.now)
    }

    private func signed(_ changes: JSONObject, header: JSONObject = [:]) throws -> String {
        let parts = try token(claims).split(separator: ".").map { try #require(Base64URL.decode($0)) }
        func part(_ bytes: [UInt8], _ changes: JSONObject) throws -> String {
            var object = try JSONObject.parse(bytes)
            for (key, value) in changes.members { object[key] = value.isNull ? nil : value }
            return Base64URL.encode(JSONValue.object(object).bytes)
        }
        return try native.sign(part(parts[0], header) + "." + part(parts[1], changes))
    }

    @Test func `an issued token verifies to the claims it was issued with`() throws {
        let claims = claims
        #expect(try verify(token(claims)) == claims)
        let payload = try JSONObject.parse(try #require(Base64URL.decode(token(claims).split(separator: ".")[1])))
        #expect(payload["aud"] == "authenticated" && payload["role"] == "authenticated" && payload["aal"] == "aal2")
        #expect(payload["amr"]?.arrayValue?.first?["method"] == "totp")
        #expect(payload["phone"] == "")
    }

    @Test func `a token of either surface is none of the other`() throws {
        #expect(throws: TokenError.malformed) { try native.verify(token(claims)) }
        #expect(throws: TokenError.malformed) { try verify(native.token()) }
        // Neither for its type alone.
        #expect(throws: TokenError.malformed) { try native.verify(signed([:], header: ["typ": "at+jwt"])) }
        #expect(throws: TokenError.malformed) { try verify(native.sign(native.input(header: ["typ": "JWT"]))) }
    }

    @Test func `another issuer, audience or role is refused, and what is over or has not begun`() throws {
        #expect(throws: TokenError.wrongIssuer) { try verify(signed(["iss": "mirrormate"])) }
        for wrong in [["aud": "mirrormate"], ["aud": ["authenticated"]], ["role": "service_role"]] as [JSONObject] {
            #expect(throws: TokenError.wrongAudience) { try verify(signed(wrong)) }
        }
        #expect(throws: TokenError.expired) { try verify(token(claims), at: native.now.adding(seconds: 3_600)) }
        #expect(throws: TokenError.notYetValid) { try verify(token(claims), at: native.now.adding(seconds: -6)) }
    }

    @Test(arguments: ["sub", "session_id", "amr", "is_anonymous", "exp", "user_metadata"])
    func `a token without a claim is refused`(name: String) throws {
        #expect(throws: TokenError.malformed) { try verify(signed([name: .null])) }
    }

    @Test(arguments: [["alg": "HS256"], ["alg": "none"], ["typ": "at+jwt"], ["kid": ""]] as [JSONObject])
    func `a header of another kind is refused, whatever signed it`(header: JSONObject) throws {
        #expect(throws: TokenError.malformed) { try verify(signed([:], header: header)) }
    }
}
