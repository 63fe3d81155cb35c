import Contracts
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// How somebody has used their own account, as far as this service can see: what was deleted does not count any more.
///
/// | Route | Answer |
/// |---|---|
/// | `GET /v1/usage` | counts by month and kind, seconds, bytes, first and last use |
@Loop struct Usage {
    private let tokens: TokenVerifier
    private let owners: OwnerReads
    private let store: EventStore

    init(_ context: ServiceContext) {
        tokens = context.tokens
        owners = context.owners
        store = context.store
    }

    func add(to router: Router) {
        CallerRoutes(router, tokens).on("GET", "/v1/usage") { _, caller in
            let usage = try await of(caller.user)
            let months = try await months(of: caller.user)
            return .json(
                .object(usage.adding(["months": .array(months.map(JSONValue.object))])),
                headers: ["Cache-Control": "no-store"])
        }
    }

    /// The sums over what is kept now, and over all uploads, also of what was deleted: an upload is known by its event, which stays.
    ///
    /// - Throws: `PostgresError`, `JSONError`.
    func of(_ owner: UUID) async throws -> JSONObject {
        let row = try await owners.query(
            of: owner,
            """
            with analyzed as (
                select count(*) as n, coalesce(sum(duration_sec), 0)::bigint as seconds,
                    min(coalesce(begun_at, created_at)) as first_at, max(coalesce(begun_at, created_at)) as last_at
                from report_history where owner_id = $1),
            logged as (
                select coalesce(sum(sessions), 0)::bigint as n, coalesce(sum(seconds), 0)::bigint as seconds,
                    min(first_started_at) as first_at, max(last_started_at) as last_at
                from practice_days where owner_id = $1)
            select a.n, a.seconds, l.n, l.seconds, least(a.first_at, l.first_at), greatest(a.last_at, l.last_at)
            from analyzed a, logged l
            """, [.uuid(owner)]
        ).rows[0]
        let uploads = try await store.pool.query(
            """
            select count(*), coalesce(sum(bytes), 0)::bigint from (
                select distinct on (o.stream) (e.data ->> 'sizeBytes')::bigint as bytes
                from stream_owners o join events e on e.stream = o.stream and e.type = 'UploadNoted'
                where o.owner = $1 and starts_with(o.stream, '\(Report.category)-')
                order by o.stream, e.version desc) uploads
            """, [.uuid(owner)]
        ).rows[0]
        return [
            "sessionsAnalyzed": .int(row.int(0)), "secondsAnalyzed": .int(row.int(1)),
            "sessionsLogged": .int(row.int(2)), "secondsLogged": .int(row.int(3)),
            "uploads": .int(uploads.int(0)), "bytesUploaded": .int(uploads.int(1)),
            "firstUseAt": .optional(row.optional(4, PostgresRow.time)),
            "lastUseAt": .optional(row.optional(5, PostgresRow.time)),
        ]
    }

    /// The same by month and kind, the oldest first. A recording counts in the month (UTC) in which it was begun, a logged session in
    /// that of its local day.
    ///
    /// - Throws: `PostgresError`, `JSONError`.
    func months(of owner: UUID) async throws -> [JSONObject] {
        try await owners.query(
            of: owner,
            """
            select json_build_object('month', month, 'kind', kind,
                'sessionsAnalyzed', sum(analyzed)::bigint, 'secondsAnalyzed', sum(seconds_analyzed)::bigint,
                'sessionsLogged', sum(logged)::bigint, 'secondsLogged', sum(seconds_logged)::bigint)
            from (
                select to_char(coalesce(begun_at, created_at) at time zone 'UTC', 'YYYY-MM') as month,
                    coalesce(kind, '\(ReportHistoryRow.firstKind.rawValue)') as kind, 1 as analyzed,
                    duration_sec as seconds_analyzed, 0 as logged, 0 as seconds_logged
                from report_history where owner_id = $1
                union all
                select substring(day for 7), kind, 0, 0, sessions, seconds from practice_days where owner_id = $1
            ) uses group by month, kind order by month, kind
            """, [.uuid(owner)]
        ).rows.map { try JSONObject.parse($0.bytes(0)) }
    }
}
