import Access
import HTTPClient
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import identity

@Suite(.timeLimit(.minutes(10))) @Loop struct `Another address` {
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

    /// The mail of a subject that somebody got as the one of this number, counted from one.
    private func mail(_ fixture: Fixture, _ person: Person, _ subject: String, _ number: Int) async throws -> String {
        while true {
            let mails = try await fixture.mails(of: person.id, atLeast: 1)
            let found = mails.filter { $0.contains("Subject: \(subject)\r\n") }
            if found.count >= number { return found[number - 1] }
            try await Loop.sleep(for: .milliseconds(5))
        }
    }

    /// Asks for another address, as the change of this number, and gives the codes of the mails to the new and to the old one.
    private func codes(
        _ fixture: Fixture, _ person: Person, _ email: String, _ number: Int = 1
    ) async throws -> (new: String, old: String) {
        #expect(try await ask(fixture, person, email).status == 202)
        let new = try await mail(fixture, person, "Confirm your new address", number)
        let old = try await mail(fixture, person, "Another address for your account", number)
        return (try #require(mailedCode(new)), try #require(mailedCode(old)))
    }

    /// Sends back what asks the old address whether it agrees to the change of this number.
    private func agree(_ fixture: Fixture, _ person: Person, _ number: Int = 1) async throws -> Answer {
        let code = mailedCode(try await mail(fixture, person, "Confirm the change of your address", number))
        return try await fixture.post("/v1/me/email", ["oldAddressToken": .optional(code)], token: person.access)
    }

    /// Changes the address, as both of them want, and gives the codes of the mails before.
    private func change(
        _ fixture: Fixture, _ person: Person, _ email: String, _ number: Int = 1
    ) async throws -> (new: String, old: String) {
        let codes = try await codes(fixture, person, email, number)
        #expect(try await confirm(fixture, person, codes.new).status == 200)
        #expect(try await agree(fixture, person, number).status == 200)
        return codes
    }

    /// What reminds of changes and completes them, every minute in a service.
    private func completion(_ fixture: Fixture) -> EmailChangeCompletion {
        let settings = IdentitySettings(fixture.context.environment)
        return EmailChangeCompletion(
            fixture.context, settings.access, IdentityService.outbox(fixture.context.store, settings))
    }

    private func waiting(_ fixture: Fixture, _ person: Person) async throws -> JSONValue? {
        try await fixture.send("GET", "/v1/me/email/change", token: person.access).json["change"]
    }

    private func sent(_ fixture: Fixture) async throws {
        while try await fixture.count("select count(*) from mail_outbox") > 0 {
            try await Loop.sleep(for: .milliseconds(5))
        }
    }

    @Test func `is the account's when both addresses have sent their codes back, and the old one's codes are over`()
        async throws
    {
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
            let waits = try await confirm(fixture, anna, token)
            #expect(waits.status == 200 && waits.json["user"]?["email"] == "anna@example.org")
            #expect(waits.json["change"]?["email"] == "Anna@new.example")
            #expect(code(try await confirm(fixture, anna, token)) == "code-invalid")
            #expect(try await fixture.signIn("anna@new.example").status == 401)
            let asks = try await mail(fixture, anna, "Confirm the change of your address", 1)
            #expect(asks.contains("\r\nTo: anna@example.org\r\n"))
            #expect(asks.replacing("=\r\n", with: "").contains("the change takes effect anyway on 20"))
            let agrees = try #require(mailedCode(asks))
            for (person, member) in [(bert, "oldAddressToken"), (anna, "token")] {
                let body: JSONValue = .object([member: .string(agrees)])
                #expect(code(try await fixture.post("/v1/me/email", body, token: person.access)) == "code-invalid")
            }
            #expect(try await fixture.count("select count(*) from events where type = 'EmailChanged'") == 0)
            let answer = try await agree(fixture, anna)
            #expect(answer.status == 200 && answer.json["user"]?["email"] == "Anna@new.example")
            #expect(answer.json["user"]?["emailVerified"] == true && answer.json["change"] == .null)
            #expect(code(try await agree(fixture, anna)) == "code-invalid")
            let tells = try await mail(fixture, anna, "Your account has another address", 1)
            #expect(tells.contains("\r\nTo: anna@example.org\r\n") && mailedCode(tells) == mailedCode(mails[2]))
            #expect(try await fixture.signIn("anna@example.org").status == 401)
            #expect(try await fixture.signIn("anna@new.example").status == 200)
            let late: JSONValue = ["resetToken": .string(reset), "newPassword": "battery staple"]
            #expect(code(try await fixture.post("/v1/auth/password", late)) == "code-invalid")
            #expect(try await fixture.count("select count(*) from events where type = 'EmailChanged'") == 1)
            #expect(try await fixture.count("select count(*) from events where data::text ilike '%example%'") == 0)
        }
    }

    @Test func `is the account's at once where the one before was never confirmed`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            #expect(try await ask(fixture, anna, "anna@new.example").status == 202)
            let token = try #require(mailedCode(try await mail(fixture, anna, "Confirm your new address", 1)))
            let answer = try await confirm(fixture, anna, token)
            #expect(answer.json["user"]?["email"] == "anna@new.example" && answer.json["change"] == .null)
            try await sent(fixture)
            #expect(try await fixture.mails(of: anna.id, atLeast: 2).count == 2, "a stranger's is not written to")
        }
    }

    @Test func `that waits for the old one is kept for the account, and can be given up`() async throws {
        try await withIdentity { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            #expect(try await waiting(fixture, anna) == .null)
            let (new, old) = try await codes(fixture, anna, "anna@new.example")
            #expect(try await confirm(fixture, anna, new).status == 200)
            #expect(try await waiting(fixture, anna)?["email"] == "anna@new.example")
            let body: JSONValue = ["email": "anna@new.example", "password": "correct horse"]
            #expect(code(try await fixture.post("/v1/auth/sign-up", body)) == "email-taken")
            let device = try Person(try await fixture.post("/v1/auth/device", ["deviceId": "0123456789abcdef"]).json)
            let path = "/v1/me/email/change"
            #expect(code(try await fixture.send("DELETE", path, token: device.access)) == "account-missing")
            for _ in 1...2 { #expect(try await fixture.send("DELETE", path, token: anna.access).status == 204) }
            #expect(try await waiting(fixture, anna) == .null)
            #expect(code(try await agree(fixture, anna)) == "code-invalid")
            #expect(code(try await keep(fixture, old)) == "code-invalid", "there is nothing left to keep")
            #expect(try await fixture.signIn("anna@example.org").status == 200)
            #expect(try await fixture.post("/v1/auth/sign-up", body).status == 201)
            #expect(try await fixture.count("select count(*) from events where type = 'EmailChangeWithdrawn'") == 1)
        }
    }

    @Test func `is the account's after its wait, if the old one stays silent, which can keep the account even then`()
        async throws
    {
        try await withIdentity(["EMAIL_CHANGE_WAIT": "1s"]) { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            let (new, old) = try await codes(fixture, anna, "thief@example.com")
            #expect(try await confirm(fixture, anna, new).status == 200)
            // It is put together while the change waits.
            _ = try await mail(fixture, anna, "Confirm the change of your address", 1)
            let completion = completion(fixture)
            #expect(
                try await fixture.eventually {
                    try await completion.look()
                    return try await waiting(fixture, anna) == .null
                })
            let me = try await fixture.send("GET", "/v1/me", token: anna.access)
            #expect(me.json["user"]?["email"] == "thief@example.com")
            let tells = try await mail(fixture, anna, "Your account has another address", 1)
            #expect(tells.contains("\r\nTo: anna@example.org\r\n") && mailedCode(tells) == old)
            #expect(code(try await agree(fixture, anna)) == "code-invalid")
            try await completion.look()
            #expect(try await fixture.count("select count(*) from events where type = 'EmailChanged'") == 1)
            #expect(try await keep(fixture, old).status == 204)
            #expect(
                try await fixture.count("select count(*) from credentials where email_key = 'anna@example.org'") == 1)
        }
    }

    @Test func `is the account's after its wait also where the old one cannot keep the account any longer`()
        async throws
    {
        try await withIdentity(["EMAIL_CHANGE_WAIT": "1s", "EMAIL_KEEP_LIFETIME": "0s"]) { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            let (new, old) = try await codes(fixture, anna, "anna@new.example")
            #expect(try await confirm(fixture, anna, new).status == 200)
            let over = "select count(*) from email_changes where expires_at < now()"
            #expect(try await fixture.eventually { try await fixture.count(over) == 1 })
            let settings = IdentitySettings(fixture.context.environment).access
            try await EmailChanges(fixture.store, settings).sweep()
            try await OneTimeCodes(fixture.store, settings).sweep()
            // It is reminded first, and then has some time.
            let completion = completion(fixture)
            #expect(
                try await fixture.eventually {
                    try await completion.look()
                    return try await waiting(fixture, anna) == .null
                })
            let me = try await fixture.send("GET", "/v1/me", token: anna.access)
            #expect(me.json["user"]?["email"] == "anna@new.example")
            // The old one hears of it all the same, and comes too late.
            let tells = try await mail(fixture, anna, "Your account has another address", 1)
            #expect(tells.contains("\r\nTo: anna@example.org\r\n"))
            #expect(code(try await keep(fixture, old)) == "code-invalid")
        }
    }

    @Test func `that was noticed late can be undone for as long as any other`() async throws {
        try await withIdentity(["EMAIL_KEEP_LIFETIME": "1h"]) { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            let (new, old) = try await codes(fixture, anna, "thief@example.com")
            #expect(try await confirm(fixture, anna, new).status == 200)
            // As if nobody had looked for half a day.
            try await fixture.administer(
                """
                update email_changes set expires_at = now() - interval '11 hours';
                update one_time_codes set expires_at = now() - interval '11 hours' where purpose = 'keep-address';
                """)
            let settings = IdentitySettings(fixture.context.environment).access
            try await OneTimeCodes(fixture.store, settings).sweep()
            try await EmailChanges(fixture.store, settings).sweep()
            #expect(try await agree(fixture, anna).json["user"]?["email"] == "thief@example.com")
            #expect(try await keep(fixture, old).status == 204)
            let account = "select count(*) from credentials where email_key = 'anna@example.org'"
            #expect(try await fixture.count(account) == 1)
        }
    }

    @Test func `of one that cannot be completed holds up nobody else's`() async throws {
        try await withIdentity(["EMAIL_CHANGE_WAIT": "1s"]) { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            let bert = try await verified(fixture, "bert@example.org")
            try await fixture.administer(
                """
                create function refuse() returns trigger language plpgsql as
                    'begin raise exception ''refused on purpose''; end';
                create trigger refused before update on email_changes for each row
                    when (old.user_id = '\(anna.id)' and new.changed_at is not null) execute function refuse();
                """)
            // The elder one comes first.
            for (person, email) in [(anna, "anna@new.example"), (bert, "bert@new.example")] {
                let (new, _) = try await codes(fixture, person, email)
                #expect(try await confirm(fixture, person, new).status == 200)
            }
            let completion = completion(fixture)
            #expect(
                try await fixture.eventually {
                    try? await completion.look()
                    return try await waiting(fixture, bert) == .null
                })
            await #expect(throws: (any Error).self, "and it is said") { try await completion.look() }
            let me = try await fixture.send("GET", "/v1/me", token: bert.access)
            #expect(me.json["user"]?["email"] == "bert@new.example")
            #expect(try await waiting(fixture, anna) != .null)
            try await fixture.administer("drop trigger refused on email_changes; drop function refuse")
            try await completion.look()
            #expect(try await waiting(fixture, anna) == .null)
        }
    }

    @Test func `comes though as many as are found at a time stay as they are`() async throws {
        try await withIdentity(["EMAIL_CHANGE_WAIT": "1s"]) { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            let (new, _) = try await codes(fixture, anna, "anna@new.example")
            #expect(try await confirm(fixture, anna, new).status == 200)
            // Of nobody whom the log knows, and due before hers.
            try await fixture.administer(
                """
                with others as (
                    insert into profiles (user_id, time_zone)
                    select gen_random_uuid(), 'UTC' from generate_series(1, \(EmailChanges.most)) returning user_id)
                insert into email_changes (id, user_id, new_email, old_email, expires_at, proven_at, due_at, remind_id,
                    tell_id, reminded_at, told_at)
                select gen_random_uuid(), user_id, user_id || '@new.example', user_id || '@old.example',
                    now() + interval '1 day', now() - interval '2 hours', now() - interval '1 hour', gen_random_uuid(),
                    gen_random_uuid(), now(), now()
                from others
                """)
            let completion = completion(fixture)
            #expect(
                try await fixture.eventually {
                    try? await completion.look()
                    return try await waiting(fixture, anna) == .null
                })
        }
    }

    @Test func `does not come before its time, whatever its row says, and the old one is reminded once`() async throws {
        try await withIdentity { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            let (new, old) = try await codes(fixture, anna, "anna@new.example")
            #expect(try await confirm(fixture, anna, new).status == 200)
            let completion = completion(fixture)
            try await completion.look()
            #expect(try await fixture.count("select count(*) from email_changes where reminded_at is not null") == 0)
            try await fixture.administer(
                "update email_changes set due_at = now() + interval '12 hours', proven_at = now() - interval '6 days'")
            for _ in 1...2 { try await completion.look() }
            let reminds = try await mail(fixture, anna, "Your account will soon have another address", 1)
            #expect(reminds.contains("\r\nTo: anna@example.org\r\n") && mailedCode(reminds) == old)
            try await fixture.administer("update email_changes set due_at = now() - interval '1 hour'")
            try await completion.look()
            #expect(try await fixture.count("select count(*) from events where type = 'EmailChanged'") == 0)
            try await sent(fixture)
            let mails = try await fixture.mails(of: anna.id, atLeast: 1)
            #expect(mails.filter { $0.contains("Subject: Your account will soon") }.count == 1)
            #expect(try await keep(fixture, old).status == 204, "meanwhile, too")
            #expect(code(try await agree(fixture, anna)) == "login-session-ended")
        }
    }

    @Test func `that waits is given up with a new password, by which its owner puts everybody else out`() async throws {
        try await withIdentity { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            let (new, _) = try await codes(fixture, anna, "thief@example.com")
            #expect(try await confirm(fixture, anna, new).status == 200)
            #expect(try await fixture.post("/v1/auth/password-reset", ["email": "anna@example.org"]).status == 202)
            let reset = mailedCode(try await mail(fixture, anna, "Choose a new password", 1))
            let chosen: JSONValue = ["resetToken": .optional(reset), "newPassword": "battery staple"]
            #expect(try await fixture.post("/v1/auth/password", chosen).status == 204)
            #expect(try await fixture.count("select count(*) from email_changes") == 0)
            let back = try Person(try await fixture.signIn("anna@example.org", password: "battery staple").json)
            #expect(try await waiting(fixture, back) == .null)
            let asks = mailedCode(try await mail(fixture, anna, "Confirm the change of your address", 1))
            let body: JSONValue = ["oldAddressToken": .optional(asks)]
            #expect(code(try await fixture.post("/v1/me/email", body, token: back.access)) == "code-invalid")
        }
    }

    @Test func `is kept for whoever showed first that it is theirs, and one waits at a time`() async throws {
        try await withIdentity { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            let bert = try await verified(fixture, "bert@example.org")
            let first = try await codes(fixture, anna, "both@example.com")
            let his = try await codes(fixture, bert, "both@example.com")
            #expect(try await confirm(fixture, anna, first.new).status == 200)
            #expect(code(try await confirm(fixture, bert, his.new)) == "email-taken")
            #expect(code(try await ask(fixture, anna, "anna@new.example")) == "email-change-waits")
            #expect(try await fixture.send("DELETE", "/v1/me/email/change", token: anna.access).status == 204)
            let second = try await codes(fixture, anna, "anna@new.example", 2)
            #expect(try await confirm(fixture, anna, second.new).status == 200)
            #expect(try await fixture.count("select count(*) from email_changes where due_at is not null") == 1)
            #expect(code(try await agree(fixture, anna, 1)) == "code-invalid")
            #expect(try await agree(fixture, anna, 2).json["user"]?["email"] == "anna@new.example")
        }
    }

    @Test func `is undone by the old one, which keeps the account without the password that somebody knew`()
        async throws
    {
        try await withIdentity { fixture in
            let anna = try await verified(fixture, "anna@example.org")
            // Whoever took the account over goes on to yet another address.
            let first = try await change(fixture, anna, "thief@example.com")
            let second = try await change(fixture, anna, "thief@example.net", 2)

            #expect(try await keep(fixture, first.old).status == 204)
            #expect(try await fixture.refresh(anna.refresh).status == 401)
            for email in ["anna@example.org", "thief@example.com", "thief@example.net"] {
                #expect(try await fixture.signIn(email).status == 401)
            }
            for code in [first.old, second.old] { #expect(try await keep(fixture, code).status == 401) }
            let mail = try await mail(fixture, anna, "Choose a new password", 1)
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
            let first = try await change(fixture, anna, "thief@example.com")
            _ = try await fixture.protect(anna)
            let second = try await codes(fixture, anna, "thief@example.net", 2)
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
            let (new, old) = try await codes(fixture, anna, "thief@example.com")
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
            _ = try await change(fixture, anna, "anna@new.example")
            let body: JSONValue = ["email": "anna@example.org", "password": "correct horse"]
            #expect(code(try await fixture.post("/v1/auth/sign-up", body)) == "email-taken")
            // She herself may go back.
            _ = try await change(fixture, anna, "anna@example.org", 2)
            _ = try await change(fixture, anna, "anna@new.example", 3)
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
            #expect(try await fixture.mails(of: anna.id, atLeast: 3)[2].contains("until 1 hour after"))
            try await fixture.administer("update email_changes set expires_at = now()")
            #expect(code(try await keep(fixture, old)) == "code-invalid")
            _ = try await ask(fixture, anna, "anna@new.example")
            #expect(try await fixture.send("DELETE", "/v1/me", token: anna.access).status == 202)
            #expect(try await fixture.count("select count(*) from email_changes") == 0)
        }
    }
}
