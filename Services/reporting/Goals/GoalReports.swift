import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Reads the reports that can count towards somebody's goals.
@Loop enum GoalReports {
    private static let statement = """
        select row_to_json(r) from report_history r
        where owner_id = $1 and created_at >= $2 and coalesce(begun_at, created_at) >= $2
        order by created_at, session_id
        """

    /// The reports of recordings that an owner has begun since the first of some goals was set.
    ///
    /// - Throws: `PostgresError`, `JSONError` for a row that cannot be read.
    static func rows(for goals: [Goal], of owner: UUID, _ owners: OwnerReads) async throws -> [ReportHistoryRow] {
        guard let since = goals.map(\.setAt).min() else { return [] }
        return try await owners.query(of: owner, statement, [.uuid(owner), .time(since)]).rows.map(row)
    }

    /// The same for the service itself.
    ///
    /// - Throws: as for a caller.
    static func rows(for goals: [Goal], of owner: UUID, _ pool: PostgresPool) async throws -> [ReportHistoryRow] {
        guard let since = goals.map(\.setAt).min() else { return [] }
        return try await pool.query(statement, [.uuid(owner), .time(since)]).rows.map(row)
    }

    private static func row(_ row: PostgresRow) throws(JSONError) -> ReportHistoryRow {
        try ReportHistoryRow(JSONObject.parse(row.bytes(0)))
    }
}
