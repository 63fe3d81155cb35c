package import JSON
package import Primitives
import Projections

/// A row of `report_history`: what lists and progress show of a report, and what the owner's next one needs to know of it;
/// numbers and no texts.
package struct ReportHistoryRow: Sendable, Equatable {
    package var sessionId: UUID
    package var reportId: UUID
    package var ownerId: UUID
    /// When the report was written.
    package var createdAt: Timestamp
    package var summary: ReportSummary
    /// How it is worded; nil of a report that does not say.
    package var wording: ReportWording?
}

/// The row as the table has it.
extension ReportHistoryRow: TableRow {
    package static let columns = [
        "session_id", "report_id", "owner_id", "created_at", "confidence_score", "pace_words_per_min",
        "eye_contact_pct", "filler_count", "duration_sec", "tags", "score_coverage", "score_low", "score_high",
        "wording",
    ]

    package init(_ columns: JSONObject) throws(JSONError) {
        sessionId = try columns.uuid("session_id")
        reportId = try columns.uuid("report_id")
        ownerId = try columns.uuid("owner_id")
        createdAt = try columns.timestamp("created_at")
        let low = try columns.optionalInt("score_low")
        let high = try columns.optionalInt("score_high")
        summary = try ReportSummary(
            confidenceScore: columns.optionalInt("confidence_score"),
            scoreCoverage: columns.optionalInt("score_coverage"),
            scoreRange: low.flatMap { low in high.flatMap { low <= $0 ? low...$0 : nil } },
            paceWordsPerMin: columns.optionalInt("pace_words_per_min"),
            eyeContactPct: columns.optionalDouble("eye_contact_pct"),
            fillerCount: columns.optionalInt("filler_count"), durationSec: columns.int("duration_sec"),
            tags: columns.array("tags").compactMap(\.stringValue))
        wording = try columns.optionalObject("wording").map(ReportWording.init)
    }

    package var values: JSONObject {
        [
            "session_id": .uuid(sessionId), "report_id": .uuid(reportId), "owner_id": .uuid(ownerId),
            "created_at": .time(createdAt), "confidence_score": .optional(summary.confidenceScore),
            "pace_words_per_min": .optional(summary.paceWordsPerMin),
            "eye_contact_pct": .optional(summary.eyeContactPct), "filler_count": .optional(summary.fillerCount),
            "duration_sec": .int(summary.durationSec), "tags": .array(summary.tags.map(JSONValue.string)),
            "score_coverage": .optional(summary.scoreCoverage), "score_low": .optional(summary.scoreRange?.lowerBound),
            "score_high": .optional(summary.scoreRange?.upperBound),
            "wording": wording.map { .object($0.json) } ?? .null,
        ]
    }
}
