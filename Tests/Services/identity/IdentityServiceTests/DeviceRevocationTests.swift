import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

/// Anonymous devices that are lost, and what their owner or an operator does about it.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A lost device` {
    /// An anonymous device, and what shows it.
    private struct Device {
        let person: Person
        let shown: JSONObject
    }

    private func device(_ fixture: Fixture) async throws -> Device {
        let id = JSONValue.string("\(UUID.v4())")
        let answer = try await fixture.post("/v1/auth/device", ["deviceId": id])
        return Device(
            person: try Person(answer.json),
            shown: ["deviceId": id, "deviceSecret": try answer.json.required("deviceSecret")])
    }

    private func signIn(_ fixture: Fixture, _ email: String, _ device: Device) async throws -> Person {
        let body: JSONObject = ["email": .string(email), "password": "correct horse"]
        return try Person(
            try await fixture.post("/v1/auth/sign-in", .object(body.adding(membersOf: device.shown))).json)
    }

    private func list(_ fixture: Fixture, _ person: Person) async throws -> [JSONObject] {
        let answer = try await fixture.send("GET", "/v1/me/devices", token: person.access)
        #expect(answer.status == 200 && answer.header("cache-control") == "no-store")
        return try answer.json.array("items").compactMap(\.objectValue)
    }

    private func revoke(_ fixture: Fixture, _ id: UUID, _ token: String) async throws -> Answer {
        try await fixture.send("DELETE", "/v1/me/devices/\(id)", token: token)
    }

    /// Whether nothing of a device lets anybody in, nor keeps anybody in.
    private func isOut(_ fixture: Fixture, _ device: Device) async throws -> Bool {
        let entered = try await fixture.post("/v1/auth/device", .object(device.shown))
        let me = try await fixture.send("GET", "/v1/me", token: device.person.access)
        let refreshed = try await fixture.refresh(device.person.refresh)
        return entered.code == "device-secret-invalid" && me.code == "login-session-ended" && refreshed.status == 401
    }

    @Test func `lets nobody in once the owner of the account it was handed over to says so`() async throws {
        try await withIdentity { fixture in
            let lost = try await device(fixture)
            _ = try await fixture.signUp("anna@example.org")
            let anna = try await signIn(fixture, "anna@example.org", lost)
            let bert = try await fixture.signUp("bert@example.org")
            let listed = try await list(fixture, anna)
            #expect(listed.count == 1 && listed[0]["id"] == .uuid(lost.person.id) && listed[0]["current"] == false)
            #expect(listed[0]["handedOverAt"] != .null && listed[0]["revokedAt"] == .null)
            let secret = try #require(lost.shown["deviceSecret"]?.stringValue)
            #expect(!String(decoding: JSONValue.object(listed[0]).bytes, as: UTF8.self).contains(secret))

            #expect(try await list(fixture, bert).isEmpty)
            #expect(try await revoke(fixture, lost.person.id, bert.access).status == 404)
            #expect(try await revoke(fixture, .v7(), anna.access).status == 404)
            #expect(try await fixture.post("/v1/auth/device", .object(lost.shown)).status == 200)

            for _ in 1...2 { #expect(try await revoke(fixture, lost.person.id, anna.access).status == 204) }
            #expect(try await isOut(fixture, lost))
            #expect(try await list(fixture, anna)[0]["revokedAt"] != .null)
            #expect(try await fixture.send("GET", "/v1/me", token: anna.access).status == 200, "the account goes on")
            #expect(try await fixture.count("select count(*) from events where type = 'DeviceSecretRevoked'") == 1)
            let told =
                "select count(*) from events where type = 'DeviceSecretRevoked' and data ->> 'announced' = 'true'"
            #expect(try await fixture.count(told) == 1, "so that it stays so after a restore")
            // It is handed over to nobody any more either.
            let body: JSONObject = ["email": "bert@example.org", "password": "correct horse"]
            let handing = try await fixture.post("/v1/auth/sign-in", .object(body.adding(membersOf: lost.shown)))
            #expect(code(handing) == "device-secret-invalid")
        }
    }

    @Test func `belongs to the account that it was handed over to last, and to none that it has become`() async throws {
        try await withIdentity { fixture in
            let device = try await device(fixture)
            for email in ["anna@example.org", "bert@example.org"] { _ = try await fixture.signUp(email) }
            let anna = try await signIn(fixture, "anna@example.org", device)
            let bert = try await signIn(fixture, "bert@example.org", device)
            #expect(try await list(fixture, anna).isEmpty)
            #expect(try await list(fixture, bert).map { $0["id"] } == [.uuid(device.person.id)])
            #expect(try await revoke(fixture, device.person.id, anna.access).status == 404)
            let carl = try await fixture.post(
                "/v1/auth/sign-up", ["email": "carl@example.org", "password": "correct horse"],
                token: device.person.access)
            #expect(carl.status == 201)
            #expect(try await list(fixture, bert).isEmpty)
            #expect(try await list(fixture, Person(carl.json)).isEmpty)
            #expect(try await revoke(fixture, device.person.id, bert.access).status == 404)
        }
    }

    @Test func `of nobody else is ended by itself, by who showed a moment ago who they are`() async throws {
        try await withIdentity { fixture in
            let device = try await device(fixture)
            #expect(try await list(fixture, device.person).map { $0["current"] } == [true])
            try await fixture.administer("update logins set auth_time = auth_time - interval '400 seconds'")
            let late = try await fixture.refresh(device.person.refresh).json.string("accessToken")
            let stale = try await revoke(fixture, device.person.id, late)
            #expect(code(stale) == "confirmation-needed" && stale.json["methods"] == ["device"])
            #expect(try await fixture.post("/v1/auth/device", .object(device.shown)).status == 200)
            let secret: JSONValue = .object(["deviceSecret": try device.shown.required("deviceSecret")])
            let shown = try await fixture.post("/v1/auth/confirm", secret, token: late).json.string("accessToken")
            #expect(try await revoke(fixture, device.person.id, shown).status == 204)
            #expect(try await isOut(fixture, device))
        }
    }

    @Test func `is ended by an operator, and only what is one`() async throws {
        try await withIdentity(TestOperator.variables) { fixture in
            let device = try await device(fixture)
            let anna = try await fixture.signUp("anna@example.org")
            let headers = [(name: "Authorization", value: "Bearer \(TestOperator.key)")]
            func ask(_ route: String, _ id: UUID) async throws -> Answer {
                try await fixture.sendToAdmin(
                    "POST", "/operator/users/\(route)", headers: headers, json: ["id": .uuid(id)])
            }
            let path = "/operator/users/revoke-device"
            #expect(try await fixture.sendToAdmin("POST", path, json: ["id": .uuid(device.person.id)]).status == 401)
            let listed = try await ask("devices", device.person.id)
            #expect(try listed.json.array("items").compactMap { $0["id"] } == [.uuid(device.person.id)])
            let unknown = try await ask("revoke-device", .v7())
            #expect(unknown.status == 404 && code(unknown) == "device-unknown")
            let account = try await ask("revoke-device", anna.id)
            #expect(account.status == 409 && code(account) == "device-has-account")
            #expect(try account.json.string("detail").contains("users sign-out"))
            let gone = try Person(try await fixture.post("/v1/auth/device", ["deviceId": "a-device-that-is-gone"]).json)
            #expect(try await fixture.send("DELETE", "/v1/me", token: gone.access).status == 202)
            #expect(code(try await ask("revoke-device", gone.id)) == "device-unknown")
            for route in ["devices", "revoke-device", "end-login-sessions", "remove-second-factor"] {
                let odd = try await fixture.sendToAdmin(
                    "POST", "/operator/users/\(route)", headers: headers, json: ["id": .uuid(anna.id), "all": true])
                #expect(code(odd) == "member-unknown")
            }
            for _ in 1...2 { #expect(try await ask("revoke-device", device.person.id).status == 204) }
            #expect(try await isOut(fixture, device))
            #expect(try await fixture.send("GET", "/v1/me", token: anna.access).status == 200)
        }
    }

    @Test func `of an account that is erased is a device of its own again`() async throws {
        try await withIdentity { fixture in
            let device = try await device(fixture)
            _ = try await fixture.signUp("anna@example.org")
            let anna = try await signIn(fixture, "anna@example.org", device)
            #expect(try await fixture.send("DELETE", "/v1/me", token: anna.access).status == 202)
            #expect(try await fixture.count("select count(*) from devices where account_id is null") == 1)
            #expect(try await fixture.post("/v1/auth/device", .object(device.shown)).status == 200)
        }
    }
}
