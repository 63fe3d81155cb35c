import Contracts
import Crypto
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// What clients may ask.
///
/// | Route | Answer |
/// |---|---|
/// | `GET /v1/reports/{sessionId}` | the whole report, with an `ETag` |
/// | `GET /v1/reports?limit=&cursor=&from=&to=&kind=&tag=` | the caller's reports, newest first, as summary numbers |
@Loop struct ReportRoutes {
    private let tokens: TokenVerifier
    private let owners: OwnerReads

    init(_ context: ServiceContext) {
        tokens = context.tokens
        owners = context.owners
    }

    func add(to router: Router) {
        let callers = CallerRoutes(router, tokens)
        callers.on("GET", "/v1/reports/{sessionId}", report)
        callers.on("GET", "/v1/reports", history)
    }

    /// From the row that is committed atomically with the report's event, so it is there as soon as anybody hears of it.
    private func report(_ request: Request, _ caller: Caller) async throws -> Response {
        let session = try request.id("sessionId")
        let rows = try await owners.query(
            of: caller.user,
            """
            select r.report_id, r.content, e.recorded_at, case when h.kept_until > now() then h.kept_until end
            from reports r join events e on e.stream = '\(Report.category)-' || r.session_id::text and e.type = 'ReportWritten'
            left join report_history h on h.session_id = r.session_id
            where r.session_id = $1 and r.owner_id = $2
            """, [.uuid(session), .uuid(caller.user)])
        guard let row = rows.first else { throw Problem.notFound }
        let bytes = ReportRows.whole(
            row.bytes(1), sessionId: session, reportId: row.uuid(0), createdAt: row.time(2),
            keptUntil: row.optional(3, PostgresRow.time))
        let tag = "\"\(Hex.encode(SHA256.digest(bytes).prefix(16)))\""
        return .tagged(tag, request) { .bytes(bytes, contentType: "application/json", headers: $0) }
    }

    private func history(_ request: Request, _ caller: Caller) async throws -> Response {
        let from = try Self.moment("from", request)
        let to = try Self.moment("to", request)
        return try await Page(request).answer(
            of: caller.user, owners, Self.statement,
            [
                .optional(from, PostgresValue.time), .optional(to, PostgresValue.time),
                .optional(request.query("kind"), PostgresValue.text),
                .optional(request.query("tag"), PostgresValue.text),
            ], place: (2, 0), item: Self.item)
    }

    private static func moment(_ name: String, _ request: Request) throws(Problem) -> Timestamp? {
        try request.query(name).map { (text) throws(Problem) in
            guard let moment = Timestamp(rfc3339: text) else {
                throw .invalidRequest("\(name) must be a time such as 2026-11-23T00:00:00Z.")
            }
            return moment
        }
    }

    private static let statement = """
        select session_id, report_id, created_at, confidence_score, pace_words_per_min, eye_contact_pct, filler_count,
            duration_sec, tags, score_coverage, score_low, score_high
        from report_history
        where owner_id = $1 and ($2::timestamptz is null or (created_at, session_id) < ($2, $3::uuid))
            and ($5::timestamptz is null or created_at >= $5) and ($6::timestamptz is null or created_at < $6)
            and ($7::text is null or coalesce(kind, '\(ProgressHistory.firstKind.rawValue)') = $7)
            and ($8::text is null or exists (select from json_array_elements_text(tags) tag where tag = $8))
        order by created_at desc, session_id desc limit $4
        """

    private static func item(_ row: PostgresRow) throws -> JSONValue {
        [
            "sessionId": .uuid(row.uuid(0)), "reportId": .uuid(row.uuid(1)), "createdAt": .time(row.time(2)),
            "confidenceScore": .optional(row.optional(3, PostgresRow.int)),
            "paceWordsPerMin": .optional(row.optional(4, PostgresRow.int)),
            "eyeContactPct": .optional(row.optional(5, PostgresRow.double)),
            "fillerCount": .optional(row.optional(6, PostgresRow.int)), "durationSec": .int(row.int(7)),
            "tags": try JSONValue.parse(row.bytes(8)),
            "scoreCoverage": .optional(row.optional(9, PostgresRow.int)),
            "scoreRange": row.optional(10, PostgresRow.int).map { low in
                ["low": .int(low), "high": .int(row.optional(11, PostgresRow.int) ?? low)]
            } ?? .null,
        ]
    }
}
