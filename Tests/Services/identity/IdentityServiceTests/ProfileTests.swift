import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `A profile` {
    @Test func `is read and changed by its owner`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let named = try await fixture.send(
                "PATCH", "/v1/me", token: anna.access, ["displayName": "Anna", "timeZone": "Asia/Tokyo"])
            #expect(named.status == 200 && named.json["user"]?["displayName"] == "Anna")
            let nameless = try await fixture.send("PATCH", "/v1/me", token: anna.access, ["displayName": nil])
            #expect(
                nameless.json["user"]?["displayName"] == .null && nameless.json["user"]?["timeZone"] == "Asia/Tokyo")
            let read = try await fixture.send("GET", "/v1/me", token: anna.access)
            #expect(read.status == 200 && read.json == nameless.json)
            let bad = try await fixture.send("PATCH", "/v1/me", token: anna.access, ["timeZone": "no zone"])
            #expect(bad.status == 422 && code(bad) == "time-zone-invalid")
            let foreign = try await fixture.send("PATCH", "/v1/me", token: anna.access, ["email": "x@example.org"])
            #expect(code(foreign) == "member-unknown")
            #expect(try await fixture.count("select count(*) from events where type = 'UserProfileChanged'") == 1)
        }
    }

    @Test func `needs an access token that this service signed`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let forged = try fixture.token(for: anna.id)
            for method in ["GET", "PATCH", "DELETE"] {
                let bare = try await fixture.send(method, "/v1/me", json: method == "PATCH" ? [:] : nil)
                #expect(bare.status == 401 && code(bare) == "unauthenticated")
                for token in [forged, anna.refresh, String(anna.access.dropLast(2)), "x"] {
                    #expect(
                        try await fixture.send(method, "/v1/me", token: token, method == "PATCH" ? [:] : nil).status
                            == 401)
                }
            }
            #expect(try await fixture.send("GET", "/v1/me", token: anna.access).status == 200)
        }
    }

    @Test(arguments: ["profiles", "credentials", "devices", "logins"])
    func `lies in rows that another user's scope does not see`(table: String) async throws {
        try await withIdentity { fixture in
            let answer = try await fixture.post("/v1/auth/device", ["deviceId": "0123456789abcdef"])
            let anna = try Person(answer.json)
            let body: JSONValue = ["email": "anna@example.org", "password": "correct horse"]
            #expect(try await fixture.post("/v1/auth/sign-up", body, token: anna.access).status == 201)
            let bert = try await fixture.signUp("bert@example.org")
            let sql = "select user_id from \(table)"
            let own = try await fixture.context.owners.query(of: anna.id, sql).rows.map { $0.uuid(0) }
            #expect(!own.isEmpty && own.allSatisfy { $0 == anna.id })
            let others = try await fixture.context.owners.query(of: bert.id, sql).rows.map { $0.uuid(0) }
            #expect(others.allSatisfy { $0 == bert.id })
            #expect(try await fixture.context.owners.query(of: .v7(), sql).count == 0)
            // Without any scope nothing is seen at all.
            #expect(try await fixture.unscoped.query(sql).count == 0)
        }
    }
}
