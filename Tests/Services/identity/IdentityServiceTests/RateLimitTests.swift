import HTTPClient
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

/// A limit, and what uses it up.
struct Limited: Sendable, CustomTestStringConvertible {
    let name: String
    let path: String
    /// What is sent the first, the second … time.
    let body: @Sendable (Int) -> JSONValue
    var testDescription: String { name }

    init(_ name: String, _ path: String, _ body: @escaping @Sendable (Int) -> JSONValue) {
        self.name = name
        self.path = "/v1/auth/\(path)"
        self.body = body
    }

    static let all = [
        Limited("sign-up", "sign-up") { ["email": .string("n\($0)@example.org"), "password": "correct horse"] },
        Limited("email-taken", "sign-up") { _ in ["email": "anna@example.org", "password": "correct horse"] },
        Limited("sign-in", "sign-in") { ["email": .string("n\($0)@example.org"), "password": "correct horse"] },
        Limited("account", "sign-in") { _ in ["email": "anna@example.org", "password": "incorrect horse"] },
        Limited("refresh", "refresh") { _ in ["refreshToken": "guessed"] },
        Limited("device", "device") { ["deviceId": .string("a-device-of-many-\($0)")] },
        Limited("password-reset", "password-reset") { ["email": .string("n\($0)@example.org")] },
        Limited("account-mail", "password-reset") { _ in ["email": "anna@example.org"] },
        Limited("code", "verify-email") { _ in ["token": "guessed"] },
    ]
}

@Suite(.timeLimit(.minutes(2))) @Loop struct `Too many attempts` {
    @Test(arguments: Limited.all)
    func `are told with when to come again`(limited: Limited) async throws {
        let variable = "LIMIT_" + limited.name.uppercased().replacing("-", with: "_")
        try await withIdentity([variable: "2/1h"]) { fixture async throws in
            // Each of them leaves one attempt at least, whichever limit it is that they use too.
            if limited.name != "sign-up" { _ = try await fixture.signUp("anna@example.org") }
            for number in 1...2 {
                #expect(try await fixture.post(limited.path, limited.body(number)).status != 429)
            }
            let answer = try await fixture.post(limited.path, limited.body(3))
            #expect(answer.status == 429 && code(answer) == "too-many-attempts")
            #expect(answer.response.header("content-type") == "application/problem+json")
            let wait = try #require(answer.response.header("retry-after").flatMap { Int64($0) })
            #expect((1...1_800).contains(wait) && answer.json["retryAfterSeconds"] == .int(wait))
            #expect(answer.response.header("ratelimit-policy") == "\"\(limited.name)\";q=2;w=3600")
            #expect(answer.response.header("ratelimit")?.hasPrefix("\"\(limited.name)\";r=0;t=3") == true)
        }
    }
}
