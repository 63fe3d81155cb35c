import Access
import Configuration
import Crypto
import HTTPServer
import Primitives
import Testing

@testable import Federation

private func secrets(_ character: Character = "0") -> AccessSecrets {
    AccessSecrets(Environment(["KEY_ENCRYPTION_KEY": String(repeating: "\(character)f1e2d3c4b5a6978", count: 4)]))
}

@Suite struct `A nonce for a sign-in` {
    private let nonces = SignInNonces(secrets())
    private let start = Timestamp(seconds: 1_795_000_000)

    @Test func `is known again for what it was made for, and refused for everything else`() throws {
        let session = SignInNonces.Purpose.session(.v4())
        let own = try #require(try nonces.read(nonces.make(for: session, at: start), for: session, at: start))
        #expect(own.givenAt == start)
        let text = nonces.make(for: .signIn, at: start)
        #expect(try nonces.read(text, for: .signIn, at: start) != nil)
        for (text, purpose) in [
            (text, session), (nonces.make(for: session, at: start), .signIn),
            (nonces.make(for: session, at: start), .session(.v4())),
        ] {
            let refused = #expect(throws: Problem.self) { try nonces.read(text, for: purpose, at: start) }
            #expect(refused?.code == .nonceInvalid)
        }
        #expect(nonces.make(for: .signIn, at: start) != text)
    }

    @Test func `is a client's own when it was not made here`() throws {
        let text = nonces.make(for: .signIn, at: start)
        #expect(try SignInNonces(secrets("1")).read(text, for: .signIn, at: start) == nil)
        for other in [
            "", "n-1", text + "A", String(text.dropLast()), "B" + text.dropFirst(), String(repeating: "A", count: 129),
        ] {
            #expect(try nonces.read(other, for: .signIn, at: start) == nil, "\(other)")
        }
    }

    @Test func `is over after ten minutes, and then no stranger's`() throws {
        let text = nonces.make(for: .signIn, at: start)
        #expect(try nonces.read(text, for: .signIn, at: start.adding(seconds: 600)) != nil)
        let late = #expect(throws: Problem.self) { try nonces.read(text, for: .signIn, at: start.adding(seconds: 601)) }
        #expect(late?.code == .nonceInvalid)
    }
}

@Suite struct `Settings of sign-ins with Google and Apple` {
    private func problems(_ variables: [String: String]) -> String {
        let environment = Environment(variables)
        _ = FederationSettings(environment)
        _ = SignUpRule(environment)
        do throws(ConfigurationError) {
            try environment.finish()
            return ""
        } catch {
            return error.problems.joined(separator: "\n")
        }
    }

    @Test func `are off without client ids, and know the providers' addresses`() throws {
        let off = FederationSettings(Environment([:]))
        #expect(off.google == nil && off.apple == nil && problems([:]) == "")
        let on = FederationSettings(Environment(["GOOGLE_CLIENT_IDS": "a, b", "APPLE_CLIENT_IDS": "c"]))
        #expect(on.google?.clientIDs == ["a", "b"] && on.apple?.clientIDs == ["c"])
        #expect(on.google?.issuers == ["accounts.google.com", "https://accounts.google.com"])
        #expect(on.apple?.issuers == ["https://appleid.apple.com"])
        #expect(on.google?.keysURL == "https://www.googleapis.com/oauth2/v3/certs")
    }

    @Test func `take no address without encryption but of this machine, and that only for clients on it`() {
        #expect(problems(["GOOGLE_KEYS_URL": "http://127.0.0.1:8099/keys"]) == "")
        #expect(
            problems(["GOOGLE_KEYS_URL": "http://127.0.0.1:8099/keys", "PUBLIC_URL": "http://localhost:8080"]) == "")
        for name in [
            "GOOGLE_KEYS_URL", "GOOGLE_AUTHORIZATION_URL", "GOOGLE_TOKEN_URL", "APPLE_KEYS_URL",
            "APPLE_AUTHORIZATION_URL", "APPLE_TOKEN_URL", "APPLE_REVOKE_URL",
        ] {
            for text in [
                "http://www.googleapis.com/oauth2/v3/certs", "http://127.0.0.1.evil.example:80/keys",
                "http://127.0.0.1",
                "http://127.0.0.1:99999/", "http://user@127.0.0.1:80/", "ftp://127.0.0.1:80/", "keys", "https://",
                "http://localhost:8099/keys", "https://a b/",
            ] { #expect(problems([name: text]).hasPrefix("\(name) must be"), "\(name) \(text)") }
            let public1 = problems([name: "http://127.0.0.1:8099/x", "PUBLIC_URL": "https://api.example.org"])
            #expect(public1.contains("\(name) is of this machine"), "\(name)")
        }
        #expect(
            problems(["GOOGLE_KEYS_URL": "http://127.0.0.1:1/", "PUBLIC_URL": "http://127.0.0.1.evil.example"]) != "")
    }

    @Test func `want all of Apple's key or nothing of it`() throws {
        let key = try ES256PrivateKey.generate().pem()
        let all = ["APPLE_PRIVATE_KEY": key, "APPLE_TEAM_ID": "T", "APPLE_KEY_ID": "K"]
        #expect(problems(all) == "")
        #expect(problems(["APPLE_PRIVATE_KEY": key]).contains("APPLE_TEAM_ID"))
        #expect(
            problems(all.merging(["APPLE_PRIVATE_KEY": "no key, but long enough 0123456789"]) { $1 }).contains("P-256"))
    }

    @Test func `of who may sign up hang together`() throws {
        #expect(problems(["SIGN_UP": "closed"]) == "")
        #expect(problems(["SIGN_UP": "perhaps"]).contains("SIGN_UP"))
        #expect(problems(["SIGN_UP": "allow-listed"]).contains("SIGN_IN_ALLOWED_EMAILS"))
        #expect(problems(["SIGN_IN_ALLOWED_EMAILS": " , "]).contains("SIGN_IN_ALLOWED_EMAILS"))
        #expect(problems(["SIGN_IN_ALLOWED_EMAILS": "ada"]).contains("no e-mail address"))
        #expect(problems(["SIGN_IN_ALLOWED_EMAILS_FILE": "/nowhere"]).contains("SIGN_IN_ALLOWED_EMAILS_FILE"))
        let rule = SignUpRule(
            Environment(["SIGN_UP": "allow-listed", "SIGN_IN_ALLOWED_EMAILS": "Ada@Example.org bo@b.org"]))
        try rule.requireOpen(to: "ada@example.org")
        try rule.requireListed("bo@b.org")
        #expect(throws: Problem.self) { try rule.requireOpen(to: "eve@example.org") }
        #expect(throws: Problem.self) { try rule.requireOpen(to: nil) }
        #expect(throws: Problem.self) { try rule.requireListed(nil) }
        let closed = SignUpRule(Environment(["SIGN_UP": "closed"]))
        #expect(throws: Problem.self) { try closed.requireOpen(to: "ada@example.org") }
        try closed.requireListed(nil)
    }
}
