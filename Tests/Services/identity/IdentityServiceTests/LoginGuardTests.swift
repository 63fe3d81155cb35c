import Crypto
import HTTPClient
import JSON
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing
import TestingSupport
import TestingTools

/// A request that changes something on behalf of whoever is signed in.
private struct Change: Sendable, CustomTestStringConvertible {
    let method: String
    let path: String
    /// Whom it is for; the caller's login session is given up while it is under way.
    var who = Who.account
    /// The picture that is the body; nil when it is JSON.
    var picture: [UInt8]?
    var body: @Sendable (Scene) -> JSONValue = { _ in [:] }

    enum Who { case account, protected, waiting, device }

    var testDescription: String { "\(method) \(path) (\(who))" }
}

/// What the bodies of requests need.
private struct Scene: Sendable {
    /// A code of the second factor that was begun.
    var firstCode = ""
    /// The code that was mailed to the new address.
    var mailedCode = ""
    /// The code that was mailed to the old address of a change that waits.
    var oldAddressCode = ""
    /// What the path names: another login session of the caller, or the caller's device.
    var named = ""
}

private let changes: [Change] = [
    Change(method: "PATCH", path: "/v1/me") { _ in ["displayName": "Bert"] },
    Change(method: "PATCH", path: "/v1/me") { _ in ["timeZone": "Asia/Tokyo"] },
    Change(method: "PUT", path: "/v1/me/photo", picture: Pictures.png(64, 64)),
    Change(method: "DELETE", path: "/v1/me/photo"),
    Change(method: "DELETE", path: "/v1/me"),
    Change(method: "DELETE", path: "/v1/me", who: .device),
    Change(method: "PUT", path: "/v1/me/notifications") { _ in
        ["productNews": true, "coachingReminders": true, "weeklySummary": true]
    },
    Change(method: "PUT", path: "/v1/me/terms") { _ in ["version": "2026-11", "locale": "de"] },
    Change(method: "PUT", path: "/v1/consents") { _ in
        [
            "given": [
                ["provider": "openai", "purpose": "transcription", "version": "2026-11", "locale": "de"]
            ]
        ]
    },
    Change(method: "POST", path: "/v1/me/second-factor"),
    Change(method: "POST", path: "/v1/me/second-factor/confirm") { ["code": .string($0.firstCode)] },
    Change(method: "POST", path: "/v1/me/second-factor/recovery-codes", who: .protected),
    Change(method: "DELETE", path: "/v1/me/second-factor", who: .protected),
    Change(method: "POST", path: "/v1/me/email") { _ in ["email": "other@example.org"] },
    Change(method: "POST", path: "/v1/me/email") { ["token": .string($0.mailedCode)] },
    Change(method: "POST", path: "/v1/me/email", who: .waiting) { ["oldAddressToken": .string($0.oldAddressCode)] },
    Change(method: "DELETE", path: "/v1/me/email/change", who: .waiting),
    Change(method: "POST", path: "/v1/me/device/secret", who: .device),
    Change(method: "DELETE", path: "/v1/me/devices/{id}", who: .device),
    Change(method: "DELETE", path: "/v1/me/login-sessions"),
    Change(method: "DELETE", path: "/v1/me/login-sessions/{id}"),
    Change(method: "POST", path: "/v1/auth/password") { _ in
        ["currentPassword": "correct horse", "newPassword": "battery staple"]
    },
    Change(method: "POST", path: "/v1/auth/confirm") { _ in ["password": "correct horse"] },
    Change(method: "POST", path: "/v1/auth/sign-up", who: .device) { _ in
        ["email": "anna@example.org", "password": "correct horse"]
    },
]

/// A request that was let in by an access token, and is committed after the login session of the token has ended.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A login session that ends while a request of it is under way` {
    private let email = "anna@example.org"

    @Test(arguments: changes)
    fileprivate func `leaves nothing of the request`(change: Change) async throws {
        let consents = try TextFile()
        defer { withExtendedLifetime(consents) {} }
        let variables = ["TERMS_VERSION": "2026-11", "CONSENTS_FILE": consents.path]
        try await withPhotos(.make, variables, instances: 2) { fixture, _ in
            var scene = Scene()
            let caller: Person
            switch change.who {
            case .device:
                caller = try Person(
                    try await fixture.post("/v1/auth/device", ["deviceId": "a-device-of-somebody"]).json)
                scene.named = caller.id.description
            case .account, .protected, .waiting: caller = try await fixture.signUpConfirmed(email)
            }
            if change.who == .protected { _ = try await fixture.protect(caller) }
            if change.who == .account || change.who == .waiting { scene = try await self.scene(fixture, caller) }
            if change.who == .waiting {
                let proof: JSONValue = ["token": .string(scene.mailedCode)]
                #expect(try await fixture.post("/v1/me/email", proof, token: caller.access).status == 200)
                let mail = try await fixture.mail(of: caller.id, "Confirm the change of your address")
                scene.oldAddressCode = try #require(mailedCode(mail))
            }
            let path = change.path.replacing("{id}", with: scene.named)
            let body = change.body(scene)
            try await fixture.quiet()
            let before = try await standing(fixture)
            let (signOut, answer) = try await fixture.inOrder {
                try await fixture.send("POST", "/v1/auth/sign-out", token: caller.access, [:])
            } _: {
                let type = change.picture == nil ? [] : [(name: "Content-Type", value: "image/png")]
                return try await fixture.send(
                    change.method, path, headers: [("Authorization", "Bearer \(caller.access)")] + type,
                    json: change.picture == nil ? body : JSONValue?.none, body: change.picture, to: fixture.instances[1]
                )
            }
            #expect(signOut.status == 204)
            #expect(answer.status == 401 && answer.code == "login-session-ended", "\(answer.status) \(answer.json)")
            // The sign-out is the one event that came, and its login session the one row that went.
            let after = try await standing(fixture)
            #expect(after.events == before.events + 1 && after.logins == before.logins - 1)
            #expect(after.rows == before.rows)
        }
    }

    @Test func `is tried on every route that changes something for its caller`() throws {
        let document = try JSONObject.parse(Checkout.text(of: "docs/openapi-identity.json").utf8.map { $0 })
        var known: Set<String> = []
        for (path, item) in try document.object("paths").members {
            for (method, operation) in item.objectValue?.members ?? [] {
                guard operation["security"]?.arrayValue?.contains(where: { $0.objectValue?.isEmpty == false }) == true,
                    method != "get"
                else { continue }
                known.insert("\(method.uppercased()) \(path)")
            }
        }
        // Signing out is the end itself, and asking for another mail with a code, or for a nonce, changes nothing.
        let nothing: Set<String> = [
            "POST /v1/auth/sign-out", "POST /api/auth/logout", "POST /v1/auth/verify-email", "POST /v1/auth/nonce",
        ]
        // `FederationTests` have an issuer, and see to these.
        let withIssuer: Set<String> = [
            "POST /v1/auth/google", "POST /v1/auth/apple", "POST /v1/me/identities",
            "DELETE /v1/me/identities/{provider}",
        ]
        #expect(Set(changes.map { "\($0.method) \($0.path)" }) == known.subtracting(nothing).subtracting(withIssuer))
    }

    /// Another login session, a second factor that was begun and a change of the address that was asked for.
    private func scene(_ fixture: Fixture, _ caller: Person) async throws -> Scene {
        let other = try Person(try await fixture.signIn(email).json)
        let parts = other.access.split(separator: ".")
        let claims = try JSONObject.parse(try #require(Base64URL.decode(String(parts[1]))))
        let begun = try await fixture.post("/v1/me/second-factor", [:], token: caller.access)
        let totp = TOTP(secret: try #require(Base32.decode(try begun.json.string("secret"))))
        let asked = try await fixture.post("/v1/me/email", ["email": "anna@example.net"], token: caller.access)
        #expect(asked.status == 202)
        try await fixture.quiet()
        let mails = try await fixture.mails(of: caller.id, atLeast: 3)
        let mail = try #require(mails.first { $0.contains("\r\nTo: anna@example.net\r\n") })
        return Scene(
            firstCode: totp.code(of: TOTP.step(at: .now())), mailedCode: try #require(mailedCode(mail)),
            named: try claims.string("sid"))
    }

    /// How much was recorded, how many login sessions there are, and what all other rows hold.
    private func standing(_ fixture: Fixture) async throws -> (events: Int64, logins: Int64, rows: String) {
        let tables = [
            "profiles", "credentials", "devices", "email_changes", "second_factors", "recovery_codes",
            "erased_subjects", "one_time_codes", "mail_outbox", "photos",
        ]
        var rows: [String] = []
        for table in tables {
            let row = try await fixture.administrator.query(
                "select coalesce(string_agg(t::text, ' ' order by t::text), '') from \(table) t"
            ).rows[0]
            rows.append("\(table): \(row.text(0))")
        }
        return (
            try await fixture.count("select count(*) from events"),
            try await fixture.count("select count(*) from logins"), rows.joined(separator: "\n")
        )
    }
}
