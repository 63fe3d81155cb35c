import Contracts
import JSON
import Primitives
import RestTables

/// A session as the table `sessions` of the compatible surface has it.
enum CompatibleSession {
    /// `error_message` is made of the row, so nothing can be looked for by it.
    static let table = RestTable(
        "sessions",
        [
            RestColumn("id", .uuid), RestColumn("user_id", .uuid), RestColumn("device_id", .text),
            RestColumn("created_at", .timestamp), RestColumn("video_path", .text), RestColumn("duration_sec", .integer),
            RestColumn("status", .text), RestColumn("progress", .double),
            RestColumn("error_message", .text, isInSource: false),
        ],
        source: """
            select s.key::uuid as id, case when substr(s.owner_id::text, 15, 1) <> '8' then s.owner_id end as user_id,
                null::text as device_id, s.created_at,
                case when substr(s.key, 15, 1) = '4' then s.key || '.mp4' end as video_path, null::bigint as duration_sec,
                case when s.status in ('queued', 'awaitingUpload') then 'queued'
                    when s.status in ('processing', 'complete') then s.status else 'error' end as status,
                s.progress / 100.0::float8 as progress, row_to_json(s) as row
            from session_list s where $1::uuid is null or s.owner_id = $1
            """)

    /// The visible row.
    static func row(_ row: SessionRow) -> JSONObject {
        [
            "id": .uuid(row.id), "user_id": AnonymousOwner.isOne(row.ownerId) ? .null : .uuid(row.ownerId),
            "device_id": .null, "created_at": .time(row.createdAt),
            "video_path": SessionCapability.isCompatible(row.id) ? .string(CompatibleObject.name(row.id)) : .null,
            "duration_sec": .null, "status": .string(status(row.status)),
            "progress": .double(Double(row.progressPercent) / 100), "error_message": .optional(message(row)),
        ]
    }

    /// The four words that the app knows. It takes any other for `queued`, and would ask for ever.
    static func status(_ status: SessionRow.Status) -> String {
        switch status {
        case .queued, .awaitingUpload: "queued"
        case .processing: "processing"
        case .complete: "complete"
        case .error, .cancelled, .expired, .refused: "error"
        }
    }

    /// Clients finalize as soon as their video is there; who has not by then does not any more.
    static let timeToFinalize = Duration.seconds(15)

    /// Whether a session that waits may give its place to another of its owner.
    ///
    /// - Parameter span: for how long nothing has happened to it.
    static func givesWay(_ session: Session, unchangedFor span: Duration) -> Bool {
        switch session {
        case .queued, .open(_, _, upload: nil, _): true
        case .open(_, _, upload: .some, _): span >= timeToFinalize
        case .absent, .processing, .ended, .gone, .subjectErased: false
        }
    }

    /// Why nothing comes of it, for people; nil as long as something may.
    private static func message(_ row: SessionRow) -> String? {
        switch row.status {
        case .queued, .awaitingUpload, .processing, .complete: nil
        case .error: row.errorCode?.title ?? "The analysis did not succeed. Try again."
        case .cancelled: "The session was cancelled. Record again."
        case .expired: "The video did not come in time. Record again."
        case .refused:
            row.refusal?.code == .sessionOpen
                ? "Another analysis is under way. Wait until it is ready."
                : "The analyses of this day are used up. Try again tomorrow."
        }
    }
}
