import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `An anonymous device` {
    private let id: JSONValue = "0123456789abcdef0123"

    @Test func `gets a secret once and needs it from then on`() async throws {
        try await withIdentity { fixture in
            let first = try await fixture.post("/v1/auth/device", ["deviceId": id, "timeZone": "Asia/Tokyo"])
            #expect(first.status == 201 && first.json["user"]?["kind"] == "device")
            #expect(first.json["user"]?["timeZone"] == "Asia/Tokyo" && first.json["user"]?["email"] == .null)
            let secret = try #require(first.json["deviceSecret"])
            for body in [["deviceId": id], ["deviceId": id, "deviceSecret": "AAAA"]] as [JSONValue] {
                let answer = try await fixture.post("/v1/auth/device", body)
                #expect(answer.status == 401 && code(answer) == "device-secret-invalid")
            }
            let again = try await fixture.post("/v1/auth/device", ["deviceId": id, "deviceSecret": secret])
            #expect(again.status == 200 && again.json["deviceSecret"] == nil)
            #expect(try Person(again.json).id == Person(first.json).id)
            let other = try await fixture.post(
                "/v1/auth/device", ["deviceId": "another-device-0001", "deviceSecret": secret])
            #expect(other.status == 201)
            #expect(try Person(other.json).id != Person(first.json).id)
        }
    }

    @Test func `keeps its user id when somebody signs up on it`() async throws {
        try await withIdentity { fixture in
            let first = try await fixture.post("/v1/auth/device", ["deviceId": id, "timeZone": "Asia/Tokyo"])
            let device = try Person(first.json)
            let body: JSONValue = [
                "email": "anna@example.org", "password": "correct horse", "timeZone": "Europe/Berlin",
            ]
            let account = try await fixture.post("/v1/auth/sign-up", body, token: device.access)
            #expect(account.status == 201)
            #expect(try Person(account.json).id == device.id)
            #expect(account.json["user"]?["kind"] == "user" && account.json["user"]?["timeZone"] == "Asia/Tokyo")
            #expect(try Person(try await fixture.signIn("anna@example.org").json).id == device.id)
            // The device's own login session goes on, as the account's.
            let refreshed = try await fixture.refresh(device.refresh)
            let access = try #require(refreshed.json["accessToken"]?.stringValue)
            #expect(try await fixture.send("GET", "/v1/me", token: access).json["user"]?["kind"] == "user")
            // The secret of a device does not open an account.
            let secret = try #require(first.json["deviceSecret"])
            let back = try await fixture.post("/v1/auth/device", ["deviceId": id, "deviceSecret": secret])
            #expect(back.status == 409 && code(back) == "device-has-account")
            let twice = try await fixture.post(
                "/v1/auth/sign-up", ["email": "b@example.org", "password": "correct horse"], token: access)
            #expect(twice.status == 409 && code(twice) == "user-exists")
        }
    }

    @Test func `loses its other login sessions when somebody signs up on it`() async throws {
        try await withIdentity { fixture in
            let first = try await fixture.post("/v1/auth/device", ["deviceId": id])
            let device = try Person(first.json)
            let again: JSONValue = ["deviceId": id, "deviceSecret": try #require(first.json["deviceSecret"])]
            let other = try Person(try await fixture.post("/v1/auth/device", again).json)
            let body: JSONValue = ["email": "anna@example.org", "password": "correct horse"]
            let account = try await fixture.post("/v1/auth/sign-up", body, token: device.access, key: "k1")
            #expect(account.status == 201)
            let late = try await fixture.send("GET", "/v1/me", token: other.access)
            #expect(late.status == 401 && code(late) == "login-session-ended")
            #expect(code(try await fixture.refresh(other.refresh)) == "refresh-token-invalid")
            for person in [device, try Person(account.json)] {
                #expect(try await fixture.send("GET", "/v1/me", token: person.access).status == 200)
            }
            #expect(try await fixture.count("select count(*) from events where type = 'LoginSessionEnded'") == 1)
            // A repeat ends nothing more, and signs in.
            let repeated = try await fixture.post("/v1/auth/sign-up", body, token: device.access, key: "k1")
            #expect(try repeated.status == 201 && Person(repeated.json).id == device.id)
            #expect(try await fixture.send("GET", "/v1/me", token: device.access).status == 200)
        }
    }

    @Test func `does not become an account of whoever has one of its tokens, but of who shows its secret`() async throws
    {
        try await withIdentity { fixture in
            let begun = try await fixture.post("/v1/auth/device", ["deviceId": id])
            let device = try Person(begun.json)
            let secret = try #require(begun.json["deviceSecret"])
            try await fixture.administer("update logins set auth_time = auth_time - interval '400 seconds'")
            let stolen = try await fixture.refresh(device.refresh).json.string("accessToken")
            let body: JSONValue = ["email": "mallory@example.org", "password": "correct horse"]
            let refused = try await fixture.post("/v1/auth/sign-up", body, token: stolen)
            #expect(refused.status == 401 && code(refused) == "confirmation-needed")
            #expect(refused.json["methods"] == ["device"])
            #expect(refused.header("www-authenticate")?.contains("insufficient_user_authentication") == true)
            #expect(try await fixture.count("select count(*) from credentials") == 0)
            // Who has the secret goes on, in the same login session.
            let confirmed = try await fixture.post("/v1/auth/confirm", ["deviceSecret": secret], token: stolen)
            let account = try await fixture.post(
                "/v1/auth/sign-up", body, token: try confirmed.json.string("accessToken"), key: "k1")
            #expect(try account.status == 201 && Person(account.json).id == device.id)
            // A repeat, with whatever token, is a sign-in by the password; another sign-up is told that there is an account.
            let repeated = try await fixture.post("/v1/auth/sign-up", body, token: stolen, key: "k1")
            #expect(try repeated.status == 201 && Person(repeated.json).id == device.id)
            let other: JSONValue = ["email": "berta@example.org", "password": "correct horse"]
            #expect(code(try await fixture.post("/v1/auth/sign-up", other, token: stolen)) == "user-exists")
        }
    }

    @Test func `is one user when its first calls come at once`() async throws {
        try await withIdentity { fixture in
            let statuses = try await together(6) { [id] _ in
                try await fixture.post("/v1/auth/device", ["deviceId": id]).status
            }
            #expect(statuses.sorted() == [201, 401, 401, 401, 401, 401])
            #expect(try await fixture.count("select count(*) from profiles") == 1)
        }
    }

    @Test func `is limited per address while it is new, and not when it comes back`() async throws {
        try await withIdentity(["LIMIT_DEVICE": "1/1h"]) { fixture in
            let first = try await fixture.post("/v1/auth/device", ["deviceId": id])
            let second = try await fixture.post("/v1/auth/device", ["deviceId": "another-device-0001"])
            #expect(second.status == 429)
            let secret = try #require(first.json["deviceSecret"])
            #expect(try await fixture.post("/v1/auth/device", ["deviceId": id, "deviceSecret": secret]).status == 200)
            #expect(code(try await fixture.post("/v1/auth/device", ["deviceId": "short"])) == "device-id-invalid")
        }
    }
}
