import Crypto
import HTTPClient
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `Signing up` {
    private let anna: JSONValue = [
        "email": "Anna@Example.org", "password": "correct horse", "displayName": " Anna ", "timeZone": "Europe/Berlin",
    ]

    @Test func `answers the user and tokens that the published keys verify`() async throws {
        try await withIdentity { fixture in
            let answer = try await fixture.post("/v1/auth/sign-up", anna)
            #expect(answer.status == 201)
            #expect(answer.response.header("cache-control") == "no-store")
            #expect(answer.json["tokenType"] == "Bearer" && answer.json["expiresIn"] == 900)
            let user = try #require(answer.json["user"])
            #expect(user["email"] == "Anna@Example.org" && user["displayName"] == "Anna" && user["kind"] == "user")
            #expect(user["timeZone"] == "Europe/Berlin")

            let keys = try await fixture.send("GET", "/.well-known/jwks.json").json
            let key = try #require(keys["keys"]?.arrayValue?.first)
            #expect(key["kty"] == "EC" && key["crv"] == "P-256" && key["alg"] == "ES256" && key["use"] == "sig")
            #expect(key["d"] == nil)
            let publicKey = try ES256PublicKey(
                jwkX: try #require(key["x"]?.stringValue), jwkY: try #require(key["y"]?.stringValue))
            let person = try Person(answer.json)
            let claims = try AccessToken.verify(
                person.access, keys: { $0 == key["kid"]?.stringValue ? publicKey : nil }, issuer: TokenVerifier.issuer,
                audience: TokenVerifier.audience, now: .now())
            #expect(claims.subject == person.id && claims.kind == .user)
            #expect(claims.expiresAt == claims.issuedAt + .seconds(900))
        }
    }

    @Test func `mails no text of whoever signs up to the address that they enter`() async throws {
        try await withIdentity { fixture in
            let text = "Your parcel waits at https://example.org/claim"
            let answer = try await fixture.post(
                "/v1/auth/sign-up",
                ["email": "stranger@example.org", "password": "correct horse", "displayName": .string(text)])
            #expect(answer.json["user"]?["displayName"] == .string(text))
            let mail = try await fixture.mails(of: try Person(answer.json).id, atLeast: 1)[0]
            #expect(
                mail.contains("To: stranger@example.org\r\n") && !mail.contains("parcel") && !mail.contains("claim"))
        }
    }

    @Test func `gives an address to one account, whatever its case and however many try at once`() async throws {
        try await withIdentity { fixture in
            let addresses = ["a@example.org", "A@example.org", "a@Example.Org", "A@EXAMPLE.ORG"]
            let answers = try await together(addresses.count) { index in
                try await fixture.post(
                    "/v1/auth/sign-up", ["email": .string(addresses[index]), "password": "correct horse"]
                ).status
            }
            #expect(answers.sorted() == [201, 409, 409, 409])
            #expect(try await fixture.count("select count(*) from profiles") == 1)
            #expect(try await fixture.count("select count(*) from events where type = 'UserRegistered'") == 1)
            let late = try await fixture.post(
                "/v1/auth/sign-up", ["email": "a@example.org", "password": "another one"])
            #expect(late.status == 409 && code(late) == "email-taken")
        }
    }

    @Test func `refuses what cannot be an account and says why`() async throws {
        try await withIdentity { fixture in
            let cases: [(String, JSONValue, Int, String)] = [
                ("password", "short", 422, "password-too-short"),
                ("password", "Password123", 422, "password-too-common"),
                ("password", "B@example.org", 422, "password-too-common"),
                ("password", "zzzzzzzzzzzz", 422, "password-too-common"),
                ("password", .string(String(repeating: "ab", count: 513)), 422, "password-too-long"),
                ("password", 12_345_678, 400, "invalid-json"), ("email", "no address", 422, "email-invalid"),
                ("email", "a@b@c", 422, "email-invalid"), ("email", "ä@example.org", 422, "email-invalid"),
                ("timeZone", "../etc/passwd", 422, "time-zone-invalid"),
                ("timeZone", "Europe/Atlantis", 422, "time-zone-invalid"),
                ("timeZone", "XYZ-3", 422, "time-zone-invalid"),
                ("timeZone", "posix/Europe/Berlin", 422, "time-zone-invalid"),
                ("displayName", "a\nb", 422, "display-name-invalid"), ("isAdmin", true, 422, "member-unknown"),
            ]
            for (member, value, status, expected) in cases {
                var body: JSONValue = ["email": "b@example.org", "password": "correct horse"]
                if case .object(var object) = body {
                    object[member] = value
                    body = .object(object)
                }
                let answer = try await fixture.post("/v1/auth/sign-up", body)
                #expect(answer.status == status && code(answer) == expected, "\(member)")
            }
            #expect(try await fixture.count("select count(*) from profiles") == 0)
        }
    }

    @Test func `repeated with its Idempotency-Key signs in, and only with the password`() async throws {
        try await withIdentity { fixture in
            let first = try await fixture.post("/v1/auth/sign-up", anna, key: "k1")
            let again = try await fixture.post("/v1/auth/sign-up", anna, key: "k1")
            #expect(first.status == 201 && again.status == 201)
            #expect(try Person(first.json).id == Person(again.json).id)
            #expect(try Person(first.json).refresh != Person(again.json).refresh)
            guard case .object(var other) = anna else { return }
            other["password"] = "another password"
            let stranger = try await fixture.post("/v1/auth/sign-up", .object(other), key: "k1")
            #expect(stranger.status == 401 && code(stranger) == "credentials-invalid")
            other["timeZone"] = "UTC"
            #expect(try await fixture.post("/v1/auth/sign-up", .object(other), key: "k1").status == 422)
        }
    }

    @Test func `is limited per address`() async throws {
        try await withIdentity(["LIMIT_SIGN_UP": "2/1h"]) { fixture in
            _ = try await fixture.signUp("c1@example.org")
            let second = try await fixture.post(
                "/v1/auth/sign-up", ["email": "c2@example.org", "password": "correct horse"])
            #expect(second.response.header("ratelimit-policy") == "\"sign-up\";q=2;w=3600")
            #expect(second.response.header("ratelimit")?.hasPrefix("\"sign-up\";r=0;t=3") == true)
            let third = try await fixture.post("/v1/auth/sign-up", anna)
            #expect(third.status == 429 && code(third) == "too-many-attempts")
            #expect(third.response.header("ratelimit")?.hasPrefix("\"sign-up\";r=0;t=3") == true)
            let wait = try #require(third.response.header("retry-after").flatMap { Int($0) })
            #expect((1...1800).contains(wait))
        }
    }
}
