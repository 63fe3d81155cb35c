package import Contracts
package import JSON
package import Primitives
import Projections

/// A row of `report_history`: what lists and progress show of a report, and what the owner's next one needs to know of it;
/// numbers and no texts.
package struct ReportHistoryRow: Sendable, Equatable {
    /// Before sessions were heard of when they begin, recordings of this kind alone became reports.
    package static let firstKind = SessionKind.mirrormate

    package var sessionId: UUID
    package var reportId: UUID
    package var ownerId: UUID
    /// When the report was written.
    package var createdAt: Timestamp
    package var summary: ReportSummary
    /// How it is worded; nil of a report that does not say.
    package var wording: ReportWording?
    /// What its figures rest on; nil of a report that does not say.
    package var basis: ReportBasis?
    /// The session as it was begun; nil as long as that is not known.
    package var recording: Recording?
    /// Until when the recording itself is kept; nil when it is gone.
    package var keptUntil: Timestamp?

    /// The row with how long the recording is kept.
    func kept(_ until: Timestamp?) -> ReportHistoryRow {
        var row = self
        row.keptUntil = until
        return row
    }

    /// The row with the session as it was begun.
    func recorded(_ recording: Recording) -> ReportHistoryRow {
        var row = self
        row.recording = recording
        return row
    }
}

/// The row as the table has it.
extension ReportHistoryRow: TableRow {
    package static let columns = [
        "session_id", "report_id", "owner_id", "created_at", "confidence_score", "pace_words_per_min",
        "eye_contact_pct", "filler_count", "duration_sec", "tags", "score_coverage", "score_low", "score_high",
        "wording", "rules_version", "language", "scenario", "engines", "measures", "exercise", "kind", "time_zone",
        "utc_offset_seconds", "begun_at", "kept_until",
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
        basis = try columns.optionalObject("measures").map { (measures) throws(JSONError) in
            try ReportBasis([
                "rulesVersion": columns["rules_version"] ?? .null, "language": columns["language"] ?? .null,
                "scenario": columns["scenario"] ?? .null, "engines": .object(columns.object("engines")),
                "measures": .object(measures), "exercise": .array(columns.array("exercise")),
            ])
        }
        recording = try columns.optionalTimestamp("begun_at").map { (begunAt) throws(JSONError) in
            Recording(
                kind: try columns.code("kind"), timeZone: try columns.string("time_zone"),
                utcOffsetSeconds: try columns.int("utc_offset_seconds"), begunAt: begunAt)
        }
        keptUntil = try columns.optionalTimestamp("kept_until")
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
            "wording": wording.map { .object($0.json) } ?? .null, "rules_version": .optional(basis?.rulesVersion),
            "language": .optional(basis?.language), "scenario": .optional(basis?.scenario),
            "engines": basis?.json["engines"] ?? .null, "measures": basis?.json["measures"] ?? .null,
            "exercise": basis?.json["exercise"] ?? .null,
            "kind": recording?.kind.json ?? .null, "time_zone": .optional(recording?.timeZone),
            "utc_offset_seconds": .optional(recording?.utcOffsetSeconds), "begun_at": .optional(recording?.begunAt),
            "kept_until": .optional(keptUntil),
        ]
    }
}
