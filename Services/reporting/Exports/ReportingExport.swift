import Contracts
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// What this service has of somebody, for an export: reports with their texts, progress, goals, days of practice, what was chosen for
/// streaks, and how the account was used.
@Loop struct ReportingExport {
    private static let reports = ExportTable(
        "reports", "Every report, whole.", hasCSV: false,
        [
            ExportColumn("sessionId", .id, "The session that it reports on."),
            ExportColumn("reportId", .id, "The report."),
            ExportColumn("createdAt", .time, "When it was written."),
            ExportColumn("madeBy", .text, "What made it: software, from measurements; no person has judged it."),
            ExportColumn("recordingKeptUntil", .time, "Until when its recording is kept; empty when that is gone."),
            ExportColumn("content", .structure, "All that it says."),
        ])
    private static let progress = ExportTable(
        "progress", "The figures of every report, which progress is read from.",
        [
            ExportColumn("sessionId", .id, "The session."), ExportColumn("reportId", .id, "The report."),
            ExportColumn("createdAt", .time, "When it was written."),
            ExportColumn("kind", .text, "What was recorded."),
            ExportColumn("beganAt", .time, "When the session was begun."),
            ExportColumn("timeZone", .text, "The IANA time zone of the place."),
            ExportColumn("utcOffsetSeconds", .integer, "How far clocks there were ahead of UTC, in seconds."),
            ExportColumn("rulesVersion", .integer, "The version of the rules that judged it: only equal ones compare."),
            ExportColumn("language", .text, "The language that was named, as a BCP 47 tag."),
            ExportColumn("scenario", .text, "What was spoken for."),
            ExportColumn("engines", .structure, "What measured it, with versions."),
            ExportColumn("confidenceScore", .integer, "The score, 0 to 100."),
            ExportColumn("scoreCoverage", .integer, "How much of the score could be judged, in percent."),
            ExportColumn("scoreLow", .integer, "The least that the score may be."),
            ExportColumn("scoreHigh", .integer, "The most that the score may be."),
            ExportColumn("paceWordsPerMin", .integer, "Words in a minute."),
            ExportColumn("eyeContactPct", .number, "The share of time with a look at the camera, 0 to 1."),
            ExportColumn("fillerCount", .integer, "How many filler words there were."),
            ExportColumn("durationSec", .integer, "How long the recording is, in seconds."),
            ExportColumn("tags", .structure, "The tags of the report."),
            ExportColumn("measures", .structure, "All figures; of each that is not valid the code that says why."),
            ExportColumn("exercise", .structure, "The figures that the exercise to begin with is about."),
        ])
    private static let goals = ExportTable(
        "goals", "Every goal that is open or shown, with the recordings that counted.",
        [
            ExportColumn("goalId", .id, "The goal."), ExportColumn("measure", .text, "What is aimed at."),
            ExportColumn("standing", .text, "Whether it is open, met or missed."),
            ExportColumn("endedAt", .time, "When it was met or missed."),
            ExportColumn("goal", .structure, "The goal as it was set."),
            ExportColumn("hits", .structure, "The recordings that counted."),
        ])
    private static let days = ExportTable(
        "practice-days", "The local days with logged sessions.",
        [
            ExportColumn("kind", .text, "What was practised."), ExportColumn("day", .text, "The local day."),
            ExportColumn("sessions", .integer, "How many sessions."),
            ExportColumn("seconds", .integer, "How long, in seconds."),
            ExportColumn("firstStartedAt", .time, "When the first one began."),
            ExportColumn("lastStartedAt", .time, "When the last one began."),
            ExportColumn("timeZone", .text, "The IANA time zone of the last one."),
        ])
    private static let streaks = ExportTable(
        "streak-settings", "What was chosen for streaks, and the milestones that were reached.",
        [
            ExportColumn("graceMinutes", .integer, "How long after midnight a session counts for the day before."),
            ExportColumn("frozenDays", .structure, "The days that may be empty."),
            ExportColumn("milestones", .structure, "The milestones."),
        ])
    private static let shares = ExportTable(
        "shares", "The links by which reports are shown to others; the links themselves are kept nowhere.",
        [
            ExportColumn("shareId", .id, "The link."),
            ExportColumn("sessionId", .id, "The session whose report it shows."),
            ExportColumn("parts", .structure, "What of the report it shows."),
            ExportColumn("card", .structure, "What whoever has the link sees."),
            ExportColumn("views", .integer, "How often it was looked at."),
            ExportColumn("maxViews", .integer, "How often it may be."),
            ExportColumn("createdAt", .time, "When it was made."), ExportColumn("expiresAt", .time, "When it ends."),
        ])
    private static let usage = ExportTable(
        "usage", "How the account was used, by month (UTC) and kind.",
        [
            ExportColumn("month", .text, "The month."), ExportColumn("kind", .text, "The kind of session."),
            ExportColumn("sessionsAnalyzed", .integer, "How many recordings have a report."),
            ExportColumn("secondsAnalyzed", .integer, "How long these recordings are, in seconds."),
            ExportColumn("sessionsLogged", .integer, "How many sessions were logged."),
            ExportColumn("secondsLogged", .integer, "How long these were, in seconds."),
        ])

    private let usage: Usage

    init(_ usage: Usage) { self.usage = usage }

    func write(_ writer: ExportWriter) async throws {
        try await writer.settle([
            ReportProjection.name, PracticeDayProjection.name, PractitionerProjection.name, GoalsProjection.name,
        ])
        try await writer.write(
            Self.reports, page: 20,
            """
            select r.session_id::text, json_build_object('sessionId', r.session_id, 'reportId', r.report_id,
                'createdAt', e.recorded_at, 'madeBy', 'software',
                'recordingKeptUntil', case when h.kept_until > now() then h.kept_until end, 'content', r.content)
            from reports r join events e on e.stream = '\(Report.category)-' || r.session_id::text and e.type = 'ReportWritten'
            left join report_history h on h.session_id = r.session_id
            where r.owner_id = $1 and r.session_id::text > $2 order by r.session_id::text limit $3
            """)
        try await writer.write(
            Self.progress,
            """
            select key, json_build_object('sessionId', session_id, 'reportId', report_id, 'createdAt', created_at,
                'kind', coalesce(kind, '\(ReportHistoryRow.firstKind.rawValue)'), 'beganAt', begun_at,
                'timeZone', time_zone, 'utcOffsetSeconds', utc_offset_seconds, 'rulesVersion', rules_version,
                'language', language, 'scenario', scenario, 'engines', engines, 'confidenceScore', confidence_score, 'scoreCoverage', score_coverage,
                'scoreLow', score_low, 'scoreHigh', score_high, 'paceWordsPerMin', pace_words_per_min,
                'eyeContactPct', eye_contact_pct, 'fillerCount', filler_count, 'durationSec', duration_sec,
                'tags', tags, 'measures', measures, 'exercise', exercise)
            from report_history where owner_id = $1 and key > $2 order by key limit $3
            """)
        try await writer.write(
            Self.goals,
            """
            select lpad(n::text, 9, '0'), json_build_object('goalId', g -> 'goalId', 'measure', g -> 'measure',
                'standing', g -> 'standing', 'endedAt', g -> 'endedAt', 'goal', g, 'hits', g -> 'hits')
            from goals, json_array_elements(goals.goals) with ordinality as x (g, n)
            where owner_id = $1 and lpad(n::text, 9, '0') > $2 order by lpad(n::text, 9, '0') limit $3
            """)
        try await writer.write(
            Self.days,
            """
            select key, json_build_object('kind', kind, 'day', day, 'sessions', sessions, 'seconds', seconds,
                'firstStartedAt', first_started_at, 'lastStartedAt', last_started_at, 'timeZone', last_time_zone)
            from practice_days where owner_id = $1 and key > $2 order by key limit $3
            """)
        try await writer.write(
            Self.streaks,
            """
            select key, json_build_object('graceMinutes', grace_minutes, 'frozenDays', frozen_days,
                'milestones', milestones)
            from practitioners where owner_id = $1 and key > $2 order by key limit $3
            """)
        try await writer.write(
            Self.shares,
            """
            select share_id::text, json_build_object('shareId', share_id, 'sessionId', session_id, 'parts', parts,
                'card', card, 'views', views, 'maxViews', max_views, 'createdAt', created_at, 'expiresAt', expires_at)
            from report_shares where owner_id = $1 and share_id::text > $2 order by share_id::text limit $3
            """)
        try await writer.write(Self.usage, rows: try await usage.months(of: writer.owner))
        let total = try await usage.of(writer.owner)
        try await writer.write("usage-total.json", Array(JSONValue.object(total).prettyText.utf8))
    }
}
