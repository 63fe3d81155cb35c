import Crypto
import EventStore
import HTTPClient
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import Access
@testable import identity

/// Whoever has got into an account, and would like its address to be theirs.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A change of address that somebody else wants` {
    private let email = "anna@example.org"
    private let path = "/v1/me/email/change"
    private let withdrawn = "select count(*) from events where type = 'EmailChangeWithdrawn'"
    private let changed = "select count(*) from events where type = 'EmailChanged'"

    /// The code of the mail of a subject, and to an address where that is said, that somebody got as the one of this number,
    /// counted from one.
    private func code(
        _ fixture: Fixture, _ person: Person, _ subject: String, to address: String = "", _ number: Int = 1
    ) async throws -> String {
        while true {
            let mails = try await fixture.mails(of: person.id, atLeast: 1)
            let found = mails.filter {
                $0.contains("Subject: \(subject)\r\n") && $0.contains(address.isEmpty ? "" : "\r\nTo: \(address)\r\n")
            }
            if found.count >= number { return try #require(mailedCode(found[number - 1])) }
            try await Loop.sleep(for: .milliseconds(5))
        }
    }

    /// Asks for another address, as the change to it of this number, and gives the code of the mail to it.
    private func ask(
        _ fixture: Fixture, _ person: Person, _ address: String, _ number: Int = 1
    ) async throws -> String {
        let answer = try await fixture.post("/v1/me/email", ["email": .string(address)], token: person.access)
        #expect(answer.status == 202)
        return try await code(fixture, person, "Confirm your new address", to: address, number)
    }

    private func prove(_ fixture: Fixture, _ person: Person, _ code: String) async throws -> Answer {
        try await fixture.post("/v1/me/email", ["token": .string(code)], token: person.access)
    }

    /// Lets another address wait, as the change to it of this number.
    private func wait(
        _ fixture: Fixture, _ person: Person, _ address: String = "thief@example.com", _ number: Int = 1
    ) async throws {
        let code = try await ask(fixture, person, address, number)
        #expect(try await prove(fixture, person, code).json["change"]?["email"] == .string(address))
    }

    private func waiting(_ fixture: Fixture, _ person: Person) async throws -> JSONValue? {
        try await fixture.send("GET", path, token: person.access).json["change"]
    }

    private func completion(_ fixture: Fixture) -> EmailChangeCompletion {
        let settings = IdentitySettings(fixture.context.environment)
        return EmailChangeCompletion(
            fixture.context, settings.access, IdentityService.outbox(fixture.context.store, settings))
    }

    /// Somebody else in Anna's account.
    private func thief(_ fixture: Fixture) async throws -> Person {
        try Person(try await fixture.signIn(email).json)
    }

    // MARK: One at a time

    @Test func `displaces none that waits, which is given up first by who has just shown who they are`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let first = try await ask(fixture, anna, "thief@example.com")
            let second = try await ask(fixture, anna, "thief@example.net")
            #expect(try await prove(fixture, anna, first).status == 200)
            let refused = try await prove(fixture, anna, second)
            #expect(
                refused.status == 401 && refused.code == "code-invalid",
                "with one code the others of its kind are used up")
            let more: JSONValue = ["email": "third@example.com"]
            #expect(try await fixture.post("/v1/me/email", more, token: anna.access).code == "email-change-waits")
            #expect(try await waiting(fixture, anna)?["email"] == "thief@example.com")

            try await fixture.administer("update logins set auth_time = auth_time - interval '400 seconds'")
            let late = try await fixture.refresh(anna.refresh).json.string("accessToken")
            let stale = try await fixture.send("DELETE", path, token: late)
            #expect(
                stale.status == 401 && stale.code == "confirmation-needed" && stale.json["methods"] == ["pwd", "mail"])
            #expect(try await fixture.count(withdrawn) == 0)
            let fresh = try await thief(fixture)
            #expect(try await fixture.send("DELETE", path, token: fresh.access).status == 204)
            #expect(try await fixture.count(withdrawn) == 1)
            let third = try await ask(fixture, fresh, "third@example.com")
            #expect(try await prove(fixture, fresh, third).json["change"]?["email"] == "third@example.com")
        }
    }

    // MARK: Silence

    @Test(arguments: ["confirm_id", "remind_id"])
    func `does not come by silence while a mail about it has not left`(mail: String) async throws {
        try await withIdentity(["EMAIL_CHANGE_WAIT": "1s"]) { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            try await wait(fixture, anna)
            _ = try await code(fixture, anna, "Confirm the change of your address")
            // As if the mail server had refused it.
            try await fixture.administer(
                """
                insert into mail_outbox (id, owner_id, kind, parked)
                select \(mail), user_id, 'address-waits', 'refused' from email_changes
                """)
            let completion = completion(fixture)
            let changes = EmailChanges(fixture.store, AccessSettings(fixture.context.environment))
            let due = "select count(*) from email_changes where due_at <= now()"
            for _ in 1...2 {
                #expect(try await fixture.eventually { try await fixture.count(due) == 1 })
                #expect(try await changes.overdue().isEmpty)
                try await completion.look()
                #expect(try await fixture.count(changed) == 0)
            }
            let putOff = "select count(*) from email_changes where due_at > proven_at + interval '1 second'"
            #expect(try await fixture.count(putOff) == 1)
            #expect(try await fixture.count("select count(*) from email_changes where told_at is not null") == 0)
            try await fixture.administer("delete from mail_outbox where parked is not null")
            #expect(
                try await fixture.eventually {
                    try await completion.look()
                    return try await fixture.count(changed) == 1
                })
            let lines = try fixture.security.read().filter { $0["event"] == "email-changed" }
            #expect(lines.count == 1 && lines.last?["by"] == "wait" && lines.last?["network"] == .null)
            #expect(lines.last?["subject"]?.stringValue != nil, "who changed by waiting is noted, too")
        }
    }

    @Test func `that came due while nobody looked comes a day after its reminder, and can be stopped as long`()
        async throws
    {
        try await withIdentity { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            try await wait(fixture, anna)
            _ = try await code(fixture, anna, "Another address for your account")
            try await fixture.administer(
                """
                update email_changes set proven_at = now() - interval '8 days', due_at = now() - interval '1 hour',
                    expires_at = now() + interval '6 days';
                update one_time_codes set expires_at = now() + interval '6 days' where purpose = 'keep-address'
                """)
            try await completion(fixture).look()
            let reminder = try await fixture.mail(of: anna.id, "Your account will soon have another address")
            #expect(mailedCode(reminder) != nil)
            let later = """
                select count(*) from email_changes c join one_time_codes k on k.id = c.keep_id
                where c.due_at > now() + interval '23 hours' and c.expires_at > now() + interval '7 days'
                    and k.expires_at >= c.expires_at
                """
            #expect(try await fixture.count(later) == 1)
            try await fixture.quiet()
            try await completion(fixture).look()
            #expect(try await fixture.count("select count(*) from email_changes where told_at is not null") == 1)
            #expect(try await fixture.count(later) == 1)
        }
    }

    // MARK: Putting somebody out

    @Test func `goes with the login session that asked for it when all others are signed out, and the own one stays`()
        async throws
    {
        try await withIdentity { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            try await wait(fixture, try await thief(fixture))
            let path = "/v1/me/login-sessions"
            #expect(try await fixture.send("DELETE", path, token: anna.access).status == 204)
            #expect(try await waiting(fixture, anna) == .null)
            #expect(try await fixture.count(withdrawn) == 1)
            let mail = try await fixture.mail(of: anna.id, "Your account keeps its address")
            #expect(mail.contains("\r\nTo: \(email)\r\n") && mailedCode(mail) == nil)
            #expect(try fixture.security.read().filter { $0["event"] == "email-change-withdrawn" }.count == 1)

            try await wait(fixture, anna, "anna@new.example")
            _ = try await thief(fixture)
            #expect(try await fixture.send("DELETE", path, token: anna.access).status == 204)
            #expect(try await waiting(fixture, anna)?["email"] == "anna@new.example")
        }
    }

    @Test func `goes also when it is confirmed while the others are being signed out`() async throws {
        try await withIdentity(instances: 2) { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let thief = try await thief(fixture)
            let code = try await ask(fixture, thief, "thief@example.com")
            let headers = [(name: "Authorization", value: "Bearer \(anna.access)")]
            let (first, second) = try await fixture.inOrder(
                { try await prove(fixture, thief, code) },
                {
                    try await fixture.send(
                        "DELETE", "/v1/me/login-sessions", headers: headers, to: fixture.instances[1])
                })
            #expect(first.status == 200 && second.status == 204)
            #expect(try await waiting(fixture, anna) == .null)
            #expect(try await fixture.count(withdrawn) == 1)
        }
    }

    /// The path of somebody's own login session.
    private func login(_ fixture: Fixture, of person: Person) async throws -> String {
        let list = try await fixture.send("GET", "/v1/me/login-sessions", token: person.access).json
        let own = list["items"]?.arrayValue?.compactMap(\.objectValue).first { $0["current"] == true }
        let id = try #require(own).uuid("id")
        return "/v1/me/login-sessions/\(id)"
    }

    @Test func `goes with the login session that asked for it when its owner ends that one alone`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let thief = try await thief(fixture)
            let other = try await login(fixture, of: try await self.thief(fixture))
            try await wait(fixture, thief)
            #expect(try await fixture.send("DELETE", other, token: anna.access).status == 204)
            #expect(try await waiting(fixture, anna)?["email"] == "thief@example.com", "another one asked for it")
            let ended = try await fixture.send("DELETE", try await login(fixture, of: thief), token: anna.access)
            #expect(ended.status == 204)
            #expect(try await waiting(fixture, anna) == .null)
            #expect(try await fixture.count(withdrawn) == 1)
            _ = try await fixture.mail(of: anna.id, "Your account keeps its address")
            #expect(try fixture.security.read().filter { $0["event"] == "email-change-withdrawn" }.count == 1)
            // Who signs out somewhere still wants what was asked for there.
            try await wait(fixture, anna, "anna@new.example")
            let own = try await login(fixture, of: anna)
            #expect(try await fixture.send("DELETE", own, token: anna.access).status == 204)
            #expect(try await waiting(fixture, try await self.thief(fixture))?["email"] == "anna@new.example")
        }
    }

    @Test func `goes also when it is confirmed while that one is being ended`() async throws {
        try await withIdentity(instances: 2) { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let thief = try await thief(fixture)
            let code = try await ask(fixture, thief, "thief@example.com")
            let path = try await login(fixture, of: thief)
            let headers = [(name: "Authorization", value: "Bearer \(anna.access)")]
            let (first, second) = try await fixture.inOrder(
                { try await prove(fixture, thief, code) },
                { try await fixture.send("DELETE", path, headers: headers, to: fixture.instances[1]) })
            #expect(first.status == 200 && second.status == 204)
            #expect(try await waiting(fixture, anna) == .null)
            #expect(try await fixture.count(withdrawn) == 1)
        }
    }

    @Test func `goes with the login session that asked for it when a refresh token of that one comes back`()
        async throws
    {
        try await withIdentity(["REFRESH_GRACE": "0s"]) { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let (thief, other) = (try await thief(fixture), try await thief(fixture))
            try await wait(fixture, thief)
            func reuse(_ person: Person) async throws {
                _ = try await fixture.refresh(person.refresh)
                for code in ["refresh-token-reused", "refresh-token-invalid"] {
                    #expect(try await fixture.refresh(person.refresh).code == code)
                }
            }
            try await reuse(other)
            #expect(try await waiting(fixture, anna)?["email"] == "thief@example.com", "another one asked for it")
            try await reuse(thief)
            #expect(try await waiting(fixture, anna) == .null)
            #expect(try await fixture.count(withdrawn) == 1)
            _ = try await fixture.mail(of: anna.id, "Your account keeps its address")
            try await fixture.quiet()
            let told = try await fixture.mails(of: anna.id, atLeast: 1)
            #expect(told.count { $0.contains("Subject: A device was signed out of your account\r\n") } == 2)
            #expect(try fixture.security.read().filter { $0["event"] == "email-change-withdrawn" }.count == 1)
        }
    }

    @Test func `goes also when it is confirmed while a refresh token comes back`() async throws {
        try await withIdentity(["REFRESH_GRACE": "0s"], instances: 2) { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let thief = try await thief(fixture)
            let code = try await ask(fixture, thief, "thief@example.com")
            #expect(try await fixture.refresh(thief.refresh).status == 200)
            let body: JSONValue = ["refreshToken": .string(thief.refresh)]
            let (first, second) = try await fixture.inOrder(
                { try await prove(fixture, thief, code) },
                { try await fixture.post("/v1/auth/refresh", body, to: fixture.instances[1]) })
            #expect(first.status == 200 && second.code == "refresh-token-reused")
            #expect(try await waiting(fixture, anna) == .null)
            #expect(try await fixture.count(withdrawn) == 1)
        }
    }

    @Test func `is brought about by no code that was left over when its login session was ended`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let thief = try await thief(fixture)
            let code = try await ask(fixture, thief, "thief@example.com")
            let ended = try await fixture.send("DELETE", try await login(fixture, of: thief), token: anna.access)
            #expect(ended.status == 204)
            // They still know the password.
            let again = try await self.thief(fixture)
            let refused = try await prove(fixture, again, code)
            #expect(refused.status == 401 && refused.code == "code-invalid")
            #expect(try await waiting(fixture, anna) == .null)
        }
    }

    @Test func `goes when its owner adds a second factor, which puts all others out, and the own one stays`()
        async throws
    {
        try await withIdentity { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            try await wait(fixture, try await thief(fixture))
            _ = try await fixture.protect(anna)
            #expect(try await waiting(fixture, anna) == .null)
            #expect(try await fixture.count(withdrawn) == 1)
            #expect(try await fixture.count("select count(*) from email_changes where due_at is not null") == 0)
            _ = try await fixture.mail(of: anna.id, "Your account keeps its address")
            #expect(try fixture.security.read().filter { $0["event"] == "email-change-withdrawn" }.count == 1)
            #expect(try await fixture.send("DELETE", "/v1/me/second-factor", token: anna.access).status == 204)
            try await wait(fixture, anna, "anna@new.example")
            _ = try await fixture.protect(anna)
            #expect(try await waiting(fixture, anna)?["email"] == "anna@new.example")
        }
    }

    @Test func `goes when a second factor is added with a sign-in, because every account must have one`() async throws {
        try await withIdentity(["REQUIRE_SECOND_FACTOR": "accounts"]) { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            try await wait(fixture, anna)
            let ticket = try await fixture.signIn(email).json.required("ticket")
            let begun = try await fixture.post("/v1/auth/second-factor/enrolment", ["ticket": ticket])
            let totp = TOTP(secret: try #require(Base32.decode(try begun.json.string("secret"))))
            let code = JSONValue.string(totp.code(of: TOTP.step(at: .now()) - 1))
            let entered = try await fixture.post("/v1/auth/second-factor", ["ticket": ticket, "code": code])
            #expect(entered.status == 200)
            #expect(try await waiting(fixture, try Person(entered.json)) == .null)
            #expect(try await fixture.count(withdrawn) == 1)
        }
    }

    @Test func `goes when an operator ends the login sessions, or removes the second factor`() async throws {
        try await withIdentity(TestOperator.variables) { fixture in
            let headers = [(name: "Authorization", value: "Bearer \(TestOperator.key)")]
            let anna = try await fixture.signUpConfirmed(email)
            try await wait(fixture, anna)
            let body: JSONValue = ["id": .uuid(anna.id)]
            let ended = try await fixture.sendToAdmin(
                "POST", "/operator/users/end-login-sessions", headers: headers, json: body)
            #expect(ended.status == 204)
            #expect(try await fixture.count(withdrawn) == 1)
            #expect(try await fixture.count("select count(*) from email_changes where due_at is not null") == 0)

            let again = try await thief(fixture)
            try await wait(fixture, again, "thief@example.net")
            _ = try await fixture.protect(again)
            let removed = try await fixture.sendToAdmin(
                "POST", "/operator/users/remove-second-factor", headers: headers, json: body)
            #expect(removed.status == 204)
            #expect(try await fixture.count(withdrawn) == 2)
            #expect(try await waiting(fixture, again) == .null)
            let lines = try fixture.security.read().filter { $0["event"] == "email-change-withdrawn" }
            #expect(lines.count == 2 && lines.allSatisfy { $0["actor"] == "operator" })
        }
    }

    // MARK: Keeping the account

    @Test func `leaves no second factor of theirs behind, which they added before they asked`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let thief = try await thief(fixture)
            _ = try await fixture.protect(thief)
            // Given up once, so that nothing tells of it.
            try await wait(fixture, thief)
            #expect(try await fixture.send("DELETE", path, token: thief.access).status == 204)
            _ = try await ask(fixture, thief, "thief@example.net")
            let keep = try await code(fixture, anna, "Another address for your account", 2)
            #expect(try await fixture.post("/v1/auth/keep-email", ["token": .string(keep)]).status == 204)
            #expect(try await fixture.count("select count(*) from second_factors") == 0)
        }
    }

    @Test func `leaves a second factor that was there long before`() async throws {
        // Everything is long before.
        try await withIdentity(["EMAIL_CHANGE_WAIT": "0s", "EMAIL_KEEP_LIFETIME": "0s"]) { fixture in
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email)).person
            _ = try await ask(fixture, anna, "thief@example.com")
            let keep = try await code(fixture, anna, "Another address for your account")
            #expect(try await fixture.post("/v1/auth/keep-email", ["token": .string(keep)]).status == 204)
            #expect(try await fixture.count("select count(*) from second_factors") == 1)
        }
    }

    // MARK: Another address before

    @Test func `tells nothing to an address that is the account's no more`() async throws {
        try await withIdentity { fixture in
            // Mistyped: it is a stranger's.
            let anna = try await fixture.signUp("stranger@example.org")
            let first = try await ask(fixture, anna, "anna@example.com")
            let second = try await ask(fixture, anna, "anna@example.net")
            #expect(try await prove(fixture, anna, second).json["user"]?["email"] == "anna@example.net")
            #expect(
                try await fixture.count("select count(*) from email_changes where new_email = 'anna@example.com'") == 0)
            // And one of which a confirmed address was mailed a code stays for that alone, also if its mail comes late.
            let third = try await ask(fixture, anna, "anna@example.com", 2)
            try await fixture.administer(
                """
                update email_changes set old_email = 'stranger@example.org', keep_id = null
                where new_email = 'anna@example.com'
                """)
            for code in [first, third] {
                let refused = try await prove(fixture, anna, code)
                #expect(refused.status == 401 && refused.code == "code-invalid")
            }
            try await fixture.quiet()
            let mails = try await fixture.mails(of: anna.id, atLeast: 1)
            #expect(mails.count { $0.contains("\r\nTo: stranger@example.org\r\n") } == 1, "when it signed up")
        }
    }

    @Test func `is looked up by an index where another address waits for it`() async throws {
        try await withIdentity { fixture async throws in
            let index = """
                select count(*) from pg_indexes where tablename = 'email_changes'
                    and indexdef like '%lower(new_email)%changed_at IS NULL%proven_at IS NOT NULL%'
                """
            #expect(try await fixture.count(index) == 1)
        }
    }
}
