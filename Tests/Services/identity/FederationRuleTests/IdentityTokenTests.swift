import Access
import Crypto
import EventStore
import JSON
import Primitives
import Testing

@testable import Federation

/// One key for all of them: making one takes a while.
private let ownKey = Result { try RS256PrivateKey.generate() }
private let otherKey = Result { try RS256PrivateKey.generate() }

/// A token that is good, and what can be changed about it.
private struct Sample {
    static let now = Timestamp(seconds: 1_795_000_000)

    var header: JSONObject = ["alg": "RS256", "kid": "k1", "typ": "JWT"]
    var claims: JSONObject = [
        "iss": "https://accounts.google.com", "aud": "app", "sub": "1234567890", "iat": .int(now.seconds - 10),
        "exp": .int(now.seconds + 3_590), "email": "ada@example.org", "email_verified": true,
    ]
    var expected = IdentityToken.Expectation(
        issuers: ["https://accounts.google.com", "accounts.google.com"], audience: ["app", "web"])

    func with(header members: JSONObject) -> Sample {
        var sample = self
        sample.header = header.adding(membersOf: members)
        return sample
    }

    func with(_ members: JSONObject) -> Sample {
        var sample = self
        sample.claims = claims.adding(membersOf: members)
        return sample
    }

    func without(_ member: String) -> Sample {
        var sample = self
        sample.claims[member] = nil
        return sample
    }

    func expecting(nonce: String?) -> Sample {
        var sample = self
        sample.expected.nonce = .exactly(nonce)
        return sample
    }

    func signed() -> String {
        Base64URL.encode(JSONValue.object(header).bytes) + "." + Base64URL.encode(JSONValue.object(claims).bytes)
    }

    func text(_ key: RS256PrivateKey? = nil) throws -> String {
        let input = signed()
        return input + "." + Base64URL.encode(try (key ?? ownKey.get()).sign(Array(input.utf8)))
    }

    func read(_ text: String, at time: Timestamp = now) throws -> IdentityTokenClaims {
        let token = try IdentityToken(text)
        let key = token.keyID == "k1" ? try ownKey.get().publicKey : nil
        return try token.claims(signedWith: key, expecting: expected, now: time)
    }

    /// What becomes of it.
    func verdict(at time: Timestamp = now) throws -> IdentityTokenError? {
        do {
            _ = try read(try text(), at: time)
            return nil
        } catch let error as IdentityTokenError {
            return error
        }
    }
}

@Suite struct `An identity token` {
    private let good = Sample()

    @Test func `that is good says who somebody is, and whether their address is confirmed`() throws {
        let claims = try good.read(try good.text())
        #expect(claims.subject == "1234567890" && claims.email == "ada@example.org" && claims.isEmailVerified)
        #expect(claims.nonce == nil && !claims.isPrivateEmail && claims.audience == ["app"])
        // As Apple writes it.
        let apple = good.with(["email_verified": "true", "is_private_email": "true"])
        #expect(try apple.read(try apple.text()).isEmailVerified)
        #expect(try apple.read(try apple.text()).isPrivateEmail)
        for value: JSONValue in [false, "false", "TRUE", 1, .null, ["true"]] {
            let other = good.with(["email_verified": value])
            #expect(try !other.read(try other.text()).isEmailVerified, "\(value)")
        }
    }

    @Test func `is remembered as used for longer than it is taken, by its text alone`() throws {
        let text = try good.text()
        let issuedAt = Sample.now.adding(seconds: -10)
        let call = IdentityToken.use(of: text, issuedAt: issuedAt).json
        let arguments = try #require(call["args"]?.objectValue)
        // The last moment at which it is taken by this clock; PostgreSQL's, by which rows go, may be ahead by as much as theirs.
        let last = issuedAt + IdentityToken.longestAge + IdentityToken.clockTolerance
        #expect(try good.verdict(at: last) == nil)
        #expect(try arguments.timestamp("expiresAt") >= last + IdentityToken.clockTolerance)
        let again = IdentityToken.use(of: text, issuedAt: issuedAt + .seconds(5)).json
        #expect(try again.object("args").uuid("id") == arguments.uuid("id"))
        let other = IdentityToken.use(of: text + "A", issuedAt: issuedAt).json
        #expect(try other.object("args").uuid("id") != arguments.uuid("id"))
    }

    @Test func `is refused for another algorithm, whatever its signature is made of`() throws {
        for name: JSONValue in ["none", "None", "HS256", "RS384", "RS512", "PS256", "ES256", "rs256", "", 256, .null] {
            #expect(try good.with(header: ["alg": name]).verdict() == .unsupported, "\(name)")
        }
        // HS256 with the public key as its secret, in the forms that verifiers have taken.
        let public1 = try ownKey.get().publicKey
        let forged = good.with(header: ["alg": "HS256"]).signed()
        for secret in [public1.der, public1.modulus, Array(PEM.block("PUBLIC KEY", public1.der).utf8)] {
            let text = forged + "." + Base64URL.encode(HMACSHA256.authenticate(Array(forged.utf8), key: secret))
            #expect(throws: IdentityTokenError.unsupported) { try good.read(text) }
            // The same signature under the name of the right algorithm.
            let relabelled =
                good.signed() + "."
                + Base64URL.encode(HMACSHA256.authenticate(Array(good.signed().utf8), key: secret))
            #expect(throws: IdentityTokenError.badSignature) { try good.read(relabelled) }
        }
        #expect(throws: IdentityTokenError.badSignature) { try good.read(good.signed() + ".") }
    }

    @Test func `is refused when it says that it is a token of another kind`() throws {
        for type: JSONValue in ["JWT", "jwt"] {
            #expect(try good.with(header: ["typ": type]).verdict() == nil, "\(type)")
        }
        // Apple's say nothing.
        var silent = good
        silent.header["typ"] = nil
        #expect(try silent.verdict() == nil)
        for type: JSONValue in ["at+jwt", "logout+jwt", "secevent+jwt", "JWE", "", 1, .null, ["JWT"]] {
            #expect(try good.with(header: ["typ": type]).verdict() == .unsupported, "\(type)")
        }
    }

    @Test func `is refused with an extension that it requires, and listens to no key of its own`() throws {
        #expect(try good.with(header: ["crit": ["exp"]]).verdict() == .unsupported)
        #expect(try good.with(header: ["crit": ["b64"], "b64": false]).verdict() == .unsupported)
        let own = try otherKey.get().publicKey
        let jwk: JSONValue = ["kty": "RSA", "n": .string(own.jwkN), "e": .string(own.jwkE), "kid": "k1"]
        let headers: [JSONObject] = [
            ["jwk": jwk], ["jku": "https://evil.example/keys"], ["x5u": "https://evil.example/chain"],
            ["x5c": [.string(Base64.encode(own.der))]],
        ]
        for header in headers {
            // They are ignored: signed with the provider's key it is good, with the one that it brings it is not.
            let sample = good.with(header: header)
            #expect(try sample.verdict() == nil)
            let forged = try sample.text(try otherKey.get())
            #expect(throws: IdentityTokenError.badSignature) { try sample.read(forged) }
        }
    }

    @Test func `is refused with a key that the provider does not publish`() throws {
        #expect(try good.with(header: ["kid": "k2"]).verdict() == .unknownKey)
        for name: JSONValue in [.null, "", 1, .string(String(repeating: "k", count: 129))] {
            #expect(try good.with(header: ["kid": name]).verdict() == .malformed, "\(name)")
        }
    }

    @Test func `is refused when one byte of it is another`() throws {
        let text = try good.text()
        let dots = text.indices.filter { text[$0] == "." }
        let places = [text.index(after: dots[0]), text.index(dots[0], offsetBy: 40), text.index(after: dots[1])]
        for place in places {
            let changed = text.replacingCharacter(at: place, by: text[place] == "A" ? "B" : "A")
            #expect(throws: IdentityTokenError.self) { try good.read(changed) }
        }
        // A signature of another token of the same issuer.
        let other = try good.with(["sub": "2"]).text()
        let mixed = good.signed() + "." + other.split(separator: ".")[2]
        #expect(throws: IdentityTokenError.badSignature) { try good.read(mixed) }
    }

    @Test func `is refused in any other form`() throws {
        let text = try good.text()
        let long = good.with(["padding": .string(String(repeating: "x", count: 4_096))])
        #expect(try long.verdict() == .malformed)
        for other in [
            "", ".", "..", "a.b.c", text + ".", "." + text, text + "=", text + "\n", " " + text, text + ".e30",
            text.replacing(".", with: ".."), String(text.dropLast(1)) + "!", text.uppercased(),
        ] { #expect(throws: IdentityTokenError.self, "\(other.prefix(8))") { try good.read(other) } }
        // The same bytes in another text, which would not be known as used: the last character has four bits to spare.
        let symbols = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = try #require(text.last.flatMap { symbols.firstIndex(of: $0) })
        let twin = String(text.dropLast()) + String(symbols[last + 1])
        #expect(throws: IdentityTokenError.malformed) { try good.read(twin) }
        // A header or payload that is no strict JSON.
        for header in [
            #"{"alg":"RS256","kid":"k1","alg":"none"}"#, #"["alg"]"#, #"{"alg":"RS256","kid":"k1"}x"#, "\u{FEFF}{}",
        ] {
            let input = Base64URL.encode(header.utf8) + "." + good.signed().split(separator: ".")[1]
            let forged = input + "." + Base64URL.encode(try ownKey.get().sign(Array(input.utf8)))
            #expect(throws: IdentityTokenError.malformed) { try good.read(forged) }
        }
        for payload in [#"{"sub":"1","sub":"2"}"#, "null", "1"] {
            let input = good.signed().split(separator: ".")[0] + "." + Base64URL.encode(payload.utf8)
            let forged = input + "." + Base64URL.encode(try ownKey.get().sign(Array(input.utf8)))
            #expect(throws: IdentityTokenError.malformed) { try good.read(String(forged)) }
        }
    }

    @Test func `is refused of another issuer`() throws {
        #expect(try good.with(["iss": "accounts.google.com"]).verdict() == nil)
        for issuer: JSONValue in [
            "https://accounts.google.com/", "http://accounts.google.com", "https://appleid.apple.com", "",
            "https://accounts.google.com.evil.example",
        ] { #expect(try good.with(["iss": issuer]).verdict() == .wrongIssuer, "\(issuer)") }
        #expect(try good.without("iss").verdict() == .malformed)
        #expect(try good.with(["iss": ["https://accounts.google.com"]]).verdict() == .malformed)
    }

    @Test func `is refused when it is not for this app, or for others too`() throws {
        #expect(try good.with(["aud": "web"]).verdict() == nil)
        #expect(try good.with(["aud": ["web"]]).verdict() == nil)
        #expect(try good.with(["aud": ["web", "app"], "azp": "app"]).verdict() == nil)
        let others: [JSONObject] = [
            ["aud": "other"], ["aud": ["app", "other"], "azp": "app"], ["aud": ["app", "web"]],
            ["aud": ["app", "web"], "azp": "other"], ["aud": "APP"], ["aud": "app "],
        ]
        for members in others { #expect(try good.with(members).verdict() == .wrongAudience, "\(members)") }
        for value: JSONValue in [[], .null, 1, [1], ["app", 1]] {
            #expect(try good.with(["aud": value]).verdict() == .malformed, "\(value)")
        }
        #expect(try good.without("aud").verdict() == .malformed)
        // As an Android app's: for the web client, asked for by the app.
        #expect(try good.with(["aud": "web", "azp": "android"]).verdict() == nil)
    }

    @Test func `is refused before and after its time, with half a minute either way`() throws {
        let end = Sample.now.adding(seconds: 3_590)
        #expect(try good.verdict(at: Sample.now.adding(seconds: -40)) == nil)
        #expect(try good.verdict(at: Sample.now.adding(seconds: -41)) == .notYetValid)
        let short = good.with(["exp": .int(Sample.now.seconds + 60)])
        #expect(try short.verdict(at: Sample.now.adding(seconds: 89)) == nil)
        #expect(try short.verdict(at: Sample.now.adding(seconds: 90)) == .expired)
        #expect(try good.verdict(at: end.adding(seconds: 30)) == .expired)
        #expect(try good.verdict(at: Sample.now.adding(seconds: 620)) == nil)
        #expect(try good.verdict(at: Sample.now.adding(seconds: 621)) == .tooOld)
        let late = good.with(["nbf": .int(Sample.now.seconds + 31)])
        #expect(try late.verdict() == .notYetValid)
        #expect(try late.verdict(at: Sample.now.adding(seconds: 1)) == nil)
        for member in ["iat", "exp", "nbf"] {
            for value: JSONValue in ["1795000000", true, 1.5, [1_795_000_000]] {
                #expect(try good.with([member: value]).verdict() == .malformed, "\(member) \(value)")
            }
        }
        #expect(try good.without("iat").verdict() == .malformed)
        #expect(try good.without("exp").verdict() == .malformed)
        #expect(try good.with(["exp": .int(.max)]).verdict() == nil)
        #expect(try good.with(["iat": .int(.max)]).verdict() == .notYetValid)
        #expect(try good.with(["iat": .int(.min)]).verdict() == .tooOld)
    }

    @Test func `is refused with another nonce than the request's, and with one alone`() throws {
        let one = good.with(["nonce": "n-1"])
        #expect(try one.expecting(nonce: "n-1").verdict() == nil)
        #expect(try one.verdict() == .wrongNonce)
        #expect(try one.expecting(nonce: "n-2").verdict() == .wrongNonce)
        #expect(try one.expecting(nonce: "N-1").verdict() == .wrongNonce)
        #expect(try good.expecting(nonce: "n-1").verdict() == .wrongNonce)
        #expect(try good.expecting(nonce: "").verdict() == .wrongNonce)
        #expect(try good.with(["nonce": 1]).verdict() == .malformed)
        #expect(try good.with(["nonce": .string(String(repeating: "n", count: 513))]).verdict() == .malformed)
        var any = one
        any.expected.nonce = .any
        #expect(try any.verdict() == nil)
        any = good
        any.expected.nonce = .any
        #expect(try any.verdict() == .wrongNonce)
    }

    @Test func `is refused without a subject that can be one`() throws {
        #expect(try good.with(["sub": .string(String(repeating: "s", count: 255))]).verdict() == nil)
        for value: JSONValue in [
            "", .null, 1, .string(String(repeating: "s", count: 256)), "a\u{0}b", "ä", "a\nb", ["1"],
        ] { #expect(try good.with(["sub": value]).verdict() == .malformed, "\(value)") }
    }
}

@Suite struct `A published key set` {
    private func key(_ members: JSONObject = [:]) throws -> JSONValue {
        let key = try ownKey.get().publicKey
        let all: JSONObject = ["kty": "RSA", "kid": "k1", "n": .string(key.jwkN), "e": .string(key.jwkE)]
        return .object(all.adding(membersOf: members))
    }

    private func set(_ keys: JSONValue...) -> KeySetDocument? {
        KeySetDocument(JSONValue.object(["keys": .array(keys)]).bytes)
    }

    @Test func `has the keys for RS256 and leaves out others`() throws {
        let elliptic: JSONValue = ["kty": "EC", "crv": "P-256", "kid": "e", "x": "AA", "y": "AA"]
        let found = set(
            try key(), try key(["kid": "k2", "use": "sig", "alg": "RS256"]), elliptic,
            try key(["kid": "k3", "use": "enc"]),
            try key(["kid": "k4", "alg": "RS512"]), try key(["kid": .null]), try key(["kid": "k5", "n": "AQAB"]), "key")
        #expect(found?.keys.keys.sorted() == ["k1", "k2"])
        #expect(found?.keys["k1"] == (try ownKey.get().publicKey))
    }

    @Test func `is refused when it is none, ambiguous, empty, or larger than any`() throws {
        #expect(set(try key(), try key()) == nil)
        #expect(set() == nil)
        #expect(set("key") == nil)
        for text in ["", "{}", "[]", "null", #"{"keys":{}}"#, #"{"keys":[]"#, "<html>", #"{"error":"busy"}"#] {
            #expect(KeySetDocument(Array(text.utf8)) == nil, "\(text)")
        }
        let many = try (0..<33).map { try key(["kid": .string("k\($0)")]) }
        #expect(KeySetDocument(JSONValue.object(["keys": .array(many)]).bytes) == nil)
        #expect(KeySetDocument(JSONValue.object(["keys": .array(Array(many.dropLast()))]).bytes)?.keys.count == 32)
        let padded = JSONValue.object(["keys": [try key()], "x": .string(String(repeating: "x", count: 65_536))]).bytes
        #expect(KeySetDocument(padded) == nil)
    }

    @Test(
        arguments: [
            (nil, 3_600), ("", 3_600), ("no-cache", 3_600), ("max-age=0", 60),
            ("public, max-age=21540, must-revalidate", 21_540),
            ("max-age=\"300\"", 300), ("MAX-AGE=999999999", 86_400), ("max-age=-5", 60), ("max-age=soon", 3_600),
            ("s-maxage=5", 3_600), ("max-age=99999999999999999999", 3_600),
        ] as [(String?, Int64)])
    func `is fresh for as long as its answer says, within bounds`(field: String?, seconds: Int64) {
        #expect(PublishedKeys.freshSeconds(field) == seconds)
    }

    @Test(
        arguments: [(nil, 3_000), ("0", 3_000), ("600", 2_400), ("9999", 60), ("-5", 3_000), ("old", 3_000)]
            as [(String?, Int64)])
    func `is fresh for less long when it has lain somewhere`(age: String?, seconds: Int64) {
        #expect(PublishedKeys.freshSeconds("max-age=3000", age: age) == seconds)
    }
}

extension String {
    fileprivate func replacingCharacter(at place: Index, by character: Character) -> String {
        String(self[..<place]) + String(character) + String(self[index(after: place)...])
    }
}
