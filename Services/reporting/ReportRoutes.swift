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
/// | `GET /v1/reports?limit=&cursor=` | the caller's reports, newest first, as summary numbers |
@Loop struct ReportRoutes {
    private let tokens: TokenVerifier
    private let owners: OwnerReads

    init(_ context: ServiceContext) {
        tokens = context.tokens
        owners = context.owners
    }

    func add(to router: Router) {
        router.on("GET", "/v1/reports/{sessionId}") { try await report($0) }
        router.on("GET", "/v1/reports") { try await history($0) }
    }

    /// From the row that stands or falls with the report's event, so it is there as soon as anybody hears of it.
    private func report(_ request: Request) async throws -> Response {
        let caller = try await tokens.caller(of: request)
        guard let session = request.parameters["sessionId"].flatMap({ UUID($0) }) else { throw Problem.notFound }
        let rows = try await owners.query(
            of: caller.user,
            """
            select r.report_id, r.content, e.recorded_at
            from reports r join events e on e.stream = 'report-' || r.session_id::text and e.type = 'ReportWritten'
            where r.session_id = $1 and r.owner_id = $2
            """, [.uuid(session), .uuid(caller.user)])
        guard let row = rows.first else { throw Problem.notFound }
        let bytes = ReportRows.whole(
            row.bytes(1), sessionId: session, reportId: row.uuid(0), createdAt: row.time(2))
        let tag = "\"\(Hex.encode(SHA256.digest(bytes).prefix(16)))\""
        let headers: Headers = ["ETag": tag, "Cache-Control": "private, no-cache"]
        if Self.matches(request.headers.all("if-none-match"), tag) { return Response(status: 304, headers: headers) }
        return .bytes(bytes, contentType: "application/json", headers: headers)
    }

    /// Whether a client has this representation (RFC 9110, section 13.1.2); the comparison is weak.
    private static func matches(_ fields: [String], _ tag: String) -> Bool {
        fields.lazy.flatMap { $0.split(separator: ",") }.contains { element in
            let text = element.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            let candidate = String(text)
            return candidate == "*" || candidate == tag || candidate == "W/\(tag)"
        }
    }

    private func history(_ request: Request) async throws -> Response {
        let caller = try await tokens.caller(of: request)
        let page = try HistoryPage(limit: request.query("limit"), cursor: request.query("cursor"))
        let rows = try await owners.query(of: caller.user, HistoryPage.statement, page.parameters(owner: caller.user))
        return .json(.object(page.answer(rows)), headers: ["Cache-Control": "private, no-cache"])
    }
}
