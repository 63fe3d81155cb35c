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
import TestingTools

@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `The analyses of one network` {
    /// How many appends wait for somebody who holds the head of the log.
    nonisolated private static let appending =
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

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

    @Test func `are forgotten when all of them are there again`() async throws {
        try await withSessions { fixture in
            for number in 1...2 {
                #expect(try await create(fixture, by: .v7(), from: "192.0.2.\(number)").status == 202)
            }
            let limit = NetworkLimit(
                fixture.service.first.store.pool, SessionsSettings(fixture.service.context.environment))
            try await limit.sweep()
            #expect(try await fixture.service.count("select count(*) from network_analyses") == 2)
            _ = try await fixture.service.administrator.query(
                """
                update network_analyses set full_at = now() - interval '1 second'
                where network = (select network from network_analyses limit 1)
                """)
            try await limit.sweep()
            #expect(try await fixture.service.count("select count(*) from network_analyses") == 1)
        }
    }

    @Test func `are four times as many of a /56, and sixteen times as many of a /48`() async throws {
        try await withSessions(["NETWORK_ANALYSES": "1"]) { fixture in
            func statuses(_ addresses: [String]) async throws -> [Int] {
                var statuses: [Int] = []
                for address in addresses {
                    statuses.append(try await create(fixture, by: .v7(), from: address).status)
                }
                return statuses
            }
            let line = (1...5).map { "2001:db8:0:\($0)::1" }
            #expect(try await statuses(line) == [202, 202, 202, 202, 429])
            // What one of its networks refused costs the others nothing.
            let rows = try await fixture.service.count("select count(*) from network_analyses")
            #expect(rows == 4 + 1 + 1)
            let provider = (1...13).map { "2001:db8:0:\(String($0, radix: 16))00::1" }
            #expect(try await statuses(provider) == [Int](repeating: 202, count: 12) + [429])
            #expect(try await statuses(["2001:db8:1:1::1"]) == [202])
        }
    }

    /// Who is told 503 does not know what became of the request, and neither does the service; the count does.
    @Test(.stress) func `are counted if they began, and only then, when the database answers too late`() async throws {
        try await withSessions(["NETWORK_ANALYSES": "1"]) { fixture in
            let pool = fixture.service.administrator
            let holder = try await PostgresConnection.open(fixture.service.administratorSettings)
            defer { holder.close() }
            let begun = "select count(*) from events where type = 'SessionCreated'"
            let user = UUID.v7()
            for (address, isLost) in [("192.0.2.1", true), ("192.0.2.2", false)] {
                _ = try await holder.query("begin")
                _ = try await holder.query("select from head for update")
                let answer = try await create(fixture, by: user, from: address, key: address)
                #expect(answer.status == 503 && answer.code == "temporarily-unavailable")
                if isLost {
                    _ = try await pool.query(
                        """
                        select pg_terminate_backend(pid) from pg_stat_activity
                        where datname = current_database() and wait_event_type = 'Lock'
                        """)
                    #expect(try await fixture.eventually { try await fixture.service.count(Self.appending) == 0 })
                }
                _ = try await holder.query("rollback")
                if !isLost { #expect(try await fixture.eventually { try await fixture.service.count(begun) == 1 }) }
                #expect(try await fixture.service.count(begun) == (isLost ? 0 : 1))
                let counted = try await fixture.service.count("select count(*) from network_analyses")
                #expect(counted == (isLost ? 0 : 1))
            }
            // A repeat costs nothing either way, and the next one is one too many.
            #expect(try await create(fixture, by: user, from: "192.0.2.2", key: "192.0.2.2").status == 202)
            #expect(try await create(fixture, by: user, from: "192.0.2.2").status == 429)
            #expect(try await create(fixture, by: user, from: "192.0.2.1").status == 202)
        }
    }

    @Test func `are there again when quota says no, and only once`() async throws {
        try await withSessions(["NETWORK_ANALYSES": "1", "QUOTA_WAIT": "30s"]) { fixture in
            // Both requests look for the session before either has made it.
            let holder = try await PostgresConnection.open(fixture.service.administratorSettings)
            defer { holder.close() }
            _ = try await holder.query("begin")
            _ = try await holder.query("select from head for update")
            let requests = (1...2).map { _ in
                Loop.task { try await create(fixture, by: fixture.user, from: "192.0.2.1", key: "k") }
            }
            #expect(try await fixture.eventually { try await fixture.service.count(Self.appending) == 2 })
            _ = try await holder.query("rollback")
            let created = "select (data ->> 'sessionId')::uuid from events where type = 'SessionCreated'"
            let pool = fixture.service.administrator
            #expect(try await fixture.eventually { try await pool.query(created).count == 1 })
            let session = SessionIdentity(
                sessionId: try await pool.query(created).rows[0].uuid(0), ownerId: fixture.user, kind: .mirrormate)
            try await fixture.service.deliver(
                QuotaRefused(session, QuotaDenial(code: .quotaExceeded, resetsAt: .now() + .seconds(3_600))))
            for request in requests { #expect(try await request.value.code == "quota-exceeded") }
            // All of it is there again about now.
            let again = """
                select count(*) from network_analyses
                where full_at between now() - interval '1 hour' and now() + interval '1 hour'
                """
            #expect(try await fixture.service.count(again) == 1)
        }
    }

    @Test func `are no reason to refuse a repeat of what was accepted meanwhile`() async throws {
        try await withSessions(["NETWORK_ANALYSES": "1"]) { fixture in
            #expect(try await create(fixture, by: .v7(), from: "192.0.2.1").status == 202)
            // Whoever looks for what a network has begun waits for the test.
            let holder = try await PostgresConnection.open(fixture.service.administratorSettings)
            defer { holder.close() }
            try await holder.script(
                """
                create function held() returns boolean language plpgsql as $$ begin
                    perform pg_advisory_lock_shared(7); perform pg_advisory_unlock_shared(7); return true; end $$;
                alter table network_analyses enable row level security;
                create policy waiting on network_analyses using (held()) with check (true);
                select pg_advisory_lock(7);
                """)
            let second = Loop.task { try await create(fixture, by: fixture.user, from: "192.0.2.1", key: "k") }
            #expect(try await fixture.eventually { try await fixture.service.count(Self.appending) == 1 })
            let first = try await create(fixture, by: fixture.user, from: "192.0.2.2", key: "k")
            #expect(first.status == 202)
            _ = try await holder.query("select pg_advisory_unlock(7)")
            let answer = try await second.value
            #expect(answer.status == 202 && answer.json["id"] == first.json["id"])
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
        var names: Set<[UInt8]> = []
        for key in ["an upload key of this deployment", "the upload key of another one"] {
            try await withSessions(["UPLOAD_KEY": key]) { fixture in
                _ = try await create(fixture, by: .v7(), from: "192.0.2.77")
                let pool = fixture.service.context.store.pool
                names.formUnion(try await pool.query("select network from network_analyses").rows.map { $0.bytes(0) })
                let told = "select count(*) from events e where e::text like"
                #expect(try await fixture.service.count("\(told) '%192.0.2%'") == 0)
                #expect(try await fixture.service.count("\(told) '%video/mp4%'") == 1, "an event reads like this")
            }
        }
        // Without the key, four billion addresses are soon tried.
        #expect(names.count == 2 && !names.contains(SHA256.digest("192.0.2.77".utf8)))
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `An account with an address that nobody confirmed` {
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
            // Each instance has an append under way, behind which its others wait.
            let held = """
                select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                """
            #expect(try await fixture.eventually { try await fixture.service.count(held) >= 2 })
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
