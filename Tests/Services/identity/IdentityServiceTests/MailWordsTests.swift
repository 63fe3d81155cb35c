import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import identity

/// Whoever signs up may name somebody else's address: the mails that go there say nothing in that person's words.
@Suite(.timeLimit(.minutes(2))) @Loop struct `A mail of an account` {
    private let hostile: JSONValue = "Prize! https://evil.example <b>click</b> \u{202E}{code}"

    @Test func `has no word of whoever signed up, whatever it is about`() async throws {
        try await withIdentity { fixture in
            let body: JSONValue = [
                "email": "anna@example.org", "password": "correct horse", "displayName": hostile,
                "deviceName": "Evil device https://evil.example",
            ]
            let anna = try Person(try await fixture.post("/v1/auth/sign-up", body).json)
            var mails = try await fixture.mails(of: anna.id, atLeast: 1)
            let code = mailedCode(mails[0])
            #expect(try await fixture.post("/v1/auth/verify-email", ["token": .optional(code)]).status == 204)
            _ = try await fixture.send("PATCH", "/v1/me", token: anna.access, ["displayName": hostile])
            // Every kind of mail there is.
            for kind in AccountMails.Kind.allCases where kind != .newAddress && kind != .keepAddress {
                try await fixture.administer(
                    """
                    insert into mail_outbox (id, owner_id, kind)
                    values (gen_random_uuid(), '\(anna.id)', '\(kind.rawValue)')
                    """)
            }
            #expect(
                try await fixture.post("/v1/me/email", ["email": "anna@new.example"], token: anna.access).status == 202)
            #expect(try await fixture.post("/v1/auth/sign-up", body).status == 409)
            let bert = try Person(
                try await fixture.post(
                    "/v1/auth/sign-up",
                    ["email": "bert@example.org", "password": "correct horse", "displayName": hostile]
                ).json)
            #expect(
                try await fixture.post("/v1/me/email", ["email": "anna@example.org"], token: bert.access).status == 202)
            while try await fixture.count("select count(*) from mail_outbox") > 0 {
                try await Loop.sleep(for: .milliseconds(5))
            }
            mails = try await fixture.mails(of: anna.id, atLeast: 1)
            #expect(mails.count == 16)
            mails += try await fixture.mails(of: bert.id, atLeast: 2)
            #expect(mails.count == 18)
            for mail in mails {
                let plain = mail.replacing("=\r\n", with: "")
                for word in ["evil", "Evil", "Prize", "click"] { #expect(!plain.contains(word), "\(plain)") }
            }
        }
    }
}
