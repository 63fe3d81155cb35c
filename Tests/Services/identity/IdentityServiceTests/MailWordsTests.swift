import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import identity

/// Whoever signs up may name somebody else's address: the mails that go there say nothing in that person's words.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A mail of an account` {
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
            let ofChanges: [AccountMails.Kind] = [.newAddress, .keepAddress]
            for kind in AccountMails.Kind.allCases where !ofChanges.contains(kind) {
                try await fixture.administer(
                    """
                    insert into mail_outbox (id, owner_id, kind)
                    values (gen_random_uuid(), '\(anna.id)', '\(kind.rawValue)')
                    """)
            }
            #expect(
                try await fixture.post("/v1/me/email", ["email": "anna@new.example"], token: anna.access).status == 202)
            let proof = mailedCode(try await fixture.mail(of: anna.id, "Confirm your new address"))
            #expect(
                try await fixture.post("/v1/me/email", ["token": .optional(proof)], token: anna.access).status == 200)
            let asks = try await fixture.mail(of: anna.id, "Confirm the change of your address")
            // As if the change were near.
            try await fixture.administer(
                """
                insert into mail_outbox (id, owner_id, kind)
                select remind_id, user_id, 'address-waits' from email_changes where remind_id is not null
                """)
            _ = try await fixture.mail(of: anna.id, "Your account will soon have another address")
            #expect(try await fixture.post("/v1/auth/sign-up", body).status == 409)
            let agreement: JSONValue = ["oldAddressToken": .optional(mailedCode(asks))]
            #expect(try await fixture.post("/v1/me/email", agreement, token: anna.access).status == 200)
            _ = try await fixture.mail(of: anna.id, "Your account has another address")
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
            #expect(mails.count == 20)
            mails += try await fixture.mails(of: bert.id, atLeast: 2)
            #expect(mails.count == 22)
            for mail in mails {
                let plain = mail.replacing("=\r\n", with: "")
                for word in ["evil", "Evil", "Prize", "click"] { #expect(!plain.contains(word), "\(plain)") }
                let greeting = try #require(plain.firstRange(of: "Hello,\r\n\r\n"))
                #expect(plain[greeting.upperBound].isUppercase, "a sentence of its own: \(plain)")
            }
        }
    }
}
