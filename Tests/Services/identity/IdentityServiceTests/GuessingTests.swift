import HTTPClient
import JSON
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

/// The addresses are those that are set aside for documentation (RFC 5737, RFC 3849).
@Suite(.timeLimit(.minutes(10))) @Loop struct `Whoever guesses a password` {
    private let owner = "198.51.100.7"
    private let email = "anna@example.org"

    private func stranger(_ number: Int) -> String { "203.0.113.\(number)" }

    /// Wrong passwords for the account, from these addresses.
    private func guess(_ fixture: Fixture, from addresses: [String], cookie: String? = nil) async throws -> [Int] {
        var statuses: [Int] = []
        for address in addresses {
            statuses.append(try await fixture.signIn(email, password: "wrong", from: address, cookie: cookie).status)
        }
        return statuses
    }

    /// Signs the owner up and gives the cookie of their device.
    private func signUp(_ fixture: Fixture, _ email: String) async throws -> (person: Person, cookie: String) {
        let answer = try await fixture.post(
            "/v1/auth/sign-up", ["email": .string(email), "password": "correct horse"], from: owner)
        return (try Person(answer.json), try #require(cookie(answer)))
    }

    /// Asks for a new password's mail, which comes behind so many others, and chooses it.
    private func reset(_ fixture: Fixture, _ user: UUID, after count: Int) async throws -> Answer {
        _ = try await fixture.mails(of: user, atLeast: count)
        let wanted = try await fixture.post(
            "/v1/auth/password-reset", ["email": .string(email)], from: "198.51.100.99")
        #expect(wanted.status == 202)
        let code = mailedCode(try await fixture.mails(of: user, atLeast: count + 1)[count])
        return try await fixture.post(
            "/v1/auth/password", ["resetToken": .optional(code), "newPassword": "battery staple"],
            from: "198.51.100.99")
    }

    @Test func `from one address locks nobody out but themselves`() async throws {
        try await withIdentity { fixture in
            _ = try await signUp(fixture, email)
            let statuses = try await guess(fixture, from: Array(repeating: stranger(1), count: 12))
            #expect(statuses == Array(repeating: 401, count: 10) + [429, 429])
            #expect(try await fixture.signIn(email, from: stranger(1)).status == 429)
            #expect(try await fixture.signIn(email, from: owner).status == 200)
            #expect(try await fixture.signIn(email, from: stranger(2)).status == 200)
        }
    }

    @Test func `counts as one however many addresses of a network they have`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT": "3/1h"]) { fixture in
            _ = try await signUp(fixture, email)
            let home = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::2", "2001:DB8:1:2:0:0:0:3", "2001:db8:1:2::4"]
            #expect(try await guess(fixture, from: home) == [401, 401, 401, 429])
            #expect(try await guess(fixture, from: ["2001:db8:1:3::1"]) == [401])
            let mapped = [stranger(1), "::ffff:\(stranger(1))", "::ffff:cb00:7101", stranger(1)]
            #expect(try await guess(fixture, from: mapped) == [401, 401, 401, 429])
        }
    }

    @Test(arguments: ["anna@example.org", "nobody@example.org"])
    func `from many addresses is slowed down, whether or not there is an account`(email: String) async throws {
        try await withIdentity(["LIMIT_ACCOUNT_STRANGERS": "5/1h"]) { fixture in
            _ = try await signUp(fixture, "anna@example.org")
            for number in 1...5 {
                #expect(try await fixture.signIn(email, password: "wrong", from: stranger(number)).status == 401)
            }
            let next = try await fixture.signIn(email, from: stranger(6))
            #expect(next.status == 429 && code(next) == "too-many-attempts")
            #expect(next.header("ratelimit-policy") == "\"account-strangers\";q=5;w=3600")
            #expect(next.header("retry-after") != nil)
            // Nothing was tried, so it costs none of the attempts of who came: each is refused for the same reason.
            var last = next
            for _ in 1...11 { last = try await fixture.signIn(email, from: stranger(6)) }
            #expect(last.header("ratelimit-policy") == "\"account-strangers\";q=5;w=3600")
        }
    }

    @Test func `does not stop a device that signed in before, wherever it is`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT_STRANGERS": "3/1h"]) { fixture in
            let (anna, kept) = try await signUp(fixture, email)
            let other = try await signUp(fixture, "bert@example.org").cookie
            #expect(try await guess(fixture, from: (1...4).map(stranger)) == [401, 401, 401, 429])
            #expect(try await fixture.signIn(email, from: "192.0.2.1", cookie: kept).status == 200)
            // It is the same network that is refused to everybody else.
            #expect(try await fixture.signIn(email, from: "192.0.2.1").status == 429)
            for foreign in [other, forged(kept), "mirrormate-devices=", "mirrormate-devices=AAAA.AAAA", "a=b"] {
                #expect(try await fixture.signIn(email, from: "192.0.2.2", cookie: foreign).status == 429, "\(foreign)")
            }
            // Whoever is signed in changes the password all the same, and whoever knows the device among other cookies.
            let change: JSONValue = ["currentPassword": "correct horse", "newPassword": "battery staple"]
            #expect(try await fixture.post("/v1/auth/password", change, token: anna.access).status == 204)
            #expect(
                try await fixture.signIn(email, password: "battery staple", cookie: "a=b; \(kept); c=d").status == 200)
        }
    }

    @Test func `on a device that signed in before uses up that device's attempts alone`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT": "2/1h", "LIMIT_ACCOUNT_STRANGERS": "3/1h"]) { fixture in
            let kept = try await signUp(fixture, email).cookie
            let second = try #require(cookie(try await fixture.signIn(email, from: owner)))
            let places = (1...4).map(stranger)
            #expect(try await guess(fixture, from: places, cookie: kept) == [401, 401, 429, 429])
            #expect(try await fixture.signIn(email, from: stranger(1), cookie: second).status == 200)
            #expect(try await fixture.signIn(email, from: stranger(1)).status == 200)
        }
    }

    @Test func `gains nothing when the owner signs in meanwhile`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT_STRANGERS": "4/1h"]) { fixture in
            _ = try await signUp(fixture, email)
            #expect(try await guess(fixture, from: (1...3).map(stranger)) == [401, 401, 401])
            for _ in 1...3 { #expect(try await fixture.signIn(email, from: owner).status == 200) }
            #expect(try await guess(fixture, from: [stranger(4), stranger(5)]) == [401, 429])
        }
    }

    @Test func `cannot keep the owner from a new password, which opens the account again`() async throws {
        let limits = ["LIMIT_ACCOUNT": "2/1h", "LIMIT_ACCOUNT_STRANGERS": "3/1h"]
        try await withIdentity(limits) { fixture in
            let anna = try await signUp(fixture, email).person
            #expect(try await guess(fixture, from: [owner, owner, owner]) == [401, 401, 429])
            #expect(try await guess(fixture, from: (1...2).map(stranger)) == [401, 429])
            #expect(try await fixture.signIn(email, from: "192.0.2.1").status == 429)
            let changed = try await reset(fixture, anna.id, after: 1)
            #expect(changed.status == 204)
            // Everywhere, also where the owner was wrong before.
            for address in [owner, "192.0.2.1"] {
                let answer = try await fixture.signIn(email, password: "battery staple", from: address)
                #expect(answer.status == 200)
            }
            // And whoever goes on guessing does not close it to whoever chose the password.
            #expect(try await guess(fixture, from: (1...4).map(stranger)) == [401, 401, 401, 429])
            let answer = try await fixture.signIn(
                email, password: "battery staple", from: "192.0.2.3", cookie: cookie(changed))
            #expect(answer.status == 200)
        }
    }

    @Test func `cannot use up the mails with which a new password is chosen`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT_MAIL": "2/1h", "LIMIT_ACCOUNT_MAIL_STRANGERS": "4/1h"]) { fixture in
            let kept = try await signUp(fixture, email).cookie
            func ask(_ address: String, _ cookie: String? = nil) async throws -> Int {
                try await fixture.post(
                    "/v1/auth/password-reset", ["email": .string(email)], from: address, cookie: cookie
                ).status
            }
            let again: JSONValue = ["email": .string(email), "password": "correct horse"]
            for number in 1...4 {
                #expect(try await fixture.post("/v1/auth/sign-up", again, from: stranger(number)).status == 409)
            }
            for expected in [202, 202, 429] { #expect(try await ask(stranger(1)) == expected) }
            for expected in [202, 202, 429] { #expect(try await ask(owner) == expected) }
            #expect(try await ask(stranger(2)) == 429)
            for expected in [202, 202, 429] { #expect(try await ask(stranger(3), kept) == expected) }
        }
    }

    @Test func `is known by no address that is written down`() async throws {
        try await withIdentity { fixture in
            let anna = try await signUp(fixture, email).person
            _ = try await guess(fixture, from: [stranger(77), "2001:db8:77::1"])
            _ = try await fixture.post("/v1/auth/sign-out", ["refreshToken": .string(anna.refresh)], from: stranger(77))
            let tables = try await fixture.administrator.query(
                "select relname::text from pg_class where relnamespace = 'identity'::regnamespace and relkind = 'r'"
            ).rows.map { $0.text(0) }
            #expect(tables.contains("attempts") && tables.contains("events"))
            for table in tables {
                let found = try await fixture.count(
                    "select count(*) from \(table) t where row_to_json(t)::text ~ '203[.]0[.]113|2001:db8|198[.]51[.]100'"
                )
                #expect(found == 0, "\(table)")
            }
        }
    }

    /// The cookie with one bit of its mark turned.
    private func forged(_ cookie: String) -> String {
        let parts = cookie.split(separator: "=", maxSplits: 1)
        var bytes = Base64URL.decode(String(parts[1])) ?? []
        if !bytes.isEmpty { bytes[0] ^= 1 }
        return "\(parts[0])=\(Base64URL.encode(bytes))"
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `A device that signed in` {
    @Test func `is told how to show it, and shows it to nobody else`() async throws {
        for (url, isSecure) in [("http://127.0.0.1", false), ("https://api.example.org", true)] {
            try await withIdentity(["PUBLIC_URL": url]) { fixture in
                _ = try await fixture.signUp("anna@example.org")
                let text = try #require(try await fixture.signIn("anna@example.org").header("set-cookie"))
                #expect(text.hasPrefix(isSecure ? "__Host-mirrormate-devices=" : "mirrormate-devices="))
                let attributes = Set(text.split(separator: ";").dropFirst().map { String($0.drop { $0 == " " }) })
                let expected: Set = ["Max-Age=34560000", "HttpOnly", "SameSite=Strict"]
                // Without the path `/`, or with `Domain`, browsers do not take a name that begins with `__Host-`.
                #expect(attributes == expected.union(isSecure ? ["Path=/", "Secure"] : ["Path=/v1/auth"]))
            }
        }
    }

    @Test func `keeps what it shows as long as it signs in and refreshes, and gets it when it has lost it`()
        async throws
    {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let refreshed = try await fixture.refresh(anna.refresh)
            let first = try #require(cookie(refreshed))
            let again = try await fixture.signIn("anna@example.org", cookie: first)
            #expect(cookie(again) == first)
            #expect(cookie(try await fixture.signIn("anna@example.org")) != first)
            let wrong = try await fixture.signIn("anna@example.org", password: "wrong", cookie: first)
            #expect(wrong.status == 401 && cookie(wrong) == nil)
        }
    }

    @Test func `may be several people's, the last four of them`() async throws {
        try await withIdentity(["LIMIT_ACCOUNT_STRANGERS": "1/1h"]) { fixture in
            var kept: String?
            for number in 1...5 {
                let body: JSONValue = ["email": .string("n\(number)@example.org"), "password": "correct horse"]
                kept = cookie(try await fixture.post("/v1/auth/sign-up", body, cookie: kept))
            }
            for number in 1...5 {
                let email = "n\(number)@example.org"
                #expect(try await fixture.signIn(email, password: "wrong", from: "203.0.113.1").status == 401)
                let status = try await fixture.signIn(email, from: "203.0.113.2", cookie: kept).status
                #expect(status == (number == 1 ? 429 : 200), "\(number)")
            }
        }
    }

    @Test func `is no anonymous device, until it has an account`() async throws {
        try await withIdentity { fixture in
            let begun = try await fixture.post("/v1/auth/device", ["deviceId": "a-device-of-somebody"])
            #expect(begun.status == 201 && cookie(begun) == nil)
            let device = try Person(begun.json)
            #expect(cookie(try await fixture.refresh(device.refresh)) == nil)
            let body: JSONValue = ["email": "anna@example.org", "password": "correct horse"]
            #expect(cookie(try await fixture.post("/v1/auth/sign-up", body, token: device.access)) != nil)
        }
    }
}
