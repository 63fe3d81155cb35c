import Contracts
import JSON
import Postgres
import Practice
import Primitives
import Runtime
import ServiceKit

/// Reads what counts of somebody's days.
@Loop struct PracticeHistory {
    /// A day, with its times of day where they were asked for.
    struct Day {
        let facts: DayFacts
        /// Seconds by the hour in which sessions began.
        let hours: [Int64: Int64]
    }

    /// The columns of ``day(_:)``.
    private static let columns = """
        day_number, sessions, seconds, early, first_started_at, last_started_at, westmost_offset, eastmost_offset
        """

    /// All days of an owner and kind, the oldest first, with times of day for those of a range.
    ///
    /// - Throws: `PostgresError`, `JSONError` for a row that cannot be read.
    static func days(
        of owner: UUID, _ kind: SessionKind, hoursIn range: PracticeRange? = nil, _ owners: OwnerReads
    ) async throws -> [Day] {
        try await owners.query(
            of: owner,
            """
            select \(columns), case when day_number between $3 and $4 then hours end from practice_days
            where owner_id = $1 and kind = $2 order by day_number
            """,
            [
                .uuid(owner), .text(kind.rawValue), .int(range?.first.number ?? 1), .int(range?.last.number ?? 0),
            ]
        ).rows.map(day)
    }

    /// All days of an owner and kind, for the service itself.
    ///
    /// - Throws: as ``days(of:_:hoursIn:_:)``.
    static func facts(of owner: UUID, _ kind: SessionKind, _ pool: PostgresPool) async throws -> [DayFacts] {
        try await pool.query(
            """
            select \(columns), null::json from practice_days where owner_id = $1 and kind = $2 order by day_number
            """, [.uuid(owner), .text(kind.rawValue)]
        ).rows.map { try day($0).facts }
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

    private static func day(_ row: PostgresRow) throws -> Day {
        let early = row.bytes(3)
        return Day(
            facts: DayFacts(
                day: LocalDay(number: row.int(0)), sessions: row.int(1), seconds: row.int(2),
                // Most days have none.
                early: early.count <= 2 ? [] : try JSONValue.parse(early).arrayValue?.compactMap(\.intValue) ?? [],
                firstStartedAt: row.time(4), lastStartedAt: row.time(5), westmostOffset: row.int(6),
                eastmostOffset: row.int(7)),
            hours: row.isNull(8) ? [:] : try hours(row.bytes(8)))
    }

    private static func hours(_ bytes: [UInt8]) throws(JSONError) -> [Int64: Int64] {
        var hours: [Int64: Int64] = [:]
        for member in try JSONObject.parse(bytes).members {
            if let hour = Int64(member.key), let seconds = member.value.intValue { hours[hour] = seconds }
        }
        return hours
    }
}
