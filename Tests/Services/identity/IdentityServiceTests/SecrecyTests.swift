import Access
import Crypto
import EventStore
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(2))) @Loop struct `Whether an address has an account` {
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
                    _ = try await credentials.open(try EmailAddress(email), password: "incorrect horse") { _ in
                        Visitor(network: "192.0.2.1")
                    }
                }
                #expect(passwords.runs - before == 1, "\(email)")
            }
            #expect(PasswordHash.decoy.parameters == (try PasswordHash.make(password: "x")).parameters)
        }
    }
}
