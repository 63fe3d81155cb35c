import Contracts
import JSON
import Postgres
import Practice
import Primitives
import Runtime
import ServiceKit

/// Reads what counts of somebody's days.
@Loop struct PracticeHistory {
    /// The columns of ``day(_:)``.
    private static let columns = """
        day_number, sessions, seconds, early, first_started_at, last_started_at, westmost_offset, eastmost_offset
        """

    /// All days of an owner and kind, the oldest first.
    ///
    /// - Throws: `PostgresError`, `JSONError` for a row that cannot be read.
    static func days(of owner: UUID, _ kind: SessionKind, _ owners: OwnerReads) async throws -> [DayFacts] {
        try await owners.query(
            of: owner,
            "select \(columns) from practice_days where owner_id = $1 and kind = $2 order by day_number",
            [.uuid(owner), .text(kind.rawValue)]
        ).rows.map(day)
    }

    /// The same with the times of day of a range.
    ///
    /// - Throws: as ``days(of:_:_:)``.
    static func days(
        of owner: UUID, _ kind: SessionKind, hoursIn range: PracticeRange, _ owners: OwnerReads
    ) async throws -> (days: [DayFacts], hours: HourTotals) {
        var hours = HourTotals()
        let days = try await owners.query(
            of: owner,
            """
            select \(columns), case when day_number between $3 and $4 then hours end from practice_days
            where owner_id = $1 and kind = $2 order by day_number
            """,
            [.uuid(owner), .text(kind.rawValue), .int(range.first.number), .int(range.last.number)]
        ).rows.map { row in
            if !row.isNull(8) { try hours.add(row.bytes(8)) }
            return try day(row)
        }
        return (days, hours)
    }

    /// All days of an owner and kind, for the service itself.
    ///
    /// - Throws: as ``days(of:_:_:)``.
    static func facts(of owner: UUID, _ kind: SessionKind, _ pool: PostgresPool) async throws -> [DayFacts] {
        try await pool.query(
            """
            select \(columns) from practice_days where owner_id = $1 and kind = $2 order by day_number
            """, [.uuid(owner), .text(kind.rawValue)]
        ).rows.map(day)
    }

    /// What an owner has practised at all, for the service itself.
    ///
    /// - Throws: `PostgresError`.
    static func kinds(of owner: UUID, _ pool: PostgresPool) async throws -> [SessionKind] {
        try await pool.query("select distinct kind from practice_days where owner_id = $1", [.uuid(owner)])
            .rows.map { SessionKind(rawValue: $0.text(0)) }
    }

    /// The time zone of an owner's latest session; nil before the first.
    ///
    /// - Throws: `PostgresError`.
    static func lastTimeZone(of owner: UUID, _ kind: SessionKind, _ owners: OwnerReads) async throws -> String? {
        try await owners.query(
            of: owner,
            """
            select last_time_zone from practice_days where owner_id = $1 and kind = $2
            order by day_number desc limit 1
            """, [.uuid(owner), .text(kind.rawValue)]
        ).first?.text(0)
    }

    private static func day(_ row: PostgresRow) throws(JSONError) -> DayFacts {
        let early = row.bytes(3)
        return DayFacts(
            day: LocalDay(number: row.int(0)), sessions: row.int(1), seconds: row.int(2),
            // Most days have none.
            early: early.count <= 2 ? [] : try JSONValue.parse(early).arrayValue?.compactMap(\.intValue) ?? [],
            firstStartedAt: row.time(4), lastStartedAt: row.time(5), westmostOffset: row.int(6),
            eastmostOffset: row.int(7))
    }
}
