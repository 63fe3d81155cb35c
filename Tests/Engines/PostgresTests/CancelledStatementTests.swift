import Postgres
import PostgresTesting
import Primitives
import Runtime
import Testing

/// What is left of a connection when the task whose statement it runs is cancelled, as when a client hangs up.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A cancelled statement` {
    /// Counts the locks of sessions in this database; other tests share the server.
    private static let locks = """
        select count(*) from pg_locks where locktype = 'advisory'
            and database = (select oid from pg_database where datname = current_database())
        """

    /// A pool of one connection, and another one to look from and to stand in its way.
    private func withPool(
        deadline: Duration = .seconds(40), _ body: @Loop (PostgresPool, PostgresPool) async throws -> Void
    ) async throws {
        let name = "cancel-\(UUID.v4())"
        var settings = try await TestPostgres.makeDatabase(schemas: []).administrator
        settings.applicationName = name
        settings.statementDeadline = deadline
        let pool = PostgresPool(settings, size: 1)
        settings.applicationName = "watch"
        settings.statementDeadline = .seconds(40)
        let other = PostgresPool(settings, size: 1)
        defer {
            pool.close()
            other.close()
        }
        try await body(pool, other)
    }

    /// The number that a statement returns.
    private func number(_ sql: String, _ pool: PostgresPool) async throws -> Int64 {
        try await pool.query(sql).rows[0].int(0)
    }

    private func pid(_ pool: PostgresPool) async throws -> Int64 {
        try await number("select pg_backend_pid()::bigint", pool)
    }

    /// Runs statements that wait for a lock which `other` holds, cancels them there, and lets the lock go.
    private func cancel(
        waitingIn pool: PostgresPool, watchedFrom other: PostgresPool,
        _ work: @escaping @Loop (PostgresPool) async throws -> Void
    ) async throws {
        try await other.withConnection { watcher in
            _ = try await watcher.query("select pg_advisory_lock(1)")
            let task = Loop.task { try await work(pool) }
            let waiting = "\(Self.locks) and not granted"
            while try await watcher.query(waiting).rows[0].int(0) == 0 { try await Loop.sleep(for: .milliseconds(2)) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            _ = try await watcher.query("select pg_advisory_unlock(1)")
        }
    }

    @Test func `costs no connection, and leaves no lock`() async throws {
        try await withPool { pool, other in
            let before = try await pid(pool)
            try await cancel(waitingIn: pool, watchedFrom: other) {
                _ = try await $0.query("select pg_advisory_lock(1)")
            }
            #expect(try await pid(pool) == before)
            #expect(try await number(Self.locks, other) == 0)
        }
    }

    @Test func `of a transaction takes the transaction back, and costs no connection`() async throws {
        try await withPool { pool, other in
            _ = try await pool.query("create table things (name text)")
            let before = try await pid(pool)
            try await cancel(waitingIn: pool, watchedFrom: other) {
                try await $0.transaction { connection in
                    _ = try await connection.query("insert into things values ('half')")
                    _ = try await connection.query("select pg_advisory_xact_lock(1)")
                }
            }
            #expect(try await number("select count(*) from things", pool) == 0)
            #expect(try await pid(pool) == before)
        }
    }

    @Test func `may be one that is being prepared`() async throws {
        try await withPool { pool, other in
            _ = try await other.query("create table things (name text)")
            let before = try await pid(pool)
            let statement = "select $1 + count(*) from things"
            for _ in 0..<5 {
                try await other.transaction { holder in
                    // Nobody can prepare a statement about a table that is locked so.
                    _ = try await holder.query("lock table things in access exclusive mode")
                    let task = Loop.task { _ = try await pool.query(statement, [.int(1)]) }
                    let waiting = Self.locks.replacing("advisory", with: "relation") + " and not granted"
                    while try await holder.query(waiting).rows[0].int(0) == 0 {
                        try await Loop.sleep(for: .milliseconds(2))
                    }
                    task.cancel()
                    await #expect(throws: CancellationError.self) { try await task.value }
                }
            }
            let answer = try await pool.query(statement, [.int(1)])
            #expect(answer.rows[0].int(0) == 1)
            #expect(try await pid(pool) == before)
            let prepared = "select count(*) from pg_prepared_statements"
            let count = try await number(prepared, pool)
            #expect(count <= 3, "what was given up is not prepared for ever")
        }
    }

    @Test func `lets a connection that was being opened for it serve the next`() async throws {
        try await withPool { pool, other in
            let task = Loop.task { _ = try await pool.query("select 1") }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            // It is there although nobody waits for it.
            let opened = """
                select coalesce(max(pid), 0)::bigint from pg_stat_activity
                where datname = current_database() and application_name like 'cancel-%'
                """
            while try await number(opened, other) == 0 { try await Loop.sleep(for: .milliseconds(2)) }
            let first = try await number(opened, other)
            #expect(try await pid(pool) == first)
        }
    }

    @Test func `that does not end in time costs its connection after all`() async throws {
        try await withPool(deadline: .seconds(3)) { pool, other in
            let before = try await pid(pool)
            try await other.withConnection { watcher in
                _ = try await watcher.query("select pg_advisory_lock(1)")
                let task = Loop.task { _ = try await pool.query("select pg_advisory_lock(1)") }
                let waiting = "\(Self.locks) and not granted"
                while try await watcher.query(waiting).rows[0].int(0) == 0 {
                    try await Loop.sleep(for: .milliseconds(2))
                }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                #expect(try await pid(pool) != before)
            }
        }
    }
}
