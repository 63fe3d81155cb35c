import Access
import Configuration
import Crypto
import Federation
import JSON
import LocalIssuer
import Primitives
import Runtime
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `An authorization code` {
    private let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private let redirect = "com.example.app:/callback?x=1&y=ä".replacing("ä", with: "%C3%A4")

    private var challenge: String { Base64URL.encode(SHA256.digest(verifier.utf8)) }

    private func apple() throws -> (variables: [String: String], key: ES256PrivateKey) {
        let key = try ES256PrivateKey.generate()
        return (["APPLE_TEAM_ID": "TEAM", "APPLE_KEY_ID": "KEY", "APPLE_PRIVATE_KEY": try key.pem()], key)
    }

    @Test func `of Google's with its proof lets in once`() async throws {
        try await withIssuer { fixture, issuer in
            let challenge = challenge
            @Loop func code() throws -> JSONValue {
                .string(try issuer.code(.google, ada, redirectURI: redirect, challenge: challenge))
            }
            let first = try code()
            let body: JSONValue = [
                "code": first, "codeVerifier": .string(verifier), "redirectUri": .string(redirect),
            ]
            let answer = try await fixture.post("/v1/auth/google", body)
            #expect(try answer.status == 201 && Person(answer).user["email"] == "ada@example.org")
            #expect(try await fixture.post("/v1/auth/google", body).code == "authorization-code-invalid")
            let other = String(verifier.reversed())
            for wrong: JSONObject in [
                ["codeVerifier": .string(other)], ["redirectUri": "https://evil.example/"], ["code": "invented"],
            ] {
                let fields: JSONObject = [
                    "code": try code(), "codeVerifier": .string(verifier), "redirectUri": .string(redirect),
                ]
                let refused = try await fixture.post("/v1/auth/google", .object(fields.adding(membersOf: wrong)))
                #expect(refused.status == 401 && refused.code == "authorization-code-invalid", "\(wrong)")
            }
            // A token that comes with a code is held to everything, too.
            let nonce: JSONObject = [
                "code": try code(), "codeVerifier": .string(verifier), "redirectUri": .string(redirect), "nonce": "n",
            ]
            #expect(try await fixture.post("/v1/auth/google", .object(nonce)).json["reason"] == "wrong-nonce")
        }
    }

    @Test func `of Google's is exchanged by the client that it was given to, with the secret of the one that has any`()
        async throws
    {
        try await withIssuer(["GOOGLE_CLIENT_IDS": "\(LocalIssuer.defaultAudience),phone"]) { fixture, issuer in
            let challenge = challenge
            @Loop func enter(
                _ given: String, _ shown: String?, to instance: Fixture.Instance? = nil
            ) async throws -> Answer {
                let code = try issuer.code(.google, ada, clientID: given, redirectURI: redirect, challenge: challenge)
                let body: JSONObject = [
                    "code": .string(code), "codeVerifier": .string(verifier), "redirectUri": .string(redirect),
                ]
                return try await fixture.post(
                    "/v1/auth/google", .object(body.adding(["clientId": shown.map(JSONValue.string)])), to: instance)
            }
            let (web, phone) = (LocalIssuer.defaultAudience, "phone")
            #expect(try await enter(web, nil).status == 201)
            #expect(try await enter(web, web).status == 200)
            #expect(try await enter(phone, phone).status == 200)
            for (given, shown) in [(phone, nil), (web, phone)] as [(String, String?)] {
                #expect(try await enter(given, shown).code == "authorization-code-invalid", "\(given)")
            }
            // A fault of this server, and nobody's who signs in.
            let other = try await fixture.start(
                ["GOOGLE_CLIENT_SECRET": "another-than-the-provider-knows"], background: false)
            #expect(try await enter(web, web, to: other).code == "provider-unavailable")
            #expect(try await enter(phone, phone, to: other).status == 200)
        }
    }

    @Test func `is offered to a page only where it can be taken`() async throws {
        try await withIssuer { fixture, issuer in
            let page = try await fixture.send("GET", "/v1/auth/providers")
            let google: JSONValue = [
                "provider": "google", "clientId": .string(LocalIssuer.defaultAudience),
                "authorizationUrl": .string("\(issuer.url(.google))/authorize"),
            ]
            // Apple has no key here.
            #expect(page.status == 200 && page.json["items"] == [google])
        }
        try await withIssuer(try apple().variables) { fixture, _ in
            let items = try await fixture.send("GET", "/v1/auth/providers").json["items"]?.arrayValue ?? []
            #expect(items.compactMap { $0["provider"]?.stringValue } == ["google", "apple"])
        }
        try await withIssuer(["GOOGLE_CLIENT_IDS": "", "APPLE_CLIENT_IDS": ""]) { fixture, _ in
            let page = try await fixture.send("GET", "/v1/auth/providers")
            #expect(page.json["items"] == [])
        }
    }

    @Test func `comes back from the provider's page, bound to what the page kept`() async throws {
        try await withIssuer { fixture, issuer in
            let back = "http://127.0.0.1:8080/"
            let nonce = try await fixture.nonce()
            let question =
                "client_id=\(LocalIssuer.defaultAudience)&redirect_uri=\(back)&response_type=code&state=s"
                + "&nonce=\(nonce)&code_challenge=\(challenge)&code_challenge_method=S256"
            let sent = try await fixture.send("GET", "\(issuer.url(.google))/authorize?\(question)")
            let address = try #require(sent.header("location"))
            #expect(sent.status == 302 && address.hasPrefix("\(back)?code=") && address.hasSuffix("&state=s"))
            let code = String(
                try #require(address.split(separator: "=").dropFirst().first?.split(separator: "&").first))
            let body: JSONValue = [
                "code": .string(code), "codeVerifier": .string(verifier), "redirectUri": .string(back),
                "nonce": .string(nonce),
            ]
            let answer = try await fixture.post("/v1/auth/google", body)
            #expect(try answer.status == 201 && Person(answer).user["email"] == "ada@example.org")
        }
    }

    @Test func `is told apart from a provider's trouble`() async throws {
        try await withIssuer(["GOOGLE_TOKEN_URL": "http://127.0.0.1:1/token"]) { fixture, _ in
            let answer = try await fixture.post(
                "/v1/auth/google",
                ["code": "c", "codeVerifier": .string(verifier), "redirectUri": "https://a.example/"])
            #expect(answer.status == 503 && answer.code == "provider-unavailable")
            let apple = try await fixture.post("/v1/auth/apple", ["code": "c"])
            #expect(apple.status == 404 && apple.code == "provider-off")
        }
    }

    @Test func `of Apple's gives a token that is revoked when its user is erased, however long Apple does not answer`()
        async throws
    {
        let (variables, key) = try apple()
        try await withIssuer(variables) { fixture, issuer in
            issuer.appleClientKey = key.publicKey
            let person = InventedPerson("ada-at-apple", email: "ada@example.org")
            @Loop func enter() async throws -> Answer {
                let code = try issuer.code(.apple, person, redirectURI: nil, challenge: nil)
                return try await fixture.post("/v1/auth/apple", ["code": .string(code)])
            }
            let first = try await enter()
            #expect(first.status == 201)
            #expect(try await enter().status == 200)
            #expect(try await fixture.count("select count(*) from provider_tokens where user_id is not null") == 1)
            #expect(
                try await fixture.count(
                    "select count(*) from provider_tokens where position('r.'::bytea in sealed) > 0")
                    == 0)
            issuer.revocationStatus = 503
            let access = try Person(first).access
            #expect(try await fixture.request("DELETE", "/v1/me", token: access).status == 202)
            #expect(
                try await fixture.eventually {
                    try await fixture.count("select count(*) from provider_tokens where attempts > 0") == 1
                })
            #expect(try await fixture.count("select count(*) from provider_tokens where user_id is null") == 1)
            #expect(issuer.revoked.isEmpty)
            issuer.revocationStatus = 200
            try await fixture.administer("update provider_tokens set due_at = now()")
            #expect(
                try await fixture.eventually { try await fixture.count("select count(*) from provider_tokens") == 0 })
            #expect(issuer.revoked.count == 1)
        }
    }

    @Test
    func `of Apple's gives a token that Apple is asked for days to take back, each hour at last, and then no more`()
        async throws
    {
        let (variables, key) = try apple()
        try await withIssuer(variables) { fixture, issuer in
            issuer.appleClientKey = key.publicKey
            let person = InventedPerson("ada-at-apple", email: "ada@example.org")
            let code = try issuer.code(.apple, person, redirectURI: nil, challenge: nil)
            let owner = try Person(try await fixture.post("/v1/auth/apple", ["code": .string(code)]))
            func rows(_ condition: String) async throws -> Int64 {
                try await fixture.count("select count(*) from provider_tokens where \(condition)")
            }
            issuer.revocationStatus = 503
            #expect(try await fixture.request("DELETE", "/v1/me", token: owner.access).status == 202)
            #expect(try await fixture.eventually { try await rows("attempts = 1 and parked is null") == 1 })
            try await fixture.administer("update provider_tokens set attempts = 118, due_at = now()")
            #expect(try await fixture.eventually { try await rows("attempts = 119 and parked is null") == 1 })
            let anHour = "due_at between now() + interval '50 minutes' and now() + interval '1 hour'"
            #expect(try await rows(anHour) == 1)
            try await fixture.administer("update provider_tokens set due_at = now()")
            #expect(try await fixture.eventually { try await rows("attempts = 120 and parked is not null") == 1 })
            // It is due, and nobody takes it.
            issuer.revocationStatus = 200
            try await fixture.administer("update provider_tokens set due_at = now()")
            #expect(try await fixture.count("select count(*) from take_revocation(interval '1 minute')") == 0)
            #expect(try await rows("attempts = 120") == 1 && issuer.revoked.isEmpty)
        }
    }

    @Test func `of Apple's gives a token that is revoked when the identity is unlinked; without one nothing is asked`()
        async throws
    {
        let (variables, key) = try apple()
        try await withIssuer(variables) { fixture, issuer in
            issuer.appleClientKey = key.publicKey
            let owner = try await fixture.signUp("bert@example.org", confirmed: true)
            let nonce = try await fixture.nonce(owner.access)
            let code = try issuer.code(
                .apple, InventedPerson("b"), redirectURI: "https://a.example/", challenge: nil, nonce: nonce)
            let linked = try await fixture.post(
                "/v1/me/identities",
                [
                    "provider": "apple", "code": .string(code), "redirectUri": "https://a.example/",
                    "nonce": .string(nonce),
                ], token: owner.access)
            #expect(linked.status == 200)
            let gone = try await fixture.request("DELETE", "/v1/me/identities/apple", token: owner.access)
            #expect(gone.status == 204)
            #expect(
                try await fixture.eventually { try await fixture.count("select count(*) from provider_tokens") == 0 })
            #expect(issuer.revoked.count == 1)
            // An identity token alone brings nothing that could be revoked.
            let token = try issuer.identityToken(.apple, InventedPerson("c"))
            let other = try Person(try await fixture.enter("apple", token))
            #expect(try await fixture.request("DELETE", "/v1/me", token: other.access).status == 202)
            #expect(try await fixture.count("select count(*) from provider_tokens") == 0)
            #expect(issuer.revoked.count == 1)
        }
    }

    @Test func `of Apple's is worth nothing to a server that shows another key`() async throws {
        let (variables, _) = try apple()
        try await withIssuer(variables) { fixture, issuer in
            issuer.appleClientKey = try ES256PrivateKey.generate().publicKey
            let code = try issuer.code(.apple, ada, redirectURI: nil, challenge: nil)
            let answer = try await fixture.post("/v1/auth/apple", ["code": .string(code)])
            #expect(answer.status == 503 && answer.code == "provider-unavailable")
        }
    }
}
