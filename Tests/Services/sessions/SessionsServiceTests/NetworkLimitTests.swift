import Contracts
import Crypto
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import sessions

@Suite(.timeLimit(.minutes(2))) @Loop struct `The analyses of one network` {
    private func create(
        _ fixture: SessionsFixture, by user: UUID, from address: String, key: String = UUID.v7().description,
        _ body: JSONValue = SessionsFixture.wish
    ) async throws -> Answer {
        try await fixture.service.send(
            "POST", "/v1/sessions", as: user,
            headers: [("Idempotency-Key", key), ("X-Forwarded-For", address)], json: body)
    }

    @Test func `are so many a day, however many accounts begin them`() async throws {
        try await withSessions(["NETWORK_ANALYSES": "2"]) { fixture in
            for _ in 1...2 {
                #expect(try await create(fixture, by: .v7(), from: "192.0.2.1").status == 202)
            }
            let refused = try await create(fixture, by: .v7(), from: "192.0.2.1")
            #expect(refused.status == 429 && refused.json["code"] == "too-many-analyses")
            let wait = Int64(refused.header("retry-after") ?? "") ?? 0
            #expect((43_000...43_200).contains(wait) && refused.json["retryAfterSeconds"] == .int(wait))
            #expect(try await create(fixture, by: .v7(), from: "192.0.2.2").status == 202)
            // Of an IPv6 network somebody has all addresses.
            for number in 1...2 {
                #expect(try await create(fixture, by: .v7(), from: "2001:db8:0:1::\(number)").status == 202)
            }
            #expect(try await create(fixture, by: .v7(), from: "2001:db8:0:1:ffff::1").status == 429)
            #expect(try await create(fixture, by: .v7(), from: "2001:db8:0:2::1").status == 202)
        }
    }

    @Test func `count neither repeats nor what is refused`() async throws {
        try await withSessions(["NETWORK_ANALYSES": "1"]) { fixture in
            let user = UUID.v7()
            let wrong: JSONValue = ["kind": "mirrormate", "contentType": "video/mp4", "contentLength": 0]
            let malformed = try await create(fixture, by: user, from: "192.0.2.1", wrong).status
            #expect((400..<500).contains(malformed))
            let replacing: JSONValue = [
                "kind": "mirrormate", "contentType": "video/mp4", "contentLength": 4016,
                "replaces": .uuid(.v7()),
            ]
            #expect(try await create(fixture, by: user, from: "192.0.2.1", replacing).status == 404)
            let first = try await create(fixture, by: user, from: "192.0.2.1", key: "k")
            #expect(first.status == 202)
            let again = try await create(fixture, by: user, from: "192.0.2.1", key: "k")
            #expect(again.status == 202 && again.json["id"] == first.json["id"])
            #expect(try await create(fixture, by: user, from: "192.0.2.1").status == 429)
        }
    }

    @Test func `are counted by what tells nobody which network it is, and never in an event`() async throws {
        try await withSessions { fixture in
            _ = try await create(fixture, by: .v7(), from: "192.0.2.77")
            let pool = fixture.service.context.store.pool
            #expect(try await pool.query("select count(*) from network_analyses").rows[0].int(0) == 1)
            let seen = try await pool.query(
                "select count(*) from network_analyses n where n::text like '%192.0.2%'"
            ).rows[0].int(0)
            let told = try await pool.query("select count(*) from events e where e::text like '%192.0.2%'").rows[0].int(
                0)
            #expect(seen == 0 && told == 0)
        }
    }
}

@Suite(.timeLimit(.minutes(2))) @Loop struct `An account with an address that nobody confirmed` {
    private func create(
        _ fixture: SessionsFixture, isVerified: Bool?, kind: AccessTokenClaims.Kind = .user,
        key: String = UUID.v7().description
    ) async throws -> Answer {
        let token = try fixture.service.token(for: fixture.user, kind: kind, isEmailVerified: isVerified)
        return try await fixture.service.send(
            "POST", "/v1/sessions", headers: [("Authorization", "Bearer \(token)"), ("Idempotency-Key", key)],
            json: SessionsFixture.wish)
    }

    @Test func `has one session, also when it deletes that, and more once it is confirmed`() async throws {
        try await withSessions { fixture in
            let first = try await create(fixture, isVerified: false, key: "k")
            #expect(first.status == 202)
            #expect(try await create(fixture, isVerified: false, key: "k").json["id"] == first.json["id"])
            let second = try await create(fixture, isVerified: false)
            #expect(second.status == 403 && second.json["code"] == "address-unconfirmed")
            let id = try first.json.string("id")
            #expect(try await fixture.service.send("DELETE", "/v1/sessions/\(id)", as: fixture.user).status == 204)
            #expect(try await create(fixture, isVerified: false).status == 403)
            #expect(try await create(fixture, isVerified: true).status == 202)
        }
    }

    @Test func `has one session, however many it creates at once on two instances`() async throws {
        try await withSessions(instances: 2) { fixture in
            let token = try fixture.service.token(for: fixture.user, kind: .user, isEmailVerified: false)
            // All of them have seen that there is none when the first is created.
            let connection = try await PostgresConnection.open(fixture.service.administratorSettings)
            defer { connection.close() }
            try await connection.script("begin; select from head for update")
            let requests = (0..<8).map { number in
                Loop.task {
                    try await fixture.service.send(
                        "POST", "/v1/sessions",
                        headers: [("Authorization", "Bearer \(token)"), ("Idempotency-Key", "k\(number)")],
                        json: SessionsFixture.wish, to: fixture.service.instances[number % 2])
                }
            }
            let counted = "select count(*) from network_analyses where full_at > clock_timestamp() + interval '9 hours'"
            #expect(try await fixture.eventually { try await fixture.service.count(counted) == 1 })
            try await connection.script("rollback")
            var answers: [Answer] = []
            for request in requests { answers.append(try await request.value) }
            #expect(answers.map(\.status).sorted() == [202] + Array(repeating: 403, count: 7))
            #expect(answers.filter { $0.status == 403 }.allSatisfy { $0.code == "address-unconfirmed" })
            #expect(
                try await fixture.service.count("select count(*) from events where type = 'SessionCreated'") == 1)
            #expect(try await fixture.service.count("select count(*) from stream_owners") == 1)
        }
    }

    @Test func `is not asked where that is turned off, and a device never`() async throws {
        try await withSessions(["CONFIRM_ADDRESS": "false"]) { fixture async throws in
            for _ in 1...2 { #expect(try await create(fixture, isVerified: false).status == 202) }
        }
        try await withSessions { fixture async throws in
            for _ in 1...2 { #expect(try await create(fixture, isVerified: nil, kind: .device).status == 202) }
        }
    }
}
