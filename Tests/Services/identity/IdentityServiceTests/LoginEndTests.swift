import Access
import Contracts
import Crypto
import EventSourcing
import EventStore
import HTTPClient
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import identity

/// What of a login session still works after its end, and what the others hear of it.
@Suite(.timeLimit(.minutes(10))) @Loop struct `The end of a login session` {
    @Test func `by signing out makes its access token worthless at once, and no other's`() async throws {
        try await withIdentity { fixture in
            let here = try await fixture.signUp("anna@example.org")
            let there = try Person(try await fixture.signIn("anna@example.org").json)
            let away = try Person(try await fixture.signIn("anna@example.org").json)
            #expect(try await fixture.post("/v1/auth/sign-out", ["refreshToken": .string(here.refresh)]).status == 204)
            #expect(try await fixture.post("/v1/auth/sign-out", [:], token: there.access).status == 204)
            for person in [here, there] {
                for (method, path, body) in [
                    ("GET", "/v1/me", nil), ("PATCH", "/v1/me", ["timeZone": "UTC"]), ("DELETE", "/v1/me", nil),
                    ("GET", "/v1/me/erasure", nil), ("POST", "/v1/auth/verify-email", [:]),
                ] as [(String, String, JSONValue?)] {
                    let answer = try await fixture.send(method, path, token: person.access, body)
                    #expect(answer.status == 401 && code(answer) == "login-session-ended", "\(method) \(path)")
                    #expect(answer.header("www-authenticate") == "Bearer")
                }
                // Once more is fine.
                #expect(try await fixture.post("/v1/auth/sign-out", [:], token: person.access).status == 204)
            }
            #expect(try await fixture.send("GET", "/v1/me", token: away.access).status == 200)
            #expect(try await reasons(fixture, of: here.id) == ["signed-out", "signed-out"])
        }
    }

    @Test func `is told once, under the user's key, with the moment until which its tokens last`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let session = try session(of: anna)
            _ = try await together(6) { _ in
                try await fixture.post("/v1/auth/sign-out", ["refreshToken": .string(anna.refresh)]).status
            }
            let events = try await fixture.store.read(LoginSession.stream(session))
            #expect(events.count == 1)
            let event = try #require(events.first)
            let outgoing = try #require(try IdentityService.publication(event))
            #expect(outgoing.type == LoginSessionEnded.type && outgoing.key == .owner(anna.id))
            let ended = try LoginSessionEnded(outgoing.data)
            #expect(ended.loginSessionId == session && ended.userId == anna.id && ended.reason == .signedOut)
            let left = ended.tokensUntil - Timestamp.now()
            #expect(left <= .seconds(900) && left > .seconds(840))
            #expect(try await fixture.count("select count(*) from logins") == 0)
        }
    }

    @Test func `of all others comes with another password, and of all with a forgotten one`() async throws {
        try await withIdentity { fixture in
            let here = try await fixture.signUp("anna@example.org")
            let there = try Person(try await fixture.signIn("anna@example.org").json)
            let bert = try await fixture.signUp("bert@example.org")
            let change: JSONValue = ["currentPassword": "correct horse", "newPassword": "battery staple"]
            #expect(try await fixture.post("/v1/auth/password", change, token: here.access).status == 204)
            #expect(try await fixture.send("GET", "/v1/me", token: here.access).status == 200)
            let refused = try await fixture.send("GET", "/v1/me", token: there.access)
            #expect(refused.status == 401 && code(refused) == "login-session-ended")
            #expect(try await reasons(fixture, of: here.id) == ["password-changed"])

            #expect(
                try await fixture.post("/v1/auth/password-reset", ["email": "anna@example.org"]).status == 202)
            let mail = try #require(
                try await fixture.mails(of: here.id, atLeast: 3).first { $0.contains("Choose a new password") })
            let reset: JSONValue = [
                "resetToken": .optional(mailedCode(mail)), "newPassword": "correct battery staple",
            ]
            #expect(try await fixture.post("/v1/auth/password", reset).status == 204)
            #expect(code(try await fixture.send("GET", "/v1/me", token: here.access)) == "login-session-ended")
            #expect(try await reasons(fixture, of: here.id) == ["password-changed", "password-reset"])
            #expect(try await fixture.send("GET", "/v1/me", token: bert.access).status == 200)
        }
    }

    @Test func `comes with the reuse of a refresh token`() async throws {
        try await withIdentity(["REFRESH_GRACE": "0s"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let next = try await fixture.refresh(anna.refresh).json["accessToken"]?.stringValue
            for _ in 1...2 { #expect(try await fixture.refresh(anna.refresh).status == 401) }
            for access in [anna.access, try #require(next)] {
                #expect(code(try await fixture.send("GET", "/v1/me", token: access)) == "login-session-ended")
            }
            #expect(try await reasons(fixture, of: anna.id) == ["refresh-token-reused"])
        }
    }

    @Test func `is not missed by one that begins while a password changes`() async throws {
        try await withIdentity { fixture in
            let here = try await fixture.signUp("anna@example.org")
            let user = here.id
            let logins = LoginSessions(fixture.store, AccessSettings(fixture.context.environment))
            let metadata = EventMetadata(owner: user, correlation: .v7(), actor: "test")
            var rounds = 0
            try await logins.end(of: user, but: nil, because: .passwordChanged, metadata) { ends, noOther in
                rounds += 1
                // Somebody signs in with the old password between the look at the rows and the append.
                if rounds == 1 { _ = try await logins.begin(user, by: [.password], on: nil, metadata, if: []) }
                return Append(id: .v7(), requestHash: [], metadata: metadata, decisions: ends, calls: [noOther])
            }
            #expect(rounds == 2)
            #expect(try await fixture.count("select count(*) from logins") == 0)
            #expect(try await reasons(fixture, of: user) == ["password-changed", "password-changed"])
        }
    }

    @Test func `comes to the one that was unused for longest when a user has a hundred`() async throws {
        try await withIdentity { fixture in
            let here = try await fixture.signUp("anna@example.org")
            try await fixture.administer(
                """
                insert into logins (session, user_id, turned_at, expires_at)
                select gen_random_uuid(), '\(here.id)', now() - interval '1 day' + n * interval '1 second',
                    now() + interval '1 day' from generate_series(1, 250) n
                """)
            let there = try Person(try await fixture.signIn("anna@example.org").json)
            #expect(try await fixture.count("select count(*) from logins") == 100)
            let ends = try await reasons(fixture, of: here.id)
            #expect(ends == Array(repeating: "too-many", count: 152))
            for person in [here, there] {
                #expect(try await fixture.send("GET", "/v1/me", token: person.access).status == 200)
            }
        }
    }

    /// Logins of a user, of an app or of clients that refresh; the first of them was unused for longest.
    private func add(_ count: Int, ofApp: Bool, daysAgo: Int, to user: UUID, _ fixture: Fixture) async throws {
        try await fixture.administer(
            """
            insert into logins (session, user_id, turned_at, expires_at, surface, device)
            select gen_random_uuid(), '\(user)', now() - interval '\(daysAgo) days' + n * interval '1 second',
                now() + interval '60 days', \(ofApp ? "'practice'" : "null"),
                '\(ofApp ? "app" : "client") ' || n from generate_series(1, \(count)) n
            """)
    }

    @Test func `comes to the sort of which there are more, never to the one that has just begun`() async throws {
        try await withIdentity { fixture in
            let here = try await fixture.signUp("anna@example.org")
            let logins = LoginSessions(fixture.store, AccessSettings(fixture.context.environment))
            let metadata = EventMetadata(owner: here.id, correlation: .v7(), actor: "test")
            func left(_ condition: String) async throws -> Int64 {
                try await fixture.count("select count(*) from logins where \(condition)")
            }
            // Nobody hears that an app is used, so it looks as if it were unused; it stays while there are more others.
            try await add(3, ofApp: true, daysAgo: 20, to: here.id, fixture)
            try await add(96, ofApp: false, daysAgo: 2, to: here.id, fixture)
            #expect(try Person(try await fixture.signIn("anna@example.org").json).id == here.id)
            #expect(try await left("surface is not null") == 3)
            #expect(try await left("device = 'client 1'") == 0)
            #expect(try await left("device = 'client 2'") == 1)
            // An app that begins takes its place among them, too.
            let app = LoginSessions.App(.practice, timeZone: "UTC")
            let new = try await logins.begin(here.id, by: [.google], on: "new", for: app, metadata, if: [])
            #expect(try await left("surface is not null") == 4)
            #expect(try await left("device = 'client 2'") == 0)
            #expect(try await left("session = '\(new.session)'") == 1)
            #expect(try await fixture.count("select count(*) from logins") == 100)
            // Where apps have more, the one of theirs that began first goes.
            try await fixture.administer("delete from logins where device like 'client %'")
            try await add(100 - Int(try await left("true")), ofApp: true, daysAgo: 10, to: here.id, fixture)
            #expect(try Person(try await fixture.signIn("anna@example.org").json).id == here.id)
            #expect(try await left("device = 'app 1'") == 1, "the younger one of that name")
            #expect(try await left("turned_at < now() - interval '15 days'") == 2)
            #expect(try await fixture.send("GET", "/v1/me", token: here.access).status == 200)
        }
    }

    @Test func `is the latest moment at which an access token ends`() async throws {
        try await withIdentity(["LOGIN_LIFETIME": "100s"]) { fixture in
            let answer = try await fixture.post(
                "/v1/auth/sign-up", ["email": "anna@example.org", "password": "correct horse"])
            let anna = try Person(answer.json)
            let lifetime = try #require(answer.json["expiresIn"]?.intValue)
            #expect((90...100).contains(lifetime))
            let end = try await fixture.store.pool.query("select expires_at from logins").rows[0].time(0)
            for access in [
                anna.access, try #require(try await fixture.refresh(anna.refresh).json["accessToken"]?.stringValue),
            ] { #expect(Timestamp(seconds: try claims(access).int("exp")) <= end) }
        }
    }

    @Test func `by time needs no event, and its access token is over with it`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            try await fixture.administer("update logins set expires_at = now() - interval '1 second'")
            #expect(code(try await fixture.send("GET", "/v1/me", token: anna.access)) == "login-session-ended")
            #expect(try await fixture.post("/v1/auth/sign-out", [:], token: anna.access).status == 204)
            #expect(try await fixture.refresh(anna.refresh).status == 401)
        }
    }

    // MARK: Looking

    /// Why a user's login sessions were ended, in order.
    private func reasons(_ fixture: Fixture, of user: UUID) async throws -> [String] {
        try await fixture.store.pool.query(
            """
            select data ->> 'reason' from events where type = 'LoginSessionEnded' and data ->> 'userId' = $1
            order by position
            """, [.text(user.description)]
        ).rows.map { $0.text(0) }
    }

    private func session(of person: Person) throws -> UUID { try claims(person.access).uuid("sid") }

    private func claims(_ token: String) throws -> JSONObject {
        try JSONObject.parse(try #require(Base64URL.decode(String(token.split(separator: ".")[1]))))
    }
}
