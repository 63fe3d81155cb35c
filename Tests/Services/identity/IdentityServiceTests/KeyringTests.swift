import Configuration
import Crypto
import JSON
import Observability
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import SigningKeys
import Testing

@testable import identity

@Suite(.timeLimit(.minutes(10))) @Loop struct `The signing keys` {
    private func keyring(_ fixture: Fixture, key: String = encryptionKey) -> SigningKeyring {
        let settings = IdentitySettings(Environment(["KEY_ENCRYPTION_KEY": key])).signingKeys
        return SigningKeyring(fixture.context.store, settings, actor: "identity", Logger(label: "test"))
    }

    /// The `kid` that a keyring signs with.
    private func signer(_ keyring: SigningKeyring, at now: Timestamp) throws -> String {
        let claims = AccessTokenClaims(
            subject: .v7(), issuer: TokenVerifier.issuer, audience: [TokenVerifier.audience], issuedAt: now,
            expiresAt: now + .seconds(900), id: .v7(), session: .v7(), kind: .user)
        let token = try keyring.sign(claims, at: now)
        let header = try #require(Base64URL.decode(token.prefix { $0 != "." }))
        return try JSONObject.parse(header).string("kid")
    }

    @Test func `are one when several instances start together`() async throws {
        try await withIdentity { fixture in
            let start = Timestamp.now() + .seconds(29 * 86_400 + 3_600)
            let rings = (1...4).map { _ in keyring(fixture) }
            _ = try await together(rings.count) { index in try await rings[index].step(at: start) }
            #expect(try await fixture.count("select count(*) from signing_private_keys") == 2)
            #expect(try await fixture.count("select count(*) from events where type = 'SigningKeyPublished'") == 2)
        }
    }

    @Test func `change before they end: published first, used then, retired last`() async throws {
        try await withIdentity { fixture in
            let ring = keyring(fixture)
            let now = Timestamp.now()
            try await ring.step(at: now)
            let first = try signer(ring, at: now)
            let late = now + .seconds(29 * 86_400 + 3_600)
            try await ring.step(at: late)
            #expect(try await fixture.count("select count(*) from signing_keys") == 2)
            #expect(try signer(ring, at: late) == first)
            #expect(try signer(ring, at: late + .seconds(299)) == first)
            let second = try signer(ring, at: late + .seconds(301))
            #expect(second != first)

            // The last token of the first key may still be valid, an hour on the compatible surface, so the key stays.
            try await ring.step(at: late + .seconds(300 + 3_600))
            #expect(try await fixture.count("select count(*) from events where type = 'SigningKeyRetired'") == 0)
            try await ring.step(at: late + .seconds(300 + 3_600 + 120))
            #expect(try await fixture.count("select count(*) from events where type = 'SigningKeyRetired'") == 1)
            #expect(try await fixture.count("select count(*) from signing_private_keys") == 1)
            #expect(
                try await fixture.count(
                    "select count(*) from signing_keys where kid = '\(first)' and retired_at is not null") == 1)
            try await ring.step(at: late + .seconds(86_400))
            #expect(try signer(ring, at: late + .seconds(86_400)) == second)
        }
    }

    @Test func `are made anew after a long sleep in which all of them ended`() async throws {
        try await withIdentity { fixture in
            let ring = keyring(fixture)
            let much = Timestamp.now() + .seconds(400 * 86_400)
            try await ring.step(at: .now())
            #expect(throws: (any Error).self) { try signer(ring, at: much) }
            try await ring.step(at: much)
            _ = try signer(ring, at: much)
            #expect(try await fixture.count("select count(*) from signing_private_keys") == 1)
        }
    }

    @Test func `change on demand: both are known until the last token of the old one has expired`() async throws {
        try await withIdentity { fixture in
            let ring = keyring(fixture)
            let now = Timestamp.now()
            try await ring.step(at: now)
            let first = try signer(ring, at: now)
            // As the command does it, in a process of its own.
            try await keyring(fixture).rotate(at: now, revoking: false)
            try await ring.step(at: now)
            #expect(try signer(ring, at: now + .seconds(299)) == first)
            let second = try signer(ring, at: now + .seconds(300))
            #expect(second != first)
            #expect(try await keys(fixture) == [first, second])
            try await ring.step(at: now + .seconds(300 + 3_600))
            #expect(try await keys(fixture) == [first, second])
            try await ring.step(at: now + .seconds(300 + 3_600 + 120))
            #expect(try await fixture.count("select count(*) from signing_private_keys") == 1)
            #expect(try await fixture.count("select count(*) from events where type = 'SigningKeyRetired'") == 1)
        }
    }

    @Test func `are revoked on demand: what they signed is refused at once, and refreshing goes on`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let old = try await keys(fixture)
            let ring = keyring(fixture)
            try await ring.rotate(at: .now(), revoking: true)
            let new = try await keys(fixture)
            #expect(new.count == 1 && !old.contains(new[0]))
            // The fixture's verifier reads the keys anew within five seconds.
            while try await fixture.send("GET", "/v1/me", token: anna.access).status == 200 {
                try await Loop.sleep(for: .milliseconds(50))
            }
            #expect(code(try await fixture.send("GET", "/v1/me", token: anna.access)) == "token-unknown-key")
            #expect(try signer(ring, at: .now()) == new[0])
        }
    }

    /// The ids of the keys that clients are told, oldest first.
    private func keys(_ fixture: Fixture) async throws -> [String] {
        let set = try await fixture.send("GET", "/.well-known/jwks.json").json
        return set["keys"]?.arrayValue?.compactMap { $0["kid"]?.stringValue } ?? []
    }

    @Test func `cannot be opened with another encryption key, and the start says so`() async throws {
        try await withIdentity { fixture in
            let ring = keyring(fixture, key: String(repeating: "8796a5b4c3d2e1f0", count: 4))
            await #expect(throws: ConfigurationError.self) { try await ring.step(at: .now()) }
        }
    }

    @Test(arguments: [
        ("KEY_ENCRYPTION_KEY", "not hexadecimal at all, though long enough to look like it, yes"),
        ("KEY_ENCRYPTION_KEY", "0f1e2d3c4b5a69780f1e2d3c4b5a6978"), ("LIMIT_SIGN_IN", "many"),
        ("SIGNING_KEY_OVERLAP", "1m"), ("SIGNING_KEY_LIFETIME", "1h"), ("PASSWORD_QUEUE", "0"),
    ])
    func `and all other settings are checked at the start`(name: String, value: String) {
        let good = ["KEY_ENCRYPTION_KEY": encryptionKey, "OBJECT_STORE": "file:///nowhere"]
        let environment = Environment(good.merging([name: value]) { $1 })
        _ = IdentitySettings(environment)
        let error = #expect(throws: ConfigurationError.self) { try environment.finish() }
        #expect(error?.problems.count == 1 && error?.problems.first?.hasPrefix(name) == true)
    }
}
