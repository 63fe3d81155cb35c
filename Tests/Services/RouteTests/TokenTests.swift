import Crypto
import HTTPClient
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import analysis
@testable import identity
@testable import quota
@testable import reporting
@testable import sessions

/// Every route of every service, each over a real port, with nothing else running, as if identity were down.
@Suite(.timeLimit(.minutes(2))) @Loop struct `An access token` {
    /// The routes that need none, by method and pattern; whatever else is added is tested for needing one.
    private static let open: Set<String> = [
        "GET /.well-known/jwks.json", "POST /v1/auth/sign-up", "POST /v1/auth/sign-in", "POST /v1/auth/refresh",
        "POST /v1/auth/password-reset", "POST /v1/auth/device",
        // Its address is signed.
        "PUT /v1/uploads/{id}",
    ]

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

    @Test func `is not needed in analysis, which has no routes`() async throws {
        try await check(AnalysisService.self, atLeast: 0)
    }

    @Test func `that is forged, over or foreign makes no account, though none is needed to sign up`() async throws {
        let folder = TemporaryFolder()
        try await withService(IdentityService.self, goodVariables(folder)) { group in
            try await group.learnKey()
            let body: JSONValue = ["email": "a@example.org", "password": "correct horse"]
            for (name, header) in try badTokens(group, try group.token(for: .v7())) {
                guard let header else { continue }
                let headers = [("Authorization", header), ("Content-Type", "application/json")]
                let answer = try await group.send("POST", "/v1/auth/sign-up", headers: headers, body: body.bytes)
                #expect(answer.status == 401, "\(name)")
            }
            #expect(try await group.count("select count(*) from profiles") == 0)
        }
    }

    @Test func `that names an unknown key costs the database no more, however many of them come`() async throws {
        let folder = TemporaryFolder()
        try await withService(
            QuotaService.self, goodVariables(folder).merging(["SIGNING_KEY_WAIT": "1s"]) { $1 }
        ) { group in
            try await group.learnKey()
            let tokens = group.first.assembly.context.tokens
            let now = Timestamp.now()
            let claims = AccessTokenClaims(
                subject: .v7(), issuer: TokenVerifier.issuer, audience: [TokenVerifier.audience], issuedAt: now,
                expiresAt: now + .seconds(60), id: .v7(), session: .v7(), kind: .user)
            let token = try AccessToken.issue(claims, key: try ES256PrivateKey.generate(), keyID: "unknown")
            let headers = [("Authorization", "Bearer \(token)")]
            let (start, before) = (monotonicNanoseconds(), tokens.keyReads)
            let requests = (0..<100).map { _ in
                Loop.task { try await group.send("GET", "/v1/quota", headers: headers).status }
            }
            for request in requests { #expect(try await request.value == 401) }
            let polls = (monotonicNanoseconds() - start) / TokenVerifier.pollInterval.nanosecondsClamped
            #expect(tokens.keyReads - before <= Int(polls) + 2)
        }
    }

    private func check<S: Service>(_: S.Type, atLeast count: Int) async throws {
        let folder = TemporaryFolder()
        let variables = goodVariables(folder)
        try await withService(S.self, variables) { group in
            try await group.learnKey()
            let closed = group.first.routes.filter { !Self.open.contains("\($0.method) \($0.pattern)") }
            #expect(closed.count >= count)
            let good = try group.token(for: .v7())
            let bad = try badTokens(group, good)
            for (method, pattern) in closed {
                let path = pattern.replacing("{id}", with: "\(UUID.v7())").replacing(
                    "{sessionId}", with: "\(UUID.v7())")
                #expect(!path.contains("{"), "a variable that this test does not know: \(pattern)")
                for (name, header) in bad {
                    let headers = header.map { [("Authorization", $0)] } ?? []
                    let answer = try await group.send(method, path, headers: headers)
                    #expect(answer.status == 401, "\(name) at \(method) \(pattern)")
                    #expect(answer.header("content-type") == "application/problem+json")
                    #expect(answer.header("www-authenticate") == "Bearer")
                }
                let answer = try await group.send(method, path, headers: [("Authorization", "Bearer \(good)")])
                #expect(
                    answer.code?.hasPrefix("token-") != true && answer.code != "unauthenticated", "\(method) \(path)")
            }
        }
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
