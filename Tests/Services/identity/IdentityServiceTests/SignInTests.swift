import HTTPClient
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `Signing in` {
    @Test func `needs the password, and does not tell which addresses have an account`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let right = try await fixture.signIn("ANNA@example.org")
            #expect(right.status == 200)
            #expect(try Person(right.json).id == anna.id)
            var wrong = try await fixture.signIn("anna@example.org", password: "incorrect horse").json
            var unknown = try await fixture.signIn("bert@example.org").json
            #expect(wrong["status"] == 401 && wrong["code"] == "credentials-invalid")
            wrong["traceId"] = nil
            unknown["traceId"] = nil
            #expect(wrong == unknown)
        }
    }

    @Test func `is limited per account, known or not, and a success gives the attempts back`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT": "3/1h"]) { fixture in
            _ = try await fixture.signUp("anna@example.org")
            _ = try await fixture.signUp("bert@example.org")
            for email in ["anna@example.org", "nobody@example.org"] {
                for _ in 1...3 { #expect(try await fixture.signIn(email, password: "wrong").status == 401) }
                let next = try await fixture.signIn(email)
                #expect(next.status == 429 && code(next) == "too-many-attempts")
                #expect(next.response.header("retry-after") != nil)
            }
            for _ in 1...5 { #expect(try await fixture.signIn("bert@example.org").status == 200) }
        }
    }

    @Test func `is limited per address`() async throws {
        try await withIdentity(["LIMIT_SIGN_IN": "2/1h"]) { fixture async throws in
            for index in 1...2 { #expect(try await fixture.signIn("n\(index)@example.org").status == 401) }
            #expect(try await fixture.signIn("n3@example.org").status == 429)
        }
    }

    @Test func `hashes only so many passwords at once and sends the others away for a moment`() async throws {
        try await withIdentity(["PASSWORD_QUEUE": "1"]) { fixture in
            let statuses = try await together(12) { index in
                let answer = try await fixture.signIn("n\(index)@example.org")
                #expect((answer.status == 503) == (answer.response.header("retry-after") != nil))
                return answer.status
            }
            #expect(Set(statuses) == [401, 503])
            #expect(try await fixture.signIn("m@example.org").status == 401)
        }
    }

    @Test func `changes with the password, which ends all other login sessions`() async throws {
        try await withIdentity { fixture in
            let here = try await fixture.signUp("anna@example.org")
            let there = try Person(try await fixture.signIn("anna@example.org").json)
            let wrong = try await fixture.send(
                "POST", "/v1/auth/password", token: here.access,
                ["currentPassword": "wrong", "newPassword": "battery staple"])
            #expect(wrong.status == 401)
            let weak = try await fixture.send(
                "POST", "/v1/auth/password", token: here.access,
                ["currentPassword": "correct horse", "newPassword": "password"])
            #expect(code(weak) == "password-too-common")
            let changed = try await fixture.send(
                "POST", "/v1/auth/password", token: here.access,
                ["currentPassword": "correct horse", "newPassword": "battery staple"])
            #expect(changed.status == 204)
            #expect(try await fixture.signIn("anna@example.org").status == 401)
            #expect(try await fixture.signIn("anna@example.org", password: "battery staple").status == 200)
            #expect(try await fixture.refresh(here.refresh).status == 200)
            #expect(try await fixture.refresh(there.refresh).status == 401)
        }
    }
}
