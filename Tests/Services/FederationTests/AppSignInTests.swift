import Contracts
import Crypto
import EventSourcing
import EventStore
import Federation
import JSON
import LocalIssuer
import Observability
import Photos
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import SigningKeys
import Testing

@testable import Access
@testable import identity

/// The practice timer's own sign-in, whose client sends Google's token alone and keeps what it gets.
@Suite(.timeLimit(.minutes(10))) @Loop struct `The practice timer's sign-in` {
    /// What the client sends: with a nonce in the token that it does not tell.
    private func enter(
        _ fixture: Fixture, _ issuer: LocalIssuer, _ person: InventedPerson = ada,
        nonce: String? = "the client's own \(UUID.v4())", in zone: String? = nil, named device: String? = nil,
        cookie: String? = nil, to instance: Fixture.Instance? = nil
    ) async throws -> Answer {
        let token = try issuer.identityToken(.google, person, nonce: nonce)
        return try await fixture.send(
            "POST", "/api/auth/google", headers: cookie.map { [(name: "Cookie", value: $0)] } ?? [],
            json: [
                "googleToken": .string(token), "user": ["email": "somebody@else.example"], "timeZone": .optional(zone),
                "deviceName": .optional(device),
            ], to: instance)
    }

    private func issued(_ fixture: Fixture) async throws -> [AppTokenIssued] {
        try await fixture.administrator.query(
            "select data from events where type = 'AppTokenIssued' order by position"
        ).rows.map { try AppTokenIssued(JSONObject.parse($0.bytes(0))) }
    }

    @Test func `gives a token that is announced by its hash, to the same person each time`() async throws {
        try await withIssuer { fixture, issuer in
            let first = try await enter(fixture, issuer)
            #expect(first.status == 200 && first.json.members.map(\.key) == ["apiToken"])
            #expect(first.header("cache-control") == "no-store")
            let token = try #require(AppToken(try first.json.string("apiToken")))
            let second = try await enter(fixture, issuer, nonce: nil, in: "Asia/Tokyo")
            #expect(second.status == 200 && second.json != first.json)
            let issued = try await issued(fixture)
            #expect(issued.count == 2 && Set(issued.map(\.userId)).count == 1)
            #expect(issued[0].tokenSHA256 == Hex.encode(SHA256.digest(Array(token.text.utf8))))
            #expect(issued[0].surface == .practice && issued.map(\.timeZone) == ["UTC", "Asia/Tokyo"])
            #expect(abs(issued[0].expiresAt.seconds - Timestamp.now().seconds - 90 * 86_400) < 120)
            let kept = try await fixture.administrator.query("select row_to_json(t)::text from app_tokens t").rows
            #expect(kept.count == 2 && kept.allSatisfy { !$0.text(0).contains(token.text) })
            // Believed is the token, not what is said beside it.
            #expect(try await fixture.count("select count(*) from profiles where email = 'somebody@else.example'") == 0)
        }
    }

    @Test func `opens a login session that its owner sees and ends, and that is not idle`() async throws {
        try await withIssuer(["LOGIN_IDLE_LIMIT": "1h"]) { fixture, issuer in
            let token = try await enter(fixture, issuer).json.string("apiToken")
            try await fixture.administer("update logins set turned_at = turned_at - interval '2 days'")
            try await LoginSessions(fixture.context.store, IdentitySettings(fixture.context.environment).access).sweep()
            let person = try Person(try await fixture.enter("google", issuer.identityToken(.google, ada)))
            let list = try await fixture.request("GET", "/v1/me/login-sessions", token: person.access).json
            let app = try #require(
                list["items"]?.arrayValue?.first { $0["device"] == "Meditation Tracker" }?.objectValue)
            let id = try app.uuid("id")
            let ended = try await fixture.request("DELETE", "/v1/me/login-sessions/\(id)", token: person.access)
            #expect(ended.status == 204)
            let refused = try await fixture.post("/api/auth/logout", [:], token: token)
            #expect(refused.status == 401 && refused.json["error"] == "Invalid token")
            #expect(refused.json["code"] == "app-token-unknown" && refused.header("www-authenticate") == "Bearer")
            #expect(try await fixture.count("select count(*) from app_tokens") == 0)
        }
    }

    @Test func `begins with its token, or not at all`() async throws {
        try await withIssuer { fixture, issuer in
            #expect(try await enter(fixture, issuer).status == 200)
            let logins = try await fixture.count("select count(*) from logins")
            // Whatever keeps the token from being written keeps the login session from beginning, also of somebody new.
            try await fixture.administer(
                """
                create function refuse() returns trigger language plpgsql as
                    'begin raise exception using errcode = ''53100''; end';
                create trigger refuse before insert on app_tokens for each row execute function refuse();
                """)
            for person in [ada, InventedPerson("grace-at-google", email: "grace@gmail.com")] {
                #expect(try await enter(fixture, issuer, person).status == 503)
            }
            #expect(try await fixture.count("select count(*) from logins") == logins)
            #expect(try await fixture.count("select count(*) from profiles") == 1)
            #expect(try await issued(fixture).count == 1)
            try await fixture.administer("drop trigger refuse on app_tokens")
            #expect(try await enter(fixture, issuer).status == 200)
        }
    }

    @Test func `is told to its owner once for each device, which is known by a cookie or by its own name`() async throws
    {
        try await withIssuer { fixture, issuer in
            let mail = "Somebody signed in to your account on a new device"
            @Loop func told() throws -> Int { try fixture.security.read().count { $0["event"] == "new-device" } }
            let first = try await enter(fixture, issuer)
            let cookie = try #require(first.header("set-cookie"))
            #expect(cookie.hasPrefix("mirrormate-app-devices="))
            #expect(cookie.contains("Path=/api/auth;") && cookie.contains("HttpOnly"))
            let mark = String(try #require(cookie.split(separator: ";").first))
            // Who signs up has no other device that could be told.
            #expect(try told() == 0)
            #expect(try await enter(fixture, issuer, cookie: mark).status == 200)
            #expect(try told() == 0)
            // Without it nobody knows: the name that every client has says nothing.
            for count in 1...2 {
                #expect(try await enter(fixture, issuer).status == 200)
                #expect(try told() == count)
            }
            let user = try #require(try await issued(fixture).first).userId
            _ = try await fixture.mail(of: user, mail)
            // A name of its own is known while its login session lasts, and to nobody else.
            for _ in 1...2 {
                #expect(try await enter(fixture, issuer, named: "Ada's phone").status == 200)
                #expect(try told() == 3)
            }
            let grace = InventedPerson("grace-at-google", email: "grace@gmail.com")
            for _ in 1...2 { #expect(try await enter(fixture, issuer, grace, named: "Grace's phone").status == 200) }
            #expect(try told() == 3)
            #expect(try await enter(fixture, issuer, grace, named: "Ada's phone").status == 200)
            #expect(try told() == 4)
            #expect(try await enter(fixture, issuer, grace, cookie: mark).status == 200)
            #expect(try told() == 5)
            try await fixture.administer("delete from logins where device = 'Ada''s phone'")
            #expect(try await enter(fixture, issuer, named: "Ada's phone").status == 200)
            #expect(try told() == 6)
        }
    }

    @Test func `ends with a sign-out, once`() async throws {
        try await withIssuer { fixture, issuer in
            let token = try await enter(fixture, issuer).json.string("apiToken")
            let other = try await enter(fixture, issuer).json.string("apiToken")
            #expect(try await fixture.post("/api/auth/logout", [:], token: token).status == 200)
            #expect(try await fixture.post("/api/auth/logout", [:], token: token).status == 401)
            let stream = LoginSession.stream(try await issued(fixture)[0].loginSessionId)
            let events = try await fixture.context.store.read(stream)
            #expect(events.map(\.type.name) == ["AppTokenIssued", "LoginSessionEnded"])
            // Services remember the end as long as the token could have lasted.
            let end = try #require(events.last).decoded(as: LoginSessionEvent.self).data
            #expect(try await end.timestamp("tokensUntil") == issued(fixture)[0].expiresAt)
            #expect(try await fixture.post("/api/auth/logout", [:], token: other).status == 200)
        }
    }

    @Test func `is no access token, and an access token is none of its own`() async throws {
        try await withIssuer { fixture, issuer in
            let token = try await enter(fixture, issuer).json.string("apiToken")
            #expect(try await fixture.request("GET", "/v1/me", token: token).status == 401)
            let person = try Person(try await fixture.enter("google", issuer.identityToken(.google, ada)))
            for wrong in [person.access, person.refresh, "mma_", token + "A", String(token.dropLast())] {
                let refused = try await fixture.post("/api/auth/logout", [:], token: wrong)
                #expect(refused.status == 401 && refused.json["error"] == "Missing or invalid Bearer token")
            }
            let unknown = try await fixture.post("/api/auth/logout", [:], token: AppToken.make().text)
            #expect(unknown.status == 401 && unknown.json["error"] == "Invalid token")
            let none = try await fixture.post("/api/auth/logout", [:])
            #expect(none.status == 401 && none.json["code"] == "unauthenticated")
        }
    }

    @Test func `says in the client's words why not`() async throws {
        try await withIssuer(["SIGN_IN_ALLOWED_EMAILS": "grace@gmail.com"]) { fixture, issuer in
            let nothing = try await fixture.post("/api/auth/google", [:])
            #expect(nothing.status == 400 && nothing.json["error"] == "Missing googleToken in request body")
            let line = try #require(try fixture.security.read().last { $0["event"] == "request-refused" })
            #expect(line["code"] == "invalid-request" && line["route"] == "/api/auth/google")
            let garbage = try await fixture.post("/api/auth/google", ["googleToken": "garbage"])
            #expect(garbage.status == 401 && garbage.json["error"] == "Google Sign-In failed")
            #expect(garbage.json["message"] == "Google Sign-In failed")
            let uninvited = InventedPerson("bob-at-google", email: "bob@gmail.com")
            let stranger = try await enter(fixture, issuer, uninvited)
            #expect(stranger.status == 403 && stranger.json["error"] == "This email is not authorized.")
            let listed = try await enter(fixture, issuer, InventedPerson("grace-at-google", email: "grace@gmail.com"))
            #expect(listed.status == 200)
            let unnamed = try await enter(fixture, issuer, InventedPerson("nobody-at-google"))
            #expect(unnamed.status == 403 && unnamed.json["error"] == "Email not available from Google.")
        }
        try await withIssuer(["SIGN_UP": "closed"]) { fixture, issuer in
            let closed = try await enter(fixture, issuer)
            #expect(closed.status == 403 && closed.json["error"] == "Sign-ups are not configured.")
        }
    }

    @Test func `takes no nonce that was given for linking, and one for a sign-in once`() async throws {
        try await withIssuer { fixture, issuer in
            let person = try await fixture.signUp("eve@example.org")
            let linking = try await enter(fixture, issuer, nonce: fixture.nonce(person.access))
            #expect(linking.status == 401 && linking.json["code"] == "nonce-invalid")
            let own = try await fixture.nonce()
            #expect(try await enter(fixture, issuer, nonce: own).status == 200)
            #expect(try await enter(fixture, issuer, nonce: own).json["code"] == "nonce-invalid")
        }
    }

    @Test func `takes no token twice, though no nonce binds it`() async throws {
        try await withIssuer { fixture, issuer in
            let token: JSONValue = ["googleToken": .string(try issuer.identityToken(.google, ada, nonce: nil))]
            #expect(try await fixture.post("/api/auth/google", token).status == 200)
            let again = try await fixture.post("/api/auth/google", token)
            #expect(again.status == 401 && again.json["code"] == "nonce-invalid")
            #expect(again.json["error"] == "Google Sign-In failed")
        }
    }

    @Test func `and the native one take a token once between them, whichever comes first`() async throws {
        try await withIssuer { fixture, issuer in
            for isNativeFirst in [true, false] {
                let token = try issuer.identityToken(.google, ada, nonce: nil)
                var codes: [String?] = []
                for isNative in [isNativeFirst, !isNativeFirst] {
                    let answer =
                        isNative
                        ? try await fixture.enter("google", token)
                        : try await fixture.post("/api/auth/google", ["googleToken": .string(token)])
                    codes.append(answer.code)
                }
                #expect(codes == [nil, "nonce-invalid"], "native first: \(isNativeFirst)")
            }
        }
    }

    @Test func `ends when the identity is unlinked with which it began, and no other does`() async throws {
        try await withIssuer { fixture, issuer in
            let owner = try await fixture.signUp("ada@example.org", confirmed: true)
            #expect(try await fixture.link(.google, ada, of: issuer, by: owner.access).status == 200)
            let token = try await enter(fixture, issuer).json.string("apiToken")
            let other = try Person(try await fixture.signIn("ada@example.org"))
            let gone = try await fixture.request("DELETE", "/v1/me/identities/google", token: owner.access)
            #expect(gone.status == 204)
            #expect(try await fixture.post("/api/auth/logout", [:], token: token).json["code"] == "app-token-unknown")
            for person in [owner, other] {
                let refreshed = try await fixture.post(
                    "/v1/auth/refresh", ["refreshToken": .string(person.refresh)])
                #expect(refreshed.status == 200)
            }
        }
    }

    private func allRoutes(_ context: ServiceContext) async throws -> IdentityRoutes {
        let settings = IdentitySettings(context.environment)
        return IdentityRoutes(
            context, settings,
            SigningKeyring(context.store, settings.signingKeys, actor: "identity", Logger(label: "test")),
            IdentityService.outbox(context.store, settings),
            Federation(context.store, settings.federation, settings.access.secrets),
            try await PhotoMaker(settings.photos, Logger(label: "test")))
    }

    @Test func `ends when its user would not be let in any more`() async throws {
        try await withIssuer(["SIGN_IN_ALLOWED_EMAILS": "grace@gmail.com"]) { fixture, issuer in
            let grace = InventedPerson("grace-at-google", email: "grace@gmail.com")
            let token = try await enter(fixture, issuer, grace).json.string("apiToken")
            let routes = try await allRoutes(fixture.context)
            try await routes.endRefusedAppLogins()
            #expect(try await fixture.count("select count(*) from app_tokens") == 1)
            // As if the list had lost it: an address that is not on it.
            try await fixture.administer("update credentials set email_key = 'grace@example.org'")
            try await routes.endRefusedAppLogins()
            #expect(try await fixture.post("/api/auth/logout", [:], token: token).json["code"] == "app-token-unknown")
        }
    }

    @Test func `ends though that of somebody else cannot be ended`() async throws {
        let people = ["grace@gmail.com", "ada@gmail.com", "bob@gmail.com"]
        try await withIssuer(["SIGN_IN_ALLOWED_EMAILS": people.joined(separator: ",")]) { fixture, issuer in
            for email in people {
                #expect(try await enter(fixture, issuer, InventedPerson(email, email: email)).status == 200)
            }
            // In the order in which the sweeper goes, the first one's events cannot be read.
            let first = try await fixture.administrator.query("select session from logins order by user_id limit 1")
            let bad = LoginSession.stream(first.rows[0].uuid(0)).description
            try await fixture.administer(
                """
                begin; set local session_replication_role = replica;
                update events set data = '{}' where stream = '\(bad)'; commit
                """)
            try await fixture.administer("update credentials set email_key = 'gone-' || email_key")
            let failed = await #expect(throws: LoginSessions.NotEnded.self) {
                try await allRoutes(fixture.context).endRefusedAppLogins()
            }
            #expect(failed?.count == 1)
            let left = try await fixture.administrator.query("select session from logins").rows.map { $0.uuid(0) }
            #expect(left == [first.rows[0].uuid(0)])
        }
    }

    @Test func `ends where every account must have a second factor by now, whoever may be let in`() async throws {
        try await withIssuer { fixture, issuer in
            let token = try await enter(fixture, issuer).json.string("apiToken")
            try await allRoutes(fixture.context).endRefusedAppLogins()
            #expect(try await fixture.count("select count(*) from app_tokens") == 1)
            let strict = try await fixture.start(["REQUIRE_SECOND_FACTOR": "accounts"], background: false)
            try await allRoutes(strict.assembly.context).endRefusedAppLogins()
            #expect(try await fixture.post("/api/auth/logout", [:], token: token).json["code"] == "app-token-unknown")
        }
    }

    @Test func `ends by the service's own clock as soon as it starts`() async throws {
        try await withIssuer { fixture, issuer in
            let token = try await enter(fixture, issuer).json.string("apiToken")
            // Another instance, whose rules are stricter, sweeps in the background.
            try await fixture.start(["REQUIRE_SECOND_FACTOR": "accounts"], background: true)
            #expect(try await fixture.eventually { try await fixture.count("select count(*) from app_tokens") == 0 })
            #expect(try await fixture.post("/api/auth/logout", [:], token: token).json["code"] == "app-token-unknown")
        }
    }

    @Test func `is refused where a second factor is required that nobody can have yet`() async throws {
        try await withIssuer(["REQUIRE_SECOND_FACTOR": "accounts"]) { fixture, issuer in
            let refused = try await enter(fixture, issuer)
            #expect(refused.status == 401 && refused.json["code"] == "second-factor-required")
            #expect(try await fixture.count("select count(*) from profiles") == 0)
        }
    }

    @Test func `is refused for what stands against the account, the request or the provider`() async throws {
        try await withIssuer { fixture, issuer in
            func code(_ answer: Answer) -> String? { answer.json["code"]?.stringValue }
            #expect(try await code(enter(fixture, issuer, in: "Mars/Olympus_Mons")) == "time-zone-invalid")
            let long = String(repeating: "x", count: 101)
            #expect(try await code(enter(fixture, issuer, named: long)) == "device-name-invalid")
            let owner = try await fixture.signUp("ada@example.org", confirmed: true)
            #expect(try await code(enter(fixture, issuer)) == "identity-address-taken")
            #expect(try await fixture.link(.google, ada, of: issuer, by: owner.access).status == 200)

            let off = try await fixture.start(["GOOGLE_CLIENT_IDS": ""], background: false)
            #expect(try await code(enter(fixture, issuer, to: off)) == "provider-off")
            let away = try await fixture.start(["GOOGLE_KEYS_URL": "http://127.0.0.1:1/keys"], background: false)
            #expect(try await code(enter(fixture, issuer, to: away)) == "provider-unavailable")
            try await fixture.administer("update credentials set verified_at = null")
            let listed = try await fixture.start(["SIGN_IN_ALLOWED_EMAILS": "ada@example.org"], background: false)
            #expect(try await code(enter(fixture, issuer, to: listed)) == "email-unverified")
            try await fixture.administer(
                """
                insert into second_factors (user_id, sealed, begun_by, confirmed_at)
                values ('\(owner.id)', '\\x00', gen_random_uuid(), now())
                """)
            #expect(try await code(enter(fixture, issuer)) == "second-factor-needed")
        }
    }

    @Test func `fails in the client's words, and says no more, where the fault is ours`() async throws {
        try await withIssuer { fixture, issuer in
            let token = try await enter(fixture, issuer).json.string("apiToken")
            for table in ["linked_identities", "logins"] {
                try await fixture.administer("alter table \(table) rename to \(table)_away")
            }
            let identity = try issuer.identityToken(.google, ada, nonce: nil)
            for (path, body, says) in [
                (
                    "google", ["googleToken": .string(identity)], "An unexpected error occurred during authentication."
                ), ("logout", [:], "Failed to sign out"),
            ] as [(String, JSONValue, JSONValue)] {
                let failed = try await fixture.sendInVain(
                    "POST", "/api/auth/\(path)", headers: [("Authorization", "Bearer \(token)")], json: body)
                #expect(failed.status == 500, "\(path)")
                #expect(failed.json == ["error": says, "message": says, "code": "internal"])
            }
        }
    }

    @Test func `exchanges a code, too`() async throws {
        try await withIssuer { fixture, issuer in
            let answer = try await fixture.post(
                "/api/auth/google", ["googleAuthCode": "no such code", "redirectUri": "https://app.example/back"])
            #expect(answer.status == 400)
            let unknown = try await fixture.post(
                "/api/auth/google",
                [
                    "googleAuthCode": "unknown", "redirectUri": "https://app.example/back",
                    "codeVerifier": .string(String(repeating: "v", count: 43)),
                ])
            #expect(unknown.status == 401 && unknown.json["error"] == "Google Sign-In failed")
        }
    }

    @Test func `made after the backup of a restore opens nothing any more`() async throws {
        try await withIssuer { fixture, _ in
            let store = fixture.context.store
            let person = try await fixture.signUp("anna@example.org")
            let session = UUID.v4()
            let message = try fixture.topic.message(
                AppTokenIssued(
                    userId: person.id, loginSessionId: session, tokenSHA256: String(repeating: "ab", count: 32),
                    surface: .practice, timeZone: "UTC", expiresAt: .now() + .seconds(900)))
            #expect(try await IdentityService.decideAgain(message, store))
            let events = try await store.read(LoginSession.stream(session))
            #expect(events.map(\.type.name) == ["LoginSessionEnded"])
            let end = try events[0].decoded(as: LoginSessionEvent.self).data
            #expect(try end["reason"] == "forgotten" && end.timestamp("tokensUntil") > .now() + .seconds(800))
            #expect(try await !IdentityService.decideAgain(message, store))
        }
    }

    @Test func `goes with its user`() async throws {
        try await withIssuer { fixture, issuer in
            let token = try await enter(fixture, issuer).json.string("apiToken")
            let person = try Person(try await fixture.enter("google", issuer.identityToken(.google, ada)))
            #expect(try await fixture.request("DELETE", "/v1/me", token: person.access).status < 300)
            #expect(try await fixture.count("select count(*) from app_tokens") == 0)
            #expect(try await fixture.post("/api/auth/logout", [:], token: token).status == 401)
        }
    }
}
