import Crypto
import JSON
import LocalIssuer
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `Signing in with Google or Apple` {
    @Test(arguments: LocalIssuer.Provider.allCases)
    func `makes an account at the first sight of somebody, and finds it again`(provider: LocalIssuer.Provider)
        async throws
    {
        try await withIssuer { fixture, issuer in
            let first = try await fixture.enter(provider.rawValue, try issuer.identityToken(provider, ada))
            #expect(first.status == 201 && first.header("cache-control") == "no-store")
            let person = try Person(first)
            #expect(person.user["email"] == "ada@example.org" && person.user["emailVerified"] == true)
            #expect(person.user["kind"] == "user")
            #expect(try person.claims["amr"] == [.string(provider.rawValue)])
            #expect(try person.claims["kind"] == "user" && person.claims["email_verified"] == true)
            let again = try await fixture.enter(provider.rawValue, try issuer.identityToken(provider, ada))
            #expect(try again.status == 200 && Person(again).id == person.id)
            // Whatever becomes of the address.
            var moved = ada
            moved.email = "countess@example.org"
            let other = try await fixture.enter(provider.rawValue, try issuer.identityToken(provider, moved))
            #expect(try Person(other).id == person.id && Person(other).user["email"] == "ada@example.org")
            #expect(
                try await fixture.events(of: person.id) == ["UserRegistered", "CredentialsAttached", "EmailVerified"])
            let refreshed = try await fixture.post("/v1/auth/refresh", ["refreshToken": .string(person.refresh)])
            #expect(refreshed.status == 200)
            let me = try await fixture.request(
                "GET", "/v1/me", token: try refreshed.json.string("accessToken"))
            #expect(me.json["user"]?["kind"] == "user")
        }
    }

    @Test func `leaves no subject and no address in the log`() async throws {
        try await withIssuer { fixture, issuer in
            let person = try Person(try await fixture.enter("google", try issuer.identityToken(.google, ada)))
            _ = try await fixture.request("DELETE", "/v1/me", token: person.access)
            let log = try await fixture.administrator.query(
                "select string_agg(data::text || metadata::text, ' ') from events"
            ).rows[0].text(0)
            for word in ["ada-at-google", "ada@", "example"] { #expect(!log.contains(word)) }
            #expect(try await fixture.count("select count(*) from linked_identities") == 0)
            #expect(try await fixture.count("select count(*) from credentials") == 0)
            // Who comes back is somebody new.
            let back = try await fixture.enter("google", try issuer.identityToken(.google, ada))
            #expect(try back.status == 201 && Person(back).id != person.id)
        }
    }

    @Test func `takes no account over by its address, nor an unverified one for one`() async throws {
        try await withIssuer { fixture, issuer in
            let owner = try await fixture.signUp("Ada@example.org")
            for person in [ada, InventedPerson("eve", email: "ADA@example.org")] {
                let answer = try await fixture.enter("google", try issuer.identityToken(.google, person))
                #expect(answer.status == 409 && answer.code == "identity-address-taken")
            }
            // Of a domain that is not its own Google knows only that the address was confirmed at some time.
            var former = InventedPerson("former", email: "ada@example.org")
            former.isOfHostedDomain = false
            let stranger = try Person(try await fixture.enter("google", try issuer.identityToken(.google, former)))
            #expect(stranger.id != owner.id && stranger.user["email"] == .null)
            let claimed = InventedPerson("eve", email: "ada@example.org", isEmailVerified: false)
            let eve = try Person(try await fixture.enter("google", try issuer.identityToken(.google, claimed)))
            #expect(eve.id != owner.id && eve.user["email"] == .null && eve.user["kind"] == "user")
            #expect(try eve.claims["email_verified"] == nil)
            let nobody = try Person(
                try await fixture.enter("apple", try issuer.identityToken(.apple, InventedPerson("x"))))
            #expect(nobody.user["email"] == .null && nobody.user["kind"] == "user")
            for (method, path, body) in [
                ("POST", "/v1/me/email", ["email": "x@example.org"]), ("POST", "/v1/me/second-factor", [:]),
                ("POST", "/v1/auth/verify-email", [:]), ("POST", "/v1/auth/confirm", [:]),
                ("POST", "/v1/auth/password", ["currentPassword": "correct horse", "newPassword": "battery staple"]),
            ] as [(String, String, JSONValue)] {
                let answer = try await fixture.request(method, path, body, token: nobody.access)
                #expect(answer.status == 409 && answer.code == "address-missing", "\(path)")
            }
            // And who signs up finds the address of an identity taken.
            let bert = InventedPerson("bert", email: "bert@example.org")
            _ = try await fixture.enter("google", try issuer.identityToken(.google, bert))
            let late = try await fixture.post(
                "/v1/auth/sign-up", ["email": "bert@example.org", "password": "correct horse"])
            #expect(late.code == "email-taken")
        }
    }

    @Test func `makes an account of an anonymous device, which keeps its id, and leaves it alone when there is one`()
        async throws
    {
        try await withIssuer { fixture, issuer in
            let device = try await fixture.device()
            let first = try await fixture.enter(
                "google", try issuer.identityToken(.google, ada), token: device.access)
            let person = try Person(first)
            #expect(first.status == 201 && person.id == device.id && person.user["kind"] == "user")
            #expect(
                try await fixture.events(of: device.id) == ["UserRegistered", "CredentialsAttached", "EmailVerified"])
            // Its secret opens nothing any more; the login session that signed up goes on.
            #expect(try await fixture.request("GET", "/v1/me", token: device.access).status == 200)
            let other = try await fixture.device()
            let second = try await fixture.enter(
                "google", try issuer.identityToken(.google, ada), token: other.access)
            #expect(try second.status == 200 && Person(second).id == person.id)
            let still = try await fixture.request("GET", "/v1/me", token: other.access)
            #expect(still.json["user"]?["kind"] == "device")
            // With an account its secret opens nothing, so a token that is older than a moment does not take it away.
            let stale = try await fixture.age(other)
            for provider in LocalIssuer.Provider.allCases {
                let token = try issuer.identityToken(provider, InventedPerson("somebody"))
                let refused = try await fixture.enter(provider.rawValue, token, token: stale)
                #expect(refused.code == "confirmation-needed" && refused.json["methods"] == ["device"])
            }
            // Somebody with an account links instead.
            let owner = try await fixture.signUp("bert@example.org")
            let bert = try issuer.identityToken(.google, InventedPerson("bert", email: "b@example.org"))
            let refused = try await fixture.enter("google", bert, token: owner.access)
            #expect(refused.status == 409 && refused.code == "user-exists")
            let unknown = try await fixture.enter("google", bert, token: "x.y.z")
            #expect(unknown.status == 401)
        }
    }

    @Test func `makes one account of one person on two instances at once, also of a device`() async throws {
        try await withIssuer(instances: 2) { fixture, issuer in
            for round in 0..<4 {
                let person = InventedPerson("p\(round)", email: "p\(round)@example.org")
                let device = round % 2 == 0 ? try await fixture.device().access : nil
                let tokens = try (1...6).map { _ in try issuer.identityToken(.google, person) }
                let answers = try await together(6) { index in
                    try await fixture.enter(
                        "google", tokens[index], token: index == 0 ? device : nil, to: fixture.instances[index % 2])
                }
                #expect(answers.allSatisfy { $0.status == 200 || $0.status == 201 })
                #expect(answers.filter { $0.status == 201 }.count == 1)
                #expect(Set(try answers.map { try Person($0).id }).count == 1)
            }
            #expect(try await fixture.count("select count(*) from linked_identities") == 4)
            #expect(try await fixture.count("select count(*) from events where type = 'CredentialsAttached'") == 4)
        }
    }

    @Test func `needs the second factor of an account that has one`() async throws {
        try await withIssuer { fixture, issuer in
            let person = try Person(try await fixture.enter("google", try issuer.identityToken(.google, ada)))
            let begun = try await fixture.post("/v1/me/second-factor", [:], token: person.access)
            let totp = TOTP(secret: try #require(Base32.decode(try begun.json.string("secret"))))
            let step = TOTP.step(at: .now())
            let confirmed = try await fixture.post(
                "/v1/me/second-factor/confirm", ["code": .string(totp.code(of: step - 1))], token: person.access)
            #expect(confirmed.status == 200)
            let answer = try await fixture.enter("google", try issuer.identityToken(.google, ada))
            #expect(answer.status == 401 && answer.code == "second-factor-needed" && answer.json["accessToken"] == nil)
            let ticket = try answer.json.string("ticket")
            let finished = try await fixture.post(
                "/v1/auth/second-factor", ["ticket": .string(ticket), "code": .string(totp.code(of: step))])
            #expect(finished.status == 200)
            #expect(try Person(finished).claims["amr"] == ["google", "otp", "mfa"])
            let again = try await fixture.post(
                "/v1/auth/second-factor", ["ticket": .string(ticket), "code": .string(totp.code(of: step + 1))])
            #expect(again.code == "ticket-invalid")
        }
    }

    @Test func `must add a second factor where every account has one`() async throws {
        try await withIssuer(["REQUIRE_SECOND_FACTOR": "accounts"]) { fixture, issuer in
            _ = try await fixture.enter("google", try issuer.identityToken(.google, ada))
            let answer = try await fixture.enter("google", try issuer.identityToken(.google, ada))
            #expect(answer.code == "second-factor-required")
            let ticket = answer.json["ticket"] ?? .null
            let begun = try await fixture.post("/v1/auth/second-factor/enrolment", ["ticket": ticket])
            let totp = TOTP(secret: try #require(Base32.decode(try begun.json.string("secret"))))
            let code = totp.code(of: TOTP.step(at: .now()))
            let finished = try await fixture.post(
                "/v1/auth/second-factor", ["ticket": ticket, "code": .string(code)])
            #expect(finished.status == 200)
            #expect(try Person(finished).claims["amr"] == ["google", "otp", "mfa"])
            // Who has no address cannot have one.
            let nobody = InventedPerson("nobody")
            _ = try await fixture.enter("google", try issuer.identityToken(.google, nobody))
            let refused = try await fixture.enter("google", try issuer.identityToken(.google, nobody))
            let none = try await fixture.post(
                "/v1/auth/second-factor/enrolment", ["ticket": refused.json["ticket"] ?? .null])
            #expect(none.status == 409 && none.code == "address-missing")
        }
    }

    @Test func `is refused where a provider is off, and in another form`() async throws {
        try await withIssuer(["APPLE_CLIENT_IDS": ""]) { fixture, issuer in
            let off = try await fixture.enter("apple", try issuer.identityToken(.apple, ada))
            #expect(off.status == 404 && off.code == "provider-off")
            let google = try issuer.identityToken(.google, ada)
            let bodies: [(JSONValue, Int, String)] = [
                ([:], 400, "invalid-request"),
                (["identityToken": .string(google), "code": "c"], 400, "invalid-request"),
                (["identityToken": 1], 400, "invalid-json"), (["token": .string(google)], 422, "member-unknown"),
                (["identityToken": .string(google), "timeZone": "XYZ-3"], 422, "time-zone-invalid"),
                (["identityToken": .string(google), "deviceName": "\t"], 422, "device-name-invalid"),
                (["identityToken": .string(google), "displayName": "a\nb"], 422, "display-name-invalid"),
                (["code": "c", "codeVerifier": "short", "redirectUri": "https://a"], 400, "invalid-request"),
                (["code": "a b"], 400, "invalid-request"), (["code": "c"], 400, "invalid-request"),
                (["code": "c", "clientId": "other"], 400, "invalid-request"),
            ]
            for (body, status, code) in bodies {
                let answer = try await fixture.post("/v1/auth/google", body)
                #expect(answer.status == status && answer.code == code, "\(body)")
            }
        }
    }

    @Test func `counts as a sign-in and as a sign-up of its network`() async throws {
        try await withIssuer(["LIMIT_SIGN_IN": "4/1h", "LIMIT_SIGN_UP": "1/1h", "LIMIT_NONCE": "1/1h"]) {
            fixture, issuer in
            let first = try await fixture.enter("google", try issuer.identityToken(.google, ada))
            #expect(first.status == 201 && first.header("ratelimit")?.contains("r=3") == true)
            let second = try await fixture.enter("google", try issuer.identityToken(.google, InventedPerson("b")))
            #expect(second.status == 429 && second.code == "too-many-attempts")
            #expect(try await fixture.enter("google", try issuer.identityToken(.google, ada)).status == 200)
            #expect(try await fixture.enter("google", "x").status == 401)
            #expect(try await fixture.enter("google", "x").status == 429)
            #expect(try await fixture.post("/v1/auth/nonce", [:]).status == 200)
            #expect(try await fixture.post("/v1/auth/nonce", [:]).status == 429)
        }
    }
}
