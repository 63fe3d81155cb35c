import Postgres
import PostgresTesting
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `A pool whose server is away` {
    @Test func `tells everybody who waits, also more than it may have connections`() async throws {
        var settings = try await TestPostgres.makeDatabase(schemas: []).administrator
        settings.host = "/nonexistent"
        let pool = PostgresPool(settings, size: 1)
        defer { pool.close() }
        let asking = (0..<5).map { _ in Loop.task { try await pool.query("select 1") } }
        for one in asking { await #expect(throws: PostgresError.self) { _ = try await one.value } }
    }
}
