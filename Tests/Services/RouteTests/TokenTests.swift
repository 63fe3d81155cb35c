import CompatibleSurface
import Contracts
import Crypto
import HTTPClient
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import analysis
@testable import identity
@testable import notifications
@testable import quota
@testable import reporting
@testable import sessions

/// Every route of every service, each over a real port, with nothing else running, as if identity were down.
@Suite(.timeLimit(.minutes(10))) @Loop struct `An access token` {
    /// The routes that need none, by method and pattern; whatever else is added is tested for needing one.
    private static let open: Set<String> = [
        "GET /.well-known/jwks.json", "POST /v1/auth/sign-up", "POST /v1/auth/sign-in", "POST /v1/auth/refresh",
        "POST /v1/auth/password-reset", "POST /v1/auth/device", "POST /v1/auth/second-factor",
        "POST /v1/auth/second-factor/enrolment", "POST /v1/auth/keep-email", "POST /v1/auth/google",
        "POST /v1/auth/apple", "GET /v1/auth/providers", "POST /v1/auth/nonce", "POST /api/auth/google",
        // It says what the server can do.
        "OPTIONS /v1/uploads/{id}/resumable",
        // Signed by the shops.
        "POST /v1/webhooks/stripe", "POST /v1/webhooks/apple",
        // Whoever has a link has its token.
        "POST /v1/shared",
        // Their addresses are signed.
        "PUT /v1/uploads/{id}", "HEAD /v1/uploads/{id}/resumable/{upload}", "PATCH /v1/uploads/{id}/resumable/{upload}",
        "DELETE /v1/uploads/{id}/resumable/{upload}", "GET /v1/media/{id}", "GET /v1/erasures/{user}",
        "GET /v1/exports/{id}/archive",
    ]

    /// What somebody may still do whose login session has ended: sign out, once more.
    private static let forSignedOut: Set<String> = ["POST /v1/auth/sign-out"]
    /// What somebody may still do who was erased: that, and the erasure and its receipt.
    private static let forErased = forSignedOut.union(["DELETE /v1/me", "GET /v1/me/erasure"])

    @Test func `that is forged, over or foreign opens no route of identity`() async throws {
        try await check(IdentityService.self, atLeast: 7)
    }

    @Test func `that is forged, over or foreign opens no route of sessions`() async throws {
        try await check(SessionsService.self, atLeast: 7)
    }

    @Test func `that is forged, over or foreign opens no route of quota`() async throws {
        try await check(QuotaService.self, atLeast: 1)
    }

    @Test func `that is forged, over or foreign opens no route of reporting`() async throws {
        try await check(ReportingService.self, atLeast: 2)
    }

    @Test func `that is forged, over or foreign opens no route of notifications`() async throws {
        try await check(NotificationsService.self, atLeast: 7)
    }

    @Test func `is not needed in analysis, which has no routes`() async throws {
        try await check(AnalysisService.self, atLeast: 0)
    }

    @Test func `that is forged, over or foreign makes no account, though none is needed to sign up`() async throws {
        let folder = TemporaryFolder()
        try await withService(IdentityService.self, goodVariables(folder)) { group in
            try await group.learnKey()
            let identity: JSONValue = ["identityToken": "any"]
            let requests: [(path: String, body: JSONValue)] = [
                ("sign-up", ["email": "a@example.org", "password": "correct horse"]), ("google", identity),
                ("apple", identity), ("nonce", [:]),
            ]
            for (name, header) in try badTokens(group, try group.token(for: .v7())) {
                guard let header else { continue }
                let headers = [("Authorization", header), ("Content-Type", "application/json")]
                for (path, body) in requests {
                    let answer = try await group.send("POST", "/v1/auth/\(path)", headers: headers, body: body.bytes)
                    #expect(answer.status == 401 && answer.code != "identity-token-invalid", "\(name) at \(path)")
                }
            }
            for ended in try await endedTokens(group) {
                let headers = [("Authorization", ended.header), ("Content-Type", "application/json")]
                for (path, body) in requests {
                    let answer = try await group.send("POST", "/v1/auth/\(path)", headers: headers, body: body.bytes)
                    #expect(answer.status == 401 && answer.code == ended.code, "\(path)")
                }
            }
            #expect(try await group.count("select count(*) from profiles") == 0)
        }
    }

    @Test func `that names an unknown key costs the database no more, however many of them come`() async throws {
        try await withUnknownKey { group in
            let key = try ES256PrivateKey.generate()
            let token = try strangerToken(keyID: Self.newKey, key: key)
            let tokens = group.first.assembly.context.tokens
            let (start, before) = (monotonicNanoseconds(), tokens.keyReads)
            let requests = (0..<40).map { number in
                Loop.task { try await ask(group, token, from: "192.0.2.\(number)").status }
            }
            // The second reading is one of requests that wait.
            #expect(try await group.eventually { tokens.keyReads >= before + 2 })
            try await learn(key, group)
            for request in requests { #expect(try await request.value == 200) }
            let polls = (monotonicNanoseconds() - start) / UnknownKeys.pollInterval.nanosecondsClamped
            #expect(tokens.keyReads - before <= Int(polls) + 2)
        }
    }

    @Test func `that names an unknown key waits beside few others of its network`() async throws {
        try await withUnknownKey { group in
            let key = try ES256PrivateKey.generate()
            let token = try strangerToken(keyID: Self.newKey, key: key)
            var refused = 0
            let requests = (0..<20).map { _ in
                Loop.task {
                    let status = try await ask(group, token, from: "192.0.2.1").status
                    if status == 503 { refused += 1 }
                    return status
                }
            }
            #expect(try await group.eventually { refused == 12 })
            try await learn(key, group)
            for request in requests { #expect([200, 503].contains(try await request.value)) }
            #expect(refused == 12)
        }
    }

    /// Waiting would take longer than the test may.
    @Test func `that names what can be no key is refused at once`() async throws {
        try await withUnknownKey { group in
            for name in [
                "unknown", Self.newKey.uppercased(), String(repeating: "A", count: 36),
                String(repeating: "é", count: 18),
            ] {
                let answer = try await ask(group, try strangerToken(keyID: name))
                #expect(answer.status == 401 && answer.code == "token-unknown-key", "\(name)")
            }
        }
    }

    /// The name of a key that comes while somebody waits for it.
    private static let newKey = "4f9a21f6-54f3-4c05-9a53-0a3b1f6b7c11"

    private func learn(_ key: ES256PrivateKey, _ group: ServiceUnderTest<QuotaService>) async throws {
        _ = try await group.administrator.query(
            """
            insert into signing_keys (kid, x, y, not_before, expires_at, signed)
            values ($1, $2, $3, now() - interval '1 hour', now() + interval '1 day', true)
            """, [.text(Self.newKey), .text(key.publicKey.jwkX), .text(key.publicKey.jwkY)])
    }

    private func withUnknownKey(_ body: @Loop (ServiceUnderTest<QuotaService>) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        let variables = goodVariables(folder).merging(["SIGNING_KEY_WAIT": "10m"]) { $1 }
        try await withService(QuotaService.self, variables, body)
        withExtendedLifetime(folder) {}
    }

    /// A token that is good but for its key.
    private func strangerToken(keyID: String, key: ES256PrivateKey? = nil) throws -> String {
        let now = Timestamp.now()
        let claims = AccessTokenClaims(
            subject: .v7(), issuer: TokenVerifier.issuer, audience: [TokenVerifier.audience], issuedAt: now,
            expiresAt: now + .seconds(900), id: .v7(), session: .v7(), kind: .user)
        return try AccessToken.issue(claims, key: try key ?? ES256PrivateKey.generate(), keyID: keyID)
    }

    private func ask(
        _ group: ServiceUnderTest<QuotaService>, _ token: String, from address: String = "192.0.2.1"
    ) async throws -> Answer {
        try await group.send(
            "GET", "/v1/quota", headers: [("Authorization", "Bearer \(token)"), ("X-Forwarded-For", address)])
    }

    private func check<S: Service>(_: S.Type, atLeast count: Int) async throws {
        let folder = TemporaryFolder()
        let variables = goodVariables(folder)
        try await withService(S.self, variables) { group in
            try await group.learnKey()
            let closed = group.first.routes.filter {
                !Self.open.contains("\($0.method) \($0.pattern)") && !CompatiblePrefix.isCompatible($0.pattern)
            }
            #expect(closed.count >= count)
            let good = try group.token(for: .v7())
            let bad = try badTokens(group, good)
            let over = try await endedTokens(group)
            var noted: [String] = []
            for (method, pattern) in closed {
                let path = pattern.replacing("{id}", with: "\(UUID.v7())").replacing(
                    "{sessionId}", with: "\(UUID.v7())"
                ).replacing("{provider}", with: "google").replacing("{date}", with: "2026-11-23")
                    .replacing("{measure}", with: "pace")
                #expect(!path.contains("{"), "a variable that this test does not know: \(pattern)")
                // An app's routes take its own tokens alone: access tokens, good ones too, have not even the form of one.
                let isApp = pattern.hasPrefix("/api/")
                for (name, header) in bad {
                    let headers = header.map { [("Authorization", $0)] } ?? []
                    let answer = try await group.send(method, path, headers: headers)
                    #expect(answer.status == 401, "\(name) at \(method) \(pattern)")
                    noted.append(answer.code ?? "")
                    #expect(answer.header("content-type") == (isApp ? "application/json" : "application/problem+json"))
                    #expect(answer.header("www-authenticate") == "Bearer")
                }
                for ended in over where !ended.allowed.contains("\(method) \(pattern)") {
                    let answer = try await group.send(method, path, headers: [("Authorization", ended.header)])
                    let code = isApp ? "token-malformed" : ended.code
                    #expect(answer.status == 401 && answer.code == code, "\(method) \(pattern)")
                    #expect(answer.header("www-authenticate") == "Bearer")
                    noted.append(code)
                }
                let native = try await group.signedIn()
                if isApp {
                    let answer = try await group.send(method, path, headers: [("Authorization", "Bearer \(native)")])
                    #expect(answer.status == 401 && answer.code == "token-malformed", "\(method) \(path)")
                    noted.append("token-malformed")
                    let other = try await group.appToken(for: AppSurface(rawValue: "elsewhere")).text
                    let foreign = try await group.send(method, path, headers: [("Authorization", "Bearer \(other)")])
                    #expect(foreign.status == 401 && foreign.code == "app-token-unknown", "\(method) \(path)")
                    noted.append("app-token-unknown")
                }
                let header = isApp ? "Bearer \(try await group.appToken(for: .practice).text)" : "Bearer \(native)"
                let answer = try await group.send(method, path, headers: [("Authorization", header)])
                let refusals = ["unauthenticated", "login-session-ended", "user-gone", "app-token-unknown"]
                #expect(
                    answer.code?.hasPrefix("token-") != true && !refusals.contains(answer.code ?? ""),
                    "\(method) \(path)")
                // So many lines a minute are written of one network.
                group.context.security.endMinute()
            }
            // The security log has each of them but those that are merely missing or over.
            noted.removeAll { $0 == "unauthenticated" || $0 == "token-expired" }
            let lines = try group.security.read().filter { $0["event"] == "token-refused" }
            #expect(lines.map { $0["code"]?.stringValue } == noted)
        }
    }

    /// Good tokens of a login session that has ended and of somebody who was erased, with the problem of each and the routes
    /// that they still open.
    private func endedTokens<S: Service>(
        _ group: ServiceUnderTest<S>
    ) async throws -> [(header: String, code: String, allowed: Set<String>)] {
        let ended = LoginSessionEnded(
            userId: .v7(), loginSessionId: .v4(), reason: .signedOut, tokensUntil: .now() + .seconds(900))
        let erased = UUID.v7()
        if S.name == .identity {
            _ = try await group.administrator.query(
                "insert into erased_subjects (subject) values ($1)", [.uuid(erased)])
        } else {
            try await group.deliver(ended)
            try await group.deliver(UserErasedV2(userId: erased))
            try await group.context.ended.follow()
        }
        let signedOut = try group.token(for: ended.userId, session: ended.loginSessionId)
        return [
            ("Bearer \(signedOut)", "login-session-ended", Self.forSignedOut),
            ("Bearer \(try group.token(for: erased))", "user-gone", Self.forErased),
        ]
    }

    /// Everything that is not a token of ours, under its name.
    private func badTokens<S: Service>(
        _ group: ServiceUnderTest<S>, _ good: String
    ) throws -> [(name: String, header: String?)] {
        let parts = good.split(separator: ".").map(String.init)
        let header = try JSONObject.parse(try #require(Base64URL.decode(parts[0])))
        let kid = try header.string("kid")
        func text(_ object: JSONObject) -> String { Base64URL.encode(JSONValue.object(object).bytes) }
        func with(_ name: String, _ value: JSONValue) -> String {
            var changed = header
            changed[name] = value
            return text(changed)
        }
        let foreign = try ES256PrivateKey.generate()
        // The mistake of verifiers that take the public key for an HMAC's.
        let point = try #require(Base64URL.decode(foreign.publicKey.jwkX))
        let hs256 = "\(with("alg", "HS256")).\(parts[1])"
        var flipped = try #require(Base64URL.decode(parts[2]))
        flipped[5] ^= 1
        let now = Timestamp.now()
        func claims(_ issued: Timestamp, _ end: Timestamp, issuer: String, audience: String) -> AccessTokenClaims {
            AccessTokenClaims(
                subject: .v7(), issuer: issuer, audience: [audience], issuedAt: issued, expiresAt: end, id: .v7(),
                session: .v7(), kind: .user)
        }
        let (ours, hour) = (TokenVerifier.issuer, Duration.seconds(3_600))
        let past = claims(now - hour, now - .seconds(1), issuer: ours, audience: TokenVerifier.audience)
        let future = claims(now + hour, now + hour + hour, issuer: ours, audience: TokenVerifier.audience)
        let stranger = claims(now, now + hour, issuer: "somebody", audience: TokenVerifier.audience)
        let elsewhere = claims(now, now + hour, issuer: ours, audience: "somewhere")
        let right = claims(now, now + hour, issuer: ours, audience: TokenVerifier.audience)
        let tokens = [
            ("alg none", "\(with("alg", "none")).\(parts[1])."),
            ("alg none with the signature", "\(with("alg", "none")).\(parts[1]).\(parts[2])"),
            ("HS256", "\(hs256).\(Base64URL.encode(HMACSHA256.authenticate(Array(hs256.utf8), key: point)))"),
            ("RS256", "\(with("alg", "RS256")).\(parts[1]).\(parts[2])"),
            ("another type", "\(with("typ", "JWT")).\(parts[1]).\(parts[2])"),
            ("a key in the header", "\(with("jwk", ["kty": "EC"])).\(parts[1]).\(parts[2])"),
            ("no signature", "\(parts[0]).\(parts[1])."), ("two parts", "\(parts[0]).\(parts[1])"),
            ("a changed signature", "\(parts[0]).\(parts[1]).\(Base64URL.encode(flipped))"),
            (
                "another user's content",
                "\(parts[0]).\(try group.token(for: .v7()).split(separator: ".")[1]).\(parts[2])"
            ),
            ("a foreign key", try AccessToken.issue(right, key: foreign, keyID: kid)),
            ("an unknown key", try AccessToken.issue(right, key: foreign, keyID: "unknown")),
            ("over", try group.sign(past)), ("not yet", try group.sign(future)),
            ("another issuer", try group.sign(stranger)), ("another audience", try group.sign(elsewhere)),
            ("nonsense", "nonsense"), ("endless", String(repeating: "A", count: 8_000)),
        ]
        return [("nothing", nil), ("no token", "Bearer "), ("basic", "Basic \(good)"), ("bare", good)]
            + tokens.map { ($0, "Bearer \($1)") }
    }
}
