import Postgres
import Runtime

extension Rebuild {
    /// Writes down how far it is and what came of it.
    func note(_ state: String, differences: Int64? = nil, first: String? = nil) async throws {
        _ = try await connection.query(
            """
            update rebuilds set state = $2, position = $3, events = $4, row_count = $5,
                differences = coalesce($6, differences), first_difference = coalesce($7, first_difference),
                ended_at = clock_timestamp()
            where id = $1
            """,
            [
                .int(outcome.id), .text(state), .int(outcome.position), .int(outcome.events), .int(outcome.rows),
                .optional(differences, PostgresValue.int), .optional(first, PostgresValue.text),
            ])
    }

    /// Ends a rebuild whose task was cancelled: what the database still does for it, its table and its record.
    ///
    /// - Throws: `PostgresError`; then the next rebuild cleans up.
    package func abandon() async throws {
        close()
        let connection = try await PostgresConnection.open(writer)
        defer { connection.close() }
        // A statement may run on without its client for long, an index for instance.
        _ = try await connection.query("select pg_terminate_backend($1::bigint::integer, 10000)", [.int(process)])
        _ = try await connection.query("select abandon_rebuild($1)", [.int(outcome.id)])
    }
}
