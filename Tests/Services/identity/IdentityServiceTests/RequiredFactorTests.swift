import Crypto
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

/// A server that asks every account for a second factor.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A second factor that every account must have` {
    private let email = "anna@example.org"
    private let required = ["REQUIRE_SECOND_FACTOR": "accounts"]

    /// Signs in with the password and gives the ticket for adding one.
    private func ticket(_ fixture: Fixture) async throws -> JSONValue {
        let answer = try await fixture.signIn(email)
        #expect(answer.status == 401 && answer.code == "second-factor-required" && answer.json["expiresIn"] == 900)
        #expect(answer.json["accessToken"] == nil && cookie(answer) == nil)
        #expect(answer.header("cache-control") == "no-store")
        return try answer.json.required("ticket")
    }

    private func enrol(_ fixture: Fixture, _ ticket: JSONValue) async throws -> Answer {
        try await fixture.post("/v1/auth/second-factor/enrolment", ["ticket": ticket])
    }

    private func finish(_ fixture: Fixture, _ ticket: JSONValue, _ code: JSONValue) async throws -> Answer {
        try await fixture.post("/v1/auth/second-factor", ["ticket": ticket, "code": code, "deviceName": "phone"])
    }

    @Test func `is added with a sign-in, which lets in then, and asked for from then on`() async throws {
        try await withIdentity(required) { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let ticket = try await ticket(fixture)
            #expect(try await finish(fixture, ticket, "123456").code == "second-factor-missing")
            let begun = try await enrol(fixture, ticket)
            #expect(begun.status == 201 && begun.header("cache-control") == "no-store")
            let totp = TOTP(secret: try #require(Base32.decode(try begun.json.string("secret"))))
            #expect(try await finish(fixture, ticket, "1").code == "second-factor-invalid")
            let code = JSONValue.string(totp.code(of: TOTP.step(at: .now()) - 1))
            let entered = try await finish(fixture, ticket, code)
            #expect(entered.status == 200 && entered.json["recoveryCodes"]?.arrayValue?.count == 10)
            let person = try Person(entered.json)
            #expect(person.id == anna.id)
            #expect(try await fixture.send("GET", "/v1/me", token: person.access).status == 200)
            #expect(try await fixture.refresh(person.refresh).status == 200)
            // What began without it is over.
            #expect(try await fixture.send("GET", "/v1/me", token: anna.access).code == "login-session-ended")
            #expect(try await finish(fixture, ticket, code).code == "ticket-invalid")
            let next = try await fixture.finish(
                try await fixture.ticket(email), code: totp.code(of: TOTP.step(at: .now())))
            #expect(next.status == 200 && next.json["recoveryCodes"] == nil)
            let removal = try await fixture.send("DELETE", "/v1/me/second-factor", token: person.access)
            #expect(removal.status == 409 && removal.code == "second-factor-stays")
            _ = try await fixture.mail(of: anna.id, "Your account asks for a second factor")
            #expect(try await fixture.count("select count(*) from events where type = 'SecondFactorAdded'") == 1)
        }
    }

    @Test func `leaves a login session that began without it no refresh`() async throws {
        try await withIdentity(required) { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let refused = try await fixture.refresh(anna.refresh)
            #expect(refused.status == 401 && refused.code == "second-factor-required")
            #expect(try await fixture.send("GET", "/v1/me", token: anna.access).code == "login-session-ended")
            // Within the first access token it is added as everywhere.
            let bert = try await fixture.protect(try await fixture.signUpConfirmed("bert@example.org"))
            #expect(try await fixture.refresh(bert.person.refresh).status == 200)
            let device = try Person(
                try await fixture.post("/v1/auth/device", ["deviceId": "a-device-of-somebody"]).json)
            #expect(try await fixture.refresh(device.refresh).status == 200)
        }
    }

    @Test func `needs a confirmed address, which can be confirmed without a login session`() async throws {
        try await withIdentity(required) { fixture in
            let anna = try await fixture.signUp(email)
            _ = try await fixture.mails(of: anna.id, atLeast: 1)
            let ticket = try await ticket(fixture)
            let early = try await enrol(fixture, ticket)
            #expect(early.status == 409 && early.code == "email-unverified")
            let mails = try await fixture.mails(of: anna.id, atLeast: 2)
            #expect(mails[1].contains("Subject: Confirm your address\r\n"))
            let confirmed = try await fixture.post("/v1/auth/verify-email", ["token": .optional(mailedCode(mails[1]))])
            #expect(confirmed.status == 204)
            #expect(try await enrol(fixture, ticket).status == 201)
        }
    }

    @Test func `is asked for at a repeated sign-up too, which is a sign-in`() async throws {
        try await withIdentity(required) { fixture in
            let wish: JSONValue = ["email": .string(email), "password": "correct horse"]
            #expect(try await fixture.post("/v1/auth/sign-up", wish, key: "once").status == 201)
            let repeated = try await fixture.post("/v1/auth/sign-up", wish, key: "once")
            #expect(repeated.status == 401 && repeated.code == "second-factor-required")
        }
    }

    @Test func `is not added with a ticket that is worth nothing any more, or for something else`() async throws {
        try await withIdentity(required) { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            #expect(try await enrol(fixture, "AAAA").code == "ticket-invalid")
            let more = try await fixture.post(
                "/v1/auth/second-factor/enrolment", ["ticket": "AAAA", "code": "123456"])
            #expect(more.status == 422 && more.code == "member-unknown")
            // Another password was chosen since.
            let old = try await ticket(fixture)
            let begun = try await enrol(fixture, old)
            let totp = TOTP(secret: try #require(Base32.decode(try begun.json.string("secret"))))
            let change: JSONValue = ["currentPassword": "correct horse", "newPassword": "battery staple"]
            #expect(try await fixture.post("/v1/auth/password", change, token: anna.access).status == 204)
            #expect(try await enrol(fixture, old).code == "ticket-invalid")
            let code = JSONValue.string(totp.code(of: TOTP.step(at: .now())))
            #expect(try await finish(fixture, old, code).code == "ticket-invalid")
            #expect(try await fixture.count("select count(*) from logins") == 1)
            // It was added otherwise meanwhile: the ticket for adding opens nothing, and neither does one for showing it.
            let signIn = try await fixture.signIn(email, password: "battery staple")
            let late = try signIn.json.required("ticket")
            _ = try await fixture.protect(anna)
            #expect(try await enrol(fixture, late).code == "second-factor-exists")
            let other = try await fixture.signIn(email, password: "battery staple")
            #expect(other.code == "second-factor-needed")
            #expect(try await enrol(fixture, try other.json.required("ticket")).code == "ticket-invalid")
        }
    }

    @Test func `is nobody's duty by default`() async throws {
        try await withIdentity { fixture in
            _ = try await fixture.signUpConfirmed(email)
            #expect(try await fixture.signIn(email).status == 200)
        }
    }
}
