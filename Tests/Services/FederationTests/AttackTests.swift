import Access
import Crypto
import Federation
import HTTPClient
import JSON
import LocalIssuer
import Observability
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `An attack on sign-ins with another provider` {
    @Test
    func `with a forged, foreign, old or early token is refused, with a reason, a line in the log and no account`()
        async throws
    {
        try await withIssuer { fixture, issuer in
            let now = Timestamp.now().seconds
            let claims = issuer.claims(.google, ada)
            let other = try RS256PrivateKey.generate()
            @Loop func changed(_ members: JSONObject, header: JSONObject = [:]) throws -> String {
                try issuer.token(claims.adding(membersOf: members), header: header)
            }
            let good = try issuer.token(claims)
            let input = good.split(separator: ".").dropLast().joined(separator: ".")
            let none: JSONValue = ["alg": "none", "kid": .string(issuer.keyID)]
            let hs256: JSONValue = ["alg": "HS256", "kid": .string(issuer.keyID)]
            let unsigned = Base64URL.encode(none.bytes)
            let hmac = Base64URL.encode(hs256.bytes)
            let payload = String(good.split(separator: ".")[1])
            let mac = HMACSHA256.authenticate(
                Array("\(hmac).\(payload)".utf8), key: Array(PEM.block("PUBLIC KEY", issuer.publicKey.der).utf8))
            let attacks: [(String, String)] = [
                ("\(unsigned).\(payload).", "unsupported"),
                ("\(hmac).\(payload).\(Base64URL.encode(mac))", "unsupported"),
                ("\(input).\(Base64URL.encode(try other.sign(Array(input.utf8))))", "bad-signature"),
                (try changed([:], header: ["kid": "another"]), "unknown-key"),
                (try changed([:], header: ["crit": ["exp"]]), "unsupported"),
                (try changed([:], header: ["typ": "at+jwt"]), "unsupported"),
                (try changed(["iss": "https://accounts.google.com"]), "wrong-issuer"),
                (try issuer.identityToken(.apple, ada), "wrong-issuer"),
                (try changed(["aud": "another-app"]), "wrong-audience"),
                (
                    try changed([
                        "aud": [.string(LocalIssuer.defaultAudience), "another-app"],
                        "azp": .string(LocalIssuer.defaultAudience),
                    ]), "wrong-audience"
                ),
                (try changed(["exp": .int(now - 31)]), "expired"),
                (try changed(["iat": .int(now + 60)]), "not-yet-valid"),
                (try changed(["nbf": .int(now + 60)]), "not-yet-valid"),
                (try changed(["iat": .int(now - 700)]), "too-old"),
                (try changed(["nonce": "n-1"]), "wrong-nonce"), (try changed(["sub": ""]), "malformed"),
                ("", "malformed"), (String(repeating: "a", count: 5_000), "malformed"),
                (String(good.dropLast(2)), "bad-signature"),
            ]
            for (token, reason) in attacks {
                let answer = try await fixture.enter("google", token)
                #expect(answer.status == 401 && answer.code == "identity-token-invalid", "\(reason)")
                #expect(answer.json["reason"] == .string(reason))
            }
            let lines = try fixture.security.read().filter { $0["event"] == "sign-in-failed" }
            #expect(lines.count == attacks.count)
            #expect(try await fixture.count("select count(*) from profiles") == 0)
            // An access token of ours is no identity token, and an identity token opens no route.
            let person = try Person(try await fixture.enter("google", good))
            #expect(try await fixture.enter("google", person.access).status == 401)
            #expect(try await fixture.request("GET", "/v1/me", token: good).status == 401)
        }
    }

    @Test func `that replays a token with a nonce of ours is refused, on two instances at once and when it is over`()
        async throws
    {
        try await withIssuer(instances: 2) { fixture, issuer in
            let nonce = try await fixture.post("/v1/auth/nonce", [:])
            #expect(nonce.status == 200 && nonce.json["expiresIn"] == 600)
            let text = try nonce.json.string("nonce")
            let token = try issuer.identityToken(.google, ada, nonce: text)
            #expect(try await fixture.enter("google", token).json["reason"] == "wrong-nonce")
            #expect(try await fixture.enter("google", token, nonce: "another").json["reason"] == "wrong-nonce")
            let answers = try await together(6) { index in
                try await fixture.enter("google", token, nonce: text, to: fixture.instances[index % 2])
            }
            #expect(answers.filter { $0.status == 201 }.count == 1)
            #expect(answers.filter { $0.status == 401 && $0.code == "nonce-invalid" }.count == 5)
            // One that a client chose itself is compared, and may come again: with another token.
            for _ in 1...2 {
                let own = try issuer.identityToken(.google, ada, nonce: "own")
                #expect(try await fixture.enter("google", own, nonce: "own").status == 200)
                #expect(try await fixture.enter("google", own, nonce: "own").code == "nonce-invalid")
            }
            // A token that was issued before its nonce was given.
            let later = try await fixture.post("/v1/auth/nonce", [:]).json.string("nonce")
            let early = try issuer.identityToken(.google, ada, nonce: later, at: .now() - .seconds(60))
            #expect(try await fixture.enter("google", early, nonce: later).code == "nonce-invalid")
        }
    }

    @Test(arguments: LocalIssuer.Provider.allCases)
    func `that replays a token which no nonce binds is refused, on two instances at once and with the app's route, too`(
        provider: LocalIssuer.Provider
    ) async throws {
        try await withIssuer(instances: 2) { fixture, issuer in
            // Also by somebody who is there already.
            for round in 1...2 {
                let token = try issuer.identityToken(provider, ada)
                let answers = try await together(6) { index in
                    try await fixture.enter(provider.rawValue, token, to: fixture.instances[index % 2])
                }
                #expect(answers.filter { $0.status == (round == 1 ? 201 : 200) }.count == 1)
                #expect(answers.filter { $0.status == 401 && $0.code == "nonce-invalid" }.count == 5)
                if provider == .google {
                    let app = try await fixture.post("/api/auth/google", ["googleToken": .string(token)])
                    #expect(app.status == 401 && app.json["code"] == "nonce-invalid")
                }
            }
            #expect(try await fixture.count("select count(*) from logins") == 2)
        }
    }

    @Test func `with another account's identity confirms nobody, nor does a nonce of another login session`()
        async throws
    {
        try await withIssuer { fixture, issuer in
            let person = try Person(try await fixture.enter("google", try issuer.identityToken(.google, ada)))
            let stale = try await fixture.age(person)
            let refused = try await fixture.request("DELETE", "/v1/me", token: stale)
            #expect(refused.code == "confirmation-needed" && refused.json["methods"] == ["mail", "google"])
            func nonce(_ token: String?) async throws -> String {
                try await fixture.post("/v1/auth/nonce", [:], token: token).json.string("nonce")
            }
            func confirm(_ token: String) async throws -> Answer {
                try await fixture.post("/v1/auth/confirm", ["googleToken": .string(token)], token: stale)
            }
            #expect(try await confirm(try issuer.identityToken(.google, ada)).json["reason"] == "wrong-nonce")
            let chosen = try await confirm(try issuer.identityToken(.google, ada, nonce: "own"))
            #expect(chosen.status == 401 && chosen.code == "nonce-invalid")
            let anonymous = try issuer.identityToken(.google, ada, nonce: try await nonce(nil))
            #expect(try await confirm(anonymous).code == "nonce-invalid")
            let eve = try await fixture.signUp("eve@example.org")
            let foreign = try issuer.identityToken(.google, ada, nonce: try await nonce(eve.access))
            #expect(try await confirm(foreign).code == "nonce-invalid")
            let own = try await nonce(stale)
            let before = try issuer.identityToken(.google, ada, nonce: own, at: .now() - .seconds(60))
            #expect(try await confirm(before).code == "nonce-invalid")
            let stranger = try issuer.identityToken(.google, InventedPerson("eve"), nonce: own)
            #expect(try await confirm(stranger).code == "credentials-invalid")
            let good = try issuer.identityToken(.google, ada, nonce: own)
            let both = try await fixture.post(
                "/v1/auth/confirm", ["googleToken": .string(good), "password": "correct horse"], token: stale)
            #expect(both.code == "invalid-request")
            let confirmed = try await confirm(good)
            #expect(confirmed.status == 200)
            let again = try await confirm(good)
            #expect(again.status == 401 && again.code == "nonce-invalid")
            let fresh = try confirmed.json.string("accessToken")
            #expect(try await fixture.request("DELETE", "/v1/me", token: fresh).status == 202)
        }
    }
}

/// The keys of a provider, and what becomes of sign-ins while its server is in trouble.
@Suite(.timeLimit(.minutes(10))) @Loop struct `The keys of a provider` {
    /// A clock that a test moves.
    @Loop private final class Clock {
        var now: Int64 = 1_000_000_000_000
        func pass(_ seconds: Int64) { now += seconds * 1_000_000_000 }
    }

    private func with(
        _ body: @Loop (LocalIssuer, PublishedKeys, Clock) async throws -> Void
    ) async throws {
        let issuer = try LocalIssuer()
        try issuer.start()
        let clock = Clock()
        var policy = PublishedKeys.Policy()
        policy.deadline = .seconds(2)
        let keys = PublishedKeys(
            issuer.variables["GOOGLE_KEYS_URL"] ?? "", policy, Logger(label: "test")
        ) { clock.now }
        try await body(issuer, keys, clock)
        await issuer.stop()
    }

    @Test func `are fetched once for all who ask, and kept as long as the provider says`() async throws {
        try await with { issuer, keys, clock in
            issuer.maxAge = 600
            let found = try await together(10) { _ in try await keys.key("local-1") }
            #expect(found.allSatisfy { $0 == issuer.publicKey } && issuer.keyRequests == 1)
            clock.pass(599)
            #expect(try await keys.key("local-1") != nil && issuer.keyRequests == 1)
            clock.pass(2)
            #expect(try await keys.key("local-1") != nil && issuer.keyRequests == 2)
        }
    }

    @Test func `are fetched for an unknown name once a minute, whatever names are invented`() async throws {
        try await with { issuer, keys, clock in
            #expect(try await keys.key("local-1") != nil)
            for number in 0..<50 { #expect(try await keys.key("invented-\(number)") == nil) }
            #expect(issuer.keyRequests == 1)
            // The provider changed its key a moment ago.
            try issuer.changeKey()
            #expect(try await keys.key("local-2") == nil)
            clock.pass(61)
            #expect(try await keys.key("local-2") == issuer.publicKey)
            #expect(issuer.keyRequests == 2)
            // The whole set was replaced: what the provider took back is worth nothing.
            #expect(try await keys.key("local-1") == nil)
            for number in 0..<50 { #expect(try await keys.key("invented-\(number)") == nil) }
            #expect(issuer.keyRequests == 2)
        }
    }

    @Test(arguments: [
        "silence", "drip", "endless", "404", "500", "redirect", "garbage", "empty", "html",
    ])
    func `stay as they were while the provider's server is in trouble, and not for ever`(trouble: String) async throws {
        try await with { issuer, keys, clock in
            let known = try await keys.key("local-1")
            #expect(known != nil)
            issuer.keysAnswer =
                switch trouble {
                case "silence": .silence
                case "drip": .drip
                case "endless": .endless
                case "404": .bytes([], status: 404)
                case "500": .bytes(issuer.keySetDocument.bytes, status: 500)
                case "redirect": .bytes(issuer.keySetDocument.bytes, status: 302)
                case "garbage": .bytes([0, 1, 2, 0xFF], status: 200)
                case "empty": .bytes(Array(#"{"keys":[]}"#.utf8), status: 200)
                default: .bytes(Array("<html>busy</html>".utf8), status: 200)
                }
            // Fresh: nobody notices.
            #expect(try await keys.key("local-1") != nil && issuer.keyRequests == 1)
            clock.pass(3_601)
            #expect(try await keys.key("local-1") == issuer.publicKey && issuer.keyRequests == 2)
            // Not asked again at once.
            for _ in 0..<20 { #expect(try await keys.key("local-1") != nil) }
            #expect(issuer.keyRequests == 2)
            clock.pass(86_400)
            await #expect(throws: PublishedKeys.Unavailable.self) { try await keys.key("local-1") }
            issuer.keysAnswer = .keys
            clock.pass(61)
            #expect(try await keys.key("local-1") != nil)
        }
    }

    @Test func `go on being used by whoever comes when so many wait for new ones that nobody more may`() async throws {
        try await with { issuer, keys, clock in
            let known = try await keys.key("local-1")
            issuer.keysAnswer = .silence
            clock.pass(3_601)
            let waiting = Loop.task { try await together(64) { _ in try await keys.key("local-1") } }
            while issuer.keyRequests < 2 { try await Loop.sleep(for: .milliseconds(5)) }
            #expect(try await keys.key("local-1") == known)
            // Of a name that is not known nobody can say what it is.
            await #expect(throws: PublishedKeys.Unavailable.self) { try await keys.key("local-2") }
            issuer.keysAnswer = .keys
            #expect(try await waiting.value.allSatisfy { $0 == known } && issuer.keyRequests == 2)
        }
    }

    @Test func `keep nobody waiting who needs none of them, when they never come`() async throws {
        try await withIssuer(["PROVIDER_DEADLINE": "60s"]) { fixture, issuer in
            issuer.keysAnswer = .silence
            let token = try issuer.identityToken(.google, ada)
            var areAnswered = false
            let waiting = Loop.task {
                defer { areAnswered = true }
                return try await together(8) { _ in try await fixture.enter("google", token) }
            }
            while issuer.keyRequests == 0 { try await Loop.sleep(for: .milliseconds(5)) }
            // Meanwhile everybody else is served.
            _ = try await fixture.signUp("bert@example.org")
            #expect(try await fixture.signIn("bert@example.org").status == 200)
            let apple = try await fixture.enter("apple", "no token at all")
            #expect(apple.status == 401)
            #expect(!areAnswered)
            issuer.keysAnswer = .bytes([], status: 500)
            let answers = try await waiting.value
            #expect(answers.allSatisfy { $0.status == 503 && $0.code == "provider-unavailable" })
            #expect(answers.allSatisfy { $0.header("retry-after") == "30" } && issuer.keyRequests == 1)
        }
    }

    @Test func `are those that come, though the provider changes them while they are on their way`() async throws {
        try await withIssuer(["PROVIDER_DEADLINE": "60s"]) { fixture, issuer in
            issuer.keysAnswer = .silence
            let old = try issuer.identityToken(.google, ada)
            let early = Loop.task { try await fixture.enter("google", old) }
            while issuer.keyRequests == 0 { try await Loop.sleep(for: .milliseconds(5)) }
            try issuer.changeKey()
            let new = try issuer.identityToken(.google, ada)
            let late = Loop.task { try await fixture.enter("google", new) }
            issuer.keysAnswer = .keys
            let refused = try await early.value
            #expect(refused.status == 401 && refused.json["reason"] == "unknown-key")
            #expect(try await late.value.status == 201 && issuer.keyRequests == 1)
        }
    }

    @Test func `let in with the new key, and no longer with the old one, once the provider changed it`() async throws {
        try await withIssuer(["PROVIDER_KEYS_PAUSE": "0s"]) { fixture, issuer in
            let old = try (1...3).map { _ in try issuer.identityToken(.google, ada) }
            #expect(try await fixture.enter("google", old[0]).status == 201)
            try issuer.changeKey()
            // Known and fresh, until somebody shows the new one.
            #expect(try await fixture.enter("google", old[1]).status == 200)
            #expect(try await fixture.enter("google", try issuer.identityToken(.google, ada)).status == 200)
            #expect(try await fixture.enter("google", old[2]).json["reason"] == "unknown-key")
        }
    }
}
