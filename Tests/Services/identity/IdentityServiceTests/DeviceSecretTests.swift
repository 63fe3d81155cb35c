import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `The secret of an anonymous device` {
    private let id: JSONValue = "0123456789abcdef0123"

    private func enter(_ fixture: Fixture, _ secret: JSONValue) async throws -> Answer {
        try await fixture.post("/v1/auth/device", ["deviceId": id, "deviceSecret": secret])
    }

    private func change(_ fixture: Fixture, _ token: String) async throws -> Answer {
        try await fixture.send("POST", "/v1/me/device/secret", token: token)
    }

    @Test func `is changed, and the old one opens nothing from then on`() async throws {
        try await withIdentity { fixture in
            let begun = try await fixture.post("/v1/auth/device", ["deviceId": id])
            let device = try Person(begun.json)
            let old = try #require(begun.json["deviceSecret"])
            // Somebody who knew it.
            let other = try Person(try await enter(fixture, old).json)
            let answer = try await change(fixture, device.access)
            #expect(answer.status == 200 && answer.header("cache-control") == "no-store")
            let new = try #require(answer.json["deviceSecret"])
            #expect(new != old)
            #expect(code(try await enter(fixture, old)) == "device-secret-invalid")
            #expect(code(try await fixture.send("GET", "/v1/me", token: other.access)) == "login-session-ended")
            #expect(try await fixture.refresh(other.refresh).status == 401)
            #expect(try await fixture.send("GET", "/v1/me", token: device.access).status == 200)
            let back = try await enter(fixture, new)
            #expect(try back.status == 200 && Person(back.json).id == device.id)
            let proof = try await fixture.post("/v1/auth/confirm", ["deviceSecret": old], token: device.access)
            #expect(code(proof) == "device-secret-invalid")
            #expect(
                try await fixture.post("/v1/auth/confirm", ["deviceSecret": new], token: device.access).status == 200)
            // And once more.
            let third = try #require(try await change(fixture, device.access).json["deviceSecret"])
            #expect(try await enter(fixture, new).status == 401)
            #expect(try await enter(fixture, third).status == 200)
            #expect(try await fixture.count("select count(*) from events where type = 'DeviceSecretChanged'") == 2)
        }
    }

    @Test func `is one and the same for all who change it at once, in the end`() async throws {
        try await withIdentity { fixture in
            let begun = try await fixture.post("/v1/auth/device", ["deviceId": id])
            let device = try Person(begun.json)
            let answers = try await together(4) { _ in try await change(fixture, device.access) }
            #expect(answers.allSatisfy { $0.status == 200 })
            var good: Set<String> = []
            for answer in answers {
                let secret = try answer.json.string("deviceSecret")
                if try await enter(fixture, .string(secret)).status == 200 { good.insert(secret) }
            }
            #expect(good.count == 1)
            #expect(try await fixture.count("select secret_number from devices") == 4)
        }
    }

    @Test func `is changed by who showed a moment ago who they are, and has no account`() async throws {
        try await withIdentity { fixture in
            let begun = try await fixture.post("/v1/auth/device", ["deviceId": id])
            let device = try Person(begun.json)
            try await fixture.administer("update logins set auth_time = auth_time - interval '400 seconds'")
            let late = try await fixture.refresh(device.refresh).json.string("accessToken")
            let stale = try await change(fixture, late)
            #expect(code(stale) == "confirmation-needed" && stale.json["methods"] == ["device"])
            #expect(try await enter(fixture, try #require(begun.json["deviceSecret"])).status == 200)
            let anna = try await fixture.signUp("anna@example.org")
            #expect(code(try await change(fixture, anna.access)) == "device-has-account")
        }
    }
}
