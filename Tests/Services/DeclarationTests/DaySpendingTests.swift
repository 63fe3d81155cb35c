import EventStore
import Postgres
import PostgresTesting
import Primitives
import Runtime
import ServiceKit
import Testing
import analysis

@Suite(.timeLimit(.minutes(10))) @Loop struct `What all calls of a day cost` {
    /// Days whose sum is not that of their owners.
    private let wrong = """
        select count(*) from provider_day_spending d
        full join (select day, sum(micros) as micros from provider_spending group by day) s using (day)
        where d.micros is distinct from s.micros
        """

    @Test func `is the sum of what owners' calls cost, from before it was kept and after`() async throws {
        let database = try await TestPostgres.makeDatabase(schemas: ["analysis"])
        let migrations = ServiceProgram.migrations(AnalysisService.self)
        let before = Array(migrations.prefix { $0.name != "provider_day_spending" })
        #expect(before.count < migrations.count)
        _ = try await Migrator(schema: "analysis", role: "analysis", migrations: before).run(database.administrator)
        let pool = PostgresPool(database.administrator.with("search_path", "analysis"), size: 1)
        defer { pool.close() }
        let (first, second, third) = (UUID.v7(), UUID.v7(), UUID.v7())
        for (owner, micros, daysAgo) in [(first, 700, 0), (second, 200, 0), (second, 5, 1)] {
            _ = try await pool.query(
                """
                insert into provider_spending (day, owner_id, micros)
                values ((now() at time zone 'UTC')::date - \(daysAgo), $1, \(micros))
                """, [.uuid(owner)])
        }
        _ = try await Migrator(schema: "analysis", role: "analysis", migrations: migrations).run(database.administrator)
        #expect(try await count(wrong, pool) == 0)

        func reserve(_ micros: Int, of owner: UUID, owner ownerMost: Int = 10_000, day: Int = 1_000) async throws
            -> String?
        {
            try await call(
                "reserve_spending",
                "'ownerId', '\(owner)', 'micros', \(micros), 'ownerDayMicros', \(ownerMost), 'dayMicros', \(day)", pool)
        }
        #expect(try await reserve(101, of: third) == "budget")
        #expect(try await reserve(1, of: first, owner: 700) == "owner-budget")
        #expect(try await reserve(100, of: third) == nil)
        #expect(try await reserve(1, of: third) == "budget")
        #expect(try await count(wrong, pool) == 0)

        // It cost less than was reserved, and never less than nothing.
        for (owner, difference) in [(third, -40), (first, -10_000), (UUID.v7(), -10)] {
            #expect(
                try await call("settle_spending", "'ownerId', '\(owner)', 'micros', \(difference)", pool) == nil)
        }
        #expect(try await count(wrong, pool) == 0)
        #expect(try await count("select max(micros)::bigint from provider_day_spending", pool) == 260)

        #expect(try await call("forget_spending", "'subject', '\(second)'", pool) == nil)
        #expect(try await count(wrong, pool) == 0)
        #expect(try await reserve(740, of: second) == nil)
        #expect(try await reserve(1, of: second) == "budget")
    }

    /// Calls a row function; why it refuses.
    private func call(_ function: String, _ arguments: String, _ pool: PostgresPool) async throws -> String? {
        try await pool.query("select row_\(function)(json_build_object('begunAt', now(), \(arguments)))")
            .rows[0].optional(0, PostgresRow.text)
    }

    private func count(_ query: String, _ pool: PostgresPool) async throws -> Int64 {
        try await pool.query(query).rows[0].int(0)
    }
}
