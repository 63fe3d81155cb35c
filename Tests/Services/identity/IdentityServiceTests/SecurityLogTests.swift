import Crypto
import JSON
import Observability
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import TestingSupport
import TestingTools

@Suite(.timeLimit(.minutes(10))) @Loop struct `The security log` {
    private let email = "anna@example.org"
    private let operatorKey = "0123456789abcdef0123456789abcdef"

    /// What was written about an event.
    private func lines(_ fixture: Fixture, _ event: SecurityEvent) throws -> [JSONObject] {
        try fixture.security.read().filter { $0["event"] == .string(event.rawValue) }
    }

    /// A way to make each event happen, by requests alone.
    private func happen(_ event: SecurityEvent, _ fixture: Fixture) async throws {
        let headers = [(name: "Authorization", value: "Bearer \(operatorKey)")]
        let find = "/operator/users/find"
        switch event {
        case .signedIn: _ = try await fixture.signUp(email)
        case .confirmed:
            let anna = try await fixture.signUp(email)
            let body: JSONValue = ["password": "correct horse"]
            #expect(try await fixture.post("/v1/auth/confirm", body, token: anna.access).status == 200)
        case .signInFailed:
            _ = try await fixture.signUp(email)
            #expect(try await fixture.signIn(email, password: "wrong").status == 401)
        case .secondFactorFailed:
            _ = try await fixture.protect(try await fixture.signUpConfirmed(email))
            #expect(try await fixture.finish(try await fixture.ticket(email), code: "000000").status == 401)
        case .lockedOut:
            _ = try await fixture.signUp(email)
            for _ in 1...3 { _ = try await fixture.signIn(email, password: "wrong") }
        case .newDevice:
            _ = try await fixture.signUp(email)
            #expect(try await fixture.signIn(email).status == 200)
        case .refreshTokenReused:
            let anna = try await fixture.signUp(email)
            _ = try await fixture.refresh(anna.refresh)
            #expect(try await fixture.refresh(anna.refresh).code == "refresh-token-reused")
        case .refreshTokenRepeated:
            let client = try await CompatibleClient(fixture)
            let first = try await client.signUp(email).refreshToken
            for _ in 1...2 { #expect(try await client.refresh(first).status == 200) }
        case .tokenRefused:
            let anna = try await fixture.signUp(email)
            #expect(try await fixture.send("GET", "/v1/me", token: anna.access + "A").status == 401)
        case .requestRefused:
            #expect(try await fixture.post("/v1/auth/sign-in", ["email": .string(email)]).status == 400)
        case .passwordChanged:
            let anna = try await fixture.signUp(email)
            let body: JSONValue = ["currentPassword": "correct horse", "newPassword": "battery staple"]
            #expect(try await fixture.post("/v1/auth/password", body, token: anna.access).status == 204)
        case .passwordReset:
            let anna = try await fixture.signUp(email)
            _ = try await fixture.post("/v1/auth/password-reset", ["email": .string(email)])
            let code = mailedCode(try await fixture.mail(of: anna.id, "Choose a new password"))
            let body: JSONValue = ["resetToken": .optional(code), "newPassword": "battery staple"]
            #expect(try await fixture.post("/v1/auth/password", body).status == 204)
        case .emailChanged:
            let anna = try await fixture.signUp(email)
            _ = try await fixture.post("/v1/me/email", ["email": "anna@example.net"], token: anna.access)
            let code = mailedCode(try await fixture.mail(of: anna.id, "Confirm your new address"))
            #expect(
                try await fixture.post("/v1/me/email", ["token": .optional(code)], token: anna.access).status == 200)
        case .emailChangeWaits:
            let anna = try await fixture.signUpConfirmed(email)
            _ = try await fixture.post("/v1/me/email", ["email": "anna@example.net"], token: anna.access)
            let code = mailedCode(try await fixture.mail(of: anna.id, "Confirm your new address"))
            #expect(
                try await fixture.post("/v1/me/email", ["token": .optional(code)], token: anna.access).status == 200)
        case .emailChangeWithdrawn:
            let anna = try await fixture.signUpConfirmed(email)
            _ = try await fixture.post("/v1/me/email", ["email": "anna@example.net"], token: anna.access)
            let code = mailedCode(try await fixture.mail(of: anna.id, "Confirm your new address"))
            _ = try await fixture.post("/v1/me/email", ["token": .optional(code)], token: anna.access)
            for _ in 1...2 {
                #expect(try await fixture.send("DELETE", "/v1/me/email/change", token: anna.access).status == 204)
            }
        case .emailKept:
            let anna = try await fixture.signUpConfirmed(email)
            _ = try await fixture.post("/v1/me/email", ["email": "anna@example.net"], token: anna.access)
            let code = mailedCode(try await fixture.mail(of: anna.id, "Another address for your account"))
            #expect(try await fixture.post("/v1/auth/keep-email", ["token": .optional(code)]).status == 204)
        case .secondFactorAdded: _ = try await fixture.protect(try await fixture.signUpConfirmed(email))
        case .secondFactorRemoved:
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email))
            #expect(
                try await fixture.send("DELETE", "/v1/me/second-factor", token: anna.person.access).status == 204)
        case .recoveryCodesReplaced:
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email))
            let path = "/v1/me/second-factor/recovery-codes"
            #expect(try await fixture.post(path, [:], token: anna.person.access).status == 200)
        case .deviceSecretChanged:
            let device = try Person(
                try await fixture.post("/v1/auth/device", ["deviceId": "a-device-of-somebody"]).json)
            #expect(try await fixture.post("/v1/me/device/secret", [:], token: device.access).status == 200)
        case .deviceSecretRevoked:
            let device = try Person(
                try await fixture.post("/v1/auth/device", ["deviceId": "a-device-of-somebody"]).json)
            let path = "/v1/me/devices/\(device.id)"
            #expect(try await fixture.send("DELETE", path, token: device.access).status == 204)
        case .userErased:
            let anna = try await fixture.signUp(email)
            #expect(try await fixture.send("DELETE", "/v1/me", token: anna.access).status == 202)
        case .operatorAction:
            _ = try await fixture.signUp(email)
            let body: JSONValue = ["email": .string(email)]
            #expect(try await fixture.sendToAdmin("POST", find, headers: headers, json: body).status == 200)
        case .identityLinked, .identityUnlinked: Issue.record("They need an issuer.")
        case .exportRequested: Issue.record("It is asked for in another service.")
        case .operatorRefused:
            #expect(try await fixture.sendToAdmin("POST", find, json: ["email": .string(email)]).status == 401)
        }
    }

    /// `FederationTests` have an issuer, and the tests of exports in reporting bring about the last one.
    private nonisolated static let elsewhere: Set<SecurityEvent> = [
        .identityLinked, .identityUnlinked, .exportRequested,
    ]

    @Test(arguments: SecurityEvent.allCases.filter { !elsewhere.contains($0) })
    func `has a line of each event, once, when a request brings it about`(event: SecurityEvent) async throws {
        let settings = [
            "OPERATOR_KEY_HASH": Hex.encode(SHA256.digest(operatorKey.utf8)), "LIMIT_ACCOUNT": "2/1h",
            "REFRESH_GRACE": "0s",
        ]
        try await withIdentity(settings) { fixture in
            try await happen(event, fixture)
            let found = try lines(fixture, event)
            #expect(found.count == 1)
            let line = try #require(found.last)
            #expect(line["component"] == "security" && line["level"] == "notice" && line["service"] != nil)
            #expect(line["network"]?.stringValue?.wholeMatch(of: #/[0-9a-f]{16}/#) != nil)
            #expect(line["route"]?.stringValue?.hasPrefix("/") == true)
            let nobody: Set<SecurityEvent> = [.operatorAction, .operatorRefused, .tokenRefused, .requestRefused]
            #expect((line["subject"]?.stringValue == nil) == nobody.contains(event), "\(line)")
        }
    }

    @Test func `says which lines are about the same, and names nobody`() async throws {
        try await withIdentity(instances: 2) { fixture in
            let anna = try await fixture.signUp(email)
            let bert = try await fixture.signUp("bert@example.org")
            for (address, index) in [("203.0.113.7", 0), ("203.0.113.7", 1), ("198.51.100.7", 1)] {
                _ = try await fixture.post(
                    "/v1/auth/sign-in", ["email": .string(email), "password": "wrong"], from: address,
                    to: fixture.instances[index])
            }
            _ = try await fixture.signIn("bert@example.org", password: "wrong", from: "203.0.113.7")
            _ = try await fixture.signIn("nobody@example.org", password: "wrong", from: "203.0.113.7")
            let found = try lines(fixture, .signInFailed)
            #expect(found.count == 5)
            let subjects = found.map { $0["subject"] }
            #expect(subjects[0] == subjects[1] && subjects[1] == subjects[2] && subjects[2] != subjects[3])
            #expect(subjects[4] == .null)
            let networks = found.map { $0["network"] }
            #expect(networks[0] == networks[1] && networks[1] != networks[2] && networks[3] == networks[0])
            #expect(found.allSatisfy { $0["code"] == "credentials-invalid" })
            for line in try fixture.security.read() {
                let text = JSONValue.object(line).text
                for word in ["example", "203.0.113", "198.51.100", anna.id.description, bert.id.description, "wrong"] {
                    #expect(!text.contains(word), "\(text)")
                }
            }
        }
    }

    @Test func `is not filled by whoever sends bad tokens, says how many lines it left out, and counts all`()
        async throws
    {
        try await withIdentity { fixture in
            func send(_ count: Int, from address: String) async throws {
                for _ in 1...count {
                    let headers = [
                        (name: "Authorization", value: "Bearer x"), (name: "X-Forwarded-For", value: address),
                    ]
                    #expect(try await fixture.send("GET", "/v1/me", headers: headers).status == 401)
                }
            }
            let before = counted()
            try await send(40, from: "203.0.113.7")
            try await send(2, from: "198.51.100.7")
            var found = try lines(fixture, .tokenRefused)
            #expect(found.count == 30 + 2 && found.allSatisfy { $0["leftOut"] == nil })
            #expect(counted() - before >= 42)
            fixture.context.security.endMinute()
            found = try lines(fixture, .tokenRefused)
            let last = try #require(found.last)
            #expect(found.count == 33 && last["leftOut"] == 10 && last["code"] == "token-malformed")
            #expect(last["network"] == found[0]["network"] && last["subject"] == .null)
            // And begins anew.
            try await send(1, from: "203.0.113.7")
            #expect(try lines(fixture, .tokenRefused).count == 34)
        }
    }

    @Test func `tells of requests that no client of ours sends, by their code, and not of what people mistype`()
        async throws
    {
        try await withIdentity(["LIMIT_PASSWORD_RESET": "1/1h"]) { fixture in
            let reset: JSONValue = ["email": .string(email)]
            for expected in [202, 429] {
                #expect(try await fixture.post("/v1/auth/password-reset", reset).status == expected)
            }
            let large: JSONValue = ["email": .string(String(repeating: "a", count: 70_000))]
            #expect(try await fixture.post("/v1/auth/sign-in", large).status == 413)
            #expect(try await fixture.send("GET", "/v1/erasures/\(UUID.v4())?expires=1&signature=AAAA").status == 403)
            let short: JSONValue = ["email": .string(email), "password": "short"]
            #expect(try await fixture.post("/v1/auth/sign-up", short).status == 422)
            #expect(try await fixture.send("GET", "/v1/nowhere").status == 404)
            let found = try lines(fixture, .requestRefused)
            #expect(found.map { $0["code"] } == ["too-many-attempts", "body-too-large", "receipt-address-invalid"])
            #expect(found.map { $0["route"] }.first == "/v1/auth/password-reset")
        }
    }

    /// How many refused tokens the metric knows.
    private func counted() -> Double {
        let line = Metrics.shared.text().split(separator: "\n").first {
            $0.hasPrefix("security_events_total{event=\"token-refused\"}")
        }
        return line?.split(separator: " ").last.flatMap { Double($0) } ?? 0
    }

    @Test func `does not tell of a token that is merely missing or over`() async throws {
        try await withIdentity(["ACCESS_TOKEN_LIFETIME": "1s"]) { fixture in
            let anna = try await fixture.signUp(email)
            #expect(try await fixture.send("GET", "/v1/me").status == 401)
            while try await fixture.send("GET", "/v1/me", token: anna.access).status == 200 {
                try await Loop.sleep(for: .milliseconds(50))
            }
            #expect(try await fixture.send("GET", "/v1/me", token: anna.access).code == "token-expired")
            #expect(try lines(fixture, .tokenRefused).isEmpty)
            _ = try await fixture.post("/v1/auth/sign-out", ["refreshToken": .string(anna.refresh)])
            let access = try Person(try await fixture.signIn(email).json).access
            _ = try await fixture.post("/v1/auth/sign-out", [:], token: access)
            #expect(try await fixture.send("GET", "/v1/me", token: access).code == "login-session-ended")
            let line = try #require(try lines(fixture, .tokenRefused).first)
            #expect(line["code"] == "login-session-ended" && line["subject"]?.stringValue != nil)
        }
    }

    @Test func `is described, event by event, where security is`() throws {
        let text = try Checkout.text(of: "docs/security.md")
        let start = try #require(text.firstRange(of: "## The security log\n"))
        let section = text[start.upperBound...].split(separator: "\n## ", maxSplits: 1)[0]
        let described = section.matches(of: #/(?m)^\| `([a-z-]+)` \|/#).map { String($0.1) }
        #expect(described.sorted() == SecurityEvent.allCases.map(\.rawValue).sorted())
    }

    @Test func `has alerts that name its events`() throws {
        let rules = try Checkout.text(of: "infra/metrics/rules.yml")
        let named = rules.matches(of: #/security_events_total\{event="([^"]+)"/#).map { String($0.1) }
        #expect(named.count >= 5)
        for name in named { #expect(SecurityEvent(rawValue: name) != nil, "\(name)") }
    }
}

/// Mails to the owner of an account about what somebody may have done to it.
@Suite(.timeLimit(.minutes(10))) @Loop struct `The owner of an account hears by mail` {
    private let email = "anna@example.org"
    private let newDevice = "Somebody signed in to your account on a new device"

    @Test func `of a sign-in on a new device, but not of one on a known device`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUpConfirmed(email)
            let entered = try await fixture.signIn(email)
            let mail = try await fixture.mail(of: anna.id, newDevice)
            #expect(mail.contains("\r\nTo: \(email)\r\n") && mailedCode(mail) == nil)
            let known = try #require(cookie(entered))
            #expect(try await fixture.signIn(email, cookie: known).status == 200)
            try await fixture.quiet()
            #expect(try await fixture.mails(of: anna.id, atLeast: 2).count == 2)
            // Nobody turns it off.
            let off: JSONValue = ["productNews": false, "coachingReminders": false, "weeklySummary": false]
            #expect(try await fixture.send("PUT", "/v1/me/notifications", token: anna.access, off).status == 200)
            #expect(try await fixture.signIn(email).status == 200)
            #expect(try await fixture.mails(of: anna.id, atLeast: 3).count == 3)
        }
    }

    @Test func `of new devices with a second factor, when the factor was shown`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.protect(try await fixture.signUpConfirmed(email))
            let ticket = try await fixture.ticket(email)
            try await fixture.quiet()
            #expect(try await fixture.mails(of: anna.person.id, atLeast: 2).count == 2)
            #expect(try await fixture.finish(ticket, code: anna.code()).status == 200)
            _ = try await fixture.mail(of: anna.person.id, newDevice)
        }
    }

    @Test func `of new devices so often, and never at an address that nobody confirmed`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT_MAIL": "2/1h"]) { fixture in
            let bert = try await fixture.signUp("bert@example.org")
            #expect(try await fixture.signIn("bert@example.org").status == 200)
            let anna = try await fixture.signUpConfirmed(email)
            for _ in 1...4 { #expect(try await fixture.signIn(email).status == 200) }
            try await fixture.quiet()
            #expect(try await fixture.mails(of: anna.id, atLeast: 3).count == 3)
            #expect(try await fixture.mails(of: bert.id, atLeast: 1).count == 1)
        }
    }

    @Test func `of a refresh token that came back, so often, and never at an address that nobody confirmed`()
        async throws
    {
        try await withIdentity(["REFRESH_GRACE": "0s", "LIMIT_ACCOUNT_MAIL": "2/1h"]) { fixture in
            /// Lets a refresh token come back, twice, in another login session.
            func reuse(_ token: String) async throws {
                _ = try await fixture.refresh(token)
                for _ in 1...2 { #expect(try await fixture.refresh(token).status == 401) }
            }
            let bert = try await fixture.signUp("bert@example.org")
            try await reuse(bert.refresh)
            let anna = try await fixture.signUpConfirmed(email)
            try await reuse(anna.refresh)
            let subject = "A device was signed out of your account"
            let mail = try await fixture.mail(of: anna.id, subject)
            #expect(mail.contains("\r\nTo: \(email)\r\n") && mailedCode(mail) == nil)
            func told(_ user: UUID) async throws -> Int {
                try await fixture.quiet()
                return try await fixture.mails(of: user, atLeast: 1).count { $0.contains("Subject: \(subject)\r\n") }
            }
            #expect(try await told(anna.id) == 1, "once for each end")
            for _ in 1...3 { try await reuse(try Person(try await fixture.signIn(email).json).refresh) }
            #expect(try await told(anna.id) == 2)
            #expect(try await told(bert.id) == 0)
        }
    }
}
