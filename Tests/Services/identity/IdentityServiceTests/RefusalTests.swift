import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

/// Refusals that no other test comes by.
@Suite(.timeLimit(.minutes(10))) @Loop struct `Identity refuses` {
    private let anna: JSONValue = ["email": "anna@example.org", "password": "correct horse"]

    @Test func `what is of another form, wherever it stands`() async throws {
        try await withIdentity { fixture in
            let access = try await fixture.signUp("anna@example.org").access
            func change(_ password: String) -> JSONValue {
                ["currentPassword": "correct horse", "newPassword": .string(password)]
            }
            let cases: [(method: String, path: String, body: JSONValue, code: String)] = [
                ("POST", "auth/sign-in", ["email": "nobody", "password": "any"], "email-invalid"),
                ("POST", "auth/password-reset", ["email": "nobody"], "email-invalid"),
                (
                    "POST", "auth/sign-up", ["email": "a@b.org", "password": "correct horse", "deviceName": "a\nb"],
                    "device-name-invalid"
                ),
                ("POST", "auth/device", ["deviceId": "0123456789abcdef", "deviceName": "\t"], "device-name-invalid"),
                (
                    "POST", "auth/second-factor", ["ticket": "AAAA", "code": "123456", "deviceName": "\t"],
                    "device-name-invalid"
                ),
                ("POST", "auth/password", change("short"), "password-too-short"),
                ("POST", "auth/password", change(String(repeating: "ab", count: 513)), "password-too-long"),
                ("PATCH", "me", ["displayName": "a\nb"], "display-name-invalid"),
                ("POST", "auth/device", ["deviceId": "0123456789abcdef", "timeZone": "XYZ-3"], "time-zone-invalid"),
            ]
            for (method, path, body, expected) in cases {
                let answer = try await fixture.send(method, "/v1/\(path)", token: access, body)
                #expect(answer.status == 422 && code(answer) == expected, "\(path)")
            }
        }
    }

    @Test func `a password to a device, which has none`() async throws {
        try await withIdentity { fixture in
            let device = try Person(try await fixture.post("/v1/auth/device", ["deviceId": "0123456789abcdef"]).json)
            let body: JSONValue = ["currentPassword": "correct horse", "newPassword": "battery staple"]
            let answer = try await fixture.send("POST", "/v1/auth/password", token: device.access, body)
            #expect(answer.status == 409 && code(answer) == "account-missing")
        }
    }

    @Test func `everything to whom is erased`() async throws {
        try await withIdentity { fixture in
            let person = try await fixture.signUp("anna@example.org")
            let secret = try await fixture.post("/v1/auth/device", ["deviceId": "0123456789abcdef"]).json
            _ = try await fixture.send("DELETE", "/v1/me", token: person.access)
            let again = try await fixture.post(
                "/v1/auth/sign-up", ["email": "berta@example.org", "password": "correct horse"], token: person.access)
            #expect(again.status == 401 && code(again) == "user-gone")
            // As it is between the erasure's commit and the last look at the rows.
            let device = try Person(secret)
            try await fixture.administer("insert into erased_subjects (subject) values ('\(device.id)')")
            let body: JSONValue = ["deviceId": "0123456789abcdef", "deviceSecret": secret["deviceSecret"] ?? .null]
            let late = try await fixture.post("/v1/auth/device", body)
            #expect(late.status == 401 && code(late) == "credentials-invalid")
        }
    }

    @Test func `one of two who change a password at the same time`() async throws {
        try await withIdentity { fixture in
            let access = try await fixture.signUp("anna@example.org").access
            let statuses = try await together(2) { index in
                let body: JSONValue = [
                    "currentPassword": "correct horse", "newPassword": .string("battery staple \(index)"),
                ]
                let answer = try await fixture.send("POST", "/v1/auth/password", token: access, body)
                #expect(answer.status == 204 || code(answer) == "password-changed")
                return answer.status
            }
            #expect(statuses.sorted() == [204, 409])
        }
    }

    @Test func `whoever comes while too many passwords are being hashed`() async throws {
        try await withIdentity(["PASSWORD_QUEUE": "1"]) { fixture in
            let access = try await fixture.signUp("anna@example.org").access
            let change: JSONValue = ["currentPassword": "another one", "newPassword": "battery staple"]
            let proof: JSONValue = ["password": "another one"]
            for (path, body, token) in [
                ("sign-up", anna, nil), ("password", change, access), ("confirm", proof, access),
            ] as [(String, JSONValue, String?)] {
                let codes = try await together(6) { _ in
                    code(try await fixture.post("/v1/auth/\(path)", body, token: token))
                }
                #expect(codes.contains("busy"), "\(path)")
            }
        }
    }
}
