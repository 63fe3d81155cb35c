import HTTPClient
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

/// A limit, and what uses it up.
struct Limited: Sendable, CustomTestStringConvertible {
    let name: String
    let path: String
    /// What is sent the first, the second … time.
    let body: @Sendable (Int) -> JSONValue
    var testDescription: String { name }

    init(_ name: String, _ path: String, _ body: @escaping @Sendable (Int) -> JSONValue) {
        self.name = name
        self.path = "/v1/auth/\(path)"
        self.body = body
    }

    static let all = [
        Limited("sign-up", "sign-up") { ["email": .string("n\($0)@example.org"), "password": "correct horse"] },
        Limited("email-taken", "sign-up") { _ in ["email": "anna@example.org", "password": "correct horse"] },
        Limited("sign-in", "sign-in") { ["email": .string("n\($0)@example.org"), "password": "correct horse"] },
        Limited("account", "sign-in") { _ in ["email": "anna@example.org", "password": "incorrect horse"] },
        Limited("refresh", "refresh") { _ in ["refreshToken": "guessed"] },
        Limited("device", "device") { ["deviceId": .string("a-device-of-many-\($0)")] },
        Limited("password-reset", "password-reset") { ["email": .string("n\($0)@example.org")] },
        Limited("account-mail", "password-reset") { _ in ["email": "anna@example.org"] },
        Limited("code", "verify-email") { _ in ["token": "guessed"] },
    ]
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `Too many attempts` {
    @Test(arguments: Limited.all)
    func `are told with when to come again`(limited: Limited) async throws {
        let variable = "LIMIT_" + limited.name.uppercased().replacing("-", with: "_")
        try await withIdentity([variable: "2/1h"]) { fixture async throws in
            // Each of them leaves one attempt at least, whichever limit it is that they use too.
            if limited.name != "sign-up" { _ = try await fixture.signUp("anna@example.org") }
            for number in 1...2 {
                #expect(try await fixture.post(limited.path, limited.body(number)).status != 429)
            }
            let answer = try await fixture.post(limited.path, limited.body(3))
            #expect(answer.status == 429 && code(answer) == "too-many-attempts")
            #expect(answer.response.header("content-type") == "application/problem+json")
            let wait = try #require(answer.response.header("retry-after").flatMap { Int64($0) })
            #expect((1...1_800).contains(wait) && answer.json["retryAfterSeconds"] == .int(wait))
            #expect(answer.response.header("ratelimit-policy") == "\"\(limited.name)\";q=2;w=3600")
            #expect(answer.response.header("ratelimit")?.hasPrefix("\"\(limited.name)\";r=0;t=3") == true)
        }
    }

    @Test func `are four times as many of a /56, and sixteen times as many of a /48`() async throws {
        try await withIdentity(["LIMIT_CODE": "2/1h"]) { fixture async throws in
            func post(_ address: String) async throws -> Answer {
                try await fixture.post("/v1/auth/verify-email", ["token": "guessed"], from: address)
            }
            for network in 1...4 {
                for _ in 1...2 { #expect(try await post("2001:db8:0:\(network)::1").status == 401) }
                #expect(try await post("2001:db8:0:\(network)::2").status == 429)
            }
            let line = try await post("2001:db8:0:5::1")
            #expect(line.status == 429 && line.header("ratelimit-policy") == "\"code\";q=8;w=3600")
            // A refusal of the wide network costs the narrow one nothing: both are there for the next line.
            let left = try await fixture.count("select count(*) from attempts where full_at > now()")
            #expect(left == 4 + 1 + 1)
            for number in 1...12 {
                for _ in 1...2 { #expect(try await post("2001:db8:0:\(String(number, radix: 16))00::1").status == 401) }
            }
            let provider = try await post("2001:db8:0:d00::1")
            #expect(provider.status == 429 && provider.header("ratelimit-policy") == "\"code\";q=32;w=3600")
            #expect(try await post("2001:db8:1::1").status == 401)
        }
    }

    @Test func `to change an account count for the login session, from however many addresses and on whatever route`()
        async throws
    {
        try await withIdentity(["LIMIT_ACCOUNT_CHANGES": "2/1h"]) { fixture async throws in
            let anna = try await fixture.signUp("anna@example.org")
            func change(_ person: Person, _ zone: String, from address: String) async throws -> Answer {
                try await fixture.send(
                    "PATCH", "/v1/me",
                    headers: [("Authorization", "Bearer \(person.access)"), ("X-Forwarded-For", address)],
                    json: ["timeZone": .string(zone)])
            }
            #expect(try await change(anna, "Asia/Tokyo", from: "192.0.2.1").status == 200)
            let second = try await change(anna, "Europe/Berlin", from: "192.0.2.2")
            #expect(second.status == 200 && second.header("ratelimit")?.hasPrefix("\"account-changes\";r=0") == true)
            let third = try await change(anna, "Asia/Tokyo", from: "192.0.2.3")
            #expect(third.status == 429 && code(third) == "too-many-attempts" && third.header("retry-after") != nil)
            let elsewhere = try await fixture.send(
                "PUT", "/v1/me/notifications", token: anna.access,
                ["productNews": true, "coachingReminders": true, "weeklySummary": true])
            #expect(elsewhere.status == 429)
            #expect(try await fixture.count("select count(*) from events where type = 'UserProfileChanged'") == 2)
            // Whoever has stolen a token keeps the owner from nothing elsewhere, and all login sessions together have an end.
            for login in 1...4 {
                let there = try Person(try await fixture.signIn("anna@example.org").json)
                for zone in ["Asia/Tokyo", "Europe/Berlin"] {
                    #expect(try await change(there, zone, from: "192.0.2.\(login)").status == 200)
                }
            }
            let sixth = try Person(try await fixture.signIn("anna@example.org").json)
            let together = try await change(sixth, "Asia/Tokyo", from: "192.0.2.9")
            #expect(together.status == 429 && together.header("ratelimit-policy")?.contains("q=10;") == true)
            // Reading, leaving and others are not affected.
            #expect(try await fixture.send("GET", "/v1/me", token: anna.access).status == 200)
            #expect(try await fixture.send("DELETE", "/v1/me/login-sessions", token: anna.access).status == 204)
            let bert = try await fixture.signUp("bert@example.org")
            #expect(try await change(bert, "Asia/Tokyo", from: "192.0.2.1").status == 200)
            #expect(try await fixture.send("DELETE", "/v1/me", token: anna.access).status == 202)
        }
    }

    @Test func `to change an account are counted after the proof, where there is one`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT_CHANGES": "2/1h"]) { fixture async throws in
            let anna = try await fixture.signUp("anna@example.org")
            func change(_ old: String, _ new: String) async throws -> Answer {
                try await fixture.post(
                    "/v1/auth/password", ["currentPassword": .string(old), "newPassword": .string(new)],
                    token: anna.access)
            }
            // Whoever has the token alone: so often as it may, and then with what they do not know.
            for name in ["A", "B", "C"] {
                _ = try await fixture.send("PATCH", "/v1/me", token: anna.access, ["displayName": .string(name)])
            }
            for guess in ["one guess", "two guesses", "three guesses"] {
                #expect(code(try await change(guess, "battery staple")) == "credentials-invalid")
            }
            try await fixture.administer("update logins set auth_time = auth_time - interval '400 seconds'")
            let late = try await fixture.refresh(anna.refresh).json.string("accessToken")
            for _ in 1...3 {
                let address = try await fixture.post("/v1/me/email", ["email": "mallory@example.org"], token: late)
                #expect(code(address) == "confirmation-needed")
                let factor = try await fixture.post("/v1/me/second-factor", [:], token: late)
                #expect(code(factor) == "confirmation-needed")
            }
            // The owner, who can.
            #expect(try await change("correct horse", "battery staple").status == 204)
            #expect(try await change("battery staple", "correct horse").status == 204)
            let third = try await change("correct horse", "battery staple")
            #expect(third.status == 429 && third.header("ratelimit-policy") == "\"account-changes\";q=2;w=3600")
        }
    }
}
