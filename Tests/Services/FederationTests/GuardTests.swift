import JSON
import LocalIssuer
import Primitives
import Runtime
import ServiceTesting
import Testing

/// Requests that rest on what ends before they are committed.
@Suite(.timeLimit(.minutes(10))) @Loop struct `What ends while a request of it is under way` {
    private func signOut(_ fixture: Fixture, _ person: Person) -> @Loop () async throws -> Answer {
        { try await fixture.post("/v1/auth/sign-out", [:], token: person.access) }
    }

    @Test(arguments: LocalIssuer.Provider.allCases)
    func `leaves nothing of an anonymous device's first sign-in with a provider`(
        provider: LocalIssuer.Provider
    ) async throws {
        try await withIssuer(instances: 2) { fixture, issuer in
            let device = try await fixture.device()
            let token = try issuer.identityToken(provider, ada)
            let answer = try await fixture.after(signOut(fixture, device)) {
                try await fixture.enter(provider.rawValue, token, token: device.access, to: fixture.instances[1])
            }
            #expect(answer.status == 401 && answer.code == "login-session-ended")
            #expect(try await fixture.count("select count(*) from linked_identities") == 0)
            #expect(try await fixture.events(of: device.id) == ["UserRegistered"])
        }
    }

    @Test func `leaves nothing of a link or its end`() async throws {
        try await withIssuer(instances: 2) { fixture, issuer in
            let owner = try await fixture.signUp("bert@example.org", confirmed: true)
            let nonce = try await fixture.nonce(owner.access)
            let token = try issuer.identityToken(.google, ada, nonce: nonce)
            let link = try await fixture.after(signOut(fixture, owner)) {
                try await fixture.link("google", token, nonce: nonce, by: owner.access, to: fixture.instances[1])
            }
            #expect(link.status == 401 && link.code == "login-session-ended")
            #expect(try await fixture.count("select count(*) from linked_identities") == 0)

            let again = try Person(try await fixture.signIn("bert@example.org"))
            #expect(try await fixture.link(.google, ada, of: issuer, by: again.access).status == 200)
            let end = try await fixture.after(signOut(fixture, again)) {
                try await fixture.request(
                    "DELETE", "/v1/me/identities/google", token: again.access, to: fixture.instances[1])
            }
            #expect(end.status == 401 && end.code == "login-session-ended")
            #expect(try await fixture.count("select count(*) from linked_identities") == 1)
        }
    }

    @Test func `lets nobody in by an identity that was unlinked meanwhile`() async throws {
        try await withIssuer(instances: 2) { fixture, issuer in
            let owner = try await fixture.signUp("bert@example.org", confirmed: true)
            let token = try issuer.identityToken(.google, ada)
            #expect(try await fixture.link(.google, ada, of: issuer, by: owner.access).status == 200)
            let answer = try await fixture.after {
                try await fixture.request("DELETE", "/v1/me/identities/google", token: owner.access)
            } _: {
                try await fixture.enter("google", token, to: fixture.instances[1])
            }
            #expect(answer.status == 401 && answer.code == "credentials-invalid")
            #expect(try await fixture.count("select count(*) from logins") == 1)
        }
    }

    @Test func `ends with an identity what it has let in, also while it is being unlinked, or unlinks nothing`()
        async throws
    {
        try await withIssuer(instances: 2) { fixture, issuer in
            let owner = try await fixture.signUp("bert@example.org", confirmed: true)
            #expect(try await fixture.link(.google, ada, of: issuer, by: owner.access).status == 200)
            let early = try Person(try await fixture.enter("google", issuer.identityToken(.google, ada)))
            let path = "/v1/me/identities/google"
            // The way in and what came in by it end together: when one cannot, the other does not.
            try await fixture.administer(
                """
                create function refuse() returns trigger language plpgsql as
                    'begin raise exception using errcode = ''53100''; end';
                create trigger refuse before delete on logins for each row execute function refuse();
                """)
            #expect(try await fixture.request("DELETE", path, token: owner.access).status == 503)
            #expect(try await fixture.count("select count(*) from linked_identities") == 1)
            #expect(try await fixture.events(of: owner.id).contains("CredentialsDetached") == false)
            try await fixture.administer("drop trigger refuse on logins")
            // Somebody signs in with it between the look at the login sessions and their end.
            let token = try issuer.identityToken(.google, ada)
            let answer = try await fixture.after {
                try await fixture.enter("google", token)
            } _: {
                try await fixture.request("DELETE", path, token: owner.access, to: fixture.instances[1])
            }
            #expect(answer.status == 204)
            #expect(try await fixture.count("select count(*) from logins") == 1)
            #expect(try await fixture.count("select count(*) from events where type = 'LoginSessionEnded'") == 2)
            #expect(try await fixture.request("GET", "/v1/me", token: early.access).code == "login-session-ended")
            #expect(try await fixture.request("GET", "/v1/me", token: owner.access).status == 200)
        }
    }
}
