import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import reporting
import sessions

/// The read models that practice's is compared with: sessions that were uploaded and became reports, and the reports.
@Loop enum PracticePeers {
    /// How many events each log has.
    private static let count = PracticeBench.count
    private static let ofSession: Int64 = 5

    /// What rebuilds come to, round by round: events per second of practice, and how many times as fast that is as each of the others.
    struct Rebuilt {
        var days: [Double] = []
        var simple: [Double] = []
        var sessions: [Double] = []
        var reports: [Double] = []
    }

    /// Rebuilds practice's days and the others by turns, each in the same way, so that all meet the same machine.
    ///
    /// - Parameters:
    ///   - settings: of the database with practice's events.
    ///   - rows: how many days they make.
    static func compare(_ settings: PostgresSettings, rows: Int, rounds: Int) async throws -> Rebuilt {
        var rebuilt = Rebuilt()
        let simple = try await RebuildBench.log(of: Int(count)).administrator
        let folder = TemporaryFolder()
        let environment = ["OBJECT_STORE": "file://\(folder.path)"]
        let signing = ["UPLOAD_KEY": "an upload key of at least 16 characters"]
        try await withService(SessionsService.self, environment.merging(signing) { $1 }) { sessions in
            try await fillSessions(sessions.administrator)
            try await sessions.fold(SessionProjection.self)
            try await withService(ReportingService.self, environment) { reports in
                try await fillReports(reports.administrator)
                try await reports.fold(ReportProjection.self)
                for _ in 0..<rounds {
                    let deeds = try await RebuildPeer.run(.deeds, simple)
                    let days = try await RebuildPeer.run(.days, settings)
                    let list = try await RebuildPeer.run(.sessions, sessions.administratorSettings)
                    let history = try await RebuildPeer.run(.reports, reports.administratorSettings)
                    guard days.rows == rows, list.rows == count / ofSession, history.rows == count else {
                        throw BenchError("The rebuilds have \(days.rows), \(list.rows) and \(history.rows) rows.")
                    }
                    rebuilt.days.append(days.rate)
                    rebuilt.simple.append(days.rate / deeds.rate)
                    rebuilt.sessions.append(days.rate / list.rate)
                    rebuilt.reports.append(days.rate / history.rate)
                }
            }
        }
        return rebuilt
    }

    /// Fills the log of an empty service with sessions from their creation to their report, five events each, of a thousand owners.
    private static func fillSessions(_ pool: PostgresPool) async throws {
        let media =
            "'key', 'media/' || session, 'sha256', repeat('ab', 32), 'sizeBytes', 4096, 'contentType', 'video/mp4'"
        let time = "'2026-01-01T00:00:00.000000Z'"
        _ = try await pool.query(
            """
            insert into events
            select g, 'session-' || session, step, gen_random_uuid(),
                (array['SessionCreated', 'SessionAdmitted', 'UploadStored', 'UploadFinalized', 'SessionCompleted'])[step], 1,
                (json_build_object('sessionId', session, 'ownerId', owner, 'kind', 'mirrormate')::jsonb || case step
                    when 1 then jsonb_build_object('timeZone', 'Europe/Berlin', 'createdAt', \(time), 'expiresAt', \(time),
                        'contentType', 'video/mp4', 'contentLength', 4096, 'sha256', repeat('ab', 32))
                    when 2 then '{}'::jsonb
                    when 3 then jsonb_build_object('media', jsonb_build_object(\(media)))
                    when 4 then jsonb_build_object('media', jsonb_build_object(\(media)), 'deadline', \(time))
                    else jsonb_build_object('reportId', session) end)::json,
                json_build_object('correlation', session, 'actor', owner, 'owner', owner), null,
                timestamptz '2026-01-01' + g * interval '1 millisecond'
            from (select g, ((g - 1) % \(ofSession) + 1)::int as step, md5(((g - 1) / \(ofSession))::text)::uuid as session,
                    md5('owner ' || ((g - 1) / \(ofSession)) % 1000)::uuid as owner
                from generate_series(1::bigint, \(count)) g) rows
            """)
        _ = try await pool.query("analyze")
    }

    /// Fills the log of an empty service with reports of a thousand owners, with ten measures each.
    private static func fillReports(_ pool: PostgresPool) async throws {
        let names = (0..<10).map { "measure\($0)" }.joined(separator: ",")
        _ = try await pool.query(
            """
            insert into events
            select g, 'report-' || session, 1, gen_random_uuid(), 'ReportWritten', 3,
                json_build_object('sessionId', session, 'ownerId', owner,
                    'document', json_build_object('key', 'documents/' || g, 'sha256', repeat('ab', 32), 'sizeBytes', 7),
                    'summary', json_build_object('confidenceScore', g % 101, 'paceWordsPerMin', 100 + g % 90,
                        'eyeContactPct', 0.25, 'fillerCount', g % 9, 'durationSec', 28, 'impressionTags', json_build_array('calm')),
                    'basis', json_build_object('exercise', json_build_array(), 'rulesVersion', 4, 'language', 'en', 'scenario', 'general',
                        'engines', json_build_object('asr', 'moonshine', 'face', 'dlib', 'thresholds', '3'),
                        'measures', (select json_object_agg(name, json_build_object('valid', true, 'value', 0.5))
                            from unnest('{\(names)}'::text[]) name)),
                    'recording', json_build_object('kind', 'mirrormate', 'timeZone', 'Europe/Berlin', 'utcOffsetSeconds', 3600,
                        'begunAt', '2026-01-01T00:00:00.000000Z')),
                json_build_object('correlation', session, 'actor', owner, 'owner', owner), null,
                timestamptz '2026-01-01' + g * interval '1 millisecond'
            from (select g, md5('session ' || g)::uuid as session, md5('owner ' || g % 1000)::uuid as owner
                from generate_series(1::bigint, \(count)) g) rows
            """)
        _ = try await pool.query("analyze")
    }
}
