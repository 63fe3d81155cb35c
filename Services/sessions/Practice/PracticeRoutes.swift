import Contracts
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Projections
import Runtime
import ServiceKit

/// What clients do with logged sessions.
@Loop struct PracticeRoutes {
    private let context: ServiceContext
    private let settings: PracticeSettings
    private let kinds: SessionKinds

    init(_ context: ServiceContext, _ settings: SessionsSettings) {
        self.context = context
        self.settings = settings.practice
        kinds = settings.kinds
    }

    private var commands: CommandHandler<LoggedSession> { CommandHandler(context.store) }

    func add(to router: Router) {
        let callers = CallerRoutes(router, context.tokens)
        callers.on("POST", "/v1/practice/sessions", log)
        callers.on("POST", "/v1/practice/sessions/batch", logMany)
        callers.on("GET", "/v1/practice/sessions", list)
        callers.on("GET", "/v1/practice/sessions/{id}", read)
        callers.on("PUT", "/v1/practice/sessions/{id}", correct)
        callers.on("DELETE", "/v1/practice/sessions/{id}", delete)
        callers.on("GET", "/v1/practice/export", export)
    }

    // MARK: Telling

    private func log(_ request: Request, _ caller: Caller) async throws -> Response {
        let row = try await log(telling(try await request.jsonObject(), at: .now()), caller, request)
        return .json(row.json, status: 201, headers: ["Location": "/v1/practice/sessions/\(row.id)"])
    }

    /// Logs one session; told again it is answered as it is now.
    ///
    /// - Throws: what refuses it, or what appending throws.
    func log(_ telling: PracticeTelling, _ caller: Caller, _ request: Request) async throws -> PracticeRow {
        let practice = try await placed(telling, caller)
        guard let id = telling.id else { throw JSONError(.missing, at: "id", "is missing") }
        let session = SessionIdentity(sessionId: id, ownerId: caller.user, kind: telling.kind)
        return try await put(.log(session, practice, isZoneTold: telling.isZoneTold), id, caller, request)
    }

    /// Sessions that were kept while there was no network: each is judged alone.
    private func logMany(_ request: Request, _ caller: Caller) async throws -> Response {
        let list = try await PracticeBatch.read(request)
        let verdicts = try await PracticeBatch.each(of: list, at: .now()) { element, now in
            try await verdict(element, caller, request, at: now)
        }
        return .json(["verdicts": .array(verdicts)])
    }

    /// What becomes of one session of a batch.
    ///
    /// - Throws: what concerns the whole batch, such as a database that is down: the client repeats it.
    private func verdict(
        _ element: JSONValue, _ caller: Caller, _ request: Request, at now: Timestamp
    ) async throws -> JSONValue {
        let id = element["id"]?.stringValue
        do {
            guard let body = element.objectValue else {
                throw JSONError(.type, at: "sessions", "must be an array of objects")
            }
            let row = try await log(telling(body, at: now), caller, request)
            return ["id": .optional(id), "status": 201, "session": row.json]
        } catch {
            guard let problem = PracticeBatch.refusal(error) else { throw error }
            return ["id": .optional(id), "status": .int(Int64(problem.status)), "problem": problem.json()]
        }
    }

    // MARK: Changing

    private func correct(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try request.id("id")
        let telling = try telling(try await request.jsonObject(), at: .now())
        return .json(try await correct(id, telling, caller, request).json)
    }

    /// Says how a session was instead.
    ///
    /// - Throws: what refuses it, or what appending throws.
    func correct(
        _ id: UUID, _ telling: PracticeTelling, _ caller: Caller, _ request: Request
    ) async throws -> PracticeRow {
        let known = try await row(id, caller)
        guard telling.id == nil || telling.id == id, telling.kind == known.kind else {
            throw Problem.invalidRequest("id and kind cannot be corrected; delete the session and log another one.")
        }
        let practice = try await placed(telling, caller, known: known.practice.time.timeZone)
        return try await put(.correct(by: caller.user, practice), id, caller, request)
    }

    private func delete(_ request: Request, _ caller: Caller) async throws -> Response {
        try await delete(request.id("id"), caller, request)
        return .noContent
    }

    /// Deletes a session.
    ///
    /// - Throws: the problem `not-found`, or what appending throws.
    func delete(_ id: UUID, _ caller: Caller, _ request: Request) async throws {
        _ = try await commands.handle(
            .delete(by: caller.user), on: LoggedSession.stream(id), id: .v7(), requestHash: [],
            metadata: request.metadata(owner: caller.user))
    }

    // MARK: Reading

    private func read(_ request: Request, _ caller: Caller) async throws -> Response {
        let row = try await row(request.id("id"), caller)
        return .tagged("\"\(row.updatedAt.microseconds)\"", request) { .json(row.json, headers: $0) }
    }

    private func list(_ request: Request, _ caller: Caller) async throws -> Response {
        try await list(request, caller, as: "items") { $0.json }
    }

    /// A page of the caller's sessions, the newest first, each in a form.
    ///
    /// - Parameter name: of the member that holds them.
    /// - Throws: a problem 400, or `PostgresError`.
    func list(
        _ request: Request, _ caller: Caller, as name: String, _ form: (PracticeRow) -> JSONValue
    ) async throws -> Response {
        try await Page(request).answer(
            of: caller.user, context.owners,
            """
            select row_to_json(p), p.started_at, p.key::uuid from practice_log p
            where owner_id = $1 and ($2::timestamptz is null or (started_at, key) < ($2, $3::uuid::text))
            order by started_at desc, key desc limit $4
            """, place: (1, 2), as: name
        ) { row in try form(PracticeRow(JSONObject.parse(row.bytes(0)))) }
    }

    /// All of the caller's sessions, the oldest first, read page by page as the client takes them.
    private func export(_ request: Request, _ caller: Caller) async throws -> Response {
        let format = request.query("format") ?? "json"
        guard let form = PracticeExport(rawValue: format) else {
            throw Problem.invalidRequest("The format must be json or csv.")
        }
        // The first page before anything is answered, so that a database that is away is a problem and not half a file.
        let first = try await page(of: caller, after: nil)
        var response = Response.stream(contentType: form.contentType) { writer in
            try await writer.write(form.beginning)
            var rows = first
            var isFirst = true
            while let last = rows.last {
                var text = ""
                for row in rows {
                    text += form.line(row, isFirst: isFirst)
                    isFirst = false
                }
                try await writer.write(text)
                rows = try await page(of: caller, after: last)
            }
            try await writer.write(form.end)
        }
        response.headers["Content-Disposition"] = "attachment; filename=\"practice.\(form.rawValue)\""
        return response
    }

    /// The caller's next sessions, the oldest first.
    private func page(of caller: Caller, after last: PracticeRow?) async throws -> [PracticeRow] {
        try await context.owners.query(
            of: caller.user,
            """
            select row_to_json(p) from practice_log p
            where owner_id = $1 and ($2::timestamptz is null or (started_at, key) > ($2, $3))
            order by started_at, key limit 500
            """,
            [
                .uuid(caller.user), .optional(last?.practice.time.startedAt, PostgresValue.time),
                .optional(last?.id.description, PostgresValue.text),
            ]
        ).rows.map { try PracticeRow(JSONObject.parse($0.bytes(0))) }
    }

    // MARK: Common

    /// What a client tells of a session.
    ///
    /// - Throws: as `PracticeTelling.init`.
    func telling(_ body: JSONObject, at now: Timestamp) throws -> PracticeTelling {
        try PracticeTelling(body, kinds, settings, at: now)
    }

    /// A session, when it is the caller's: from its own stream, so that a client reads its own writes.
    private func row(_ id: UUID, _ caller: Caller) async throws -> PracticeRow {
        try row(id, try await commands.load(LoggedSession.stream(id)), caller)
    }

    private func row(
        _ id: UUID, _ loaded: CommandHandler<LoggedSession>.Loaded, _ caller: Caller
    ) throws(Problem) -> PracticeRow {
        guard let row = PracticeProjection.row(id, after: loaded.history), row.ownerId == caller.user else {
            throw Problem.notFound
        }
        return row
    }

    private func put(
        _ command: LoggedSessionCommand, _ id: UUID, _ caller: Caller, _ request: Request
    ) async throws -> PracticeRow {
        let outcome = try await commands.handle(
            command, on: LoggedSession.stream(id), id: .v7(), requestHash: [],
            metadata: request.metadata(owner: caller.user))
        return try row(id, outcome.loaded, caller)
    }

    /// A session with the clocks of its place, by PostgreSQL's copy of the IANA time zone database.
    ///
    /// - Parameter known: where it is known to have been, unless the client says where.
    /// - Throws: the problem `time-zone-invalid`, or `PostgresError`.
    private func placed(
        _ telling: PracticeTelling, _ caller: Caller, known: String? = nil
    ) async throws -> LoggedPractice {
        let zone = telling.timeZone ?? known ?? caller.timeZone ?? "UTC"
        try await context.zones.check(zone)
        let offset = try await context.zones.utcOffsetSeconds(of: zone, at: telling.startedAt)
        return telling.practice(timeZone: zone, utcOffsetSeconds: offset)
    }
}
