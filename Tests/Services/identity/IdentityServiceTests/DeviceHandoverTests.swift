import Contracts
import Crypto
import JSON
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

/// Somebody who practised on an anonymous device signs in to an account that there is already.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A device that is handed over` {
    /// An anonymous device, and what shows it.
    private struct Device {
        let person: Person
        let id: JSONValue
        let secret: JSONValue

        var shown: JSONObject { ["deviceId": id, "deviceSecret": secret] }
    }

    private func device(_ fixture: Fixture) async throws -> Device {
        let id = JSONValue.string("\(UUID.v4())")
        let answer = try await fixture.post("/v1/auth/device", ["deviceId": id])
        return Device(person: try Person(answer.json), id: id, secret: try answer.json.required("deviceSecret"))
    }

    private func signIn(_ fixture: Fixture, _ email: String, _ more: JSONObject = [:]) async throws -> Answer {
        try await fixture.post(
            "/v1/auth/sign-in",
            .object((["email": .string(email), "password": "correct horse"] as JSONObject).adding(membersOf: more)))
    }

    /// What was announced, by device and account.
    private func announced(_ fixture: Fixture) async throws -> [DeviceHandedOver] {
        try await moments(fixture).map { DeviceHandedOver(userId: $0.userId, accountId: $0.accountId) }
    }

    /// The same with the moments.
    private func moments(_ fixture: Fixture) async throws -> [DeviceHandedOverV2] {
        try await fixture.administrator.query(
            "select data from events where type = 'DeviceHandedOver' and schema_version = 2 order by position"
        ).rows.map { try DeviceHandedOverV2(JSONObject.parse($0.bytes(0))) }
    }

    @Test func `is announced with the sign-in that shows its secret, each time, and stays a device`() async throws {
        try await withIdentity { fixture in
            let device = try await device(fixture)
            let anna = try await fixture.signUp("anna@example.org")
            let before = Timestamp.now()
            let entered = try await signIn(fixture, "anna@example.org", device.shown)
            #expect(try entered.status == 200 && Person(entered.json).id == anna.id)
            let expected = DeviceHandedOver(userId: device.person.id, accountId: anna.id)
            #expect(try await announced(fixture) == [expected])
            // With the moment of this request, which the announcement's signature covers.
            let moment = try #require(try await moments(fixture).first?.handedOverAt)
            #expect(before <= moment && moment <= .now())
            #expect(try await signIn(fixture, "anna@example.org").status == 200)
            #expect(try await announced(fixture).count == 1)
            // It goes on as a device, for whoever practises on it next.
            let me = try await fixture.send("GET", "/v1/me", token: device.person.access)
            #expect(me.json["user"]?["kind"] == "device")
            #expect(try await fixture.post("/v1/auth/device", .object(device.shown)).status == 200)
            #expect(try await signIn(fixture, "anna@example.org", device.shown).status == 200)
            #expect(try await announced(fixture) == [expected, expected])
            // A token of the device is no proof, and no password is one of a device.
            let wrong = try await fixture.post(
                "/v1/auth/sign-in", ["email": "anna@example.org", "password": "correct horse"],
                token: device.person.access)
            #expect(wrong.status == 200)
            #expect(try await announced(fixture).count == 2)
            let refused = try await fixture.post(
                "/v1/auth/sign-in",
                .object(device.shown.adding(["email": "anna@example.org", "password": "wrong horse"])))
            #expect(refused.code == "credentials-invalid")
            #expect(try await announced(fixture).count == 2)
        }
    }

    @Test func `must be shown whole, and be a device still`() async throws {
        try await withIdentity { fixture in
            let email = "anna@example.org"
            let device = try await device(fixture)
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email))
            let bert = try await fixture.signUp("bert@example.org")
            let other = try await self.device(fixture)
            // This one has become Carl's account.
            let carl = try await self.device(fixture)
            let upgraded = try await fixture.post(
                "/v1/auth/sign-up", ["email": "carl@example.org", "password": "correct horse"],
                token: carl.person.access)
            #expect(upgraded.status == 201)
            let logins = try await fixture.count("select count(*) from logins")
            let unknown = JSONValue.string("\(UUID.v4())")
            let wrong: [(JSONObject, Int, String)] = [
                (["deviceId": device.id], 401, "device-secret-invalid"),
                (["deviceSecret": device.secret], 401, "device-secret-invalid"),
                (["deviceId": "short", "deviceSecret": device.secret], 422, "device-id-invalid"),
                (["deviceId": unknown, "deviceSecret": device.secret], 401, "device-secret-invalid"),
                (["deviceId": device.id, "deviceSecret": other.secret], 401, "device-secret-invalid"),
                (["deviceId": device.id, "deviceSecret": "AAAA"], 401, "device-secret-invalid"),
                (carl.shown, 409, "device-has-account"),
            ]
            let ticket = JSONValue.string(try await fixture.ticket(email))
            let code = JSONValue.string(anna.totp.code(of: TOTP.step(at: .now())))
            for (shown, status, problem) in wrong {
                let byPassword = try await signIn(fixture, "bert@example.org", shown)
                #expect(byPassword.status == status && byPassword.code == problem)
                let bySecond = try await fixture.post(
                    "/v1/auth/second-factor", .object(shown.adding(["ticket": ticket, "code": code])))
                #expect(bySecond.status == status && bySecond.code == problem)
            }
            #expect(try await announced(fixture).isEmpty)
            #expect(try await fixture.count("select count(*) from logins") == logins)
            // Neither ticket nor code was used up. The first factor alone hands nothing over.
            let first = try await signIn(fixture, email, device.shown)
            #expect(first.code == "second-factor-needed")
            #expect(try await announced(fixture).isEmpty)
            let both = try await fixture.post(
                "/v1/auth/second-factor", .object(device.shown.adding(["ticket": ticket, "code": code])))
            #expect(both.status == 200)
            #expect(
                try await announced(fixture) == [
                    DeviceHandedOver(userId: device.person.id, accountId: anna.person.id)
                ])
            // The device that became the account has nothing that would not be there.
            #expect(try await signIn(fixture, "carl@example.org", carl.shown).status == 200)
            #expect(try await announced(fixture).count == 1)
            // Another secret counts from then on.
            let changed = try await fixture.post("/v1/me/device/secret", [:], token: other.person.access)
            let next = try changed.json.required("deviceSecret")
            #expect(try await signIn(fixture, "bert@example.org", other.shown).code == "device-secret-invalid")
            let now: JSONObject = ["deviceId": other.id, "deviceSecret": next]
            #expect(try await signIn(fixture, "bert@example.org", now).status == 200)
            #expect(try await announced(fixture).last?.accountId == bert.id)
        }
    }

    @Test func `comes with the second factor that an account has to add first`() async throws {
        try await withIdentity(["REQUIRE_SECOND_FACTOR": "accounts"]) { fixture in
            let device = try await device(fixture)
            let anna = try await fixture.signUpConfirmed("anna@example.org")
            let asked = try await signIn(fixture, "anna@example.org", device.shown)
            #expect(asked.code == "second-factor-required")
            let ticket = try asked.json.required("ticket")
            let begun = try await fixture.post("/v1/auth/second-factor/enrolment", ["ticket": ticket])
            let totp = TOTP(secret: try #require(Base32.decode(try begun.json.string("secret"))))
            let code = JSONValue.string(totp.code(of: TOTP.step(at: .now())))
            #expect(try await announced(fixture).isEmpty)
            let entered = try await fixture.post(
                "/v1/auth/second-factor", .object(device.shown.adding(["ticket": ticket, "code": code])))
            #expect(entered.status == 200)
            #expect(
                try await announced(fixture) == [DeviceHandedOver(userId: device.person.id, accountId: anna.id)])
        }
    }

    @Test func `is not handed over when it becomes an account meanwhile, and nobody is let in then`() async throws {
        try await withIdentity(instances: 2) { fixture in
            let device = try await device(fixture)
            _ = try await fixture.signUp("anna@example.org")
            let logins = try await fixture.count("select count(*) from logins")
            let (first, second) = try await fixture.inOrder {
                try await fixture.post(
                    "/v1/auth/sign-up", ["email": "bert@example.org", "password": "correct horse"],
                    token: device.person.access)
            } _: {
                try await fixture.post(
                    "/v1/auth/sign-in",
                    .object(device.shown.adding(["email": "anna@example.org", "password": "correct horse"])),
                    to: fixture.instances[1])
            }
            #expect(first.status == 201)
            #expect(second.status == 409 && second.code == "device-has-account")
            #expect(try await announced(fixture).isEmpty)
            // The device's own login session goes on, as the account's, beside the one of the sign-up.
            #expect(try await fixture.count("select count(*) from logins") == logins + 1)
        }
    }

    @Test func `stays handed over when the login session ends before its tokens are made, and that is what is said`()
        async throws
    {
        try await withIdentity { fixture in
            let email = "anna@example.org"
            let device = try await device(fixture)
            let anna = try await fixture.signUp(email)
            let bert = try await fixture.protect(try await fixture.signUpConfirmed("bert@example.org"))
            let ticket = JSONValue.string(try await fixture.ticket("bert@example.org"))
            let code = JSONValue.string(bert.totp.code(of: TOTP.step(at: .now())))
            // Somebody else ends each login session in the moment in which it is there.
            try await fixture.administer(
                """
                create function end_at_once() returns trigger language plpgsql security definer
                    set search_path = identity as $$
                    begin delete from logins where session = new.session; return null; end $$;
                create constraint trigger end_at_once after insert on logins deferrable initially deferred
                    for each row execute function end_at_once();
                """)
            let entered = try await signIn(fixture, email, device.shown)
            #expect(entered.status == 401 && entered.code == "login-session-ended")
            let first = DeviceHandedOver(userId: device.person.id, accountId: anna.id)
            #expect(try await announced(fixture) == [first])
            let second = try await fixture.post(
                "/v1/auth/second-factor", .object(device.shown.adding(["ticket": ticket, "code": code])))
            #expect(second.status == 401 && second.code == "login-session-ended")
            let both = [first, DeviceHandedOver(userId: device.person.id, accountId: bert.person.id)]
            #expect(try await announced(fixture) == both)
            let alone = try await fixture.post("/v1/auth/device", .object(device.shown))
            #expect(alone.status == 401 && alone.code == "login-session-ended")
            // What was shown is not wrong: the same lets in once nobody ends it.
            try await fixture.administer("drop trigger end_at_once on logins")
            #expect(try await signIn(fixture, email).status == 200)
            #expect(try await announced(fixture) == both)
        }
    }
}
