import HTTPClient
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(2))) @Loop struct `Another address` {
    private func ask(_ fixture: Fixture, _ person: Person, _ email: String) async throws -> Answer {
        try await fixture.post("/v1/me/email", ["email": .string(email)], token: person.access)
    }

    private func confirm(_ fixture: Fixture, _ person: Person, _ code: String) async throws -> Answer {
        try await fixture.post("/v1/me/email", ["token": .string(code)], token: person.access)
    }

    private func keep(_ fixture: Fixture, _ code: String) async throws -> Answer {
        try await fixture.post("/v1/auth/keep-email", ["token": .string(code)])
    }

    /// Somebody whose address is confirmed; one mail came with that.
    private func verified(_ fixture: Fixture, _ email: String) async throws -> Person {
        let person = try await fixture.signUp(email)
        let code = mailedCode(try await fixture.mails(of: person.id, atLeast: 1)[0])
        #expect(try await fixture.post("/v1/auth/verify-email", ["token": .optional(code)]).status == 204)
        return person
    }

    /// Asks for another address and gives the codes of the mails to the new and to the old one.
    private func codes(
        _ fixture: Fixture, _ person: Person, _ email: String, after count: Int = 1
    ) async throws -> (new: String, old: String) {
        #expect(try await ask(fixture, person, email).status == 202)
        let mails = try await fixture.mails(of: person.id, atLeast: count + 2)
        return (try #require(mailedCode(mails[count])), try #require(mailedCode(mails[count + 1])))
    }

    private func sent(_ fixture: Fixture) async throws {
        while try await fixture.count("select count(*) from mail_outbox") > 0 {
            try await Loop.sleep(for: .milliseconds(5))
        }
    }

    @Test func `is the account's when its owner sends the code back, and the old one's codes are over`() async throws {
        try await withIdentity { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            let bert = try await fixture.signUp("bert@example.org")
            #expect(try await ask(fixture, anna, "Anna@new.example").status == 202)
            let mails = try await fixture.mails(of: anna.id, atLeast: 3)
            #expect(mails[1].contains("\r\nTo: Anna@new.example\r\n"))
            #expect(mails[2].contains("\r\nTo: anna@example.org\r\n") && mails[2].contains("7 days"))
            #expect(try await fixture.post("/v1/auth/password-reset", ["email": "anna@example.org"]).status == 202)
            let reset = try #require(mailedCode(try await fixture.mails(of: anna.id, atLeast: 4)[3]))

            let token = try #require(mailedCode(mails[1]))
            for (person, code) in [(bert, token), (anna, try #require(mailedCode(mails[2])))] {
                #expect(try await confirm(fixture, person, code).json["code"] == "code-invalid")
            }
            let answer = try await confirm(fixture, anna, token)
            #expect(answer.status == 200 && answer.json["user"]?["email"] == "Anna@new.example")
            #expect(answer.json["user"]?["emailVerified"] == true)
            #expect(code(try await confirm(fixture, anna, token)) == "code-invalid")
            #expect(try await fixture.signIn("anna@example.org").status == 401)
            #expect(try await fixture.signIn("anna@new.example").status == 200)
            let late: JSONValue = ["resetToken": .string(reset), "newPassword": "battery staple"]
            #expect(code(try await fixture.post("/v1/auth/password", late)) == "code-invalid")
            #expect(try await fixture.count("select count(*) from events where type = 'EmailChanged'") == 1)
            #expect(try await fixture.count("select count(*) from events where data::text ilike '%example%'") == 0)
        }
    }

    @Test func `is undone by the old one, which keeps the account without the password that somebody knew`()
        async throws
    {
        try await withIdentity { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            // Whoever took the account over goes on to yet another address.
            let first = try await codes(fixture, anna, "thief@example.com")
            #expect(try await confirm(fixture, anna, first.new).status == 200)
            let second = try await codes(fixture, anna, "thief@example.net", after: 3)
            #expect(try await confirm(fixture, anna, second.new).status == 200)

            #expect(try await keep(fixture, first.old).status == 204)
            #expect(try await fixture.refresh(anna.refresh).status == 401)
            for email in ["anna@example.org", "thief@example.com", "thief@example.net"] {
                #expect(try await fixture.signIn(email).status == 401)
            }
            for code in [first.old, second.old] { #expect(try await keep(fixture, code).status == 401) }
            let mail = try await fixture.mails(of: anna.id, atLeast: 6)[5]
            #expect(mail.contains("\r\nTo: anna@example.org\r\n"))
            let chosen: JSONValue = ["resetToken": .optional(mailedCode(mail)), "newPassword": "battery staple"]
            #expect(try await fixture.post("/v1/auth/password", chosen).status == 204)
            let back = try await fixture.signIn("anna@example.org", password: "battery staple")
            #expect(back.json["user"]?["emailVerified"] == true)
            #expect(try await fixture.count("select count(*) from email_changes") == 0)
            #expect(try await fixture.count("select count(*) from events where type = 'EmailChangeStopped'") == 1)
        }
    }

    @Test func `is undone by the first of several old ones, whatever the later ones do`() async throws {
        try await withIdentity { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            let first = try await codes(fixture, anna, "thief@example.com")
            #expect(try await confirm(fixture, anna, first.new).status == 200)
            _ = try await fixture.protect(anna)
            let second = try await codes(fixture, anna, "thief@example.net", after: 4)
            #expect(try await keep(fixture, second.old).status == 204)
            #expect(try await keep(fixture, second.old).status == 401)
            #expect(try await keep(fixture, first.old).status == 204)
            let account = "select count(*) from credentials where email_key = 'anna@example.org'"
            #expect(try await fixture.count(account) == 1)
            #expect(try await fixture.count("select count(*) from email_changes") == 0)
            #expect(try await fixture.count("select count(*) from second_factors") == 0, "the thief's")
        }
    }

    @Test func `is stopped by the old one before it is confirmed`() async throws {
        try await withIdentity { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            let there = try Person(try await fixture.signIn("anna@example.org").json)
            // Of the sign-in came a mail, too.
            let (new, old) = try await codes(fixture, anna, "thief@example.com", after: 2)
            #expect(try await keep(fixture, old).status == 204)
            #expect(try await confirm(fixture, there, new).status == 401)
            #expect(
                try await fixture.count("select count(*) from credentials where email_key = 'anna@example.org'") == 1)
            #expect(try await fixture.count("select count(*) from logins") == 0)
        }
    }

    @Test func `leaves the old one to nobody else while that can keep the account`() async throws {
        try await withIdentity { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            let (new, _) = try await codes(fixture, anna, "anna@new.example")
            #expect(try await confirm(fixture, anna, new).status == 200)
            let body: JSONValue = ["email": "anna@example.org", "password": "correct horse"]
            #expect(code(try await fixture.post("/v1/auth/sign-up", body)) == "email-taken")
            // She herself may go back.
            let (back, _) = try await codes(fixture, anna, "anna@example.org", after: 3)
            #expect(try await confirm(fixture, anna, back).status == 200)
            let again = try await codes(fixture, anna, "anna@new.example", after: 5)
            #expect(try await confirm(fixture, anna, again.new).status == 200)
            try await fixture.administer("update email_changes set expires_at = now()")
            #expect(try await fixture.post("/v1/auth/sign-up", body).status == 201)
        }
    }

    @Test func `that is somebody else's is not told to who asks, but to its owner`() async throws {
        try await withIdentity { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            let bert = try await fixture.signUp("bert@example.org")
            _ = try await fixture.mails(of: bert.id, atLeast: 1)
            let free = try await ask(fixture, bert, "nobody@example.org")
            let taken = try await ask(fixture, bert, "ANNA@example.org")
            #expect(free.status == 202 && taken.status == 202 && free.json == taken.json)
            let names = { (answer: Answer) in answer.response.headers.map { $0.name.lowercased() } }
            #expect(names(free) == names(taken))
            try await sent(fixture)
            // His own was never confirmed, so it may be a stranger's, who is not written to.
            let mails = try await fixture.mails(of: bert.id, atLeast: 3)
            #expect(mails.count == 3)
            #expect(mails[2].contains("\r\nTo: ANNA@example.org\r\n") && mailedCode(mails[2]) == nil)
            #expect(mails[2].contains("Subject: Somebody wanted to use your address\r\n"))
            // Somebody who comes first gets a free one.
            let token = try #require(mailedCode(mails[1]))
            _ = try await fixture.signUp("nobody@example.org")
            let late = try await confirm(fixture, bert, token)
            #expect(late.status == 409 && code(late) == "email-taken")
            #expect(try await fixture.signIn("bert@example.org").status == 200)
            #expect(try await fixture.signIn("anna@example.org").json["user"]?["id"] == .uuid(anna.id))
        }
    }

    @Test func `is asked for by who showed a moment ago who they are, and has an account`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            try await fixture.administer("update logins set auth_time = auth_time - interval '400 seconds'")
            let late = try await fixture.refresh(anna.refresh).json.string("accessToken")
            let stale = try await fixture.post("/v1/me/email", ["email": "anna@new.example"], token: late)
            #expect(stale.status == 401 && code(stale) == "confirmation-needed" && stale.json["methods"] == ["pwd"])
            #expect(try await fixture.count("select count(*) from email_changes") == 0)
            let device = try Person(try await fixture.post("/v1/auth/device", ["deviceId": "0123456789abcdef"]).json)
            #expect(code(try await ask(fixture, device, "anna@new.example")) == "account-missing")
            #expect(code(try await ask(fixture, anna, "anna at home")) == "email-invalid")
            let both: JSONValue = ["email": "a@example.org", "isAdmin": true]
            #expect(code(try await fixture.post("/v1/me/email", both, token: anna.access)) == "member-unknown")
            let odd: JSONValue = ["token": "x", "isAdmin": true]
            #expect(code(try await fixture.post("/v1/auth/keep-email", odd)) == "member-unknown")
        }
    }

    @Test func `is mailed to so often, whoever asks, and codes are tried so often`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT_MAIL": "2/1h", "LIMIT_CODE": "8/1h"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let bert = try await fixture.signUp("bert@example.org")
            for expected in [202, 202, 429] {
                #expect(try await ask(fixture, anna, "victim@example.com").status == expected)
            }
            #expect(try await ask(fixture, bert, "victim@example.com").status == 429)
            #expect(try await ask(fixture, bert, "another@example.com").status == 202)
            for expected in [401, 401, 401, 429] { #expect(try await keep(fixture, "guessed").status == expected) }
        }
    }

    @Test func `is forgotten with its user, and in time`() async throws {
        try await withIdentity(["EMAIL_KEEP_LIFETIME": "1h"]) { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            let (_, old) = try await codes(fixture, anna, "anna@new.example")
            #expect(try await fixture.mails(of: anna.id, atLeast: 3)[2].contains("within 1 hour,"))
            try await fixture.administer("update email_changes set expires_at = now()")
            #expect(code(try await keep(fixture, old)) == "code-invalid")
            _ = try await ask(fixture, anna, "anna@new.example")
            #expect(try await fixture.send("DELETE", "/v1/me", token: anna.access).status == 202)
            #expect(try await fixture.count("select count(*) from email_changes") == 0)
        }
    }
}
