import EventStore
import JSON
import Postgres
import Primitives
import Runtime

/// The rows of `report_drafts`: reports that wait for sentences of a provider, whole and in the words of the catalogue.
enum DraftRows {
    private static let keepDraft = RowFunction(
        "keep_draft", .uuid("sessionId"), .uuid("ownerId"), .json("content"))
    private static let postponeDraft = RowFunction("postpone_draft", .uuid("sessionId"), .time("until"))
    private static let dropDraft = RowFunction("drop_draft", .uuid("sessionId"))
    /// Removes the drafts of a subject.
    static let forget = RowFunction("forget_drafts", .uuid("subject"))

    static let all = [
        keepDraft.declaration, postponeDraft.declaration, dropDraft.declaration, forget.declaration,
    ]

    /// A report waits.
    static func keep(_ report: ReportIdentity, _ content: JSONObject) -> RowCall {
        keepDraft(report.sessionId, report.ownerId, .object(content))
    }

    /// No other worker looks at it before that.
    static func postpone(_ report: ReportIdentity, until moment: Timestamp) -> RowCall {
        postponeDraft(report.sessionId, moment)
    }

    /// It waits no longer.
    static func drop(_ report: ReportIdentity) -> RowCall { dropDraft(report.sessionId) }

    /// What a report is, as long as it waits; nil when it does not.
    @Loop static func content(of session: UUID, _ pool: PostgresPool) async throws -> JSONObject? {
        try await pool.query("select content from report_drafts where session_id = $1", [.uuid(session)]).rows.first
            .map { try JSONObject.parse($0.bytes(0)) }
    }

    /// The sessions whose reports wait and may be looked at, without those of the list.
    @Loop static func due(without running: [UUID], limit: Int, _ pool: PostgresPool) async throws -> [UUID] {
        try await pool.query(
            """
            select session_id from report_drafts
            where due_at <= clock_timestamp() and session_id <> all($1) order by due_at limit $2
            """, [.uuids(running), .int(Int64(limit))]
        ).rows.map { $0.uuid(0) }
    }
}
