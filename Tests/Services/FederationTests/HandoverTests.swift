import Contracts
import JSON
import LocalIssuer
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

/// An anonymous device whose secret comes with a sign-in at a provider.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A device shown in a sign-in with a provider` {
    private struct Device {
        let person: Person
        let shown: JSONObject
    }

    private func device(_ fixture: Fixture) async throws -> Device {
        let id = JSONValue.string("\(UUID.v4())")
        let answer = try await fixture.post("/v1/auth/device", ["deviceId": id])
        return Device(
            person: try Person(answer),
            shown: ["deviceId": id, "deviceSecret": try answer.json.required("deviceSecret")])
    }

    private func enter(
        _ fixture: Fixture, _ provider: LocalIssuer.Provider, _ token: String, _ shown: JSONObject,
        token access: String? = nil
    ) async throws -> Answer {
        try await fixture.post(
            "/v1/auth/\(provider.rawValue)", .object(shown.adding(["identityToken": .string(token)])), token: access)
    }

    private func announced(_ fixture: Fixture) async throws -> [DeviceHandedOver] {
        try await fixture.administrator.query(
            "select data from events where type = 'DeviceHandedOver' and schema_version = 2 order by position"
        ).rows.map { try DeviceHandedOver(JSONObject.parse($0.bytes(0))) }
    }

    @Test(arguments: LocalIssuer.Provider.allCases)
    func `becomes the account of somebody new, and is handed over to one that there is`(
        provider: LocalIssuer.Provider
    ) async throws {
        try await withIssuer { fixture, issuer in
            let first = try await device(fixture)
            let begun = try await enter(fixture, provider, try issuer.identityToken(provider, ada), first.shown)
            #expect(try begun.status == 201 && Person(begun).id == first.person.id)
            #expect(begun.json["user"]?["kind"] == "user")
            // Whoever knew the secret may have begun its login sessions.
            let old = try await fixture.request("GET", "/v1/me", token: first.person.access)
            #expect(old.code == "login-session-ended")
            #expect(try await announced(fixture).isEmpty)
            let second = try await device(fixture)
            let back = try await enter(fixture, provider, try issuer.identityToken(provider, ada), second.shown)
            #expect(try back.status == 200 && Person(back).id == first.person.id)
            #expect(
                try await announced(fixture) == [
                    DeviceHandedOver(userId: second.person.id, accountId: first.person.id)
                ])
            #expect(try await fixture.request("GET", "/v1/me", token: second.person.access).status == 200)
            // With its access token as well, and however old that is: the secret is the proof.
            let stale = try await fixture.age(second.person)
            let third = try await enter(
                fixture, provider, try issuer.identityToken(provider, InventedPerson("new")), second.shown, token: stale
            )
            #expect(try third.status == 201 && Person(third).id == second.person.id)
            #expect(try await fixture.request("GET", "/v1/me", token: stale).json["user"]?["kind"] == "user")
        }
    }

    @Test func `is handed over so often, and lets its bearer in without it after that`() async throws {
        try await withIssuer(["LIMIT_HANDOVER": "1/1d"]) { fixture, issuer in
            _ = try await fixture.enter("google", try issuer.identityToken(.google, ada))
            let device = try await device(fixture)
            let first = try await enter(fixture, .google, try issuer.identityToken(.google, ada), device.shown)
            #expect(first.status == 200)
            let second = try await enter(fixture, .google, try issuer.identityToken(.google, ada), device.shown)
            #expect(second.status == 429 && second.code == "too-many-attempts")
            #expect(try await announced(fixture).count == 1)
            #expect(try await fixture.enter("google", try issuer.identityToken(.google, ada)).status == 200)
        }
    }

    @Test(arguments: LocalIssuer.Provider.allCases)
    func `must be shown whole, and be a device still`(provider: LocalIssuer.Provider) async throws {
        try await withIssuer { fixture, issuer in
            _ = try await fixture.enter(provider.rawValue, try issuer.identityToken(provider, ada))
            let device = try await device(fixture)
            let other = try await self.device(fixture)
            let account = try await self.device(fixture)
            let grace = InventedPerson("grace")
            let upgraded = try await enter(fixture, provider, try issuer.identityToken(provider, grace), account.shown)
            #expect(upgraded.status == 201)
            let unknown: JSONObject = device.shown.adding(["deviceId": .string("\(UUID.v4())")])
            let wrong: [(JSONObject, Int, String)] = [
                (["deviceId": device.shown["deviceId"] ?? .null], 401, "device-secret-invalid"),
                (device.shown.adding(["deviceId": "short"]), 422, "device-id-invalid"),
                (unknown, 401, "device-secret-invalid"),
                (device.shown.adding(["deviceSecret": "AAAA"]), 401, "device-secret-invalid"),
                (account.shown, 409, "device-has-account"),
            ]
            let logins = try await fixture.count("select count(*) from logins")
            // Of somebody who has an account, and of somebody new.
            for person in [ada, InventedPerson("nobody")] {
                let token = try issuer.identityToken(provider, person)
                for (shown, status, problem) in wrong {
                    let answer = try await enter(fixture, provider, token, shown)
                    #expect(answer.status == status && answer.code == problem, "\(problem)")
                }
                // Two devices at once are none.
                let two = try await enter(fixture, provider, token, device.shown, token: other.person.access)
                #expect(two.status == 400 && two.code == "invalid-request")
                #expect(try await fixture.count("select count(*) from logins") == logins)
                #expect(try await announced(fixture).isEmpty)
            }
            // The identity token was not used up.
            let token = try issuer.identityToken(provider, ada)
            #expect(try await enter(fixture, provider, token, account.shown).code == "device-has-account")
            #expect(try await enter(fixture, provider, token, device.shown).status == 200)
        }
    }
}
