import Access
import Configuration
import Crypto
import HTTPClient
import JSON
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import identity

/// Somebody with an authenticator app.
struct Protected {
    let person: Person
    let totp: TOTP
    let recoveryCodes: [String]

    /// The code of the present time step, or of one beside it.
    func code(_ distance: Int64 = 0) -> String { totp.code(of: TOTP.step(at: .now()) + distance) }
}

extension ServiceUnderTest<IdentityService> {
    /// Signs somebody up and confirms the address.
    func signUpConfirmed(_ email: String) async throws -> Person {
        let person = try await signUp(email)
        let code = mailedCode(try await mails(of: person.id, atLeast: 1)[0])
        let answer = try await post("/v1/auth/verify-email", ["token": .optional(code)])
        #expect(answer.status == 204)
        return person
    }

    /// Adds a second factor.
    func protect(_ person: Person) async throws -> Protected {
        let begun = try await post("/v1/me/second-factor", [:], token: person.access)
        #expect(begun.status == 201 && begun.header("cache-control") == "no-store")
        let totp = TOTP(secret: try #require(Base32.decode(try begun.json.string("secret"))))
        let code = totp.code(of: TOTP.step(at: .now()) - 1)
        let confirmed = try await post("/v1/me/second-factor/confirm", ["code": .string(code)], token: person.access)
        #expect(confirmed.status == 200)
        let codes = try #require(confirmed.json["recoveryCodes"]?.arrayValue).compactMap(\.stringValue)
        return Protected(person: person, totp: totp, recoveryCodes: codes)
    }

    /// Signs in with the password and gives the ticket.
    func ticket(_ email: String, from address: String? = nil) async throws -> String {
        let answer = try await signIn(email, from: address)
        #expect(answer.status == 401 && answer.code == "second-factor-needed")
        return try answer.json.string("ticket")
    }

    /// Goes on with a sign-in.
    func finish(
        _ ticket: String, code: String? = nil, recoveryCode: String? = nil, from address: String? = nil,
        cookie: String? = nil, to instance: Fixture.Instance? = nil
    ) async throws -> Answer {
        try await post(
            "/v1/auth/second-factor",
            ["ticket": .string(ticket), "code": .optional(code), "recoveryCode": .optional(recoveryCode)],
            from: address, cookie: cookie, to: instance)
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `A second factor` {
    private let email = "anna@example.org"

    private func methods(_ answer: Answer) throws -> JSONValue? {
        let parts = try answer.json.string("accessToken").split(separator: ".")
        return try JSONObject.parse(try #require(Base64URL.decode(String(parts[1]))))["amr"]
    }

    @Test func `is asked for from its first code on, and every other login session ends`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let there = try Person(try await fixture.signIn(email).json)
            let none = try await fixture.send("GET", "/v1/me/second-factor", token: anna.access)
            #expect(none.json["secondFactor"] == .null)
            // What was begun asks nobody for anything.
            _ = try await fixture.post("/v1/me/second-factor", [:], token: anna.access)
            #expect(try await fixture.signIn(email).status == 200)
            let protected = try await fixture.protect(anna)
            #expect(Set(protected.recoveryCodes).count == 10)
            // 120 random bits each.
            #expect(protected.recoveryCodes.allSatisfy { $0.wholeMatch(of: #/([A-Z2-7]{4}-){5}[A-Z2-7]{4}/#) != nil })
            #expect(try await fixture.send("GET", "/v1/me", token: anna.access).status == 200)
            #expect(try await fixture.send("GET", "/v1/me", token: there.access).code == "login-session-ended")
            let refused = try await fixture.signIn(email)
            #expect(refused.status == 401 && refused.json["methods"] == ["otp", "recovery"])
            #expect(refused.header("cache-control") == "no-store" && cookie(refused) == nil)
            #expect(refused.json["accessToken"] == nil)
            let answer = try await fixture.finish(try refused.json.string("ticket"), code: protected.code())
            #expect(answer.status == 200)
            #expect(try methods(answer) == ["pwd", "otp", "mfa"])
            let standing = try await fixture.send("GET", "/v1/me/second-factor", token: anna.access).json
            #expect(try standing.object("secondFactor")["recoveryCodesLeft"] == 10)
            _ = try await fixture.mail(of: anna.id, "Your account asks for a second factor")
        }
    }

    @Test func `needs a confirmed address, an account and a fresh sign-in`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp(email)
            let early = try await fixture.post("/v1/me/second-factor", [:], token: anna.access)
            #expect(early.status == 409 && early.code == "email-unverified")
            let device = try Person(
                try await fixture.post("/v1/auth/device", ["deviceId": "a-device-of-somebody"]).json)
            #expect(try await fixture.post("/v1/me/second-factor", [:], token: device.access).code == "account-missing")
            let bert = try await fixture.signUpConfirmed("bert@example.org")
            try await fixture.administer("update logins set auth_time = auth_time - interval '400 seconds'")
            let old = try await fixture.refresh(bert.refresh).json.string("accessToken")
            for (method, path) in [
                ("POST", "/v1/me/second-factor"), ("DELETE", "/v1/me/second-factor"),
                ("POST", "/v1/me/second-factor/recovery-codes"),
            ] {
                let answer = try await fixture.send(method, path, token: old, [:])
                #expect(answer.status == 401 && answer.code == "confirmation-needed", "\(method) \(path)")
            }
            let without = try await fixture.post("/v1/me/second-factor/confirm", ["code": "123456"], token: old)
            #expect(without.status == 409 && without.code == "second-factor-missing")
        }
    }

    @Test func `counts a code once, also on two instances at once, and a ticket once`() async throws {
        try await withIdentity(instances: 2) { fixture in
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email))
            let tickets = [try await fixture.ticket(email), try await fixture.ticket(email)]
            let code = anna.code()
            let answers = try await together(4) { index in
                try await fixture.finish(tickets[index / 2], code: code, to: fixture.instances[index % 2])
            }
            #expect(answers.map(\.status).sorted() == [200, 401, 401, 401])
            let again = try await fixture.finish(try await fixture.ticket(email), code: code)
            #expect(again.code == "second-factor-invalid")
            let used = try await fixture.finish(tickets[0], code: anna.code(1))
            #expect(used.status == 401 && used.code == "ticket-invalid")
            #expect(try await fixture.finish(try await fixture.ticket(email), code: anna.code(1)).status == 200)
        }
    }

    @Test func `can be shown by a recovery code, each once, until there are new ones`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email))
            let written = anna.recoveryCodes[0].lowercased().replacing("-", with: " ")
            let answer = try await fixture.finish(try await fixture.ticket(email), recoveryCode: written)
            #expect(try methods(answer) == ["pwd", "recovery", "mfa"])
            let again = try await fixture.finish(
                try await fixture.ticket(email), recoveryCode: anna.recoveryCodes[0])
            #expect(again.code == "second-factor-invalid")
            let renewed = try await fixture.post(
                "/v1/me/second-factor/recovery-codes", [:], token: anna.person.access)
            let codes = try #require(renewed.json["recoveryCodes"]?.arrayValue).compactMap(\.stringValue)
            let old = try await fixture.finish(try await fixture.ticket(email), recoveryCode: anna.recoveryCodes[1])
            #expect(old.code == "second-factor-invalid")
            #expect(try await fixture.finish(try await fixture.ticket(email), recoveryCode: codes[9]).status == 200)
        }
    }

    @Test func `can be shown by a recovery code of the shorter form that was given out before`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email))
            let bytes = [UInt8](1...10)
            let hash = Hex.encode(SHA256.digest(anna.person.id.bytes + bytes))
            try await fixture.administer(
                """
                update recovery_codes set code_hash = '\\x\(hash)'
                where code_hash = (select code_hash from recovery_codes limit 1)
                """)
            let answer = try await fixture.finish(
                try await fixture.ticket(email), recoveryCode: Base32.encode(bytes))
            #expect(try methods(answer) == ["pwd", "recovery", "mfa"])
        }
    }

    @Test func `is asked of who confirms, too`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email))
            let access = anna.person.access
            let alone = try await fixture.post("/v1/auth/confirm", ["password": "correct horse"], token: access)
            #expect(alone.status == 401 && alone.code == "second-factor-needed" && alone.json["ticket"] == nil)
            let wrong = try await fixture.post(
                "/v1/auth/confirm", ["password": "correct horse", "code": "000000"], token: access)
            #expect(wrong.code == "second-factor-invalid")
            let both = try await fixture.post(
                "/v1/auth/confirm", ["password": "correct horse", "code": .string(anna.code())], token: access)
            #expect(try methods(both) == ["pwd", "otp", "mfa"])
        }
    }

    @Test func `can be removed, and then the password is enough`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email))
            let twice = try await fixture.post("/v1/me/second-factor", [:], token: anna.person.access)
            #expect(twice.status == 409 && twice.code == "second-factor-exists")
            let removal = try await fixture.send("DELETE", "/v1/me/second-factor", token: anna.person.access)
            #expect(removal.status == 204)
            #expect(try await fixture.signIn(email).status == 200)
            #expect(try await fixture.count("select count(*) from recovery_codes") == 0)
            let events = try await fixture.administrator.query(
                "select data::text from events where type like 'SecondFactor%' order by position"
            ).rows.map { $0.text(0) }
            #expect(events.count == 2 && events.allSatisfy { !$0.contains("sealed") && !$0.contains("code") })
        }
    }

    @Test func `is removed by an operator for who has lost everything, and the owner hears of it`() async throws {
        try await withIdentity(TestOperator.variables) { fixture in
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email))
            let path = "/operator/users/remove-second-factor"
            let body: JSONValue = ["id": .uuid(anna.person.id)]
            let headers = [(name: "Authorization", value: "Bearer \(TestOperator.key)")]
            #expect(try await fixture.sendToAdmin("POST", path, json: body).status == 401)
            let more: JSONValue = ["id": .uuid(anna.person.id), "isAdmin": true]
            let refused = try await fixture.sendToAdmin("POST", path, headers: headers, json: more)
            #expect(refused.status == 422 && refused.code == "member-unknown")
            #expect(try await fixture.sendToAdmin("POST", path, headers: headers, json: body).status == 204)
            #expect(try await fixture.signIn(email).status == 200)
            let mails = try await fixture.mails(of: anna.person.id, atLeast: 3)
            #expect(mails[2].contains("Subject: Your account asks for no second factor any more"))
            let again = try await fixture.sendToAdmin("POST", path, headers: headers, json: body)
            #expect(again.status == 409 && again.code == "second-factor-missing")
            let unknown = try await fixture.sendToAdmin("POST", path, headers: headers, json: ["id": .uuid(.v7())])
            #expect(unknown.status == 404)
        }
    }

    @Test func `stays when a password is replaced by mail, and what was guessed before counts on`() async throws {
        let limits = ["LIMIT_SECOND_FACTOR": "2/1h", "LIMIT_SECOND_FACTOR_STRANGERS": "3/1d"]
        try await withIdentity(limits) { fixture in
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email))
            let entered = try await fixture.finish(
                try await fixture.ticket(email), code: anna.code(), from: "198.51.100.7")
            let kept = try #require(cookie(entered))
            var ticket = try await fixture.ticket(email)
            var statuses: [Int] = []
            for number in 1...4 {
                let answer = try await fixture.finish(ticket, code: "000000", from: "203.0.113.\(number)")
                statuses.append(answer.status)
            }
            #expect(statuses == [401, 401, 401, 429])

            // Whoever reads the owner's mail gets a new password and a known device, and no new guesses.
            _ = try await fixture.post("/v1/auth/password-reset", ["email": .string(email)])
            let code = mailedCode(try await fixture.mail(of: anna.person.id, "Choose a new password"))
            let reset = try await fixture.post(
                "/v1/auth/password", ["resetToken": .optional(code), "newPassword": "correct horse"])
            #expect(reset.status == 204)
            let stale = try await fixture.finish(ticket, recoveryCode: anna.recoveryCodes[0])
            #expect(stale.status == 401)
            ticket = try await fixture.ticket(email)
            let known = cookie(reset)
            #expect(try await fixture.finish(ticket, code: "000000", from: "203.0.113.9", cookie: known).status == 429)

            // The owner comes in from a device that showed the factor before, and from a new one by a recovery code.
            let device = try await fixture.finish(ticket, code: anna.code(1), from: "203.0.113.1", cookie: kept)
            #expect(device.status == 200 && cookie(device) == kept)
            ticket = try await fixture.ticket(email)
            let recovered = try await fixture.finish(
                ticket, recoveryCode: anna.recoveryCodes[0], from: "203.0.113.1")
            #expect(recovered.status == 200)
        }
    }

    @Test func `goes with its user`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email))
            let erased = try await fixture.send("DELETE", "/v1/me", token: anna.person.access)
            #expect(erased.status == 202)
            for table in ["second_factors", "recovery_codes"] {
                #expect(try await fixture.count("select count(*) from \(table)") == 0)
            }
        }
    }

    @Test func `is not shown with less than is needed, nor with more`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email))
            let ticket = JSONValue.string(try await fixture.ticket(email))
            let code = JSONValue.string(anna.code())
            let recovery = JSONValue.string(anna.recoveryCodes[0])
            let cases: [(JSONValue, Int, String)] = [
                (["ticket": "AAAA", "code": code], 401, "ticket-invalid"),
                (["code": code], 400, "invalid-json"),
                (["ticket": ticket], 400, "invalid-request"),
                (["ticket": ticket, "code": code, "recoveryCode": recovery], 400, "invalid-request"),
                (["ticket": ticket, "code": code, "x": 1], 422, "member-unknown"),
                (["ticket": ticket, "code": "1"], 401, "second-factor-invalid"),
                (["ticket": ticket, "recoveryCode": "1"], 401, "second-factor-invalid"),
            ]
            for (body, status, expected) in cases {
                let answer = try await fixture.post("/v1/auth/second-factor", body)
                #expect(answer.status == status && answer.code == expected, "\(body.text)")
            }
            // Nothing was used up.
            let whole = try await fixture.post("/v1/auth/second-factor", ["ticket": ticket, "code": code])
            #expect(whole.status == 200)
            let next = try await fixture.finish(try await fixture.ticket(email), recoveryCode: anna.recoveryCodes[0])
            #expect(next.status == 200)
        }
    }

    @Test func `is not shown by a ticket alone, and not added by a wrong code`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            _ = try await fixture.post("/v1/me/second-factor", [:], token: anna.access)
            let wrong = try await fixture.post("/v1/me/second-factor/confirm", ["code": "12345"], token: anna.access)
            #expect(wrong.status == 401 && wrong.code == "second-factor-invalid")
            let protected = try await fixture.protect(anna)
            let ticket = try await fixture.ticket(email)
            let alone = try await fixture.post("/v1/auth/second-factor", ["ticket": .string(ticket)])
            #expect(alone.status == 400 && alone.code == "invalid-request")
            #expect(try await fixture.finish(ticket, code: protected.code()).status == 200, "it is still good")
        }
    }

    @Test func `is asked of who repeats a sign-up, too`() async throws {
        try await withIdentity { fixture in
            let body: JSONValue = ["email": .string(email), "password": "correct horse"]
            let key = "0b98cea9-cf81-48e3-8812-52c9a329a19b"
            let made = try await fixture.post("/v1/auth/sign-up", body, key: key)
            let anna = try Person(made.json)
            let code = mailedCode(try await fixture.mails(of: anna.id, atLeast: 1)[0])
            #expect(try await fixture.post("/v1/auth/verify-email", ["token": .optional(code)]).status == 204)
            _ = try await fixture.protect(anna)
            let again = try await fixture.post("/v1/auth/sign-up", body, key: key)
            #expect(again.status == 401 && again.code == "second-factor-needed" && again.json["ticket"] != nil)
        }
    }

    @Test func `is worth nothing to who begins it on another login session`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let there = try Person(try await fixture.signIn(email).json)
            let begun = try await fixture.post("/v1/me/second-factor", [:], token: anna.access)
            let totp = TOTP(secret: try #require(Base32.decode(try begun.json.string("secret"))))
            let code: JSONValue = ["code": .string(totp.code(of: TOTP.step(at: .now())))]
            let other = try await fixture.post("/v1/me/second-factor/confirm", code, token: there.access)
            #expect(other.status == 409 && other.code == "second-factor-missing")
            try await fixture.administer("update second_factors set begun_at = now() - interval '16 minutes'")
            let late = try await fixture.post("/v1/me/second-factor/confirm", code, token: anna.access)
            #expect(late.code == "second-factor-missing")
            // One that is begun anew has all of its time.
            #expect(try await fixture.protect(anna).recoveryCodes.count == 10)
        }
    }
}
