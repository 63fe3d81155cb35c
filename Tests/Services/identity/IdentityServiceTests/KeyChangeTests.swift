import Configuration
import Crypto
import JSON
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import Access
@testable import identity

/// The key that seals changes, in the order of the runbook: instances that know both, then with the new one first, then with
/// the new one alone.
@Suite(.timeLimit(.minutes(10))) @Loop struct `The key that seals` {
    private let email = "anna@example.org"
    private let new = String(repeating: "8796a5b4c3d2e1f0", count: 4)

    /// How many rows a key opens, and how many there are.
    private func opened(_ fixture: Fixture, by key: String) async throws -> (opened: Int, all: Int) {
        let secrets = AccessSecrets(Environment(["KEY_ENCRYPTION_KEY": key]))
        var (opened, all) = (0, 0)
        for (table, column, keys) in [
            ("signing_private_keys", "kid", secrets.sealing), ("second_factors", "user_id", secrets.secondFactors),
            ("kept_keys", "name", secrets.kept),
        ] {
            for row in try await fixture.administrator.query("select \(column)::text, sealed from \(table)").rows {
                all += 1
                let bound = UUID(row.text(0))?.bytes ?? Array(row.text(0).utf8)
                if (try? keys.open(row.bytes(1), associatedData: bound)) != nil { opened += 1 }
            }
        }
        return (opened, all)
    }

    @Test func `changes while instances serve, and nobody is signed out`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email))
            let deviceId: JSONValue = "0123456789abcdef0123"
            let begun = try await fixture.post("/v1/auth/device", ["deviceId": deviceId])
            let device = try Person(begun.json)
            let secret = try begun.json.required("deviceSecret")
            let bert = try await fixture.signUp("bert@example.org")
            let code = mailedCode(try await fixture.mails(of: bert.id, atLeast: 1)[0])
            let carl = try await fixture.signUp("carl@example.org")
            let receipt = try await fixture.send("DELETE", "/v1/me", token: carl.access)
            let address = try receipt.json.object("erasure").object("receipt").string("url")
            let before = try await opened(fixture, by: encryptionKey)
            #expect(before.opened == before.all && before.all == 11)

            // Both are known, the old one seals.
            let both = try await fixture.start(
                ["KEY_ENCRYPTION_KEY": "\(encryptionKey)\n\(new)\n"], background: false)
            #expect(try await opened(fixture, by: new).opened == 0)
            // The new one seals; the other instance goes on.
            let turned = try await fixture.start(["KEY_ENCRYPTION_KEY": "\(new), \(encryptionKey)"], background: true)
            #expect(
                try await fixture.eventually {
                    let now = try await opened(fixture, by: new)
                    return now.opened == now.all
                })
            #expect(try await opened(fixture, by: encryptionKey).opened == 0)
            let first = try await fixture.post(
                "/v1/auth/refresh", ["refreshToken": .string(anna.person.refresh)], to: both)
            #expect(first.status == 200)
            let second = try await fixture.post(
                "/v1/auth/refresh", ["refreshToken": try first.json.required("refreshToken")], to: turned)
            #expect(second.status == 200)
            // What the instance of the first order seals meanwhile is sealed anew.
            let dora = try await fixture.signUpConfirmed("dora@example.org")
            let late = try await fixture.post("/v1/me/second-factor", [:], token: dora.access, to: both)
            #expect(late.status == 201)
            #expect(try await opened(fixture, by: encryptionKey).opened == 1)
            #expect(try await reseal("\(new)\n\(encryptionKey)", fixture).resealed == ["second_factors": 1])

            // The new one alone.
            let alone = try await fixture.start(["KEY_ENCRYPTION_KEY": new], background: true)
            #expect(try await reseal(new, fixture) == Resealing.Outcome())
            let third = try await fixture.post(
                "/v1/auth/refresh", ["refreshToken": try second.json.required("refreshToken")], to: alone)
            #expect(third.status == 200)
            let profile = try await fixture.send(
                "GET", "/v1/me", headers: [("Authorization", "Bearer \(anna.person.access)")], to: alone)
            #expect(profile.status == 200)
            let ticket = try await fixture.post(
                "/v1/auth/sign-in", ["email": .string(email), "password": "correct horse"], to: alone)
            #expect(ticket.code == "second-factor-needed")
            let entered = try await fixture.finish(
                try ticket.json.string("ticket"), code: anna.code(), to: alone)
            #expect(entered.status == 200)
            let back = try await fixture.post(
                "/v1/auth/device", ["deviceId": deviceId, "deviceSecret": secret], to: alone)
            #expect(try back.status == 200 && Person(back.json).id == device.id)
            let verified = try await fixture.post("/v1/auth/verify-email", ["token": .optional(code)], to: alone)
            #expect(verified.status == 204)
            let path = address.replacing("http://127.0.0.1/", with: "/")
            #expect(try await fixture.send("GET", path, to: alone).status < 300)
            let totp = TOTP(secret: try #require(Base32.decode(try late.json.string("secret"))))
            let confirmed = try await fixture.post(
                "/v1/me/second-factor/confirm", ["code": .string(totp.code(of: TOTP.step(at: .now())))],
                token: dora.access, to: alone)
            #expect(confirmed.status == 200)
        }
    }

    @Test func `cannot be left out before everything is sealed with another, and the start says so`() async throws {
        try await withIdentity { fixture in
            await #expect(throws: ConfigurationError.self) {
                try await fixture.start(["KEY_ENCRYPTION_KEY": new], background: false)
            }
            _ = try await fixture.protect(try await fixture.signUpConfirmed(email))
            let outcome = try await reseal(new, fixture)
            #expect(outcome.resealed.isEmpty)
            #expect(outcome.unopened == ["signing_private_keys": 1, "second_factors": 1, "kept_keys": 9])
            #expect(try await opened(fixture, by: encryptionKey).opened == 11)
        }
    }

    @Test func `leaves nothing behind when it is a wrong one at the first start with kept keys`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp(email)
            // As an older program has left it.
            try await fixture.administer("delete from kept_keys")
            await #expect(throws: ConfigurationError.self) {
                try await fixture.start(["KEY_ENCRYPTION_KEY": new], background: false)
            }
            #expect(try await fixture.count("select count(*) from kept_keys") == 0)
            // What was made with keys that followed from the old one stays good, also when the change is the first start.
            let changed = try await fixture.start(
                ["KEY_ENCRYPTION_KEY": "\(new)\n\(encryptionKey)"], background: false)
            let answer = try await fixture.post(
                "/v1/auth/refresh", ["refreshToken": .string(anna.refresh)], to: changed)
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: [false, true])
    func `gives what is kept the values of the one that sealed before, in whatever order the keys are given`(
        isNewFirst: Bool
    ) async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp(email)
            let begun = try await fixture.post("/v1/auth/device", ["deviceId": "0123456789abcdef0123"])
            let secret = try begun.json.required("deviceSecret")
            // As an older program has left it, long ago: its signing keys are over, and go at the start.
            try await fixture.administer(
                "delete from kept_keys; update signing_private_keys set not_before = now() - interval '90 days', "
                    + "expires_at = now() - interval '60 days'")
            let keys = isNewFirst ? [new, encryptionKey] : [encryptionKey, new]
            let changed = try await fixture.start(
                ["KEY_ENCRYPTION_KEY": keys.joined(separator: "\n")], background: false)
            let answer = try await fixture.post(
                "/v1/auth/refresh", ["refreshToken": .string(anna.refresh)], to: changed)
            #expect(answer.status == 200)
            let device = try await fixture.post(
                "/v1/auth/device", ["deviceId": "0123456789abcdef0123", "deviceSecret": secret], to: changed)
            #expect(device.status == 200)
        }
    }

    @Test func `changes while somebody confirms a second factor, and their code is right`() async throws {
        try await withIdentity(["KEY_ENCRYPTION_KEY": "\(encryptionKey)\n\(new)"]) { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let begun = try await fixture.post("/v1/me/second-factor", [:], token: anna.access)
            let totp = TOTP(secret: try #require(Base32.decode(try begun.json.string("secret"))))
            try await fixture.quiet()
            var answer: Answer?
            try await fixture.holding("select from head for update") { release in
                let confirming = Loop.task {
                    try await fixture.post(
                        "/v1/me/second-factor/confirm", ["code": .string(totp.code(of: TOTP.step(at: .now())))],
                        token: anna.access)
                }
                // It has read the secret, and waits to be committed.
                try await fixture.waiting(1)
                #expect(try await reseal("\(new)\n\(encryptionKey)", fixture).resealed["second_factors"] == 1)
                try await release()
                answer = try await confirming.value
            }
            #expect(answer?.status == 200 && answer?.json["recoveryCodes"] != nil)
        }
    }

    @Test(arguments: ["", ","], ["0f", "nothing"])
    func `is refused when one of several is none`(separator: String, wrong: String) {
        let environment = Environment(["KEY_ENCRYPTION_KEY": "\(encryptionKey)\(separator)\(wrong)"])
        _ = AccessSecrets(environment)
        #expect(throws: ConfigurationError.self) { try environment.finish() }
    }

    @Test func `is refused when it is named twice`() {
        let environment = Environment(["KEY_ENCRYPTION_KEY": "\(encryptionKey)\n\(encryptionKey)"])
        _ = AccessSecrets(environment)
        #expect(throws: ConfigurationError.self) { try environment.finish() }
    }

    private func reseal(_ keys: String, _ fixture: Fixture) async throws -> Resealing.Outcome {
        let secrets = AccessSecrets(Environment(["KEY_ENCRYPTION_KEY": keys]))
        return try await Resealing(fixture.store, secrets, fixture.security.logger).step()
    }
}
