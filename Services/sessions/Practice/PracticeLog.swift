import Contracts
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Projections
import Runtime
import ServiceKit

/// The logged sessions of callers, as all routes write and read them, whatever the words of their clients.
@Loop struct PracticeLog {
    private let context: ServiceContext
    private let settings: PracticeSettings
    private let kinds: SessionKinds

    init(_ context: ServiceContext, _ settings: SessionsSettings) {
        self.context = context
        self.settings = settings.practice
        kinds = settings.kinds
    }

    private var commands: CommandHandler<LoggedSession> { CommandHandler(context.store) }

    // MARK: Writing

    /// What a client tells of a session.
    ///
    /// - Throws: as `PracticeTelling.init`.
    func telling(_ body: JSONObject, at now: Timestamp) throws -> PracticeTelling {
        try PracticeTelling(body, kinds, settings, at: now)
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

    /// Deletes a session.
    ///
    /// - Throws: the problem `not-found`, or what appending throws.
    func delete(_ id: UUID, _ caller: Caller, _ request: Request) async throws {
        try await commands.put(.delete(by: caller.user), on: LoggedSession.stream(id), by: caller.user, request)
    }

    private func put(
        _ command: LoggedSessionCommand, _ id: UUID, _ caller: Caller, _ request: Request
    ) async throws -> PracticeRow {
        let outcome = try await commands.put(command, on: LoggedSession.stream(id), by: caller.user, request)
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

    // MARK: Reading

    /// A session, when it is the caller's: from its own stream, so that a client reads its own writes.
    ///
    /// - Throws: the problem `not-found`, or `PostgresError`.
    func row(_ id: UUID, _ caller: Caller) async throws -> PracticeRow {
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

    /// A page of the caller's sessions, the newest first, each in a form.
    ///
    /// - Parameter name: of the member that holds them.
    /// - Throws: a problem 400, or `PostgresError`.
    func page(
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

    /// The caller's next sessions behind one, at most 500, the oldest first.
    ///
    /// - Throws: `PostgresError`.
    func rows(of caller: Caller, after last: PracticeRow?) async throws -> [PracticeRow] {
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
}
