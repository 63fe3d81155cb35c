import Observability
import Postgres
import Primitives
import Runtime

/// Where local days end, by PostgreSQL's copy of the IANA time zone database: one copy for all instances.
@Loop final class LocalDays {
    private let pool: PostgresPool
    private let log: Logger
    private var zones: Set<String> = []
    private var hasSaidUnknown = false

    init(_ pool: PostgresPool, log: Logger) {
        self.pool = pool
        self.log = log
    }

    /// The first midnight after a moment in a time zone, 23 to 25 hours after the one before where clocks change.
    ///
    /// A zone that the database does not know counts as UTC.
    ///
    /// - Throws: `PostgresError`.
    func end(of moment: Timestamp, in zone: String) async throws -> Timestamp {
        let result = try await pool.query(
            "select (date_trunc('day', $1 at time zone $2) + interval '1 day') at time zone $2",
            [.time(moment), .text(try await known(zone))])
        return result.rows[0].time(0)
    }

    /// Names are looked up, because PostgreSQL reads nearly any text as a zone of its own rules ("XYZ-167").
    private func known(_ zone: String) async throws -> String {
        if zones.isEmpty {
            let rows = try await pool.query("select name from pg_timezone_names").rows
            zones = Set(rows.map { $0.text(0) })
        }
        if zones.contains(zone) { return zone }
        // The name is a client's text, so it stays out of the log.
        if !hasSaidUnknown { log.warning("a session has an unknown time zone; its day is counted in UTC") }
        hasSaidUnknown = true
        return "UTC"
    }
}
