import Contracts
import History
import JSON
import Primitives
import Replay
import Runtime
import Testing
import TestingTools

@testable import reporting

/// Logs as they are after years: each report in the version of the event that was the newest when it was written, some deleted, some
/// placed later, some of users who have gone; and some of whose recordings are kept, or were.
@Suite(.timeLimit(.minutes(15)), .serialized) @Loop struct `The history of reports over a log that mixes versions` {
    private static let measures = [
        "confidenceScore", "paceWordsPerMin", "fillersPer100Words", "pauseEffectiveness", "volumeConsistency",
        "tonalVariety", "eyeContactPct", "faceLiveliness", "soundQuality", "pictureQuality",
    ]

    /// Fills the log of an empty service: a third of the reports in each version of `ReportWritten`, in the order of the log.
    private func fill(_ reports: Int64, of owners: Int64, _ schemas: AllSchemas) async throws {
        let session = "md5('session ' || g)::uuid"
        let owner = "md5('owner ' || (g * 7919 % \(owners)))::uuid"
        let names = Self.measures.joined(separator: ",")
        try await schemas.script(
            .reporting,
            """
            alter table events disable trigger user;
            insert into events
            select g, 'report-' || \(session), 1, md5('event ' || g)::uuid, 'ReportWritten', 1 + g % 3,
                (json_build_object('sessionId', \(session), 'ownerId', \(owner),
                    'document', json_build_object('key', 'documents/' || g, 'sha256', repeat('ab', 32), 'sizeBytes', 7),
                    'summary', json_build_object('confidenceScore', g % 101, 'paceWordsPerMin', 100 + g % 90,
                        'eyeContactPct', 0.25, 'fillerCount', g % 9, 'durationSec', 28, 'impressionTags', json_build_array('calm')))::jsonb
                    || case when g % 3 = 0 then '{}'::jsonb else jsonb_build_object('wording',
                        jsonb_build_object('language', 'en', 'variants', jsonb_build_object('feedback.strong', g % 3))) end
                    || case when g % 3 < 2 then '{}'::jsonb else jsonb_build_object('basis', jsonb_build_object('rulesVersion', 4 + g % 2,
                        'language', 'en', 'scenario', 'general', 'engines', jsonb_build_object('asr', 'moonshine', 'thresholds', '3'),
                        'exercise', jsonb_build_array('tonalVariety'),
                        'measures', (select jsonb_object_agg(name, case when (g + length(name)) % 7 = 0
                                then jsonb_build_object('valid', false, 'code', 'too-noisy')
                                else jsonb_build_object('valid', true, 'value', (g * length(name) % 100) / 100.0) end)
                            from unnest('{\(names)}'::text[]) name))) end)::json,
                json_build_object('correlation', \(owner), 'actor', 'test', 'owner', \(owner)), null,
                timestamptz '2026-01-01' + g * interval '1 second'
            from generate_series(1::bigint, \(reports)) g;

            insert into events
            select (select max(position) from events) + row_number() over (order by g), 'report-' || \(session), 2,
                md5('later ' || g)::uuid,
                case when g % 11 = 0 then 'ReportDeleted' when g % 13 = 0 then 'ReportErased' else 'RecordingLearned' end, 1,
                case when g % 11 = 0 then json_build_object('sessionId', \(session), 'ownerId', \(owner), 'reason', 'deleted', 'wasWritten', true)
                    when g % 13 = 0 then json_build_object('sessionId', \(session), 'ownerId', \(owner))
                    else json_build_object('sessionId', \(session), 'ownerId', \(owner), 'kind', 'mirrormate', 'timeZone', 'Asia/Tokyo',
                        'utcOffsetSeconds', 32400, 'begunAt', '2026-01-01T00:00:00.000000Z') end,
                json_build_object('correlation', \(owner), 'actor', 'test', 'owner', \(owner)), null,
                timestamptz '2026-06-01' + g * interval '1 second'
            from generate_series(1::bigint, \(reports)) g where g % 11 = 0 or g % 13 = 0 or g % 5 = 0;

            insert into events
            select (select max(position) from events) + row_number() over (order by g), 'report-' || \(session),
                case when g % 11 = 0 or g % 13 = 0 or g % 5 = 0 then 3 else 2 end, md5('kept ' || g)::uuid, 'RetentionLearned', 1,
                case when g % 14 = 0 then json_build_object('sessionId', \(session), 'ownerId', \(owner))
                    else json_build_object('sessionId', \(session), 'ownerId', \(owner), 'until', '2026-12-01T00:00:00.000000Z') end,
                json_build_object('correlation', \(owner), 'actor', 'test', 'owner', \(owner)), null,
                timestamptz '2026-09-01' + g * interval '1 second'
            from generate_series(1::bigint, \(reports)) g where g % 7 = 0;
            analyze events;
            """)
    }

    private func rebuilt(_ reports: Int64, of owners: Int64) async throws {
        try await AllSchemas.run { schemas in
            try await fill(reports, of: owners, schemas)
            try await schemas.fold(ReportProjection.self, of: .reporting)
            let store = schemas.store(.reporting)
            let model = try #require(store.history.readModels.first { $0.name == ReportProjection.name })
            let rebuild = try await Rebuild.begin(
                store, model, writer: schemas.writer(.reporting), who: "test", code: "test")
            defer { rebuild.close() }
            let outcome = try await rebuild.build()
            let comparison = try await rebuild.compare()
            #expect(comparison.differenceCount == 0)
            #expect(try await store.head() == outcome.position)
            // What the numbers of the log say, counted without any of this code.
            let left = (1...reports).filter { $0 % 11 != 0 && $0 % 13 != 0 }
            let rows = "select count(*) from report_history"
            #expect(outcome.rows == left.count)
            for (condition, expected) in [
                ("", left.count), (" where measures is not null", left.count { $0 % 3 == 2 }),
                (" where wording is not null", left.count { $0 % 3 != 0 }),
                (" where begun_at is not null", left.count { $0 % 5 == 0 }),
                (" where kept_until is not null", left.count { $0 % 14 == 7 }),
                (" where rules_version = 5", left.count { $0 % 3 == 2 && $0 % 2 == 1 }),
            ] { #expect(try await schemas.number(.reporting, rows + condition) == Int64(expected), "\(condition)") }
        }
    }

    @Test func `is the same live and rebuilt`() async throws { try await rebuilt(3_000, of: 30) }

    @Test(.stress) func `is the same live and rebuilt, with 100,000 reports of 1,000 owners`() async throws {
        try await rebuilt(100_000, of: 1_000)
    }
}
