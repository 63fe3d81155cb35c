import Crypto
import JSON
import LocalIssuer
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `Linking an identity` {
    @Test func `lets its owner in from then on, and they hear of it`() async throws {
        try await withIssuer { fixture, issuer in
            let owner = try await fixture.signUp("ada@example.org")
            let code = try await fixture.mailedCode(of: owner.id, "Confirm your address")
            #expect(try await fixture.post("/v1/auth/verify-email", ["token": .string(code)]).status == 204)
            let token = try issuer.identityToken(.google, ada)
            #expect(try await fixture.enter("google", token).code == "identity-address-taken")
            let linked = try await fixture.link(.google, ada, of: issuer, by: owner.access)
            #expect(linked.status == 200)
            let items = try linked.json.array("items")
            #expect(items.count == 1 && items[0]["provider"] == "google" && items[0]["linkedAt"]?.stringValue != nil)
            #expect(try await fixture.link(.google, ada, of: issuer, by: owner.access).status == 200)
            let entered = try await fixture.enter("google", token)
            #expect(try entered.status == 200 && Person(entered).id == owner.id)
            #expect(try await fixture.signIn("ada@example.org").status == 200)
            _ = try await fixture.mail(of: owner.id, "There is a new way to sign in to your account")
            // A relay address of Apple's, which is no address of the account.
            let relay = InventedPerson("ada-at-apple", email: "x1@privaterelay.appleid.com")
            let both = try await fixture.link(.apple, relay, of: issuer, by: owner.access)
            #expect(try both.json.array("items").compactMap { $0["provider"]?.stringValue } == ["apple", "google"])
            #expect(
                try await fixture.request("GET", "/v1/me/identities", token: owner.access).json["items"]
                    == both.json["items"])
            let lines = try fixture.security.read().filter { $0["event"] == "identity-linked" }
            #expect(lines.count == 3 && lines.allSatisfy { $0["subject"]?.stringValue != nil })
        }
    }

    @Test func `waits until the address is confirmed, else a stranger's account keeps a way in`() async throws {
        try await withIssuer { fixture, issuer in
            let eve = try await fixture.signUp("ada@example.org")
            let refused = try await fixture.link(.google, InventedPerson("eve"), of: issuer, by: eve.access)
            #expect(refused.status == 409 && refused.code == "email-unverified")
            #expect(try await fixture.count("select count(*) from linked_identities") == 0)
        }
    }

    @Test func `needs a fresh sign-in, an account, an identity of nobody's and one of each provider`() async throws {
        try await withIssuer { fixture, issuer in
            let owner = try await fixture.signUp("bert@example.org", confirmed: true)
            _ = try await fixture.link(.google, InventedPerson("bert"), of: issuer, by: owner.access)
            let theirs = try issuer.identityToken(.google, ada)
            #expect(try await fixture.enter("google", theirs).status == 201)
            let taken = try await fixture.link(.google, ada, of: issuer, by: owner.access)
            #expect(taken.code == "identity-linked")
            let second = try await fixture.link(.google, InventedPerson("bert-2"), of: issuer, by: owner.access)
            #expect(second.status == 409 && second.code == "provider-linked")
            let device = try await fixture.device()
            let anonymous = try await fixture.link(.google, InventedPerson("x"), of: issuer, by: device.access)
            #expect(anonymous.status == 409 && anonymous.code == "account-missing")
            let nonce = try await fixture.nonce(owner.access)
            let mine = try issuer.identityToken(.google, InventedPerson("bert"), nonce: nonce)
            let nowhere = try await fixture.link("myspace", mine, nonce: nonce, by: owner.access)
            #expect(nowhere.code == "invalid-request")
            let elsewhere = try await fixture.link("apple", mine, nonce: nonce, by: owner.access)
            #expect(elsewhere.code == "identity-token-invalid")
            let stale = try await fixture.age(owner)
            let old = try await fixture.link(.apple, ada, of: issuer, by: stale)
            #expect(
                old.status == 401 && old.code == "confirmation-needed"
                    && old.json["methods"] == ["pwd", "mail", "google"])
            #expect(
                try await fixture.request("DELETE", "/v1/me/identities/google", token: stale).code
                    == "confirmation-needed")
        }
    }

    @Test func `of one identity to two accounts at once succeeds for one of them`() async throws {
        try await withIssuer(instances: 2) { fixture, issuer in
            let owners = [
                try await fixture.signUp("a@example.org", confirmed: true),
                try await fixture.signUp("b@example.org", confirmed: true),
            ]
            let answers = try await together(2) { index in
                try await fixture.link(
                    .google, ada, of: issuer, by: owners[index].access, to: fixture.instances[index])
            }
            #expect(answers.map(\.status).sorted() == [200, 409])
            #expect(try await fixture.count("select count(*) from linked_identities") == 1)
            #expect(try await fixture.count("select count(*) from events where type = 'CredentialsAttached'") == 3)
        }
    }

    @Test func `can be undone, but for the last way of signing in`() async throws {
        try await withIssuer { fixture, issuer in
            let token = try issuer.identityToken(.google, ada)
            let person = try Person(try await fixture.enter("google", token))
            let path = "/v1/me/identities/google"
            let last = try await fixture.request("DELETE", path, token: person.access)
            #expect(last.status == 409 && last.code == "last-sign-in-method")
            #expect(try await fixture.request("DELETE", "/v1/me/identities/apple", token: person.access).status == 404)
            #expect(try await fixture.request("DELETE", "/v1/me/identities/x", token: person.access).status == 404)
            // With a password by mail there is another one.
            _ = try await fixture.post("/v1/auth/password-reset", ["email": "ada@example.org"])
            let code = try await fixture.mailedCode(of: person.id, "Choose a new password")
            let reset = try await fixture.post(
                "/v1/auth/password", ["resetToken": .string(code), "newPassword": "correct horse"])
            #expect(reset.status == 204)
            let signedIn = try Person(try await fixture.signIn("ada@example.org"))
            #expect(signedIn.id == person.id)
            #expect(try await fixture.request("DELETE", path, token: signedIn.access).status == 204)
            _ = try await fixture.mail(of: person.id, "A way to sign in to your account was removed")
            #expect(try fixture.security.read().filter { $0["event"] == "identity-unlinked" }.count == 1)
            // The identity is nobody's now, and its address has an account.
            let again = try issuer.identityToken(.google, ada)
            #expect(try await fixture.enter("google", again).code == "identity-address-taken")
            #expect(
                try await fixture.events(of: person.id) == [
                    "UserRegistered", "CredentialsAttached", "EmailVerified", "CredentialsAttached", "PasswordReset",
                    "CredentialsDetached",
                ])
            let bert = try await fixture.signUp("bert@example.org", confirmed: true)
            #expect(try await fixture.link(.google, ada, of: issuer, by: bert.access).status == 200)
        }
    }

    @Test func `takes only what was asked for by the same login session, so nobody slips in an identity of theirs`()
        async throws
    {
        try await withIssuer { fixture, issuer in
            let owner = try await fixture.signUp("bert@example.org", confirmed: true)
            let eve = try await fixture.signUp("eve@example.org", confirmed: true)
            let other = try Person(try await fixture.signIn("bert@example.org"))
            @Loop func link(_ nonce: String?) async throws -> Answer {
                let token = try issuer.identityToken(.google, ada, nonce: nonce)
                var body: JSONObject = ["provider": "google", "identityToken": .string(token)]
                if let nonce { body["nonce"] = .string(nonce) }
                return try await fixture.post("/v1/me/identities", .object(body), token: owner.access)
            }
            let nonces: [String?] = [
                nil, "a client's own", try await fixture.nonce(), try await fixture.nonce(eve.access),
                try await fixture.nonce(other.access),
            ]
            for nonce in nonces {
                let answer = try await link(nonce)
                #expect(answer.status == 401 && answer.code == "nonce-invalid", "\(nonce ?? "none")")
            }
            #expect(try await fixture.count("select count(*) from linked_identities") == 0)
            #expect(try await link(try await fixture.nonce(owner.access)).status == 200)
            // And a sign-in takes no nonce that was given for something else.
            let bound = try await fixture.nonce(owner.access)
            let token = try issuer.identityToken(.google, ada, nonce: bound)
            #expect(try await fixture.enter("google", token, nonce: bound).code == "nonce-invalid")
        }
    }

    @Test func `is undone when the address that an account had keeps it`() async throws {
        try await withIssuer { fixture, issuer in
            let owner = try await fixture.signUp("ada@example.org", confirmed: true)
            // Somebody who knows her password takes the account over.
            let eve = try Person(try await fixture.signIn("ada@example.org"))
            let hers = InventedPerson("eve")
            #expect(try await fixture.link(.google, hers, of: issuer, by: eve.access).status == 200)
            let asked = try await fixture.post("/v1/me/email", ["email": "eve@example.org"], token: eve.access)
            #expect(asked.status == 202)
            let keep = try await fixture.mailedCode(of: owner.id, "Another address for your account")
            #expect(try await fixture.post("/v1/auth/keep-email", ["token": .string(keep)]).status == 204)
            #expect(try await fixture.count("select count(*) from linked_identities") == 0)
            // Without an address of this account it would be somebody new.
            let again = try await fixture.enter("google", try issuer.identityToken(.google, hers))
            #expect(try again.status == 201 && Person(again).id != owner.id)
            let code = try await fixture.mailedCode(of: owner.id, "Choose a new password")
            let reset = try await fixture.post(
                "/v1/auth/password", ["resetToken": .string(code), "newPassword": "battery staple"])
            #expect(reset.status == 204)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `Signing up` {
    @Test func `is closed for everybody where the operator closes it, and signing in is not`() async throws {
        try await withIssuer { fixture, issuer in
            _ = try await fixture.signUp("bert@example.org")
            _ = try await fixture.enter("google", try issuer.identityToken(.google, ada))
            let device = try await fixture.device()
            let closed = try await fixture.start(["SIGN_UP": "closed"], background: false)
            let eve = InventedPerson("eve", email: "eve@example.org")
            let answers = [
                try await fixture.post(
                    "/v1/auth/sign-up", ["email": "eve@example.org", "password": "correct horse"], to: closed),
                try await fixture.enter("google", try issuer.identityToken(.google, eve), to: closed),
                try await fixture.enter("apple", try issuer.identityToken(.apple, eve), to: closed),
                try await fixture.enter(
                    "google", try issuer.identityToken(.google, eve), token: device.access, to: closed),
                try await fixture.post("/v1/auth/device", ["deviceId": .string("\(UUID.v4())")], to: closed),
            ]
            for answer in answers { #expect(answer.status == 403 && answer.code == "sign-up-closed") }
            #expect(
                try await fixture.enter("google", try issuer.identityToken(.google, ada), to: closed).status == 200)
            let password: JSONValue = ["email": "bert@example.org", "password": "correct horse"]
            #expect(try await fixture.post("/v1/auth/sign-in", password, to: closed).status == 200)
        }
    }

    @Test func `and in is for those on the list, once their address is confirmed`() async throws {
        try await withIssuer { fixture, issuer in
            let early = try await fixture.signUp("eve@example.org")
            let rule = ["SIGN_UP": "allow-listed", "SIGN_IN_ALLOWED_EMAILS": "Ada@example.org, bert@example.org"]
            let listed = try await fixture.start(rule, background: false)
            let eve = InventedPerson("eve", email: "mallory@example.org")
            #expect(
                try await fixture.enter("google", try issuer.identityToken(.google, eve), to: listed).code
                    == "address-not-allowed")
            let unverified = InventedPerson("eve", email: "ada@example.org", isEmailVerified: false)
            #expect(
                try await fixture.enter("google", try issuer.identityToken(.google, unverified), to: listed).code
                    == "sign-up-closed")
            #expect(
                try await fixture.enter("google", try issuer.identityToken(.google, ada), to: listed).status == 201)
            #expect(
                try await fixture.enter("google", try issuer.identityToken(.google, ada), to: listed).status == 200)
            #expect(
                try await fixture.post("/v1/auth/device", ["deviceId": .string("\(UUID.v4())")], to: listed).code
                    == "sign-up-closed")

            // By password: anybody can type an address of the list.
            let bert: JSONValue = ["email": "bert@example.org", "password": "correct horse"]
            let key = [(name: "Idempotency-Key", value: "bert-1")]
            let accepted = try await fixture.send("POST", "/v1/auth/sign-up", headers: key, json: bert, to: listed)
            #expect(accepted.status == 202 && accepted.json["accessToken"] == nil)
            let repeated = try await fixture.send("POST", "/v1/auth/sign-up", headers: key, json: bert, to: listed)
            #expect(repeated.status == 409 && repeated.code == "email-unverified")
            #expect(try await fixture.post("/v1/auth/sign-in", bert, to: listed).code == "email-unverified")
            let id = try await fixture.administrator.query(
                "select user_id from credentials where email_key = 'bert@example.org'"
            ).rows[0].uuid(0)
            let code = try await fixture.mailedCode(of: id, "Confirm your address")
            #expect(try await fixture.post("/v1/auth/verify-email", ["token": .string(code)]).status == 204)
            let entered = try await fixture.post("/v1/auth/sign-in", bert, to: listed)
            #expect(entered.status == 200)
            let refreshed = try await fixture.post(
                "/v1/auth/refresh", ["refreshToken": .string(try Person(entered).refresh)], to: listed)
            #expect(refreshed.status == 200)

            // Who was there before the list is let in no more, and not kept in.
            let mallory: JSONValue = ["email": "eve@example.org", "password": "correct horse"]
            #expect(try await fixture.post("/v1/auth/sign-up", mallory, to: listed).code == "address-not-allowed")
            #expect(try await fixture.post("/v1/auth/sign-in", mallory, to: listed).code == "address-not-allowed")
            let kept: JSONValue = ["refreshToken": .string(early.refresh)]
            #expect(try await fixture.post("/v1/auth/refresh", kept, to: listed).code == "address-not-allowed")
            #expect(try await fixture.post("/v1/auth/refresh", kept, to: listed).code == "refresh-token-invalid")
        }
    }
}
