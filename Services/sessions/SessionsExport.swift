import Contracts
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// What this service has of somebody, for an export: recorded and logged sessions, recordings that are not removed yet, and for how
/// long their owner chose to keep them.
@Loop struct SessionsExport {
    private static let sessions = ExportTable(
        "sessions", "Every session that was recorded, or was to be.",
        [
            ExportColumn("id", .id, "The session."), ExportColumn("kind", .text, "What it records."),
            ExportColumn("status", .text, "How it stands, or how it has ended."),
            ExportColumn("createdAt", .time, "When it was created."),
            ExportColumn("updatedAt", .time, "When something of it changed last."),
            ExportColumn("expiresAt", .time, "Until when its recording could come."),
            ExportColumn("reportId", .id, "Its report."),
            ExportColumn("errorCode", .text, "Why it failed."),
            ExportColumn("errorRetryable", .boolean, "Whether another try with the same recording may succeed."),
            ExportColumn("refusal", .structure, "Why it was refused."),
            ExportColumn(
                "recording", .text, "The file of its recording in this archive, where that is not removed yet."),
            ExportColumn("recordingKeptUntil", .time, "Until when its recording is kept, where its owner chose that."),
        ])
    private static let practice = ExportTable(
        "practice-sessions", "Every session that was logged when it was over.",
        [
            ExportColumn("id", .id, "The session."), ExportColumn("kind", .text, "What was practised."),
            ExportColumn("startedAt", .time, "When it began."), ExportColumn("endedAt", .time, "When it ended."),
            ExportColumn("activeSeconds", .integer, "How long it was practised without pauses, in seconds."),
            ExportColumn("pauses", .structure, "The pauses, each from when to when."),
            ExportColumn("timeZone", .text, "The IANA time zone of the place."),
            ExportColumn("utcOffsetSeconds", .integer, "How far clocks there were ahead of UTC, in seconds."),
            ExportColumn("loggedAt", .time, "When it was told first."),
            ExportColumn("updatedAt", .time, "When it was told or corrected last."),
        ])

    private static let choices = ExportTable(
        "retention",
        "For how long recordings are kept after their sessions; empty where nothing was chosen, so not at all.",
        [ExportColumn("keepMediaDays", .integer, "For how many days.")])

    /// How many bytes of kept recordings are copied, of the newest sessions: an archive has an end, and the owner's other messages
    /// wait for as long as it takes.
    private static let mostKept: Int64 = 1 << 30

    private let owners: OwnerReads
    private let commands: CommandHandler<Session>

    init(_ context: ServiceContext) {
        owners = context.owners
        commands = CommandHandler(context.store)
    }

    func write(_ writer: ExportWriter) async throws {
        try await writer.settle([SessionProjection.name, PracticeProjection.name])
        let recordings = try await recordings(writer)
        let names = JSONValue.object(JSONObject(recordings.map { ($0.key, .string($0.value)) })).text
        try await writer.write(
            Self.sessions,
            """
            select key, json_build_object('id', key, 'kind', kind, 'status', status, 'createdAt', created_at,
                'updatedAt', updated_at, 'expiresAt', expires_at, 'reportId', report_id, 'errorCode', error_code,
                'errorRetryable', error_retryable, 'refusal', refusal, 'recording', \(Self.quoted(names))::json -> key,
                'recordingKeptUntil', media_until)
            from session_list where owner_id = $1 and key > $2 order by key limit $3
            """)
        try await writer.write(
            Self.practice,
            """
            select key, json_build_object('id', key, 'kind', kind, 'startedAt', started_at, 'endedAt', ended_at,
                'activeSeconds', active_seconds, 'pauses', pauses, 'timeZone', time_zone,
                'utcOffsetSeconds', utc_offset_seconds, 'loggedAt', logged_at, 'updatedAt', updated_at)
            from practice_log where owner_id = $1 and key > $2 order by key limit $3
            """)
        try await writer.write(
            Self.choices,
            """
            select owner_id::text, json_build_object('keepMediaDays', keep_days)
            from media_choices where owner_id = $1 and owner_id::text > $2 order by owner_id::text limit $3
            """)
    }

    /// Copies the recordings of sessions that have not ended, and those that their owner keeps: all others are removed.
    ///
    /// - Returns: the files by their sessions' ids.
    private func recordings(_ writer: ExportWriter) async throws -> [String: String] {
        let rows = try await owners.query(
            of: writer.owner,
            """
            select key from session_list
            where owner_id = $1 and (status in ('awaitingUpload', 'processing') or media_until > now())
            order by media_until is not null, key desc
            """,
            [.uuid(writer.owner)]
        ).rows
        var names: [String: String] = [:]
        var left = Self.mostKept
        for key in rows.map({ $0.text(0) }) {
            guard let id = UUID(key) else { continue }
            let state = try await commands.load(Session.stream(id)).state
            guard state.identity?.ownerId == writer.owner else { continue }
            let media =
                switch state {
                case .open(_, _, let upload, _): upload
                case .processing(_, let work): work.media
                case .ended(_, .completed(_, let kept?)) where kept.until > .now() && kept.media.sizeBytes <= left:
                    kept.media
                case .absent, .queued, .ended, .gone, .subjectErased: nil as MediaReference?
                }
            guard let media else { continue }
            let name = "recordings/\(id).\(Self.ending(media.contentType))"
            guard try await writer.copy(media.key, size: media.sizeBytes, as: name) else { continue }
            names[key] = name
            if case .ended = state { left -= media.sizeBytes }
        }
        return names
    }

    private static func ending(_ contentType: String) -> String {
        switch contentType {
        case "video/webm": "webm"
        case "video/quicktime": "mov"
        default: "mp4"
        }
    }

    /// A literal of SQL; the text is ids and names of our own.
    private static func quoted(_ text: String) -> String {
        "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
    }
}
