import Access
import CompatibleSurface
import Contracts
import EventSourcing
import EventStore
import HTTPClient
import JSON
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import identity

/// A client of the compatible surface: its key, and what it was last given.
@Loop final class CompatibleClient {
    let fixture: Fixture
    let key: String
    private(set) var access = ""
    private(set) var refreshToken = ""
    private(set) var user: JSONObject = [:]

    init(_ fixture: Fixture, _ role: APIKeyRole = .anon, _ form: APIKeyText.Form = .token) async throws {
        self.fixture = fixture
        key = try await fixture.apiKey(role, form)
    }

    var id: UUID { get throws { try user.uuid("id") } }

    /// - Parameters:
    ///   - bearer: what stands in `Authorization`; by default the last access token, before that the key, as the SDKs send it.
    ///   - hasKey: whether the key is sent as such.
    func send(
        _ method: String, _ path: String, _ json: JSONValue? = nil, bearer: String? = nil, hasKey: Bool = true
    ) async throws -> Answer {
        let bearer = bearer ?? (access.isEmpty ? key : access)
        var headers = [(name: "Authorization", value: "Bearer \(bearer)")]
        if hasKey { headers.append(("apiKey", key)) }
        return try await fixture.send(method, "/auth/v1\(path)", headers: headers, json: json)
    }

    /// Takes a session from an answer.
    @discardableResult
    func take(_ answer: Answer) throws -> CompatibleClient {
        try #require(answer.status == 200, "\(answer.json)")
        access = try answer.json.string("access_token")
        refreshToken = try answer.json.string("refresh_token")
        user = try answer.json.object("user")
        return self
    }

    @discardableResult
    func signUp(_ email: String, _ password: String = "correct horse", _ data: JSONValue = [:]) async throws
        -> CompatibleClient
    {
        try take(
            try await send("POST", "/signup", ["email": .string(email), "password": .string(password), "data": data]))
    }

    func signIn(_ email: String, _ password: String = "correct horse") async throws -> Answer {
        try await send("POST", "/token?grant_type=password", ["email": .string(email), "password": .string(password)])
    }

    func refresh(_ token: String) async throws -> Answer {
        try await send("POST", "/token?grant_type=refresh_token", ["refresh_token": .string(token)])
    }

    /// The claims of the last access token.
    var claims: JSONObject {
        get throws { try JSONObject.parse(try #require(Base64URL.decode(String(access.split(separator: ".")[1])))) }
    }
}

/// The JSON of a command's answer.
private func parsed(_ text: String) throws -> JSONObject { try JSONObject.parse(Array(text.utf8)) }

/// Status and code of a refusal in the form of the surface.
private func refusal(_ answer: Answer) -> String { "\(answer.status) \(answer.json["code"]?.stringValue ?? "-")" }

@Suite(.timeLimit(.minutes(10))) @Loop struct `The compatible surface's accounts` {
    // MARK: Signing up and in

    @Test func `begin with a session that has all that clients decode`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            let answer = try await client.send(
                "POST", "/signup",
                [
                    "email": "Anna@Example.org", "password": "correct horse", "data": ["display_name": "Anna"],
                    "gotrue_meta_security": [:], "code_challenge": .null,
                ])
            try client.take(answer)
            #expect(answer.header("x-supabase-api-version") == "2024-01-01")
            #expect(answer.header("access-control-allow-origin") == "*")
            #expect(try answer.json.string("token_type") == "bearer" && answer.json.int("expires_in") > 3_590)
            #expect(try abs(answer.json.int("expires_at") - Timestamp.now().seconds - 3_600) < 10)
            #expect(try client.user.string("email") == "anna@example.org")
            #expect(try client.user.object("user_metadata").string("display_name") == "Anna")
            #expect(try client.user.object("app_metadata") == ["provider": "email", "providers": ["email"]])
            #expect(try client.user.string("created_at").contains("."))
            #expect(client.user["updated_at"] != nil && client.user["is_anonymous"] == false)
            let identity = try #require(try client.user.array("identities").first?.objectValue)
            for name in ["id", "identity_id", "user_id", "identity_data", "provider", "created_at"] {
                #expect(identity[name] != nil, "\(name)")
            }
            let claims = try client.claims
            #expect(try claims.string("aud") == "authenticated" && claims.string("role") == "authenticated")
            #expect(try claims.string("iss") == "http://127.0.0.1/auth/v1" && claims.string("aal") == "aal1")
            #expect(try claims.int("exp") - claims.int("iat") == 3_600)
            #expect(try claims.array("amr").first?.objectValue?.string("method") == "password")
            // The name is the profile's, too.
            #expect(
                try await fixture.administrator.query("select display_name from profiles").rows[0].text(0) == "Anna")
        }
    }

    @Test func `are refused with the codes that clients know`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org")
            let cases: [(String, JSONValue, String)] = [
                ("/signup", ["email": "anna@example.org", "password": "correct horse"], "422 user_already_exists"),
                ("/signup", ["email": "bert@example.org", "password": "short"], "422 weak_password"),
                ("/signup", ["email": "bert@example.org", "password": "sevench"], "422 weak_password"),
                ("/signup", ["email": "bert", "password": "correct horse"], "400 validation_failed"),
                ("/signup", ["email": "bert@example.org"], "400 validation_failed"),
                ("/signup", ["phone": "+4912345"], "422 phone_provider_disabled"),
                (
                    "/token?grant_type=password", ["email": "anna@example.org", "password": "wrong horse"],
                    "400 invalid_credentials"
                ),
                (
                    "/token?grant_type=password", ["email": "nobody@example.org", "password": "wrong horse"],
                    "400 invalid_credentials"
                ),
                (
                    "/token?grant_type=password", ["email": "no address", "password": "wrong horse"],
                    "400 invalid_credentials"
                ),
                ("/token?grant_type=password", [:], "400 validation_failed"),
                ("/token?grant_type=telepathy", [:], "400 invalid_credentials"),
                ("/token?grant_type=pkce", [:], "404 flow_state_not_found"),
                ("/token?grant_type=refresh_token", ["refresh_token": "nonsense"], "400 refresh_token_not_found"),
                ("/token?grant_type=refresh_token", ["refresh_token": ""], "400 refresh_token_not_found"),
                ("/token?grant_type=refresh_token", ["refresh_token": 7], "400 refresh_token_not_found"),
                ("/token?grant_type=refresh_token", ["refresh_token": .null], "400 refresh_token_not_found"),
                ("/token?grant_type=refresh_token", [:], "400 refresh_token_not_found"),
                ("/token?grant_type=id_token", ["provider": "github", "id_token": "x"], "400 validation_failed"),
                ("/token?grant_type=id_token", ["provider": "google", "id_token": "x"], "400 provider_disabled"),
                ("/otp", ["email": "anna@example.org"], "422 otp_disabled"),
                ("/verify", ["type": "recovery", "token": "nonsense"], "403 otp_expired"),
                ("/verify", ["type": "sms", "token": "123456"], "400 validation_failed"),
                ("/recover", [:], "400 validation_failed"),
            ]
            for (path, body, expected) in cases {
                let answer = try await client.send("POST", path, body)
                #expect(refusal(answer) == expected, "\(path) \(body)")
                #expect(answer.json["error_code"] == answer.json["code"] && answer.json["msg"] != nil)
            }
            let weak = try await client.send("POST", "/signup", ["email": "bert@example.org", "password": "short"])
            #expect(try weak.json.object("weak_password").array("reasons") == ["length"])
            let unreadable = try await fixture.send(
                "POST", "/auth/v1/signup", headers: [("apikey", client.key)], body: Array("no json".utf8))
            #expect(refusal(unreadable) == "400 bad_json")
            // Both answers to a wrong sign-in are the same.
            let (known, unknown) = (
                try await client.signIn("anna@example.org", "wrong horse"),
                try await client.signIn("nobody@example.org", "wrong horse")
            )
            #expect(known.json == unknown.json)
        }
    }

    @Test func `take passwords of six characters only where an operator lets them`() async throws {
        try await withIdentity(["COMPATIBLE_SHORT_PASSWORDS": "true"]) { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org", "sixsix")
            let answer = try await client.send("POST", "/signup", ["email": "b@example.org", "password": "fives"])
            #expect(refusal(answer) == "422 weak_password")
            // The commonest of these, too, are what everybody tries first.
            for common in ["123456", "Qwerty", "abcdefg"] {
                let common = try await client.send(
                    "POST", "/signup", ["email": "b@example.org", "password": .string(common)])
                #expect(try common.json.object("weak_password").array("reasons") == ["pwned"])
            }
            let native = try await fixture.post(
                "/v1/auth/sign-up", ["email": "b@example.org", "password": "sixsix"])
            #expect(code(native) == "password-too-short")
        }
    }

    // MARK: Keys and tokens

    @Test func `need a key that was made and not revoked`() async throws {
        try await withIdentity { fixture in
            let made = try parsed(try await APIKeyOperations(fixture.context).run(["make"]))
            let anon = try made.string("anonKey")
            func settings(_ key: String?) async throws -> Answer {
                try await fixture.send("GET", "/auth/v1/settings", headers: key.map { [("apikey", $0)] } ?? [])
            }
            #expect(refusal(try await settings(nil)) == "401 no_api_key")
            #expect(refusal(try await settings("\(anon)x")) == "401 invalid_api_key")
            #expect(try await settings(anon).status == 200)
            #expect(try await settings(try made.string("serviceKey")).status == 200)
            // Nobody finds the text in the database.
            #expect(
                try await fixture.count("select count(*) from events where data::text like '%\(anon.suffix(30))%'") == 0
            )
            let opaque = try parsed(try await APIKeyOperations(fixture.context).run(["make", "--opaque"]))
            #expect(try opaque.string("anonKey").hasPrefix("sb_publishable_"))
            #expect(try await fixture.eventually { try await settings(try opaque.string("anonKey")).status == 200 })
            _ = try await APIKeyOperations(fixture.context).run(["revoke", try made.string("anonKeyId")])
            #expect(try await fixture.eventually { try await settings(anon).status == 401 })
            let list = try parsed(try await APIKeyOperations(fixture.context).run(["list"]))
            let keys = try list.array("apiKeys").compactMap(\.objectValue)
            #expect(keys.count == 4 && keys.count { $0["revoked"] == true } == 1)
            let revoked = try await fixture.store.read(APIKey.stream(made.uuid("anonKeyId")))
            #expect(revoked.map(\.type.name) == ["APIKeyIssued", "APIKeyRevoked"])
        }
    }

    @Test func `open nothing of the native surface, nor the other way round`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org")
            let native = try await fixture.send("GET", "/v1/me", token: client.access)
            #expect(native.status == 401 && code(native) == "token-malformed")
            let bert = try await fixture.signUp("bert@example.org")
            #expect(refusal(try await client.send("GET", "/user", bearer: bert.access)) == "403 bad_jwt")
            #expect(code(try await fixture.refresh(client.refreshToken)) == "refresh-token-invalid")
            #expect(refusal(try await client.refresh(bert.refresh)) == "400 refresh_token_not_found")
            #expect(code(try await fixture.send("GET", "/v1/me", token: client.key)) == "token-malformed")
        }
    }

    @Test func `ignore a stale bearer where nobody has to be signed in, and refuse it everywhere else`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org")
            for stale in ["nonsense", "a.b.c"] {
                let again = try await client.send(
                    "POST", "/token?grant_type=password",
                    ["email": "anna@example.org", "password": "correct horse"], bearer: stale)
                #expect(again.status == 200)
                #expect(refusal(try await client.send("GET", "/user", bearer: stale)) == "403 bad_jwt")
            }
            let bare = try await fixture.send("GET", "/auth/v1/user", headers: [("apikey", client.key)])
            #expect(refusal(bare) == "401 no_authorization")
            #expect(refusal(try await client.send("GET", "/user", bearer: client.key)) == "403 bad_jwt")
        }
    }

    @Test func `have the keys of their tokens where clients look for them`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org")
            let header = try JSONObject.parse(
                try #require(Base64URL.decode(String(client.access.split(separator: ".")[0]))))
            #expect(try header.string("alg") == "ES256")
            let set = try await fixture.send("GET", "/auth/v1/.well-known/jwks.json")
            let kids = try set.json.array("keys").compactMap { $0["kid"]?.stringValue }
            #expect(try kids.contains(header.string("kid")))
        }
    }

    @Test func `are not there where an operator wants none`() async throws {
        try await withIdentity(["COMPATIBLE_SURFACE": "false"]) { fixture in
            let answer = try await fixture.send("GET", "/auth/v1/health")
            #expect(answer.status == 404 && code(answer) == "not-found")
        }
    }

    @Test func `answer a browser that asks before it sends, without a key`() async throws {
        try await withIdentity { fixture in
            for path in ["/auth/v1/token", "/auth/v1/nowhere"] {
                let answer = try await fixture.send(
                    "OPTIONS", path,
                    headers: [("Access-Control-Request-Method", "POST"), ("Origin", "https://a.example")])
                #expect(answer.status == 204 && answer.header("access-control-allow-origin") == "*")
                let allowed = answer.header("access-control-allow-headers")?.split(separator: ", ") ?? []
                // Browsers do not count Authorization among what the asterisk stands for.
                #expect(["x-supabase-api-version", "authorization", "apikey", "*"].allSatisfy(allowed.contains))
            }
            let told = try await fixture.send("GET", "/auth/v1/health", headers: [("Origin", "https://a.example")])
            let exposed = told.header("access-control-expose-headers")?.split(separator: ", ") ?? []
            #expect(["x-supabase-api-version", "retry-after"].allSatisfy(exposed.contains))
            #expect(try await fixture.send("OPTIONS", "/auth/v1/token").status == 204)
        }
    }

    // MARK: Refreshing and signing out

    @Test func `refresh, and give the same successor as long as nobody has used it`() async throws {
        try await withIdentity(["REFRESH_GRACE": "0s"]) { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org")
            let (first, session) = (client.refreshToken, try client.claims.string("session_id"))
            try client.take(try await client.refresh(first))
            let second = client.refreshToken
            #expect(second != first)
            #expect(try client.claims.string("session_id") == session)
            // The answer was lost, long ago.
            try await fixture.administer("update logins set turned_at = turned_at - interval '1 hour'")
            try client.take(try await client.refresh(first))
            #expect(client.refreshToken == second)
            #expect(try fixture.security.read().contains { $0["event"] == "refresh-token-repeated" })
            try client.take(try await client.refresh(second))
            // Now it is used: whoever comes with the first has stolen one.
            #expect(refusal(try await client.refresh(first)) == "400 refresh_token_already_used")
            #expect(refusal(try await client.refresh(client.refreshToken)) == "400 refresh_token_not_found")
            #expect(refusal(try await client.send("GET", "/user")) == "403 session_not_found")
        }
    }

    @Test(arguments: ["local", "others", "global", ""])
    func `sign out as far as was asked`(scope: String) async throws {
        try await withIdentity { fixture in
            let here = try await CompatibleClient(fixture)
            try await here.signUp("anna@example.org")
            let there = try await CompatibleClient(fixture)
            try there.take(try await there.signIn("anna@example.org"))
            let answer = try await here.send("POST", "/logout" + (scope.isEmpty ? "" : "?scope=\(scope)"))
            #expect(answer.status == 204 && answer.body.isEmpty)
            let isHereOver = scope != "others"
            let isThereOver = scope != "local"
            #expect(try await here.send("GET", "/user").status == (isHereOver ? 403 : 200))
            #expect(try await there.send("GET", "/user").status == (isThereOver ? 403 : 200))
            #expect(try await there.refresh(there.refreshToken).status == (isThereOver ? 400 : 200))
            let wrong = try await there.send("POST", "/logout?scope=everywhere")
            #expect(refusal(wrong) == (isThereOver ? "403 session_not_found" : "400 validation_failed"))
        }
    }

    @Test func `tell other services of an end for as long as their tokens last`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org")
            let session = try client.claims.uuid("session_id")
            #expect(try await client.send("POST", "/logout?scope=local").status == 204)
            let event = try #require(try await fixture.store.read(LoginSession.stream(session)).first)
            let ended = try LoginSessionEnded(try #require(try IdentityService.publication(event)).data)
            let left = ended.tokensUntil - Timestamp.now()
            #expect(left <= .seconds(3_600) && left > .seconds(3_500))
        }
    }

    // MARK: Who is signed in

    @Test func `merge what clients keep with the user, and take names away`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org", "correct horse", ["display_name": "Anna", "theme": "dark"])
            let answer = try await client.send("PUT", "/user", ["data": ["theme": .null, "level": 3]])
            let kept = try answer.json.object("user_metadata")
            #expect(kept["theme"] == nil && kept["level"] == 3 && kept["display_name"] == "Anna")
            try client.take(try await client.refresh(client.refreshToken))
            #expect(try client.claims.object("user_metadata")["level"] == 3)
            let long = try await client.send(
                "PUT", "/user", ["data": ["x": .string(String(repeating: "x", count: 2_000))]])
            #expect(refusal(long) == "400 validation_failed")
            let forbidden = try await client.send("PUT", "/user", ["app_metadata": ["role": "admin"]])
            #expect(refusal(forbidden) == "403 not_admin")
            // With the user all of it goes.
            _ = try await fixture.send(
                "DELETE", "/v1/me", token: try Person(try await fixture.signIn("anna@example.org").json).access)
            #expect(try await fixture.count("select count(*) from profiles") == 0)
        }
    }

    @Test func `have one name, wherever it was given and taken away`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org", "correct horse", ["display_name": "Anna"])
            func name() async throws -> JSONValue? {
                try await client.send("GET", "/user").json.object("user_metadata")["display_name"]
            }
            let native = try Person(try await fixture.signIn("anna@example.org").json).access
            _ = try await fixture.send("PATCH", "/v1/me", token: native, ["displayName": "Ann"])
            #expect(try await name() == "Ann")
            _ = try await client.send("PUT", "/user", ["data": ["display_name": .null]])
            #expect(try await name() == nil)
            #expect(
                try await fixture.administrator.query("select display_name is null from profiles").rows[0].bool(0))
            _ = try await client.send("PUT", "/user", ["data": ["display_name": "Anna"]])
            _ = try await fixture.send("PATCH", "/v1/me", token: native, ["displayName": .null])
            #expect(try await name() == nil)
            // What is no name of a profile is what this client keeps.
            _ = try await client.send("PUT", "/user", ["data": ["display_name": 7]])
            #expect(try await name() == 7)
            let anonymous = try await CompatibleClient(fixture)
            try anonymous.take(try await anonymous.send("POST", "/signup", ["data": ["display_name": "Nobody"]]))
            #expect(try anonymous.user.object("user_metadata")["display_name"] == "Nobody")
        }
    }

    @Test func `change the password of who has signed in a moment ago, and end the other sessions`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org")
            let other = try await CompatibleClient(fixture)
            try other.take(try await other.signIn("anna@example.org"))
            #expect(try await client.send("PUT", "/user", ["password": "battery staple"]).status == 200)
            #expect(try await client.send("GET", "/user").status == 200)
            #expect(refusal(try await other.send("GET", "/user")) == "403 session_not_found")
            #expect(try await client.signIn("anna@example.org", "battery staple").status == 200)
            try await fixture.administer("update logins set auth_time = auth_time - interval '10 minutes'")
            try client.take(try await client.refresh(client.refreshToken))
            let late = try await client.send("PUT", "/user", ["password": "another horse"])
            #expect(refusal(late) == "400 reauthentication_needed")
            let same = try await client.send(
                "PUT", "/user", ["password": "battery staple", "current_password": "battery staple"])
            #expect(refusal(same) == "422 same_password")
            let shown = try await client.send(
                "PUT", "/user", ["password": "another horse", "current_password": "battery staple"])
            #expect(shown.status == 200)
            let wrong = try await client.send(
                "PUT", "/user", ["password": "yet another horse", "current_password": "guessed"])
            #expect(refusal(wrong) == "400 invalid_credentials")
        }
    }

    @Test func `let in by the mail for a new password, once, and confirm the address with it`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org")
            let (known, unknown) = (
                try await client.send("POST", "/recover", ["email": "anna@example.org"]),
                try await client.send("POST", "/recover", ["email": "nobody@example.org"])
            )
            #expect(known.status == 200 && known.body == Array("{}".utf8) && unknown.body == known.body)
            let mail = try await fixture.mail(of: try client.id, "Choose a new password")
            let body: JSONValue = [
                "type": "recovery", "token": .optional(mailedCode(mail)), "email": "anna@example.org",
            ]
            let recovered = try await CompatibleClient(fixture)
            try recovered.take(try await recovered.send("POST", "/verify", body))
            #expect(try recovered.claims.array("amr").first?.objectValue?.string("method") == "otp")
            #expect(recovered.user["email_confirmed_at"] != nil)
            #expect(try await recovered.send("PUT", "/user", ["password": "battery staple"]).status == 200)
            #expect(refusal(try await recovered.send("POST", "/verify", body)) == "403 otp_expired")
        }
    }

    @Test func `leave nothing to who signed up with an address that was never theirs`() async throws {
        try await withIdentity { fixture in
            let password = "a stranger's choice"
            let stranger = try await CompatibleClient(fixture)
            try await stranger.signUp("anna@example.org", password)
            let native = try Person(try await fixture.signIn("anna@example.org", password: password).json)
            let bert = try await fixture.signUpConfirmed("bert@example.org")
            @Loop func recover(_ email: String, _ user: UUID) async throws -> CompatibleClient {
                let client = try await CompatibleClient(fixture)
                #expect(try await client.send("POST", "/recover", ["email": .string(email)]).status == 200)
                let code = mailedCode(try await fixture.mail(of: user, "Choose a new password"))
                return try client.take(
                    try await client.send("POST", "/verify", ["type": "recovery", "token": .optional(code)]))
            }
            // Whoever has the mailbox has the account, and nobody else.
            let anna = try await recover("anna@example.org", try stranger.id)
            #expect(try anna.id == stranger.id)
            #expect(refusal(try await stranger.send("GET", "/user")) == "403 session_not_found")
            #expect(refusal(try await stranger.refresh(stranger.refreshToken)) == "400 refresh_token_not_found")
            #expect(try await fixture.send("GET", "/v1/me", token: native.access).status == 401)
            #expect(try await fixture.signIn("anna@example.org", password: password).status == 401)
            #expect(try await anna.send("PUT", "/user", ["password": "battery staple"]).status == 200)
            #expect(try await fixture.signIn("anna@example.org", password: "battery staple").status == 200)
            // With an address that was confirmed all of it was its owner's.
            _ = try await recover("bert@example.org", bert.id)
            #expect(try await fixture.send("GET", "/v1/me", token: bert.access).status == 200)
            #expect(try await fixture.signIn("bert@example.org").status == 200)
        }
    }

    @Test func `confirm an address by the mail of sign-up, which is sent again on demand`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org")
            #expect(client.user["email_confirmed_at"] == nil)
            // Who is let in is confirmed all the same: older clients keep no login session otherwise.
            #expect(client.user["confirmed_at"] == client.user["created_at"])
            let first = try #require(mailedCode(try await fixture.mail(of: try client.id, "Confirm your address")))
            for address in ["anna@example.org", "nobody@example.org"] {
                let answer = try await client.send("POST", "/resend", ["type": "signup", "email": .string(address)])
                #expect(answer.status == 200 && answer.body == Array("{}".utf8))
            }
            #expect(try await fixture.mails(of: try client.id, atLeast: 2).count == 2)
            let verified = try await client.send("POST", "/verify", ["type": "signup", "token_hash": .string(first)])
            #expect(verified.status == 200 && verified.json["email_confirmed_at"] != nil)
            // Nobody is let in by that.
            #expect(verified.json["access_token"] == nil)
        }
    }

    @Test func `wait for the mails of both addresses with another one`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org")
            let id = try client.id
            let code = try #require(mailedCode(try await fixture.mail(of: id, "Confirm your address")))
            _ = try await client.send("POST", "/verify", ["type": "signup", "token": .string(code)])
            let asked = try await client.send("PUT", "/user", ["email": "new@example.org"])
            #expect(asked.status == 200 && asked.json["new_email"] == "new@example.org")
            #expect(try asked.json.string("email") == "anna@example.org")
            let mail = try await fixture.mail(of: id, "Confirm your new address")
            let body: JSONValue = ["type": "email_change", "token": .optional(mailedCode(mail))]
            let half = try await client.send("POST", "/verify", body)
            #expect(half.status == 200 && half.json["code"] == "200" && half.json["msg"] != nil)
            // Whoever is not signed in as them changes nothing.
            #expect(refusal(try await client.send("POST", "/verify", body, bearer: client.key)) == "403 bad_jwt")
        }
    }

    @Test func `are closed to an account with a second factor, which this surface cannot ask for`() async throws {
        try await withIdentity(["REQUIRE_SECOND_FACTOR": "accounts"]) { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org")
            #expect(refusal(try await client.signIn("anna@example.org")) == "403 insufficient_aal")
            #expect(refusal(try await client.refresh(client.refreshToken)) == "403 insufficient_aal")
        }
    }

    @Test func `do not open an account with a second factor by a mail either, and leave its code`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.protect(try await fixture.signUpConfirmed("anna@example.org"))
            let client = try await CompatibleClient(fixture)
            #expect(refusal(try await client.signIn("anna@example.org")) == "403 insufficient_aal")
            #expect(try await client.send("POST", "/recover", ["email": "anna@example.org"]).status == 200)
            let code = mailedCode(try await fixture.mail(of: anna.person.id, "Choose a new password"))
            let body: JSONValue = ["type": "recovery", "token": .optional(code)]
            #expect(refusal(try await client.send("POST", "/verify", body)) == "403 insufficient_aal")
            // Natively it is worth what it was, and opens nothing without the second factor.
            let native: JSONValue = ["resetToken": .optional(code), "newPassword": "battery staple"]
            #expect(try await fixture.post("/v1/auth/password", native).status == 204)
        }
    }

    // MARK: Anonymous users

    @Test func `let in who has none, and become one with all that belongs to it`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            try client.take(try await client.send("POST", "/signup", ["data": ["theme": "dark"]]))
            let id = try client.id
            #expect(client.user["is_anonymous"] == true && client.user["email"] == "")
            #expect(try client.user.object("app_metadata").isEmpty && client.claims["is_anonymous"] == true)
            // Much later: there was never a secret that it could show.
            try await fixture.administer("update logins set auth_time = auth_time - interval '1 day'")
            try client.take(try await client.refresh(client.refreshToken))
            let half = try await client.send("PUT", "/user", ["email": "anna@example.org"])
            #expect(refusal(half) == "400 validation_failed")
            let linked = try await client.send(
                "PUT", "/user", ["email": "anna@example.org", "password": "correct horse"])
            #expect(linked.status == 200 && linked.json["is_anonymous"] == false)
            #expect(try linked.json.uuid("id") == id && linked.json.object("user_metadata")["theme"] == "dark")
            #expect(try await client.send("GET", "/user").status == 200)
            try client.take(try await client.refresh(client.refreshToken))
            #expect(try client.claims["is_anonymous"] == false && client.claims.string("email") == "anna@example.org")
            let again = try await CompatibleClient(fixture)
            try again.take(try await again.signIn("anna@example.org"))
            #expect(try again.id == id)
        }
    }

    // MARK: The service key

    @Test func `are listed, made and erased by the service key alone`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            try await client.signUp("anna@example.org")
            for bearer in [client.access, client.key] {
                #expect(refusal(try await client.send("GET", "/admin/users", bearer: bearer)) == "403 not_admin")
                let path = "/admin/users/\(try client.id)"
                #expect(refusal(try await client.send("DELETE", path, bearer: bearer)) == "403 not_admin")
            }
            let admin = try await CompatibleClient(fixture, .service, .opaque)
            let made = try await admin.send(
                "POST", "/admin/users",
                [
                    "email": "bert@example.org", "password": "correct horse", "email_confirm": true,
                    "user_metadata": ["display_name": "Bert"],
                ])
            #expect(made.status == 200 && made.json["email_confirmed_at"] != nil)
            let taken = try await admin.send(
                "POST", "/admin/users", ["email": "bert@example.org", "password": "correct horse"])
            #expect(refusal(taken) == "422 email_exists")
            let list = try await admin.send("GET", "/admin/users?page=1&per_page=1")
            #expect(try list.json.array("users").count == 1 && list.header("x-total-count") == "2")
            #expect(list.header("link")?.contains("rel=\"next\"") == true)
            let bert = try made.json.uuid("id")
            #expect(try await admin.send("GET", "/admin/users/\(bert.description.uppercased())").status == 200)
            // Nothing that could be taken back is taken for what cannot.
            let soft = try await admin.send("DELETE", "/admin/users/\(bert)", ["should_soft_delete": true])
            #expect(refusal(soft) == "400 validation_failed")
            let hard: JSONValue = ["should_soft_delete": false]
            #expect(try await admin.send("DELETE", "/admin/users/\(bert)", hard).status == 200)
            #expect(refusal(try await admin.send("GET", "/admin/users/\(bert)")) == "404 user_not_found")
            #expect(refusal(try await admin.send("DELETE", "/admin/users/\(bert)")) == "404 user_not_found")
            let events = try await fixture.store.read(User.stream(bert))
            #expect(events.contains { $0.type.name == "UserErased" && $0.metadata.actor == "service-key" })
            #expect(try await client.signIn("bert@example.org").status == 400)
        }
    }
}
