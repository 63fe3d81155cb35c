import Contracts
import JSON
import Primitives
import Projections

/// The list of sessions as a table.
enum SessionList: ReadModel {
    static let name = "session_list"
    static let columns = [
        "owner_id", "kind", "status", "progress", "created_at", "updated_at", "expires_at", "deadline", "report_id",
        "error_code", "error_retryable", "refusal",
    ]

    static func keys(of event: SessionEvent) -> [UUID] { SessionProjection.keys(of: event) }

    static func evolve(_ row: SessionRow?, _ event: SessionEvent, key: UUID, recordedAt: Timestamp) -> SessionRow? {
        SessionProjection.evolve(row, event, recordedAt: recordedAt)
    }

    static func text(_ key: UUID) -> String { key.description }

    static func encode(_ row: SessionRow) -> JSONObject {
        var refusal = JSONObject()
        row.refusal?.write(to: &refusal)
        return [
            "owner_id": .uuid(row.ownerId), "kind": row.kind.json, "status": .string(row.status.rawValue),
            "progress": .int(row.progressPercent), "created_at": .time(row.createdAt),
            "updated_at": .time(row.updatedAt), "expires_at": .time(row.expiresAt), "deadline": .optional(row.deadline),
            "report_id": .optional(row.reportId), "error_code": row.errorCode?.json ?? .null,
            "error_retryable": row.errorRetryable.map(JSONValue.bool) ?? .null,
            "refusal": row.refusal == nil ? .null : .object(refusal),
        ]
    }

    static func decode(_ columns: JSONObject) throws(JSONError) -> SessionRow {
        guard let status = SessionRow.Status(rawValue: try columns.string("status")),
            let id = UUID(try columns.string("key"))
        else { throw JSONError(.type, at: "status", "must be a status of a session") }
        var row = SessionRow(
            id: id, ownerId: try columns.uuid("owner_id"), kind: try columns.code("kind"),
            createdAt: try columns.timestamp("created_at"), updatedAt: try columns.timestamp("updated_at"),
            expiresAt: try columns.timestamp("expires_at"))
        row.status = status
        row.progressPercent = try columns.int("progress")
        row.deadline = try columns.optionalTimestamp("deadline")
        row.reportId = try columns.optionalUUID("report_id")
        if try columns.optionalString("error_code") != nil { row.errorCode = try columns.code("error_code") }
        row.errorRetryable = columns["error_retryable"]?.boolValue
        row.refusal = try columns.optionalObject("refusal").map { (value) throws(JSONError) in try QuotaDenial(value) }
        return row
    }
}
