import CompatibleSurface
import Contracts
import Crypto
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import identity
@testable import quota
@testable import reporting
@testable import sessions

/// Every route of the compatible surface, each over a real port.
@Suite(.timeLimit(.minutes(2))) @Loop struct `A bearer of the compatible surface` {
    /// The routes that look at no bearer, by method and pattern; whatever else is added is tested for looking.
    private static let open: Set<String> = [
        "POST /auth/v1/signup", "POST /auth/v1/token", "POST /auth/v1/recover", "POST /auth/v1/resend",
        "POST /auth/v1/verify", "POST /auth/v1/otp", "POST /auth/v1/magiclink", "GET /auth/v1/settings",
        "GET /auth/v1/health",
    ]
    /// Those that want no key either: what is published, and what a token in the address or in a field of its own opens.
    private static let openToAll: Set<String> = [
        "GET /auth/v1/.well-known/jwks.json", "PUT /storage/v1/object/upload/sign/{bucket}/{path...}",
        "GET /storage/v1/object/sign/{bucket}/{path...}", "OPTIONS /storage/v1/upload/resumable",
        "OPTIONS /storage/v1/upload/resumable/sign", "POST /storage/v1/upload/resumable/sign",
        "HEAD /storage/v1/upload/resumable/sign/{upload}", "PATCH /storage/v1/upload/resumable/sign/{upload}",
        "DELETE /storage/v1/upload/resumable/sign/{upload}",
    ]

    @Test func `that is forged, over or foreign opens no route of identity, and is nobody's`() async throws {
        try await check(IdentityService.self, atLeast: 7)
    }

    @Test func `that is forged, over or foreign opens no route of sessions, and is nobody's`() async throws {
        try await check(SessionsService.self, atLeast: 25)
    }

    @Test func `that is forged, over or foreign opens no route of quota, and is nobody's`() async throws {
        try await check(QuotaService.self, atLeast: 10)
    }

    @Test func `that is forged, over or foreign opens no route of reporting, and is nobody's`() async throws {
        try await check(ReportingService.self, atLeast: 2)
    }

    private func check<S: Service>(_: S.Type, atLeast count: Int) async throws {
        let folder = TemporaryFolder()
        try await withService(S.self, goodVariables(folder)) { group in
            try await group.learnKey()
            let key = try await group.apiKey(.anon)
            let bad = try await badBearers(group)
            var checked = 0
            for (method, pattern) in group.first.routes where CompatiblePrefix.isCompatible(pattern) {
                let route = "\(method) \(pattern)"
                if Self.openToAll.contains(route) { continue }
                let path = Self.path(pattern)
                #expect(!path.contains("{"), "a variable that this test does not know: \(pattern)")
                // Neither a key that nobody made, nor none.
                let strange = try await group.send(method, path, headers: [("apikey", "nonsense")])
                #expect(strange.status == 401, "\(route)")
                let bare = try await group.send(method, path)
                #expect(bare.status == 401, "\(route)")
                if Self.open.contains(route) { continue }
                checked += 1
                for (name, bearer) in bad {
                    let answer = try await group.send(
                        method, path, headers: [("apikey", key), ("Authorization", "Bearer \(bearer)")])
                    if pattern.hasPrefix(CompatiblePrefix.auth.rawValue) {
                        #expect(answer.status == 403, "\(name) at \(route)")
                        let codes = ["bad_jwt", "session_not_found"]
                        #expect(method == "HEAD" || codes.contains(answer.code ?? ""), "\(name) at \(route)")
                    } else {
                        #expect(answer.status == 401, "\(name) at \(route)")
                    }
                }
                // Of what is right nothing is said but what the route itself says; identity has no row of this login session.
                if S.name != .identity {
                    let good = try group.compatibleToken(for: .v7())
                    let answer = try await group.send(
                        method, path, headers: [("apikey", key), ("Authorization", "bearer \(good)")])
                    #expect(answer.status != 401, "\(route)")
                }
                group.context.security.endMinute()
            }
            #expect(checked >= count)
        }
    }

    private static func path(_ pattern: String) -> String {
        [
            "{id}": "\(UUID.v7())", "{bucket}": "videos", "{path...}": "\(UUID.v4()).mp4", "{upload}": "\(UUID.v4())",
            "{table}": "nothing", "{function}": "nothing",
        ].reduce(pattern) { $0.replacing($1.key, with: $1.value) }
    }

    /// Everything that is not a token of this surface, under its name.
    private func badBearers<S: Service>(
        _ group: ServiceUnderTest<S>
    ) async throws -> [(name: String, bearer: String)] {
        let good = try group.compatibleToken(for: .v7())
        let parts = good.split(separator: ".").map(String.init)
        let header = try JSONObject.parse(try #require(Base64URL.decode(parts[0])))
        func with(_ name: String, _ value: JSONValue) -> String {
            var changed = header
            changed[name] = value
            return Base64URL.encode(JSONValue.object(changed).bytes)
        }
        var flipped = try #require(Base64URL.decode(parts[2]))
        flipped[5] ^= 1
        let other = try group.compatibleToken(for: .v7()).split(separator: ".")[1]
        var bad = [
            ("alg none", "\(with("alg", "none")).\(parts[1])."),
            ("HS256", "\(with("alg", "HS256")).\(parts[1]).\(parts[2])"),
            ("an unknown key", "\(with("kid", "unknown")).\(parts[1]).\(parts[2])"),
            ("another type", "\(with("typ", "at+jwt")).\(parts[1]).\(parts[2])"),
            ("no signature", "\(parts[0]).\(parts[1])."),
            ("a changed signature", "\(parts[0]).\(parts[1]).\(Base64URL.encode(flipped))"),
            ("another user's content", "\(parts[0]).\(other).\(parts[2])"),
            ("over", try group.compatibleToken(for: .v7(), lifetime: .seconds(-120))),
            ("another issuer", try group.compatibleToken(for: .v7(), issuer: "https://elsewhere.example/auth/v1")),
            ("a token of the native surface", try group.token(for: .v7())), ("nonsense", "nonsense"),
            ("a key that nobody made", "sb_publishable_nonsense"), ("endless", String(repeating: "A", count: 8_000)),
        ]
        if S.name != .identity {
            let ended = LoginSessionEnded(
                userId: .v7(), loginSessionId: .v4(), reason: .signedOut, tokensUntil: .now() + .seconds(3_600))
            try await group.deliver(ended)
            try await group.context.ended.follow()
            bad.append(
                ("signed out", try group.compatibleToken(for: ended.userId, session: ended.loginSessionId)))
        }
        return bad
    }
}
