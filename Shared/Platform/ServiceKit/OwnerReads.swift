package import Postgres
package import Primitives
package import Runtime

/// Reads of owners' rows under row-level security: whatever a statement says, it sees the rows of one owner.
@Loop package struct OwnerReads {
    private let pool: PostgresPool

    /// - Parameter settings: the service's login role, without a scope: rows are hidden until one is set.
    package init(_ settings: PostgresSettings, size: Int = 4) { pool = PostgresPool(settings, size: size) }

    /// Runs one statement in the scope of an owner.
    ///
    /// - Throws: `PostgresError`.
    package func query(
        of owner: UUID, _ sql: String, _ parameters: [PostgresValue] = []
    ) async throws -> PostgresResult {
        try await pool.query(asOwner: owner, sql, parameters)
    }

    package func close() { pool.close() }
}
