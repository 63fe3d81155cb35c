import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import reporting

/// The progress of somebody with 2,000 reports, asked for over HTTP.
@Loop enum ProgressBench {
    static let count: Int64 = 2_000
    private static let requests = 200
    private static let command = "infra/bench progress"
    private static let owner = UUID(high: 0x0000_0001_0000_4000, low: 0x8000_0000_0000_0002)

    static func run(_: Stage) async throws -> [Figure] {
        var figures: [Figure] = []
        let folder = TemporaryFolder()
        try await withService(ReportingService.self, ["OBJECT_STORE": "file://\(folder.path)"]) { group in
            print("progress: filling a log with \(count) reports of one user …")
            try await fill(group.administrator)
            var start = monotonicNanoseconds()
            try await group.fold(ReportProjection.self)
            let live = Double(count) / (Double(monotonicNanoseconds() - start) / 1e9)
            print("progress: asking \(requests) times …")
            let token = try group.token(for: owner)
            var times: [Double] = []
            for _ in 0..<requests {
                start = monotonicNanoseconds()
                let answer = try await group.send(
                    "GET", "/v1/progress", headers: [("Authorization", "Bearer \(token)")])
                times.append(Double(monotonicNanoseconds() - start) / 1e6)
                guard answer.status == 200, answer.json["comparable"]?["reports"] == .int(count) else {
                    throw BenchError("The answer is wrong: \(answer.status).")
                }
            }
            times.sort()
            let note = "\(count) reports of one user, all comparable, 60 measures each"
            figures = [
                Figure(
                    name: "progress.p50", value: times[requests / 2], unit: "ms", goal: .atMost(20), command: command,
                    note: note),
                Figure(
                    name: "progress.p95", value: times[requests * 95 / 100], unit: "ms", command: command, note: note),
                Figure(name: "progress.fold", value: live, unit: "events/s", command: command, note: note),
            ]
        }
        return figures
    }

    /// A report a day, the last one today, with the tracked measures and fifty others.
    private static func fill(_ pool: PostgresPool) async throws {
        let names = [
            "confidenceScore", "paceWordsPerMin", "fillersPer100Words", "pauseEffectiveness", "volumeConsistency",
            "tonalVariety", "eyeContactPct", "faceLiveliness", "soundQuality", "pictureQuality",
        ]
        let others = (0..<50).map { "otherMeasure\($0)" }
        let time = "'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'"
        _ = try await pool.query(
            """
            insert into events
            select g, 'report-' || session, 1, gen_random_uuid(), 'ReportWritten', 3,
                json_build_object('sessionId', session, 'ownerId', '\(owner)',
                    'document', json_build_object('key', 'documents/1', 'sha256', repeat('ab', 32), 'sizeBytes', 7),
                    'summary', json_build_object('confidenceScore', 50 + g % 40, 'paceWordsPerMin', 150, 'eyeContactPct', 0.75,
                        'fillerCount', 3, 'durationSec', 60, 'impressionTags', json_build_array()),
                    'basis', json_build_object('exercise', json_build_array(), 'rulesVersion', 4, 'language', 'en', 'scenario', 'general',
                        'engines', json_build_object('asr', 'moonshine', 'face', 'dlib', 'thresholds', '3'),
                        'measures', (select json_object_agg(name, json_build_object('valid', true, 'value', random()))
                            from unnest('{\((names + others).joined(separator: ","))}'::text[]) name where g > 0)),
                    'recording', json_build_object('kind', 'mirrormate', 'timeZone', 'Europe/Berlin', 'utcOffsetSeconds', 3600,
                        'begunAt', to_char(began, \(time)))),
                json_build_object('correlation', '\(owner)', 'actor', '\(owner)', 'owner', '\(owner)'), null,
                timestamptz '2026-01-01' + g * interval '1 millisecond'
            from (select g, gen_random_uuid() as session,
                    date_trunc('day', now() at time zone 'UTC') - (\(count) - g) * interval '1 day' + interval '210 minutes' as began
                from generate_series(1::bigint, \(count)) g) rows
            """)
        _ = try await pool.query("analyze")
    }
}
