import CompatibleSurface
import Contracts
import Crypto
import JSON
import LocalIssuer
import Primitives
import Runtime
import ServiceTesting
import Testing

/// Google's and Apple's identity tokens on the compatible surface.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A sign-in of the compatible surface` {
    private func enter(
        _ fixture: Fixture, _ body: JSONValue, key: String, bearer: String? = nil
    ) async throws -> Answer {
        try await fixture.send(
            "POST", "/auth/v1/token?grant_type=id_token",
            headers: [("apikey", key), ("Authorization", "Bearer \(bearer ?? key)")], json: body)
    }

    /// A token that was asked for with the hash of the nonce, and what the client sends of it.
    private func body(
        _ issuer: LocalIssuer, nonce: String? = nil, told: String? = nil, linking isLinking: Bool = false
    ) throws -> JSONValue {
        let hash = nonce.map { Hex.encode(SHA256.digest(Array($0.utf8))) }
        return [
            "provider": "google", "id_token": .string(try issuer.identityToken(.google, ada, nonce: hash)),
            "nonce": .optional(told ?? nonce), "access_token": .null, "gotrue_meta_security": [:],
            "link_identity": .bool(isLinking),
        ]
    }

    @Test func `makes an account of who comes for the first time, and finds it again`() async throws {
        try await withIssuer { fixture, issuer in
            let key = try await fixture.apiKey(.anon)
            let first = try await enter(fixture, try body(issuer, nonce: "raw"), key: key)
            #expect(first.status == 200, "\(first.json)")
            let user = try first.json.object("user")
            #expect(try user.object("app_metadata").string("provider") == "google")
            #expect(try user.string("email") == "ada@example.org" && user["email_confirmed_at"] != nil)
            let again = try await enter(fixture, try body(issuer), key: key)
            #expect(try again.json.object("user").uuid("id") == user.uuid("id"))
        }
    }

    @Test func `needs the nonce whose hash is in the token, once, and is refused in the form of OAuth`() async throws {
        try await withIssuer { fixture, issuer in
            let key = try await fixture.apiKey(.anon)
            let used = try body(issuer, nonce: "used")
            #expect(try await enter(fixture, used, key: key).status == 200)
            for refused in [used, try body(issuer, nonce: "raw", told: "other"), try body(issuer, told: "none in it")] {
                let answer = try await enter(fixture, refused, key: key)
                #expect(answer.status == 400 && answer.json["error"] == "invalid_grant")
                #expect(answer.json["error_description"] != nil)
            }
        }
    }

    @Test func `makes an account of an anonymous user who asks for that`() async throws {
        try await withIssuer { fixture, issuer in
            let key = try await fixture.apiKey(.anon)
            let anonymous = try await fixture.send(
                "POST", "/auth/v1/signup", headers: [("apikey", key)], json: [:])
            let (token, id) = (
                try anonymous.json.string("access_token"), try anonymous.json.object("user").uuid("id")
            )
            let linked = try await enter(
                fixture, try body(issuer, linking: true), key: key, bearer: token)
            #expect(linked.status == 200)
            #expect(try linked.json.object("user").uuid("id") == id)
            #expect(try linked.json.object("user")["is_anonymous"] == false)
            // An account is linked natively, where it is asked who it is.
            let again = try await enter(
                fixture, try body(issuer, linking: true), key: key, bearer: try linked.json.string("access_token"))
            #expect(again.status == 404 && again.json["code"] == "manual_linking_disabled")
            let nobody = try await enter(fixture, try body(issuer, linking: true), key: key)
            #expect(nobody.status == 403 && nobody.json["code"] == "bad_jwt")
        }
    }
}
