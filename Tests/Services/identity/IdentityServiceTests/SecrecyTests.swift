import Access
import Crypto
import EventStore
import HTTPServer
import JSON
import ObjectStorage
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `Whether an address has an account` {
    private func signUp(_ fixture: Fixture, _ email: String) async throws -> Answer {
        try await fixture.post("/v1/auth/sign-up", ["email": .string(email), "password": "another horse"])
    }

    @Test func `is told by sign-up, and then to its owner too`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            _ = try await fixture.mails(of: anna.id, atLeast: 1)
            let taken = try await signUp(fixture, "ANNA@example.org")
            #expect(taken.status == 409 && code(taken) == "email-taken")
            let mail = try await fixture.mails(of: anna.id, atLeast: 2)[1]
            #expect(mail.contains("Subject: Somebody tried to sign up with your address\r\n"))
            #expect(mail.contains("\r\nTo: anna@example.org\r\n") && mailedCode(mail) == nil)
        }
    }

    @Test func `is mailed to its owner no more often than an account gets mail`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT_MAIL": "2/1h"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            for _ in 1...5 { #expect(try await signUp(fixture, "anna@example.org").status == 409) }
            while try await fixture.count("select count(*) from mail_outbox") > 0 {
                try await Loop.sleep(for: .milliseconds(5))
            }
            #expect(try await fixture.mails(of: anna.id, atLeast: 3).count == 3)
        }
    }

    @Test func `can be asked of sign-up so often, and then no answer tells it`() async throws {
        try await withIdentity(["LIMIT_EMAIL_TAKEN": "2/1h"]) { fixture in
            _ = try await fixture.signUp("anna@example.org")
            for _ in 1...2 { #expect(code(try await signUp(fixture, "anna@example.org")) == "email-taken") }
            for email in ["anna@example.org", "bert@example.org"] {
                let answer = try await signUp(fixture, email)
                #expect(answer.status == 429 && code(answer) == "too-many-attempts")
            }
            #expect(try await fixture.count("select count(*) from profiles") == 1)
        }
    }

    @Test func `fills no stranger's mailbox, however many accounts are made and erased with it`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT_MAIL": "2/1h"]) { fixture in
            for round in 1...4 {
                let anna = try await fixture.signUp("Anna@example.org")
                for index in 0..<2 {
                    let passwords = ["correct horse", "battery staple"]
                    let changed = try await fixture.send(
                        "POST", "/v1/auth/password", token: anna.access,
                        ["currentPassword": .string(passwords[index]), "newPassword": .string(passwords[1 - index])])
                    #expect(changed.status == 204)
                }
                try await fixture.quiet()
                let mails = try await fixture.mailbox.keys(under: "\(anna.id)/").count
                // Of signing up one in each of the first two rounds; of new passwords two, both in the first.
                #expect(mails == [3, 1, 0, 0][round - 1], "round \(round)")
                #expect(try await fixture.send("DELETE", "/v1/me", token: anna.access).status == 202)
            }
            // Whoever it is hears of it when they ask.
            let anna = try await fixture.signUp("anna@example.org")
            #expect(try await fixture.post("/v1/auth/verify-email", [:], token: anna.access).status == 202)
            let mail = try await fixture.mail(of: anna.id, "Confirm your address")
            #expect(mailedCode(mail) != nil)
            // Another address has its own.
            let bert = try await fixture.signUp("bert@example.org")
            _ = try await fixture.mail(of: bert.id, "Confirm your address")
        }
    }

    @Test func `costs nobody anything who signs up with an address of their own`() async throws {
        try await withIdentity(["LIMIT_EMAIL_TAKEN": "1/1h"]) { fixture async throws in
            for number in 1...4 { #expect(try await signUp(fixture, "n\(number)@example.org").status == 201) }
        }
    }

    @Test func `makes no difference to the work of signing in`() async throws {
        try await withIdentity { fixture in
            _ = try await fixture.signUp("anna@example.org")
            let context = fixture.context
            let settings = AccessSettings(context.environment)
            let passwords = Passwords(limit: 4)
            let credentials = Credentials(
                context.store, context.owners, passwords,
                RateLimits(context.store.pool, settings), KnownDevices(settings, publicURL: ""), settings)
            for email in ["anna@example.org", "nobody@example.org"] {
                let before = passwords.runs
                await #expect(throws: (any Error).self) {
                    _ = try await credentials.open(
                        try EmailAddress(email), password: "incorrect horse", from: ClientNetwork.all(of: "192.0.2.1")
                    ) { _ in
                        Visitor(network: "192.0.2.1")
                    }
                }
                #expect(passwords.runs - before == 1, "\(email)")
            }
            #expect(PasswordHash.decoy.parameters == (try PasswordHash.make(password: "x")).parameters)
        }
    }
}
