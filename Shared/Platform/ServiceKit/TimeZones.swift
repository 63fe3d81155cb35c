import HTTPServer
package import Postgres
package import Primitives
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
        guard try await isKnown(name) else { throw Problem(.timeZoneInvalid) }
    }

    /// Whether a name is in the database. Names are looked up, because PostgreSQL reads nearly any text as a zone of its own
    /// rules ("XYZ-167").
    ///
    /// - Throws: `PostgresError`.
    package func isKnown(_ name: String) async throws -> Bool {
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
        return names.contains(name)
    }

    /// How far the clocks of a zone are ahead of UTC at a moment, in seconds; negative in the west.
    ///
    /// - Parameter name: one that ``check(_:)`` accepts.
    /// - Throws: `PostgresError`.
    package func utcOffsetSeconds(of name: String, at moment: Timestamp) async throws -> Int64 {
        let result = try await pool.query(
            "select extract(epoch from ($1 at time zone $2) - ($1 at time zone 'UTC'))::bigint",
            [.time(moment), .text(name)])
        return result.rows[0].int(0)
    }

    /// The first moment of a day on the clocks of a zone.
    ///
    /// - Parameter name: one that ``check(_:)`` accepts.
    /// - Throws: `PostgresError`.
    package func start(of day: LocalDay, in name: String) async throws -> Timestamp {
        let result = try await pool.query(
            "select $1::date::timestamp at time zone $2", [.text(day.description), .text(name)])
        return result.rows[0].time(0)
    }
}
