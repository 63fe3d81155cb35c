import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Where local days end, by PostgreSQL's copy of the IANA time zone database: one copy for all instances.
@Loop final class LocalDays {
    private let pool: PostgresPool
    private let log: Logger
    private let zones: TimeZones
    private var hasSaidUnknown = false

    init(_ pool: PostgresPool, _ zones: TimeZones, log: Logger) {
        self.pool = pool
        self.zones = zones
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

    /// A zone, or UTC for one that is not known.
    private func known(_ zone: String) async throws -> String {
        if try await zones.isKnown(zone) { return zone }
        // The name is a client's text, so it stays out of the log.
        if !hasSaidUnknown { log.warning("a session has an unknown time zone; its day is counted in UTC") }
        hasSaidUnknown = true
        return "UTC"
    }
}
