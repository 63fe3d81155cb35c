import EventStore
import JSON
import Postgres
import Primitives
import Runtime

/// The rows of `reports`: the reports' texts, which no event carries.
enum ReportRows {
    /// Members that are this service's own; it adds them when the report is read.
    static let ownMembers = ["sessionId", "reportId", "createdAt", "madeBy", "notice", "kept"]

    private static let writeReport = RowFunction(
        "write_report", .uuid("sessionId"), .uuid("ownerId"), .uuid("reportId"), .json("content"))
    private static let deleteReport = RowFunction("delete_report", .uuid("sessionId"))
    /// Removes the reports of a subject.
    static let forget = RowFunction("forget_subject", .uuid("subject"))

    static let all = [writeReport.declaration, deleteReport.declaration, forget.declaration]

    /// Stores a report's content, without the members that are this service's own.
    static func write(_ report: ReportIdentity, _ content: JSONObject) -> RowCall {
        var content = content
        for member in ownMembers { content[member] = nil }
        return writeReport(report.sessionId, report.ownerId, report.reportId, .object(content))
    }

    /// Removes a report.
    static func delete(_ report: ReportIdentity) -> RowCall { deleteReport(report.sessionId) }

    /// The sessions whose reports are a user's, or will be.
    @Loop static func sessions(of owner: UUID, _ pool: PostgresPool) async throws -> [UUID] {
        try await pool.query(
            """
            select session_id from reports where owner_id = $1
            union select session_id from report_drafts where owner_id = $1
            """, [.uuid(owner)]
        ).rows.map { $0.uuid(0) }
    }

    /// A stored report with this service's own members in front.
    ///
    /// - Parameters:
    ///   - content: a JSON object with at least one member, as ``write(_:_:)`` stores it; it is not parsed again.
    ///   - keptUntil: until when the recording is kept; nil when it is gone.
    static func whole(
        _ content: [UInt8], sessionId: UUID, reportId: UUID, createdAt: Timestamp, keptUntil: Timestamp? = nil
    ) -> [UInt8] {
        let own: JSONObject = [
            "sessionId": .uuid(sessionId), "reportId": .uuid(reportId), "createdAt": .time(createdAt),
            "madeBy": "software",
            "notice": "Software made this report from measurements of the recording; no person has judged it.",
            "kept": [
                "report": ["transcript", "figures", "feedback"],
                "recording": ["kept": .bool(keptUntil != nil), "until": .optional(keptUntil)],
            ],
        ]
        return JSONValue.object(own).bytes.dropLast() + [UInt8(ascii: ",")] + content.dropFirst()
    }
}
