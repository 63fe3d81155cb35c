import Configuration
import EventStore
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import TestingSupport
import TestingTools

@testable import Access
@testable import identity

/// The keys that make refresh tokens, codes and the like, and others in their place.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A key of tokens and codes` {
    private let names = [
        "refresh-tokens", "mailed-codes", "known-devices", "sign-in-tickets", "sign-in-nonces", "erasure-receipts",
        "blind-hashes",
    ]
    private let email = "anna@example.org"

    private func kept(_ fixture: Fixture, _ keys: String = encryptionKey) -> KeptKeys {
        KeptKeys(fixture.store.pool, AccessSecrets(Environment(["KEY_ENCRYPTION_KEY": keys])))
    }

    private func start(_ fixture: Fixture, _ keys: String = encryptionKey) async throws -> Fixture.Instance {
        try await fixture.start(["KEY_ENCRYPTION_KEY": keys], background: false)
    }

    private func refresh(_ fixture: Fixture, _ token: String, _ instance: Fixture.Instance) async throws -> Answer {
        try await fixture.post("/v1/auth/refresh", ["refreshToken": .string(token)], to: instance)
    }

    @Test func `is changed while what the earlier one made goes on, for as long as that may last`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let bert = try await fixture.signUp("bert@example.org")
            let code = mailedCode(try await fixture.mails(of: bert.id, atLeast: 1)[0])
            let carl = try await fixture.signUp("carl@example.org")
            let erased = try await fixture.send("DELETE", "/v1/me", token: carl.access)
            let address = try erased.json.object("erasure").object("receipt").string("url")
            let receipt = address.replacing("http://127.0.0.1/", with: "/")
            let protected = try await fixture.protect(anna)
            let ticket = try await fixture.ticket(email)
            let opened = try await kept(fixture).open(from: 0)
            let before = opened.refresh.present
            for name in AccessSecrets.Changeable.allCases {
                try await kept(fixture).change(name, lasting: .seconds(3_600))
            }

            // Believed at once, and made use of only when every instance knows it.
            try await kept(fixture).refresh(opened)
            #expect(opened.refresh.present == before)
            let early = try await start(fixture)
            let second = try await refresh(fixture, bert.refresh, early).json.string("refreshToken")
            #expect(try await fixture.refresh(second).status == 200, "by an instance that knows the earlier one alone")
            try await fixture.administer("update kept_keys set signs_from = now() where name like '%.1'")
            try await kept(fixture).refresh(opened)
            #expect(opened.refresh.present != before && opened.refresh.contains { $0 == before })

            let turned = try await start(fixture)
            #expect(
                try await fixture.post("/v1/auth/verify-email", ["token": .optional(code)], to: turned).status == 204)
            let entered = try await fixture.finish(ticket, code: protected.code(), to: turned)
            #expect(entered.status == 200)
            #expect(try await fixture.send("GET", receipt, to: turned).status < 300)
            let made = try entered.json.string("refreshToken")

            // What the earlier ones have made is over.
            try await fixture.administer("update kept_keys set ends_at = now() where ends_at is not null")
            let last = try await start(fixture)
            #expect(try await refresh(fixture, made, last).status == 200)
            #expect(try await fixture.send("GET", receipt, to: last).code == "receipt-address-invalid")
            #expect(try await refresh(fixture, anna.refresh, last).code == "refresh-token-invalid")
        }
    }

    private var body: JSONValue { ["email": .string(email), "password": "correct horse"] }

    @Test func `is believed no longer after a theft, and the one in its place at once`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp(email)
            try await kept(fixture).change(.refresh, lasting: nil)
            let after = try await start(fixture)
            #expect(try await refresh(fixture, anna.refresh, after).code == "refresh-token-invalid")
            let again = try Person(try await fixture.post("/v1/auth/sign-in", body, to: after).json)
            #expect(try await refresh(fixture, again.refresh, after).status == 200)
            // And once more, by the newest.
            try await kept(fixture).change(.refresh, lasting: .zero)
            #expect(try await fixture.count("select count(*) from kept_keys where name = 'refresh-tokens.2'") == 1)
        }
    }

    @Test
    func `is believed no longer once it is over, whatever other row cannot be opened, and nothing of that name is`()
        async throws
    {
        try await withIdentity { fixture in
            let opened = try await kept(fixture).open(from: 0)
            let (refresh, codes) = (opened.refresh.present, opened.codes.present)
            let (devices, blind) = (opened.knownDevices.present, opened.blind.present)
            let tickets = opened.tickets.present
            // Sealed with a key that this instance does not have yet.
            let new = String(repeating: "8796a5b4c3d2e1f0", count: 4)
            try await kept(fixture, new).change(.codes, lasting: nil)
            for purpose in [AccessSecrets.Changeable.blind, .tickets] {
                try await kept(fixture, new).change(purpose, lasting: .seconds(3_600))
            }
            try await fixture.administer("update kept_keys set signs_from = now() where name = 'sign-in-tickets.1'")
            try await kept(fixture).change(.refresh, lasting: nil)
            await #expect(throws: ConfigurationError.self) { try await kept(fixture).refresh(opened) }

            #expect(opened.refresh.present != refresh && !opened.refresh.contains { $0 == refresh })
            #expect(opened.codes.all.isEmpty && opened.codes.present != codes && !opened.codes.present.isEmpty)
            let made = opened.codes.present
            #expect(!opened.codes.contains { $0 == made } && opened.codes.present == made)
            #expect(opened.tickets.all.isEmpty, "though the one before is not over")
            #expect(opened.knownDevices.present == devices)
            #expect(opened.blind.all == [blind], "one that does not count yet takes nothing away")

            try await fixture.administer(
                """
                delete from kept_keys where name in ('mailed-codes.1', 'blind-hashes.1', 'sign-in-tickets.1')
                """)
            try await kept(fixture).refresh(opened)
            #expect(opened.tickets.all == [tickets])
            #expect(opened.codes.all.isEmpty, "the stolen one is over all the same")
            try await kept(fixture).change(.codes, lasting: nil)
            try await kept(fixture).refresh(opened)
            #expect(opened.codes.all.count == 1)
        }
    }

    @Test func `is sealed anew with the others, and opened by the key that seals then`() async throws {
        try await withIdentity { fixture in
            let new = String(repeating: "8796a5b4c3d2e1f0", count: 4)
            try await kept(fixture).change(.refresh, lasting: nil)
            let secrets = AccessSecrets(Environment(["KEY_ENCRYPTION_KEY": "\(new)\n\(encryptionKey)"]))
            let outcome = try await Resealing(fixture.store, secrets, fixture.security.logger).step()
            #expect(outcome.resealed["kept_keys"] == 10 && outcome.unopened.isEmpty)
            let alone = try await start(fixture, new)
            #expect(try await fixture.post("/v1/auth/sign-up", body, to: alone).status == 201)
        }
    }

    @Test(arguments: [
        ["devices"], ["linked-identities"], ["weather"], ["refresh-tokens.1"], [], ["refresh-tokens", "now"],
    ])
    func `by which rows are found, or that is none, is not changed`(words: [String]) async throws {
        try await withIdentity { fixture async throws in
            let error = await #expect(throws: UsageError.self) {
                try await IdentityService.changeSecret(fixture.context, words)
            }
            for name in names { #expect(error?.description.contains(name) == true) }
            #expect(try await fixture.count("select count(*) from kept_keys") == 9)
        }
    }

    @Test func `is changed by a command, of which the security log tells`() async throws {
        try await withIdentity { fixture in
            for name in names { _ = try await IdentityService.changeSecret(fixture.context, [name]) }
            let answer = try await IdentityService.changeSecret(fixture.context, ["mailed-codes", "--revoke"])
            #expect(answer.contains("mailed-codes"))
            #expect(try await fixture.count("select count(*) from kept_keys") == 9 + 8)
            let lines = try fixture.security.read().filter { $0["event"] == "operator-action" }
            #expect(lines.count == 8 && lines.allSatisfy { $0["command"] == "change-secret" })
            let last = try #require(lines.last)
            #expect(last["secret"] == "mailed-codes" && last["revoked"] == true && last["subject"] == .null)
            #expect(lines.dropLast().allSatisfy { $0["revoked"] == false })
        }
    }

    @Test(arguments: ["docs/operations.md", "Services/mirrormate/Operator/OperatorTable.swift"])
    func `is named where operators look for its name`(path: String) throws {
        #expect(AccessSecrets.Changeable.allCases.map(\.rawValue).sorted() == names.sorted())
        let text = try Checkout.text(of: path)
        for name in names { #expect(text.contains(name), "\(name)") }
    }
}
