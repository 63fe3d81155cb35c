import Crypto
import HTTPClient
import JSON
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `What cannot be undone` {
    /// Lets all login sessions have begun, or been confirmed, so long ago.
    private func age(_ fixture: Fixture, _ seconds: Int) async throws {
        try await fixture.administer("update logins set auth_time = auth_time - interval '\(seconds) seconds'")
    }

    /// A new access token of the same login session, and the next refresh token.
    private func refreshed(_ fixture: Fixture, _ token: String) async throws -> (access: String, refresh: String) {
        let answer = try await fixture.refresh(token).json
        return (try answer.string("accessToken"), try answer.string("refreshToken"))
    }

    private func erase(_ fixture: Fixture, _ token: String) async throws -> Answer {
        try await fixture.send("DELETE", "/v1/me", token: token)
    }

    private func confirm(_ fixture: Fixture, _ body: JSONValue, _ token: String) async throws -> Answer {
        try await fixture.post("/v1/auth/confirm", body, token: token)
    }

    /// Confirms the address by the code of the mail of sign-up.
    private func verify(_ fixture: Fixture, _ user: UUID) async throws {
        let mail = try await fixture.mails(of: user, atLeast: 1)[0]
        let answer = try await fixture.post("/v1/auth/verify-email", ["token": .optional(mailedCode(mail))])
        #expect(answer.status == 204)
    }

    /// Asks for a code for this and takes it out of the mail, which comes behind the one of sign-up.
    private func mailedConfirmation(_ fixture: Fixture, _ person: Person) async throws -> String {
        _ = try await fixture.mails(of: person.id, atLeast: 1)
        #expect(try await confirm(fixture, [:], person.access).status == 202)
        let mail = try await fixture.mails(of: person.id, atLeast: 2)[1]
        #expect(mail.contains("Subject: Confirm that it is you\r\n"))
        return try #require(mailedCode(mail))
    }

    private func claims(_ token: String) throws -> JSONObject {
        try JSONObject.parse(try #require(Base64URL.decode(String(token.split(separator: ".")[1]))))
    }

    @Test func `is done by who signed in a moment ago, and asked of everybody else`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            try await age(fixture, 290)
            let soon = try await refreshed(fixture, anna.refresh)
            try await age(fixture, 20)
            let late = try await refreshed(fixture, soon.refresh)
            let refused = try await erase(fixture, late.access)
            #expect(refused.status == 401 && code(refused) == "confirmation-needed")
            #expect(refused.json["methods"] == ["pwd"])
            let challenge = #"Bearer error="insufficient_user_authentication", max_age="300""#
            #expect(refused.header("www-authenticate") == challenge)
            // Nothing else asks for it, and nothing happened.
            #expect(try await fixture.send("GET", "/v1/me", token: late.access).status == 200)
            #expect(try await fixture.count("select count(*) from erased_subjects") == 0)
            // A token says when it was, not what has become of the login session.
            #expect(try await erase(fixture, soon.access).status == 202)
            // Once more, and the receipt, ask for nothing.
            #expect(try await erase(fixture, late.access).status == 202)
            #expect(try await fixture.send("GET", "/v1/me/erasure", token: late.access).status == 202)
        }
    }

    @Test func `by mail counts in the login session alone that asked for it`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            try await verify(fixture, anna.id)
            let other = try Person(try await fixture.signIn("anna@example.org").json)
            #expect(try await confirm(fixture, [:], anna.access).status == 202)
            let text = mailedCode(try await fixture.mail(of: anna.id, "Confirm that it is you"))
            let refused = try await confirm(fixture, ["token": .optional(text)], other.access)
            #expect(refused.status == 401 && code(refused) == "code-invalid")
            #expect(try await confirm(fixture, ["token": .optional(text)], anna.access).status == 200)
        }
    }

    @Test func `may be allowed for another time`() async throws {
        try await withIdentity(["FRESH_SIGN_IN": "30s"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            try await age(fixture, 31)
            let refused = try await erase(fixture, try await refreshed(fixture, anna.refresh).access)
            #expect(refused.header("www-authenticate")?.hasSuffix(#"max_age="30""#) == true)
        }
    }

    @Test func `is not done with a token of a login session that began before it was noted`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            try await fixture.administer("update logins set auth_time = null, amr = null")
            let old = try await refreshed(fixture, anna.refresh).access
            let names = try claims(old).keys
            #expect(!names.contains("auth_time") && !names.contains("amr"))
            #expect(code(try await erase(fixture, old)) == "confirmation-needed")
            let confirmed = try await confirm(fixture, ["password": "correct horse"], old)
            #expect(try await erase(fixture, confirmed.json.string("accessToken")).status == 202)
        }
    }

    @Test func `is allowed by the password, for the login session, however often it is refreshed`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let begun = try claims(anna.access)
            #expect(begun["amr"] == ["pwd"])
            try await age(fixture, 400)
            let late = try await refreshed(fixture, anna.refresh)
            #expect(try claims(late.access).int("auth_time") <= begun.int("auth_time") - 400)
            let wrong = try await confirm(fixture, ["password": "incorrect horse"], late.access)
            #expect(wrong.status == 401 && code(wrong) == "credentials-invalid")
            #expect(code(try await erase(fixture, late.access)) == "confirmation-needed")
            let answer = try await confirm(fixture, ["password": "correct horse"], late.access)
            #expect(answer.status == 200 && answer.header("cache-control") == "no-store")
            #expect(Set(answer.json.keys) == ["accessToken", "expiresIn", "tokenType"])
            let confirmed = try claims(answer.json.string("accessToken"))
            #expect(confirmed["sid"] == begun["sid"] && confirmed["sub"] == begun["sub"])
            #expect(try confirmed.int("auth_time") >= begun.int("auth_time"))
            let next = try await refreshed(fixture, late.refresh).access
            #expect(try claims(next)["auth_time"] == confirmed["auth_time"])
            #expect(try await erase(fixture, next).status == 202)
        }
    }

    @Test func `is allowed by a code that is mailed to an address that was confirmed, once`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let early = try await confirm(fixture, [:], anna.access)
            #expect(early.status == 409 && code(early) == "email-unverified")
            try await verify(fixture, anna.id)
            try await age(fixture, 400)
            let late = try await refreshed(fixture, anna.refresh).access
            #expect(try await erase(fixture, late).json["methods"] == ["pwd", "mail"])
            let token = try await mailedConfirmation(fixture, anna)
            let bert = try await fixture.signUp("bert@example.org")
            let body: JSONValue = ["token": .string(token)]
            for stranger in [
                try await confirm(fixture, body, bert.access),
                try await fixture.post(
                    "/v1/auth/password", ["resetToken": .string(token), "newPassword": "battery staple"]),
                try await fixture.post("/v1/auth/verify-email", body),
            ] { #expect(stranger.status == 401 && code(stranger) == "code-invalid") }
            let answers = try await together(4) { _ in try await confirm(fixture, body, late) }
            #expect(answers.map(\.status).sorted() == [200, 401, 401, 401])
            let good = try #require(answers.first { $0.status == 200 })
            #expect(try claims(good.json.string("accessToken"))["amr"] == ["mail"])
            #expect(try await erase(fixture, good.json.string("accessToken")).status == 202)
        }
    }

    @Test func `is allowed by a mailed code for ten minutes at most, and for no longer than any code`() async throws {
        for (lifetime, minutes) in [("30m", 10), ("5m", 5)] {
            try await withIdentity(["CODE_LIFETIME": lifetime]) { fixture in
                let anna = try await fixture.signUp("anna@example.org")
                try await verify(fixture, anna.id)
                _ = try await mailedConfirmation(fixture, anna)
                let mail = try await fixture.mails(of: anna.id, atLeast: 2)[1]
                #expect(mail.contains("within \(minutes) minutes"))
                let rows = "select count(*) from one_time_codes where purpose = 'confirm' and expires_at"
                #expect(try await fixture.count("\(rows) <= now() + interval '\(minutes) minutes'") == 1)
                #expect(try await fixture.count("\(rows) > now() + interval '\(minutes - 1) minutes'") == 1)
            }
        }
    }

    @Test func `is allowed by its secret on an anonymous device`() async throws {
        try await withIdentity { fixture in
            let begun = try await fixture.post("/v1/auth/device", ["deviceId": "a-device-of-somebody"])
            let device = try Person(begun.json)
            let secret = try begun.json.required("deviceSecret")
            #expect(try claims(device.access)["amr"] == ["device"])
            try await age(fixture, 400)
            let late = try await refreshed(fixture, device.refresh).access
            #expect(try await erase(fixture, late).json["methods"] == ["device"])
            let foreign = try await fixture.post("/v1/auth/device", ["deviceId": "a-device-of-another"]).json
            for (body, problem) in [
                (["password": "correct horse"], "account-missing"), ([:], "account-missing"),
                (["deviceSecret": "AAAA"], "device-secret-invalid"),
                (["deviceSecret": try foreign.required("deviceSecret")], "device-secret-invalid"),
            ] as [(JSONValue, String)] { #expect(code(try await confirm(fixture, body, late)) == problem) }
            let confirmed = try await confirm(fixture, ["deviceSecret": secret], late)
            #expect(try claims(confirmed.json.string("accessToken"))["kind"] == "device")
            let sound = try confirmed.json.string("accessToken")

            // With an account its secret lets nobody in any more.
            let account: JSONValue = ["email": "anna@example.org", "password": "correct horse"]
            #expect(try await fixture.post("/v1/auth/sign-up", account, token: sound).status == 201)
            #expect(code(try await confirm(fixture, ["deviceSecret": secret], sound)) == "device-has-account")
        }
    }

    @Test func `takes one proof of somebody who is signed in, as often as somebody may sign in`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT": "2/1h", "LIMIT_SIGN_IN": "12/1h"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let there = try Person(try await fixture.signIn("anna@example.org").json)
            let both = try await confirm(fixture, ["password": "correct horse", "token": "x"], anna.access)
            #expect(both.status == 400 && code(both) == "invalid-request")
            #expect(code(try await confirm(fixture, ["isAdmin": true], anna.access)) == "member-unknown")
            #expect(try await fixture.post("/v1/auth/confirm", ["password": "correct horse"]).status == 401)
            for expected in [401, 401, 429] {
                #expect(try await confirm(fixture, ["password": "wrong"], anna.access).status == expected)
            }
            // A thief of one token does not stop the owner elsewhere.
            #expect(try await confirm(fixture, ["password": "correct horse"], there.access).status == 200)
            #expect(try await fixture.post("/v1/auth/sign-out", ["refreshToken": .string(anna.refresh)]).status == 204)
            let over = try await confirm(fixture, ["password": "correct horse"], anna.access)
            #expect(over.status == 401 && code(over) == "login-session-ended")
            var last = over
            for _ in 1...5 { last = try await confirm(fixture, [:], anna.access) }
            #expect(last.status == 429 && last.header("ratelimit-policy") == "\"sign-in\";q=12;w=3600")
        }
    }

    @Test func `is told by mail only so often`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT_MAIL": "2/1h"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            try await verify(fixture, anna.id)
            for expected in [202, 202, 429] { #expect(try await confirm(fixture, [:], anna.access).status == expected) }
            // The mails for a new password are others.
            let reset = try await fixture.post("/v1/auth/password-reset", ["email": "anna@example.org"])
            #expect(reset.status == 202)
        }
    }
}
