import EventStore
import Postgres
import PostgresTesting
import Primitives
import Providers
import Runtime
import ServiceKit
import Testing
import analysis

/// What a service keeps of its providers, in a schema of its own.
@Suite(.timeLimit(.minutes(10))) @Loop struct `What is kept of providers` {
    private func withStore(_ body: @Loop (EventStore, PostgresPool) async throws -> Void) async throws {
        let database = try await TestPostgres.makeDatabase(schemas: ["analysis"])
        _ = try await Migrator(
            schema: "analysis", role: "analysis", migrations: ServiceProgram.migrations(AnalysisService.self)
        ).run(database.administrator)
        let pool = PostgresPool(database.administrator.with("search_path", "analysis"), size: 1)
        defer { pool.close() }
        let store = EventStore(try #require(database.roles["analysis"]))
        do { try await body(store, pool) } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    /// Notes how calls of other instances have ended, so many seconds ago.
    private func note(_ secondsAgo: [Int], succeeded: Bool, _ pool: PostgresPool) async throws {
        for seconds in secondsAgo {
            _ = try await pool.query(
                """
                insert into provider_outcomes (provider, model, ended_at, succeeded)
                values ('p', 'm', now() - interval '\(seconds) s', \(succeeded))
                """)
        }
    }

    private func count(_ table: String, _ pool: PostgresPool) async throws -> Int64 {
        try await pool.query("select count(*) from \(table)").rows[0].int(0)
    }

    @Test func `leaves one alone whose trial has failed, though what opened its circuit is minutes ago`() async throws {
        try await withStore { store, pool in
            try await note(Array(300...304), succeeded: false, pool)
            try await note([10], succeeded: false, pool)
            guard case .refuse = try await store.verdict(of: "m", by: "p", at: .now()) else {
                Issue.record("The provider is asked.")
                return
            }
            #expect(try await store.verdict(of: "another", by: "p", at: .now()) == .pass)
            #expect(try await store.verdict(of: "m", by: "p", at: .now() + .seconds(25)) == .trial)
        }
    }

    @Test func `leaves nobody alone for what ended in a time from which the clock was set back`() async throws {
        try await withStore { store, pool in
            try await note(Array(-3_605 ... -3_601), succeeded: false, pool)
            #expect(try await store.verdict(of: "m", by: "p", at: .now()) == .pass)
            try await note(Array(-5 ... -1), succeeded: false, pool)
            guard case .refuse = try await store.verdict(of: "m", by: "p", at: .now()) else {
                Issue.record("Some seconds are no step.")
                return
            }
        }
    }

    @Test func `is swept when it says nothing any more, and not before`() async throws {
        try await withStore { store, pool in
            try await note([3_500, 3_700], succeeded: true, pool)
            for days in [Spending.keptDays - 1, Spending.keptDays + 2] {
                for columns in ["provider_spending (day, owner_id, micros)", "provider_day_spending (day, micros)"] {
                    let owner = columns.contains("owner_id") ? "gen_random_uuid()," : ""
                    _ = try await pool.query("insert into \(columns) values (current_date - \(days), \(owner) 5)")
                }
            }
            let sweeping = Loop.task { await ProviderTables.sweeper(store).run() }
            for table in ["provider_spending", "provider_day_spending", "provider_outcomes"] {
                let end = monotonicNanoseconds() + 20_000_000_000
                while try await count(table, pool) > 1, monotonicNanoseconds() < end {
                    try await Loop.sleep(for: .milliseconds(20))
                }
                #expect(try await count(table, pool) == 1, "\(table)")
            }
            sweeping.cancel()
            try await sweeping.value
        }
    }
}
