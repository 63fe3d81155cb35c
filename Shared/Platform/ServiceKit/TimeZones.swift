import HTTPServer
package import Postgres
package import Runtime

/// The names of the IANA time zone database, as PostgreSQL has them: what is accepted here works in its queries.
@Loop package final class TimeZones {
    private let pool: PostgresPool
    private var names: Set<String> = []

    package init(_ pool: PostgresPool) { self.pool = pool }

    /// Refuses a name that is not in the database.
    ///
    /// - Throws: a problem 422, or `PostgresError`.
    package func check(_ name: String) async throws {
        if names.isEmpty {
            // The names of files that are no zones of their own are left out.
            let rows = try await pool.query(
                """
                select name from pg_timezone_names
                where name !~ '^(posix|right)/' and name not in ('localtime', 'posixrules', 'Factory')
                """
            ).rows
            names = Set(rows.map { $0.text(0) })
        }
        if !names.contains(name) { throw Problem(.timeZoneInvalid) }
    }
}
