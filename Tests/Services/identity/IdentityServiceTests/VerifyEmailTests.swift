import JSON
import ObjectStorage
import Primitives
import Runtime
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `An address` {
    private func confirm(_ fixture: Fixture, _ code: String) async throws -> Answer {
        try await fixture.post("/v1/auth/verify-email", ["token": .string(code)])
    }

    @Test func `is the account's when the code of sign-up's mail comes back`() async throws {
        try await withIdentity { fixture in
            let body: JSONValue = [
                "email": "anna@example.org", "password": "correct horse",
                "displayName": "Änna\u{2028}Bcc: e@example.org",
            ]
            let answer = try await fixture.post("/v1/auth/sign-up", body)
            let anna = try Person(answer.json)
            #expect(answer.json["user"]?["emailVerified"] == false)
            let mail = try await fixture.mails(of: anna.id, atLeast: 1)[0]
            #expect(mail.contains("\r\nTo: anna@example.org\r\n") && !mail.contains("Bcc:"))
            let token = try #require(mailedCode(mail))
            #expect(try await confirm(fixture, token).status == 204)
            #expect(try await fixture.send("GET", "/v1/me", token: anna.access).json["user"]?["emailVerified"] == true)
            #expect(code(try await confirm(fixture, token)) == "code-invalid")
            #expect(try await fixture.count("select count(*) from events where type = 'EmailVerified'") == 1)
        }
    }

    @Test func `gets another code on demand, and is verified once`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT_MAIL": "1/1h"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let first = try await fixture.mails(of: anna.id, atLeast: 1)
            let asked = try await fixture.post("/v1/auth/verify-email", [:], token: anna.access)
            #expect(asked.status == 202)
            let both = try await fixture.mails(of: anna.id, atLeast: 2)
            #expect(mailedCode(both[1]) != mailedCode(first[0]))
            #expect(try await confirm(fixture, try #require(mailedCode(both[1]))).status == 204)
            #expect(try await confirm(fixture, try #require(mailedCode(first[0]))).status == 401)
            #expect(try await fixture.post("/v1/auth/verify-email", [:], token: anna.access).status == 429)
            #expect(try await fixture.post("/v1/auth/verify-email", [:]).status == 401)
            let device = try Person(try await fixture.post("/v1/auth/device", ["deviceId": "0123456789abcdef"]).json)
            let none = try await fixture.post("/v1/auth/verify-email", [:], token: device.access)
            #expect(none.status == 409 && code(none) == "account-missing")
        }
    }

    @Test func `is told in access tokens, as soon as one is refreshed`() async throws {
        try await withIdentity { fixture in
            let claim = { (token: String) throws -> JSONValue? in
                let payload = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
                return try JSONObject.parse(payload)["email_verified"]
            }
            let anna = try await fixture.signUp("anna@example.org")
            #expect(try claim(anna.access) == false)
            let token = try #require(mailedCode(try await fixture.mails(of: anna.id, atLeast: 1)[0]))
            #expect(try await confirm(fixture, token).status == 204)
            #expect(try claim(await fixture.refresh(anna.refresh).json.string("accessToken")) == true)
            let device = try Person(try await fixture.post("/v1/auth/device", ["deviceId": "0123456789abcdef"]).json)
            #expect(try claim(device.access) == nil)
        }
    }

    @Test func `leaves the mailbox and opens nothing once its user is erased`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let token = try #require(mailedCode(try await fixture.mails(of: anna.id, atLeast: 1)[0]))
            _ = try await fixture.send("DELETE", "/v1/me", token: anna.access)
            while try await !fixture.mailbox.keys(under: "\(anna.id)/").isEmpty {
                try await Loop.sleep(for: .milliseconds(5))
            }
            #expect(code(try await confirm(fixture, token)) == "code-invalid")
            #expect(try await fixture.post("/v1/auth/password-reset", ["email": "anna@example.org"]).status == 202)
            while try await fixture.count("select count(*) from mail_outbox") > 0 {
                try await Loop.sleep(for: .milliseconds(5))
            }
            #expect(try await fixture.mailbox.keys(under: "\(anna.id)/").isEmpty)
        }
    }
}
