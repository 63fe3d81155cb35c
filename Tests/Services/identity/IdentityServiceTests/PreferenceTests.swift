import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `What a user wants to be told` {
    private func put(_ fixture: Fixture, _ body: JSONValue, _ person: Person) async throws -> Answer {
        try await fixture.send("PUT", "/v1/me/notifications", token: person.access, body)
    }

    @Test func `is what is usual until it is said, and never less than what keeps the account safe`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let usual = try await fixture.send("GET", "/v1/me/notifications", token: anna.access)
            let mails: JSONValue = [
                "security": true, "productNews": false, "coachingReminders": true, "weeklySummary": true,
            ]
            #expect(usual.json["mails"] == mails && usual.json["alwaysSent"] == ["security"])
            #expect(usual.header("cache-control") == "no-store")
            let wanted: JSONValue = ["productNews": true, "coachingReminders": false, "weeklySummary": true]
            let answer = try await put(fixture, wanted, anna)
            #expect(answer.status == 200 && answer.json["mails"]?["productNews"] == true)
            let read = try await fixture.send("GET", "/v1/me/notifications", token: anna.access)
            #expect(read.json == answer.json && read.json["mails"]?["coachingReminders"] == false)
            // What was read can be sent back.
            #expect(try await put(fixture, try #require(read.json["mails"]), anna).status == 200)
            #expect(try await fixture.count("select count(*) from events where type = 'NotificationsChanged'") == 1)

            let off: JSONValue = [
                "security": false, "productNews": true, "coachingReminders": true, "weeklySummary": true,
            ]
            let refused = try await put(fixture, off, anna)
            #expect(refused.status == 409 && code(refused) == "security-mails-stay")
            #expect(try await put(fixture, ["productNews": true], anna).status == 400)
            let unknown: JSONValue = [
                "productNews": true, "coachingReminders": true, "weeklySummary": true, "phone": true,
            ]
            #expect(code(try await put(fixture, unknown, anna)) == "member-unknown")
            #expect(
                try await fixture.send("GET", "/v1/me/notifications", token: anna.access).json == read.json,
                "A refused wish changes nothing.")
        }
    }

    @Test(
        arguments: [
            ("/v1/me/notifications", ["productNews": true, "coachingReminders": true, "weeklySummary": true]),
            ("/v1/me/terms", ["version": "2026-11", "locale": "de"]),
        ] as [(String, JSONValue)])
    func `comes too late when the user is erased meanwhile`(path: String, body: JSONValue) async throws {
        try await withIdentity(["TERMS_VERSION": "2026-11"], instances: 2) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let (erased, answer) = try await fixture.inOrder {
                try await fixture.send("DELETE", "/v1/me", token: anna.access)
            } _: {
                try await fixture.send(
                    "PUT", path, headers: [("Authorization", "Bearer \(anna.access)")], json: body,
                    to: fixture.instances[1])
            }
            #expect(erased.status == 202)
            #expect(answer.status == 401 && code(answer) == "user-gone")
            #expect(
                try await fixture.count(
                    "select count(*) from events where type in ('NotificationsChanged', 'TermsAccepted')") == 0)
        }
    }

    @Test func `goes with the user: whoever comes back begins anew`() async throws {
        try await withIdentity(["TERMS_VERSION": "2026-11"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let wanted: JSONValue = ["productNews": true, "coachingReminders": false, "weeklySummary": false]
            #expect(try await put(fixture, wanted, anna).status == 200)
            let accepted = try await fixture.send(
                "PUT", "/v1/me/terms", token: anna.access, ["version": "2026-11", "locale": "de"])
            #expect(accepted.json["mustAccept"] == false)
            #expect(try await fixture.send("DELETE", "/v1/me", token: anna.access).status == 202)
            let again = try await fixture.signUp("anna@example.org")
            let mails = try await fixture.send("GET", "/v1/me/notifications", token: again.access).json["mails"]
            #expect(mails?["productNews"] == false && mails?["coachingReminders"] == true)
            let terms = try await fixture.send("GET", "/v1/me/terms", token: again.access).json
            #expect(terms["accepted"] == .null && terms["mustAccept"] == true)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `The terms of use` {
    private func terms(_ fixture: Fixture, _ person: Person) async throws -> JSONObject {
        try await fixture.send("GET", "/v1/me/terms", token: person.access).json
    }

    private func accept(
        _ fixture: Fixture, _ person: Person, _ version: String, _ locale: String = "de-AT"
    ) async throws -> Answer {
        try await fixture.send(
            "PUT", "/v1/me/terms", token: person.access, ["version": .string(version), "locale": .string(locale)])
    }

    @Test func `are accepted in the version in force, and the first word is the proof`() async throws {
        try await withIdentity(["TERMS_VERSION": "2026-11"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let before = try await terms(fixture, anna)
            #expect(before["current"] == "2026-11" && before["accepted"] == .null && before["mustAccept"] == true)
            let old = try await accept(fixture, anna, "2025-01")
            #expect(old.status == 409 && code(old) == "terms-not-current")
            let odd = try await accept(fixture, anna, "2026-11", "Wiener Mundart")
            #expect(odd.status == 422 && code(odd) == "locale-invalid")
            let more: JSONValue = ["version": "2026-11", "locale": "de", "acceptedAt": "2020-01-01T00:00:00Z"]
            #expect(
                code(try await fixture.send("PUT", "/v1/me/terms", token: anna.access, more)) == "member-unknown")
            let answer = try await accept(fixture, anna, "2026-11")
            #expect(answer.status == 200 && answer.json["mustAccept"] == false)
            #expect(answer.json["accepted"]?["version"] == "2026-11" && answer.json["accepted"]?["locale"] == "de-AT")
            #expect(try await accept(fixture, anna, "2026-11", "en").json == answer.json)
            #expect(try await fixture.count("select count(*) from events where type = 'TermsAccepted'") == 1)
        }
    }

    @Test func `are accepted with the sign-up, or the sign-up is refused`() async throws {
        try await withIdentity(["TERMS_VERSION": "2026-11"]) { fixture in
            let old: JSONValue = [
                "email": "anna@example.org", "password": "correct horse",
                "acceptedTerms": ["version": "2025-01", "locale": "de"],
            ]
            #expect(code(try await fixture.post("/v1/auth/sign-up", old)) == "terms-not-current")
            #expect(try await fixture.count("select count(*) from profiles") == 0)
            let body: JSONValue = [
                "email": "anna@example.org", "password": "correct horse",
                "acceptedTerms": ["version": "2026-11", "locale": "de"],
            ]
            let answer = try await fixture.post("/v1/auth/sign-up", body, key: "sign-up-1")
            #expect(answer.status == 201)
            #expect(try await terms(fixture, try Person(answer.json))["mustAccept"] == false)
            // A repeat is the same sign-up.
            #expect(try await fixture.post("/v1/auth/sign-up", body, key: "sign-up-1").status == 201)
            #expect(try await fixture.count("select count(*) from events where type = 'TermsAccepted'") == 1)
            let language: JSONValue = [
                "email": "bert@example.org", "password": "correct horse",
                "acceptedTerms": ["version": "2026-11", "locale": "?"],
            ]
            #expect(code(try await fixture.post("/v1/auth/sign-up", language)) == "locale-invalid")
        }
    }

    @Test func `need nobody's word where an operator has named none`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let read = try await terms(fixture, anna)
            #expect(read["current"] == .null && read["mustAccept"] == false)
            #expect(code(try await accept(fixture, anna, "2026-11")) == "terms-not-current")
        }
    }
}
