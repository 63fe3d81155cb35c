package import Contracts
package import JSON
package import Primitives
import Projections

/// A line of the list of sessions.
package struct SessionRow: Sendable, Equatable {
    /// What clients see of a session's life; the raw value stands in the API.
    package enum Status: String, Sendable, CaseIterable {
        case queued, awaitingUpload, processing, complete, error, cancelled, expired, refused

        /// Whether nothing follows any more.
        package var isFinal: Bool { ![.queued, .awaitingUpload, .processing].contains(self) }
    }

    package var id: UUID
    package var ownerId: UUID
    package var kind: SessionKind
    package var status: Status = .queued
    /// How much of the whole is done, 0 to 100; never goes back.
    package var progressPercent: Int64 = 0
    package var createdAt: Timestamp
    /// When the newest event was recorded.
    package var updatedAt: Timestamp
    /// When it expires; kept after that has lost its meaning.
    package var expiresAt: Timestamp
    /// When processing is given up; set by finalizing.
    package var deadline: Timestamp?
    package var reportId: UUID?
    /// For `error`: the stable code.
    package var errorCode: FailureCode?
    /// For `error`: whether another try may succeed.
    package var errorRetryable: Bool?
    /// For `refused`: why.
    package var refusal: QuotaDenial?
    /// When it was completed, if its recording is kept.
    package var mediaSince: Timestamp?
    /// When its recording goes; nil when there is none any more.
    package var mediaUntil: Timestamp?
    /// What is under way, the furthest that was heard of; nil before the work begins and after the ending.
    package var stage: AnalysisStage?
    /// When it was finalized, as long as the work on it has not begun.
    package var waitingSince: Timestamp?
}

/// The row as the table has it.
extension SessionRow: TableRow {
    package static let columns = [
        "owner_id", "kind", "status", "progress", "created_at", "updated_at", "expires_at", "deadline", "report_id",
        "error_code", "error_retryable", "refusal", "media_since", "media_until", "stage",
        "waiting_since",
    ]

    package init(_ columns: JSONObject) throws(JSONError) {
        guard let status = Status(rawValue: try columns.string("status")) else {
            throw JSONError(.type, at: "status", "must be a status of a session")
        }
        id = try columns.uuid("key")
        ownerId = try columns.uuid("owner_id")
        kind = try columns.code("kind")
        self.status = status
        progressPercent = try columns.int("progress")
        createdAt = try columns.timestamp("created_at")
        updatedAt = try columns.timestamp("updated_at")
        expiresAt = try columns.timestamp("expires_at")
        deadline = try columns.optionalTimestamp("deadline")
        reportId = try columns.optionalUUID("report_id")
        errorCode = try columns.optionalCode("error_code")
        errorRetryable = columns["error_retryable"]?.boolValue
        refusal = try columns.optionalObject("refusal").map { (value) throws(JSONError) in try QuotaDenial(value) }
        mediaSince = try columns.optionalTimestamp("media_since")
        mediaUntil = try columns.optionalTimestamp("media_until")
        stage = try columns.optionalCode("stage")
        waitingSince = try columns.optionalTimestamp("waiting_since")
    }

    package var values: JSONObject {
        [
            "owner_id": .uuid(ownerId), "kind": kind.json, "status": .string(status.rawValue),
            "progress": .int(progressPercent), "created_at": .time(createdAt), "updated_at": .time(updatedAt),
            "expires_at": .time(expiresAt), "deadline": .optional(deadline), "report_id": .optional(reportId),
            "error_code": errorCode?.json ?? .null, "error_retryable": errorRetryable.map(JSONValue.bool) ?? .null,
            "refusal": refusal.map { .object($0.json) } ?? .null, "media_since": .optional(mediaSince),
            "media_until": .optional(mediaUntil), "stage": stage?.json ?? .null,
            "waiting_since": .optional(waitingSince),
        ]
    }
}
