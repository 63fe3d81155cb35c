import EventSourcing
import JSON
import Primitives
import Projections

/// Reports as rows of the table `report_history`: numbers for lists and progress, no texts.
enum ReportReadModel: ReadModel {
    static let name = "report_history"

    static let columns = [
        "session_id", "report_id", "owner_id", "created_at", "confidence_score", "pace_words_per_min",
        "eye_contact_pct", "filler_count", "duration_sec", "tags",
    ]

    static func keys(of event: ReportEvent) -> [UUID] { ReportProjection.keys(of: event) }

    static func evolve(
        _ row: ReportHistoryRow?, _ event: ReportEvent, key: UUID, recordedAt: Timestamp
    ) -> ReportHistoryRow? {
        ReportProjection.evolve(row, event, recordedAt: recordedAt)
    }

    static func text(_ key: UUID) -> String { key.description }

    static func encode(_ row: ReportHistoryRow) -> JSONObject {
        [
            "session_id": .uuid(row.sessionId), "report_id": .uuid(row.reportId), "owner_id": .uuid(row.ownerId),
            "created_at": .time(row.createdAt), "confidence_score": .optional(row.summary.confidenceScore),
            "pace_words_per_min": .optional(row.summary.paceWordsPerMin),
            "eye_contact_pct": .optional(row.summary.eyeContactPct),
            "filler_count": .optional(row.summary.fillerCount), "duration_sec": .int(row.summary.durationSec),
            "tags": .array(row.summary.tags.map(JSONValue.string)),
        ]
    }

    static func decode(_ columns: JSONObject) throws(JSONError) -> ReportHistoryRow {
        ReportHistoryRow(
            sessionId: try columns.uuid("session_id"), reportId: try columns.uuid("report_id"),
            ownerId: try columns.uuid("owner_id"), createdAt: try columns.timestamp("created_at"),
            summary: ReportSummary(
                confidenceScore: try columns.optionalInt("confidence_score"),
                paceWordsPerMin: try columns.optionalInt("pace_words_per_min"),
                eyeContactPct: try columns.optionalDouble("eye_contact_pct"),
                fillerCount: try columns.optionalInt("filler_count"), durationSec: try columns.int("duration_sec"),
                tags: try columns.array("tags").compactMap(\.stringValue)))
    }
}
