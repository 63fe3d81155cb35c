import Contracts
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `Creations that quota refuses` {
    private func create(_ fixture: SessionsFixture, by user: UUID? = nil, key: String? = nil) async throws -> Answer {
        try await fixture.service.send(
            "POST", "/v1/sessions", as: user ?? fixture.user,
            headers: [("Idempotency-Key", key ?? "\(UUID.v7())")], json: SessionsFixture.wish)
    }

    private func refuse(
        _ fixture: SessionsFixture, _ answer: Answer, _ window: WindowCode? = .localDay, for time: Duration
    ) async throws {
        let session = SessionIdentity(
            sessionId: try answer.json.uuid("id"), ownerId: fixture.user, kind: .mirrormate)
        let denial = QuotaDenial(code: .quotaExceeded, window: window, resetsAt: .now() + time)
        try await fixture.service.deliver(QuotaRefused(session, denial))
    }

    private func created(_ fixture: SessionsFixture) async throws -> Int64 {
        try await fixture.service.count("select count(*) from events where type = 'SessionCreated'")
    }

    @Test func `are so many a day, and leave no event beyond`() async throws {
        try await withSessions(["REFUSED_CREATIONS": "2"]) { fixture in
            let first = try await create(fixture, key: "k")
            try await refuse(fixture, first, for: .seconds(3_600))
            // A repeat is told the same again.
            #expect(try await create(fixture, key: "k").code == "quota-exceeded")
            try await refuse(fixture, try await create(fixture), .burst, for: .seconds(60))
            let before = try await fixture.service.count("select count(*) from events")
            let late = try await create(fixture)
            #expect(late.status == 429 && late.code == "too-many-refusals")
            let wait = Int64(late.header("retry-after") ?? "") ?? 0
            #expect((3_000...3_600).contains(wait) && late.json["retryAfterSeconds"] == .int(wait))
            #expect(try await fixture.service.count("select count(*) from events") == before)
            #expect(try await create(fixture, key: "k").code == "quota-exceeded")
            #expect(try await create(fixture, by: .v7()).status == 202)
        }
    }

    @Test func `are none any more when the day is over for which quota said no`() async throws {
        try await withSessions(["REFUSED_CREATIONS": "2"]) { fixture in
            for _ in 1...2 { try await refuse(fixture, try await create(fixture), for: .seconds(3_600)) }
            #expect(try await create(fixture).status == 429)
            _ = try await fixture.service.administrator.query("update refused_creations set opens_at = now()")
            let next = try await create(fixture)
            #expect(next.status == 202)
            try await fixture.admit(try next.json.uuid("id"))
            // As many may be refused again, and no more.
            for _ in 1...2 { try await refuse(fixture, try await create(fixture), for: .seconds(3_600)) }
            #expect(try await create(fixture).code == "too-many-refusals")
        }
    }

    @Test func `are not those that it admits, nor those that nobody has decided for long`() async throws {
        try await withSessions(["REFUSED_CREATIONS": "2"]) { fixture in
            for _ in 1...4 { try await fixture.admit(try await create(fixture).json.uuid("id")) }
            for _ in 1...2 { #expect(try await create(fixture).status == 202) }
            let third = try await create(fixture)
            #expect(third.code == "too-many-refusals")
            // Half a day later one of them is forgotten.
            _ = try await fixture.service.administrator.query(
                "update refused_creations set full_at = full_at - interval '12 hours'")
            #expect(try await create(fixture).status == 202)
            #expect(try await create(fixture).status == 429)
        }
    }

    @Test func `are so many, however many are created at once on two instances`() async throws {
        try await withSessions(["REFUSED_CREATIONS": "2"], instances: 2) { fixture in
            let holder = try await PostgresConnection.open(fixture.service.administratorSettings)
            defer { holder.close() }
            try await holder.script("begin; select from head for update")
            let requests = (0..<8).map { number in
                Loop.task {
                    try await fixture.service.send(
                        "POST", "/v1/sessions", as: fixture.user, headers: [("Idempotency-Key", "k\(number)")],
                        json: SessionsFixture.wish, to: fixture.service.instances[number % 2])
                }
            }
            let held = """
                select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                """
            #expect(try await fixture.eventually { try await fixture.service.count(held) >= 2 })
            try await holder.script("rollback")
            var codes: [String?] = []
            for request in requests { codes.append(try await request.value.code) }
            #expect(codes.count { $0 == nil } == 2 && codes.count { $0 == "too-many-refusals" } == 6)
            #expect(try await created(fixture) == 2)
        }
    }

    @Test func `are forgotten with their owner`() async throws {
        try await withSessions { fixture in
            _ = try await create(fixture)
            #expect(try await fixture.service.count("select count(*) from refused_creations") == 1)
            try await fixture.service.deliver(UserErased(userId: fixture.user))
            #expect(try await fixture.service.count("select count(*) from refused_creations") == 0)
        }
    }

    @Test func `are forgotten when the allowance is full again`() async throws {
        try await withSessions { fixture in
            _ = try await create(fixture)
            _ = try await create(fixture, by: .v7())
            let limit = RefusalLimit(
                fixture.service.first.store.pool, SessionsSettings(fixture.service.context.environment))
            try await limit.sweep()
            #expect(try await fixture.service.count("select count(*) from refused_creations") == 2)
            _ = try await fixture.service.administrator.query(
                "update refused_creations set full_at = now() - interval '1 second' where owner_id = $1",
                [.uuid(fixture.user)])
            try await limit.sweep()
            #expect(try await fixture.service.count("select count(*) from refused_creations") == 1)
        }
    }
}
