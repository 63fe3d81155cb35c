import HTTPClient
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `A forgotten password` {
    private func ask(_ fixture: Fixture, _ email: String) async throws -> Answer {
        try await fixture.post("/v1/auth/password-reset", ["email": .string(email)])
    }

    /// Asks for a code and takes it out of the mail, which comes behind the one of sign-up.
    private func askCode(_ fixture: Fixture, _ user: UUID, after count: Int = 1) async throws -> String {
        _ = try await fixture.mails(of: user, atLeast: count)
        #expect(try await ask(fixture, "ANNA@example.org").status == 202)
        let mails = try await fixture.mails(of: user, atLeast: count + 1)
        #expect(mails[count].contains("Subject: Choose a new password\r\n"))
        return try #require(mailedCode(mails[count]))
    }

    private func use(_ fixture: Fixture, _ code: String, _ password: String = "battery staple") async throws -> Answer {
        try await fixture.post(
            "/v1/auth/password", ["resetToken": .string(code), "newPassword": .string(password)])
    }

    @Test func `is replaced by means of a mailed code, once, and all login sessions end`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let there = try Person(try await fixture.signIn("anna@example.org").json)
            let token = try await askCode(fixture, anna.id)
            let weak = try await use(fixture, token, "password")
            #expect(weak.status == 422 && code(weak) == "password-too-common")
            #expect(try await use(fixture, token).status == 204)
            #expect(try await fixture.signIn("anna@example.org").status == 401)
            #expect(try await fixture.signIn("anna@example.org", password: "battery staple").status == 200)
            for refresh in [anna.refresh, there.refresh] { #expect(try await fixture.refresh(refresh).status == 401) }
            let again = try await use(fixture, token, "another password")
            #expect(again.status == 401 && code(again) == "code-invalid")
            let told = try await fixture.mails(of: anna.id, atLeast: 3)[2]
            #expect(told.contains("Subject: Your password was changed\r\n") && mailedCode(told) == nil)
            #expect(try await fixture.count("select count(*) from events where type = 'PasswordReset'") == 1)
            #expect(try await fixture.count("select count(*) from events where data::text ilike '%anna%'") == 0)
        }
    }

    @Test func `is asked for with one and the same answer, whoever has an account`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT_MAIL": "2/1h"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            _ = try await fixture.mails(of: anna.id, atLeast: 1)
            for _ in 1...2 {
                let known = try await ask(fixture, "anna@example.org")
                let unknown = try await ask(fixture, "nobody@example.org")
                #expect(known.status == 202 && unknown.status == 202 && known.json == unknown.json)
                let names = { (answer: Answer) in answer.response.headers.map { $0.name.lowercased() } }
                #expect(names(known) == names(unknown))
            }
            let late = [try await ask(fixture, "anna@example.org"), try await ask(fixture, "nobody@example.org")]
            #expect(late.allSatisfy { $0.status == 429 && code($0) == "too-many-attempts" })
            #expect(late.allSatisfy { $0.response.header("ratelimit-policy") == "\"account-mail\";q=2;w=3600" })
            #expect(try await fixture.mails(of: anna.id, atLeast: 3).count == 3)
            // What was asked for nobody is dropped and leaves no trace.
            while try await fixture.count("select count(*) from mail_outbox") > 0 {
                try await Loop.sleep(for: .milliseconds(5))
            }
            #expect(try await fixture.count("select count(distinct user_id) from one_time_codes") == 1)
        }
    }

    @Test func `waits for its mail in the same way, whoever has an account`() async throws {
        // Nothing is sent here: the folder's place is taken by a file.
        try await withIdentity(["MAIL_URL": "file:/dev/null/mail"]) { fixture in
            _ = try await fixture.signUp("anna@example.org")
            let before = try await fixture.count("select count(*) from mail_outbox where kind = 'password-reset'")
            _ = try await ask(fixture, "anna@example.org")
            #expect(before == 0)
            #expect(try await fixture.count("select count(*) from mail_outbox where kind = 'password-reset'") == 1)
        }
    }

    @Test func `needs a genuine code for this purpose that is not over`() async throws {
        try await withIdentity(["LIMIT_CODE": "1000/1m"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let mails = try await fixture.mails(of: anna.id, atLeast: 1)
            let other = try #require(mailedCode(mails[0]))
            #expect(code(try await use(fixture, other)) == "code-invalid")
            let token = try await askCode(fixture, anna.id)
            let bytes = try #require(Base64URL.decode(token))
            for place in bytes.indices {
                var forged = bytes
                forged[place] ^= 1
                #expect(code(try await use(fixture, Base64URL.encode(forged))) == "code-invalid")
            }
            for text in ["", "x", String(repeating: "A", count: 5_000)] {
                #expect(code(try await use(fixture, text)) == "code-invalid")
            }
            try await fixture.administer("update one_time_codes set expires_at = now()")
            #expect(code(try await use(fixture, token)) == "code-invalid")
            #expect(try await fixture.signIn("anna@example.org").status == 200)
        }
    }

    @Test func `has a code that its mail opens once, however often that is sent`() async throws {
        try await withIdentity { fixture in
            // What a crash between the sending and the removing of a mail would have left.
            try await fixture.administer(
                """
                create table crashed as select * from mail_outbox with no data;
                create function keep_row() returns trigger language plpgsql security definer as $$
                    begin insert into crashed select old.*; return old; end $$;
                create trigger keep_row before delete on mail_outbox for each row execute function keep_row();
                """)
            var (mails, others) = (1, 0)
            /// Sends all mails for new passwords again, and waits until they are sent.
            func sendAgain() async throws {
                try await fixture.quiet()
                try await fixture.administer(
                    """
                    insert into mail_outbox select * from crashed where kind = 'password-reset';
                    update mail_outbox set due_at = now(); truncate crashed;
                    """)
                // Another mail, so that the outbox does not wait.
                others += 1
                _ = try await fixture.signUp("n\(others)@example.org")
                try await fixture.quiet()
            }
            let anna = try await fixture.signUp("anna@example.org")
            let used = try await askCode(fixture, anna.id, after: mails)
            try await sendAgain()
            // As long as it is good, it stays so.
            #expect(try await use(fixture, used).status == 204)
            mails += 2
            try await sendAgain()
            #expect(code(try await use(fixture, used, "another password")) == "code-invalid")
            let open = "select count(*) from one_time_codes where purpose = 'password-reset'"
            #expect(try await fixture.count(open) == 0)
            // One whose life is over, and was forgotten.
            let over = try await askCode(fixture, anna.id, after: mails)
            try await fixture.administer("delete from one_time_codes")
            try await sendAgain()
            #expect(code(try await use(fixture, over, "another password")) == "code-invalid")
        }
    }

    @Test func `has no code any more that was mailed before another password was chosen`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let token = try await askCode(fixture, anna.id)
            func change(from old: String) async throws -> Answer {
                try await fixture.send(
                    "POST", "/v1/auth/password", token: anna.access,
                    ["currentPassword": .string(old), "newPassword": "staple battery"])
            }
            // Who does not know the old one ends nothing.
            #expect(code(try await change(from: "incorrect horse")) == "credentials-invalid")
            #expect(
                try await fixture.count("select count(*) from one_time_codes where purpose = 'password-reset'") == 1)
            #expect(try await change(from: "correct horse").status == 204)
            #expect(code(try await use(fixture, token)) == "code-invalid")
            #expect(try await fixture.signIn("anna@example.org", password: "staple battery").status == 200)
            // What confirms the address is no matter of the password.
            #expect(try await fixture.count("select count(*) from one_time_codes where purpose = 'verify-email'") == 1)
        }
    }

    @Test func `is replaced once when many use the code at once, and its other codes are over`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let first = try await askCode(fixture, anna.id)
            let second = try await askCode(fixture, anna.id, after: 2)
            let answers = try await together(4) { index in
                try await use(fixture, first, "battery staple \(index)").status
            }
            #expect(answers.sorted() == [204, 401, 401, 401])
            #expect(code(try await use(fixture, second)) == "code-invalid")
        }
    }

    @Test func `may only be tried so often`() async throws {
        try await withIdentity(["LIMIT_CODE": "3/1h", "LIMIT_PASSWORD_RESET": "1/1h"]) { fixture in
            for _ in 1...3 { #expect(try await use(fixture, "guessed").status == 401) }
            let fourth = try await use(fixture, "guessed")
            #expect(fourth.status == 429 && fourth.response.header("retry-after") != nil)
            #expect(try await ask(fixture, "a@example.org").status == 202)
            #expect(try await ask(fixture, "b@example.org").status == 429)
        }
    }

    @Test func `is offered as a link when one is set`() async throws {
        let start = "https://app.example.org/reset?code="
        try await withIdentity(["PASSWORD_RESET_LINK": start + "{code}"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            _ = try await fixture.mails(of: anna.id, atLeast: 1)
            _ = try await ask(fixture, "anna@example.org")
            let mail = try await fixture.mails(of: anna.id, atLeast: 2)[1]
            let link = try #require(mail.split(separator: "\r\n").first { $0.hasPrefix(start) })
            #expect(mailedCode(mail).map { start + $0 } == String(link), "and as a code, for another device")
            #expect(try await use(fixture, String(link.dropFirst(start.count))).status == 204)
        }
    }

    @Test func `is offered by a link to the app page when no other is set`() async throws {
        try await withIdentity(["PUBLIC_URL": "https://coach.example.org"]) { fixture in
            let page = "https://coach.example.org/#/"
            let anna = try await fixture.signUp("anna@example.org")
            let first = try await fixture.mails(of: anna.id, atLeast: 1)[0]
            #expect(first.contains("\r\n\(page)verify/\(try #require(mailedCode(first)))\r\n"))
            _ = try await ask(fixture, "anna@example.org")
            let mail = try await fixture.mails(of: anna.id, atLeast: 2)[1]
            #expect(mail.contains("\r\n\(page)reset/\(try #require(mailedCode(mail)))\r\n"))
        }
    }
}
