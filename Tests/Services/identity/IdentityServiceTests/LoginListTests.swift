import HTTPClient
import JSON
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `The list of login sessions` {
    private let path = "/v1/me/login-sessions"

    private func list(_ fixture: Fixture, _ token: String) async throws -> [JSONObject] {
        let answer = try await fixture.send("GET", path, token: token)
        #expect(answer.status == 200 && answer.header("cache-control") == "no-store")
        return (answer.json["items"]?.arrayValue ?? []).compactMap(\.objectValue)
    }

    private func signIn(_ fixture: Fixture, _ name: JSONValue?, agent: String? = nil) async throws -> Answer {
        var body: JSONObject = ["email": "anna@example.org", "password": "correct horse"]
        body["deviceName"] = name
        let headers = agent.map { [(name: "User-Agent", value: $0)] } ?? []
        return try await fixture.send("POST", "/v1/auth/sign-in", headers: headers, json: .object(body))
    }

    @Test func `says of each what its client said, when it began and was used, and which one asks`() async throws {
        try await withIdentity { fixture in
            let bert = try await fixture.signUp("bert@example.org")
            let anna = try await fixture.signUp("anna@example.org")
            try await fixture.administer("update logins set turned_at = turned_at - interval '1 hour', begun_at = null")
            let phone = try Person(try await signIn(fixture, "Anna's phone", agent: "Browser/1.0").json)
            let laptop = try Person(
                try await signIn(fixture, nil, agent: "Browser/1.0 (\u{e9})" + String(repeating: "x", count: 200)).json)
            let long = String(repeating: "\u{e9}", count: 101)
            for wrong in ["a\nb", .string(long)] as [JSONValue] {
                let refused = try await signIn(fixture, wrong)
                #expect(refused.status == 422 && code(refused) == "device-name-invalid")
            }
            let all = try await list(fixture, phone.access)
            #expect(all.count == 3)
            let devices = Set(all.compactMap { $0["device"]?.stringValue })
            #expect(devices.contains("Anna's phone"))
            #expect(devices.contains { $0.hasPrefix("Browser/1.0 (") && $0.count == 100 && !$0.contains("\u{e9}") })
            #expect(all.map { $0["current"] == true } == all.map { $0["device"] == "Anna's phone" })
            // What was used last comes first; what an older program began has a beginning too.
            let used = try all.map { try $0.timestamp("lastUsedAt") }
            #expect(used == used.sorted(by: >))
            for login in all {
                let (begun, end) = (try login.timestamp("createdAt"), try login.timestamp("expiresAt"))
                #expect(abs((Timestamp.now() - begun).milliseconds) < 60_000 && end > Timestamp.now())
            }
            #expect(try await list(fixture, bert.access).count == 1)
            let refreshed = try await fixture.refresh(anna.refresh).json.string("accessToken")
            let first = try #require(try await list(fixture, refreshed).first)
            #expect(first["current"] == true)
            #expect(try await fixture.send("GET", path, token: laptop.access).status == 200)
        }
    }

    @Test func `lets its owner end one of them, and nobody else`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let bert = try await fixture.signUp("bert@example.org")
            let lost = try Person(try await signIn(fixture, "lost").json)
            // What protects must be easy: no fresh sign-in is asked for.
            try await fixture.administer("update logins set auth_time = null")
            let id = try #require(try await list(fixture, anna.access).first { $0["device"] == "lost" }).uuid("id")
            for other in ["\(path)/\(id)", "\(path)/\(UUID.v4())", "\(path)/x"] {
                let answer = try await fixture.send("DELETE", other, token: bert.access)
                #expect(answer.status == 404 && code(answer) == "not-found")
            }
            #expect(try await fixture.send("DELETE", "\(path)/\(id)", token: anna.access).status == 204)
            #expect(code(try await fixture.send("GET", path, token: lost.access)) == "login-session-ended")
            #expect(try await fixture.refresh(lost.refresh).status == 401)
            #expect(try await fixture.send("DELETE", "\(path)/\(id)", token: anna.access).status == 404)
            #expect(try await fixture.count("select count(*) from events where type = 'LoginSessionEnded'") == 1)
            // And the one that asks.
            let own = try #require(try await list(fixture, anna.access).first).uuid("id")
            #expect(try await fixture.send("DELETE", "\(path)/\(own)", token: anna.access).status == 204)
            #expect(code(try await fixture.send("GET", path, token: anna.access)) == "login-session-ended")
        }
    }

    @Test func `lets its owner end all others at once`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let bert = try await fixture.signUp("bert@example.org")
            var others: [Person] = []
            for number in 1...3 { others.append(try Person(try await signIn(fixture, .string("\(number)")).json)) }
            #expect(try await fixture.send("DELETE", path, token: anna.access).status == 204)
            for other in others { #expect(try await fixture.refresh(other.refresh).status == 401) }
            #expect(try await list(fixture, anna.access).count == 1)
            #expect(try await list(fixture, bert.access).count == 1)
            #expect(try await fixture.count("select count(*) from events where type = 'LoginSessionEnded'") == 3)
            // With none left it is fine too.
            #expect(try await fixture.send("DELETE", path, token: anna.access).status == 204)
        }
    }

    @Test func `is emptied by an operator, for somebody who cannot do so`() async throws {
        try await withIdentity(TestOperator.variables) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let bert = try await fixture.signUp("bert@example.org")
            let there = try Person(try await signIn(fixture, nil).json)
            let path = "/operator/users/end-login-sessions"
            let headers = [(name: "Authorization", value: "Bearer \(TestOperator.key)")]
            let body: JSONValue = ["id": .uuid(anna.id)]
            #expect(try await fixture.sendToAdmin("POST", path, json: body).status == 401)
            #expect(try await list(fixture, anna.access).count == 2)
            // With none left it is fine too.
            for _ in 1...2 {
                #expect(try await fixture.sendToAdmin("POST", path, headers: headers, json: body).status == 204)
            }
            for person in [anna, there] {
                let refused = try await fixture.send("GET", "/v1/me", token: person.access)
                #expect(refused.status == 401 && refused.code == "login-session-ended")
                #expect(try await fixture.refresh(person.refresh).status == 401)
            }
            #expect(try await list(fixture, bert.access).count == 1)
            #expect(try await signIn(fixture, nil).status == 200)
            let unknown = try await fixture.sendToAdmin("POST", path, headers: headers, json: ["id": .uuid(.v7())])
            #expect(unknown.status == 404 && unknown.code == "account-unknown")
        }
    }

    @Test func `leaves out what nobody used for long, and so does every refresh`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let there = try Person(try await fixture.signIn("anna@example.org").json)
            let unused = "update logins set turned_at = now() - interval '30 days'"
            try await fixture.administer(unused + " + interval '1 minute'")
            let next = try await fixture.refresh(anna.refresh)
            #expect(next.status == 200, "a refresh in time")
            try await fixture.administer(unused + " - interval '1 minute' where turned_at < now() - interval '1 day'")
            let late = try await fixture.refresh(there.refresh)
            #expect(late.status == 401 && code(late) == "refresh-token-invalid")
            #expect(try await list(fixture, next.json.string("accessToken")).count == 1)
            #expect(try await fixture.refresh(next.json.string("refreshToken")).status == 200)
            // It ended by time: there is nothing to tell.
            #expect(try await fixture.count("select count(*) from events where type = 'LoginSessionEnded'") == 0)
        }
    }

    @Test func `needs an idle limit that no access token outlasts`() async throws {
        await #expect(throws: (any Error).self) {
            try await withIdentity(["LOGIN_IDLE_LIMIT": "10m"]) { _ in }
        }
        try await withIdentity(["LOGIN_IDLE_LIMIT": "15m"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            try await fixture.administer("update logins set turned_at = now() - interval '16 minutes'")
            #expect(try await fixture.refresh(anna.refresh).status == 401)
        }
    }
}
