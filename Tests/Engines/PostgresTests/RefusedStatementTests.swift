import Postgres
import PostgresTesting
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `A refused statement` {
    /// What an operator reads of a statement's error.
    private func said(of sql: String) async throws -> String {
        let pool = PostgresPool(TestPostgres.administrator, size: 1)
        defer { pool.close() }
        let error = await #expect(throws: PostgresError.self) { _ = try await pool.query(sql) }
        return try #require(error).description
    }

    @Test(arguments: [
        ("select shared_at from pg_class", "shared_at"), ("select 1 from report_shares", "report_shares"),
        ("select row_share_report()", "row_share_report"),
    ])
    func `names what the schema lacks, so that a forgotten migration is found`(sql: String, name: String) async throws {
        let said = try await said(of: sql)
        #expect(said.contains(name) && said.hasSuffix("Is a migration missing?"), "\(said)")
    }

    @Test func `names what does not fit the schema in another way`() async throws {
        let said = try await said(of: "update pg_class set relpages = true")
        #expect(said.contains("(42804)") && said.contains("relpages"), "\(said)")
    }

    @Test func `says nothing of the data that it quotes`() async throws {
        #expect(try await said(of: "select 'ada@example.org'::int") == "The database refused a statement (22P02).")
    }
}
