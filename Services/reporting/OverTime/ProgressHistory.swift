import Contracts
import JSON
import Postgres
import Primitives
import Progress
import Runtime
import ServiceKit

/// Reads what progress needs of an owner's reports.
@Loop struct ProgressHistory {
    /// The kind of reports of which it is not known.
    static let firstKind = ReportHistoryRow.firstKind

    /// The columns of ``report(_:_:)``; `$2` is the zone that counts where none is known.
    private static let columns = """
        session_id, created_at, coalesce(begun_at, created_at), coalesce(utc_offset_seconds,
            extract(epoch from (created_at at time zone $2) - (created_at at time zone 'UTC')))::bigint,
        begun_at is not null, coalesce(kind, '\(firstKind.rawValue)'), rules_version, language, scenario, engines,
        confidence_score, duration_sec
        """

    /// All reports of an owner and kind, in the order in which they were written, for ``reports(in:)``.
    ///
    /// - Parameter zone: where reports count whose own zone is not known.
    /// - Throws: `PostgresError`.
    static func found(
        of owner: UUID, _ kind: SessionKind, zone: String, _ owners: OwnerReads
    ) async throws -> PostgresResult {
        try await owners.query(
            of: owner,
            """
            select \(columns) from report_history where owner_id = $1 and coalesce(kind, '\(firstKind.rawValue)') = $3
            order by created_at, session_id
            """, [.uuid(owner), .text(zone), .text(kind.rawValue)])
    }

    /// The reports that were found. They may be thousands, so this is not for the event loop.
    ///
    /// - Throws: `JSONError` for a row that cannot be read.
    nonisolated static func reports(in found: PostgresResult) throws(JSONError) -> [ProgressReport] {
        var reader = Reader()
        var reports: [ProgressReport] = []
        reports.reserveCapacity(found.count)
        for row in found.rows { reports.append(try reader.report(row)) }
        return reports
    }

    /// The newest report of an owner and kind; nil if there is none.
    ///
    /// - Throws: `PostgresError`, `JSONError` for a row that cannot be read.
    static func newest(of owner: UUID, _ kind: SessionKind, _ owners: OwnerReads) async throws -> ProgressReport? {
        let row = try await owners.query(
            of: owner,
            """
            select \(columns) from report_history where owner_id = $1 and coalesce(kind, '\(firstKind.rawValue)') = $3
            order by created_at desc, session_id desc limit 1
            """, [.uuid(owner), .text("UTC"), .text(kind.rawValue)]
        ).first
        var reader = Reader()
        return try row.map { try reader.report($0) }
    }

    /// The measures of some of an owner's reports, for ``measures(in:)``.
    ///
    /// - Throws: `PostgresError`.
    static func foundMeasures(
        of owner: UUID, _ sessions: [UUID], _ owners: OwnerReads
    ) async throws -> PostgresResult {
        try await owners.query(
            of: owner,
            """
            select session_id, measures from report_history
            where owner_id = $1 and session_id = any($2) and measures is not null
            """, [.uuid(owner), .uuids(sessions)])
    }

    /// The measures that were found; a report that does not say has none. Each report has dozens, so this is not for the event loop.
    ///
    /// - Throws: `JSONError` for a row that cannot be read.
    nonisolated static func measures(
        in found: PostgresResult
    ) throws(JSONError) -> [UUID: [String: ReportBasis.Measured]] {
        var measures: [UUID: [String: ReportBasis.Measured]] = [:]
        for row in found.rows { measures[row.uuid(0)] = try ReportBasis.measures(JSONObject.parse(row.bytes(1))) }
        return measures
    }

    /// The goal that is worth most next, of the kind that goals are about unless they say otherwise.
    ///
    /// - Parameter open: those that are aimed at already, of any kind.
    /// - Throws: `PostgresError`, `JSONError` for a row that cannot be read.
    static func proposal(
        of owner: UUID, without open: [Goal], _ owners: OwnerReads
    ) async throws -> GoalProposal? {
        let found = try await found(of: owner, firstKind, zone: "UTC", owners)
        let progress = try await Offload.shared.run { ReportProgress(try reports(in: found)) }
        let examined = try await foundMeasures(of: owner, progress.examined, owners)
        let aimed = Set(open.filter { $0.kind == firstKind }.map(\.target.measure))
        return try await Offload.shared.run {
            let measures = try measures(in: examined)
            return ReportProgress.nextGoal(
                from: progress.tracked.map { progress.course(of: $0, measures) },
                without: aimed)
        }
    }

    /// The time zone of an owner's latest session that was begun; nil when none is known.
    ///
    /// - Throws: `PostgresError`.
    static func lastTimeZone(of owner: UUID, _ owners: OwnerReads) async throws -> String? {
        try await owners.query(
            of: owner,
            """
            select time_zone from report_history where owner_id = $1 and time_zone is not null
            order by created_at desc, session_id desc limit 1
            """, [.uuid(owner)]
        ).first?.text(0)
    }

    /// Most reports name the same engines, which are read once.
    struct Engines {
        private var known: [[UInt8]: [String: String]] = [:]

        mutating func read(_ bytes: [UInt8]?) throws(JSONError) -> [String: String] {
            guard let bytes else { return [:] }
            if let engines = known[bytes] { return engines }
            let engines = try JSONObject.parse(bytes).members.reduce(into: [:]) { $0[$1.key] = $1.value.stringValue }
            known[bytes] = engines
            return engines
        }
    }

    /// Most reports come about under the same circumstances as the one before, which are made once.
    private struct Reader {
        /// As they stand in the row.
        private struct Stored: Equatable {
            let kind: String
            let rulesVersion: Int64?
            let language: String?
            let scenario: String?
            let engines: [UInt8]?
        }

        private var last: (stored: Stored, circumstances: Circumstances)?
        private var engines = Engines()

        mutating func report(_ row: PostgresRow) throws(JSONError) -> ProgressReport {
            ProgressReport(
                sessionId: row.uuid(0), createdAt: row.time(1), begunAt: row.time(2), utcOffsetSeconds: row.int(3),
                isPlaced: row.bool(4), circumstances: try circumstances(row),
                confidenceScore: row.optional(10, PostgresRow.int), durationSec: row.int(11))
        }

        private mutating func circumstances(_ row: PostgresRow) throws(JSONError) -> Circumstances {
            let stored = Stored(
                kind: row.text(5), rulesVersion: row.optional(6, PostgresRow.int),
                language: row.optional(7, PostgresRow.text), scenario: row.optional(8, PostgresRow.text),
                engines: row.optional(9, PostgresRow.bytes))
            if let last, last.stored == stored { return last.circumstances }
            let circumstances = Circumstances(
                rulesVersion: stored.rulesVersion, kind: stored.kind, tag: stored.language, scenario: stored.scenario,
                engines: try engines.read(stored.engines))
            last = (stored, circumstances)
            return circumstances
        }
    }
}
