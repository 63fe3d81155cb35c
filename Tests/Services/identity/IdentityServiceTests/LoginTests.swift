import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `A login session` {
    @Test func `goes on with each refresh, and a repeat in the grace gets the same successor`() async throws {
        try await withIdentity(["REFRESH_GRACE": "1h"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let second = try await fixture.refresh(anna.refresh)
            #expect(second.status == 200 && second.json["expiresIn"] == 900)
            let token = try #require(second.json["refreshToken"]?.stringValue)
            #expect(token != anna.refresh)
            let repeated = try await fixture.refresh(anna.refresh)
            #expect(repeated.json["refreshToken"]?.stringValue == token)
            #expect(try await fixture.refresh(token).status == 200)
            let access = try #require(repeated.json["accessToken"]?.stringValue)
            #expect(try await fixture.send("GET", "/v1/me", token: access).status == 200)
        }
    }

    @Test func `turns once when many refresh with the same token at once`() async throws {
        try await withIdentity(["REFRESH_GRACE": "1h"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let tokens = try await together(8) { _ in
                try await fixture.refresh(anna.refresh).json["refreshToken"]?.stringValue
            }
            #expect(Set(tokens).count == 1 && !tokens.contains(nil))
        }
    }

    @Test func `ends with the reuse of an older token`() async throws {
        try await withIdentity(["REFRESH_GRACE": "1h"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let second = try #require(try await fixture.refresh(anna.refresh).json["refreshToken"]?.stringValue)
            let third = try #require(try await fixture.refresh(second).json["refreshToken"]?.stringValue)
            let reused = try await fixture.refresh(anna.refresh)
            #expect(reused.status == 401 && code(reused) == "refresh-token-reused")
            #expect(try await fixture.refresh(third).status == 401)
        }
    }

    @Test func `ends with the reuse of the last token once the grace is over`() async throws {
        try await withIdentity(["REFRESH_GRACE": "0s"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let second = try #require(try await fixture.refresh(anna.refresh).json["refreshToken"]?.stringValue)
            #expect(code(try await fixture.refresh(anna.refresh)) == "refresh-token-reused")
            #expect(code(try await fixture.refresh(second)) == "refresh-token-invalid")
            let anew = try Person(try await fixture.signIn("anna@example.org").json)
            #expect(try await fixture.refresh(anew.refresh).status == 200)
        }
    }

    @Test func `ends by signing out, alone, with either token`() async throws {
        try await withIdentity { fixture in
            let one = try await fixture.signUp("anna@example.org")
            let two = try Person(try await fixture.signIn("anna@example.org").json)
            let three = try Person(try await fixture.signIn("anna@example.org").json)
            #expect(try await fixture.post("/v1/auth/sign-out", ["refreshToken": .string(one.refresh)]).status == 204)
            #expect(try await fixture.post("/v1/auth/sign-out", [:], token: two.access).status == 204)
            #expect(try await fixture.post("/v1/auth/sign-out", ["refreshToken": .string(one.refresh)]).status == 204)
            #expect(try await fixture.post("/v1/auth/sign-out", [:]).status == 401)
            #expect(try await fixture.refresh(one.refresh).status == 401)
            #expect(try await fixture.refresh(two.refresh).status == 401)
            #expect(try await fixture.refresh(three.refresh).status == 200)
        }
    }

    @Test func `is over after its lifetime, whatever its tokens say`() async throws {
        try await withIdentity(["LOGIN_LIFETIME": "0s"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            #expect(code(try await fixture.refresh(anna.refresh)) == "refresh-token-invalid")
        }
    }

    @Test func `cannot be guessed: a token with any changed character is refused and ends nothing`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let bytes = try #require(Base64URL.decode(anna.refresh))
            for place in bytes.indices {
                var forged = bytes
                forged[place] ^= 1
                let answer = try await fixture.refresh(Base64URL.encode(forged))
                #expect(answer.status == 401 && code(answer) == "refresh-token-invalid")
            }
            for text in ["", "x", String(repeating: "A", count: 5_000)] {
                #expect(try await fixture.refresh(text).status == 401)
            }
            #expect(try await fixture.refresh(anna.refresh).status == 200)
        }
    }
}
