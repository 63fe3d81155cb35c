import Access
import Configuration
import Crypto
import HTTPServer
import JSON
import LocalIssuer
import Observability
import Photos
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import SigningKeys
import Testing

@testable import Federation
@testable import identity

/// Refusals that no other test comes by, of each provider.
@Suite(.timeLimit(.minutes(10))) @Loop struct `Identity refuses of a provider` {
    private typealias Provider = LocalIssuer.Provider

    @Test(arguments: LocalIssuer.Provider.allCases)
    func `what is of another form`(provider: LocalIssuer.Provider) async throws {
        try await withIssuer(["TERMS_VERSION": "2026-11"]) { fixture, issuer in
            let token = JSONValue.string(try issuer.identityToken(provider, ada))
            let cases: [(JSONObject, Int, String)] = [
                (["code": "c"], 400, "invalid-request"), (["surname": "x"], 422, "member-unknown"),
                (["timeZone": "XYZ-3"], 422, "time-zone-invalid"),
                (["deviceName": "\t"], 422, "device-name-invalid"),
                (["displayName": "a\nb"], 422, "display-name-invalid"),
                (["acceptedTerms": ["version": "2020", "locale": "en"]], 409, "terms-not-current"),
                (["acceptedTerms": ["version": "2026-11", "locale": "!"]], 422, "locale-invalid"),
                (["nonce": "another"], 401, "identity-token-invalid"),
            ]
            for (members, status, code) in cases {
                let body = JSONObject([("identityToken", token)]).adding(membersOf: members)
                let answer = try await fixture.post("/v1/auth/\(provider.rawValue)", .object(body))
                #expect(answer.status == status && answer.code == code, "\(members)")
            }
            let stranger = try await fixture.enter(provider.rawValue, "x", token: "no token")
            #expect(stranger.status == 401)
            let accepted: JSONObject = [
                "acceptedTerms": ["version": "2026-11", "locale": "en"], "identityToken": token,
            ]
            let person = try Person(try await fixture.post("/v1/auth/\(provider.rawValue)", .object(accepted)))
            let terms = try await fixture.request("GET", "/v1/me/terms", token: person.access)
            #expect(terms.json["mustAccept"] == false)
        }
    }

    @Test(arguments: LocalIssuer.Provider.allCases)
    func `what is used up, off or out of reach, for a sign-in, a link and a confirmation`(
        provider: LocalIssuer.Provider
    ) async throws {
        let name = provider.rawValue
        let key = [
            "APPLE_TEAM_ID": "T", "APPLE_KEY_ID": "K", "APPLE_PRIVATE_KEY": try ES256PrivateKey.generate().pem(),
        ]
        try await withIssuer(key) { fixture, issuer in
            let owner = try await fixture.signUp("bert@example.org", confirmed: true)
            let nonce = try await fixture.post("/v1/auth/nonce", [:]).json.string("nonce")
            let token = try issuer.identityToken(provider, ada, nonce: nonce)
            #expect(try await fixture.enter(name, token, nonce: nonce).status == 201)
            #expect(try await fixture.enter(name, token, nonce: nonce).code == "nonce-invalid")
            func link(_ members: JSONObject, to instance: Fixture.Instance? = nil) async throws -> Answer {
                var body = JSONObject([("provider", .string(name))]).adding(membersOf: members)
                if body["nonce"] == nil { body["nonce"] = .string(try await fixture.nonce(owner.access)) }
                return try await fixture.post("/v1/me/identities", .object(body), token: owner.access, to: instance)
            }
            let own = try issuer.identityToken(provider, InventedPerson("bert"), nonce: nonce)
            #expect(try await link(["identityToken": .string(own), "nonce": .string(nonce)]).code == "nonce-invalid")
            #expect(try await link(["identityToken": "x"]).code == "identity-token-invalid")
            #expect(try await link(["surname": "x"]).code == "member-unknown")
            let code: JSONObject = [
                "code": "invented", "codeVerifier": .string(String(repeating: "v", count: 43)),
                "redirectUri": "https://a.example/",
            ]
            #expect(try await link(code).code == "authorization-code-invalid")
            let used = try await fixture.post("/v1/auth/\(name)", .object(code))
            #expect(used.status == 401 && used.code == "authorization-code-invalid")

            let off = try await fixture.start(["\(name.uppercased())_CLIENT_IDS": ""], background: false)
            #expect(try await fixture.enter(name, token, to: off).code == "provider-off")
            #expect(try await link(["identityToken": "x"], to: off).code == "provider-off")
            let confirmation: JSONValue = .object(["\(name)Token": .string(token)])
            let unknown = try await fixture.post("/v1/auth/confirm", confirmation, token: owner.access, to: off)
            #expect(unknown.status == 404 && unknown.code == "provider-off")

            let away = try await fixture.start(
                ["\(name.uppercased())_KEYS_URL": "http://127.0.0.1:1/keys"], background: false)
            #expect(try await fixture.enter(name, token, to: away).code == "provider-unavailable")
            #expect(try await link(["identityToken": .string(own)], to: away).code == "provider-unavailable")
            let unreachable = try await fixture.post("/v1/auth/confirm", confirmation, token: owner.access, to: away)
            #expect(unreachable.status == 503 && unreachable.code == "provider-unavailable")
        }
    }

    @Test(arguments: LocalIssuer.Provider.allCases)
    func `whom an account, an erasure, a second factor or a rule stands against`(
        provider: LocalIssuer.Provider
    ) async throws {
        let name = provider.rawValue
        try await withIssuer { fixture, issuer in
            let owner = try await fixture.signUp("ada@example.org", confirmed: true)
            let token = try issuer.identityToken(provider, ada)
            #expect(try await fixture.enter(name, token).code == "identity-address-taken")
            let bert = try issuer.identityToken(provider, InventedPerson("bert"))
            #expect(try await fixture.enter(name, bert, token: owner.access).code == "user-exists")
            #expect(try await fixture.link(provider, ada, of: issuer, by: owner.access).status == 200)

            try await fixture.administer("update credentials set verified_at = null")
            let list = ["SIGN_IN_ALLOWED_EMAILS": "ada@example.org"]
            let listed = try await fixture.start(list, background: false)
            #expect(try await fixture.enter(name, token, to: listed).code == "email-unverified")
            let kept: JSONValue = ["refreshToken": .string(owner.refresh)]
            #expect(try await fixture.post("/v1/auth/refresh", kept, to: listed).code == "email-unverified")
            let eve = InventedPerson("eve", email: "eve@example.org")
            let refused = try await fixture.enter(name, try issuer.identityToken(provider, eve), to: listed)
            #expect(refused.status == 403 && refused.code == "address-not-allowed")
            let closed = try await fixture.start(["SIGN_UP": "closed"], background: false)
            let shut = try await fixture.enter(name, try issuer.identityToken(provider, eve), to: closed)
            #expect(shut.status == 403 && shut.code == "sign-up-closed")

            let factor = try await fixture.start(["REQUIRE_SECOND_FACTOR": "accounts"], background: false)
            #expect(try await fixture.enter(name, token, to: factor).code == "second-factor-required")
            try await fixture.administer(
                """
                insert into second_factors (user_id, sealed, begun_by, confirmed_at)
                values ('\(owner.id)', '\\x00', gen_random_uuid(), now())
                """)
            let again = try issuer.identityToken(provider, ada)
            #expect(try await fixture.enter(name, again).code == "second-factor-needed")
            // As it is between the erasure's commit and the last look at the rows.
            try await fixture.administer("delete from second_factors")
            try await fixture.administer("insert into erased_subjects (subject) values ('\(owner.id)')")
            let late = try await fixture.enter(name, try issuer.identityToken(provider, ada))
            #expect(late.status == 401 && late.code == "credentials-invalid")
        }
    }

    @Test(arguments: LocalIssuer.Provider.allCases)
    func `who comes too often`(provider: LocalIssuer.Provider) async throws {
        let name = provider.rawValue
        try await withIssuer(["LIMIT_SIGN_IN": "2/1h", "LIMIT_ACCOUNT_CHANGES": "1/1d", "LIMIT_NONCE": "3/1h"]) {
            fixture, issuer in
            let owner = try await fixture.signUp("bert@example.org", confirmed: true)
            #expect(try await fixture.enter(name, "x").status == 401)
            #expect(try await fixture.enter(name, "x").status == 401)
            #expect(try await fixture.enter(name, "x").status == 429)
            let body: JSONValue = ["provider": .string(name), "identityToken": "x"]
            #expect(try await fixture.post("/v1/me/identities", body, token: owner.access).status == 429)
            let path = "/v1/me/identities/\(name)"
            #expect(try await fixture.request("DELETE", path, token: owner.access).status == 404)
            #expect(try await fixture.request("DELETE", path, token: owner.access).status == 429)
            #expect(try await fixture.post("/v1/auth/nonce", [:], token: "x").status == 401)
        }
    }

    @Test func `an identity of an anonymous device, which has none`() async throws {
        try await withIssuer { fixture, _ in
            let device = try await fixture.device()
            let answer = try await fixture.request("DELETE", "/v1/me/identities/google", token: device.access)
            #expect(answer.status == 409 && answer.code == "account-missing")
            let none = try await fixture.request("GET", "/v1/me/identities", token: device.access)
            #expect(none.json["items"] == [])
        }
    }

    @Test func `everybody while there is no key to sign with`() async throws {
        try await withIssuer { fixture, issuer in
            let variables = issuer.variables.merging(
                ["KEY_ENCRYPTION_KEY": String(repeating: "0f1e2d3c4b5a6978", count: 4)]
            ) { $1 }
            let settings = IdentitySettings(Environment(variables))
            // An instance that has not read the keys yet.
            let ring = SigningKeyring(fixture.context.store, settings.signingKeys, actor: "test", Logger(label: "test"))
            let router = Router()
            router.use(Problem.middleware(refusals: IdentityService.problem(of:)))
            let outbox = IdentityService.outbox(fixture.context.store, settings)
            let federation = Federation(fixture.context.store, settings.federation, settings.access.secrets)
            let photos = try await PhotoMaker(settings.photos, Logger(label: "test"))
            IdentityRoutes(fixture.context, settings, ring, outbox, federation, photos).add(to: router)
            let server = HTTPServer(ServerConfiguration(host: "127.0.0.1", port: 0), router: router, metrics: Metrics())
            let url = "http://127.0.0.1:\(try server.start())"
            for provider in LocalIssuer.Provider.allCases {
                let person = InventedPerson(provider.rawValue)
                let body: JSONValue = ["identityToken": .string(try issuer.identityToken(provider, person))]
                let answer = try await fixture.post("\(url)/v1/auth/\(provider.rawValue)", body)
                #expect(answer.status == 503 && answer.code == "signing-key-missing")
            }
            await server.stop(deadline: .zero)
        }
    }
}
