import Coaching
import Contracts
import EventStore
import HTTPServer
import JSON
import Postgres
import Practice
import Primitives
import Progress
import Runtime
import ServiceKit

/// What clients may ask about all of their reports together (`docs/progress.md`).
///
/// | Route | Answer |
/// |---|---|
/// | `GET /v1/progress?kind=&timeZone=` | totals, best, the trend of each measure, days, weeks, months, the streak of recording days |
/// | `GET /v1/progress/{measure}?kind=&limit=&cursor=` | a measure's values, newest first |
/// | `GET /v1/reports/compare?a=&b=` | two reports side by side |
@Loop struct ProgressRoutes {
    private let context: ServiceContext

    init(_ context: ServiceContext) { self.context = context }

    func add(to router: Router) {
        let callers = CallerRoutes(router, context.tokens)
        callers.on("GET", "/v1/progress", progress)
        callers.on("GET", "/v1/progress/{measure}", series)
        callers.on("GET", "/v1/reports/compare", compare)
    }

    // MARK: All reports

    private func progress(_ request: Request, _ caller: Caller) async throws -> Response {
        let asked = try await Asked(ofRecordings: request, caller, context)
        let found = try await ProgressHistory.found(of: caller.user, asked.kind, zone: asked.timeZone, context.owners)
        // Thousands of reports would hold up every other request, so only the waiting is done here.
        let (progress, days) = try await Offload.shared.run {
            let progress = ReportProgress(try ProgressHistory.reports(in: found))
            return (progress, progress.days)
        }
        let measures = try await ProgressHistory.foundMeasures(of: caller.user, progress.examined, context.owners)
        let rules = try await CommandHandler<Practitioner>(context.store).load(Practitioner.stream(caller.user))
            .state.rules
        let standing = try await Standing(days, rules, asked)
        let goals = try await CommandHandler<Goals>(context.store).load(Goals.stream(caller.user)).state.open.values
        let (about, today, streak) = (asked.json, asked.today, standing.recorded)
        let aimed = Set(goals.filter { $0.kind == asked.kind }.map(\.target.measure))
        let bytes = try await Offload.shared.run {
            let answer = ProgressAnswer(
                progress, days, try ProgressHistory.measures(in: measures), aimed: aimed, today: today)
            return JSONValue.object(about.adding(membersOf: answer.json).adding(["streak": .object(streak)])).bytes
        }
        return .bytes(bytes, contentType: "application/json")
    }

    // MARK: One measure

    private func series(_ request: Request, _ caller: Caller) async throws -> Response {
        guard let figure = Figure.allCases.first(where: { $0.measure == request.parameters["measure"] }) else {
            throw Problem.notFound
        }
        let kind = Asked.kind(of: request)
        let page = try Page(request)
        let newest = try await ProgressHistory.newest(of: caller.user, kind, context.owners)
        let pace = ReportProgress.pace(of: newest?.circumstances.scenario)
        let measure = TrackedMeasure.all(pace: pace).first { $0.name == figure.measure }
        let found = try await ProgressHistory.foundMeasures(
            of: caller.user, newest.map { [$0.sessionId] } ?? [], context.owners)
        let last = try ProgressHistory.measures(in: found).values.first?[figure.measure]
        var engines = ProgressHistory.Engines()
        return try await page.answer(
            of: caller.user, context.owners,
            """
            select session_id, created_at, coalesce(kind, '\(ProgressHistory.firstKind.rawValue)'), rules_version, language,
                scenario, engines, measures -> '\(figure.measure)', confidence_score, pace_words_per_min,
                eye_contact_pct, duration_sec, filler_count
            from report_history
            where owner_id = $1 and ($2::timestamptz is null or (created_at, session_id) < ($2, $3::uuid))
                and coalesce(kind, '\(ProgressHistory.firstKind.rawValue)') = $5
            order by created_at desc, session_id desc limit $4
            """, [.text(kind.rawValue)], place: (1, 0)
        ) { row in
            let circumstances = Circumstances(
                rulesVersion: row.optional(3, PostgresRow.int), kind: row.text(2),
                tag: row.optional(4, PostgresRow.text), scenario: row.optional(5, PostgresRow.text),
                engines: try engines.read(row.optional(6, PostgresRow.bytes)))
            let told = try row.optional(7, PostgresRow.bytes).map { try ReportBasis.Measured(JSONObject.parse($0)) }
            let measured = told ?? ReportBasis.Measured(Self.summarised(figure, row))
            var obstacles = newest.map { circumstances.obstacles(to: $0.circumstances, for: measure) } ?? []
            if measured.value == nil {
                obstacles.append(.notValid)
            } else if told != nil, let last, last.value != nil, last.definition != measured.definition {
                obstacles.append(.definitionsDiffer)
            }
            return .object(
                JSONObject([("sessionId", .uuid(row.uuid(0))), ("createdAt", .time(row.time(1)))])
                    .adding(membersOf: measured.shown)
                    .adding(membersOf: circumstances.json)
                    .adding(["comparable": .bool(obstacles.isEmpty), "reasons": obstacles.json]))
        }
    }

    /// The number that lists have of a report that does not tell its measures.
    private static func summarised(_ figure: Figure, _ row: PostgresRow) -> Double? {
        switch figure {
        case .confidenceScore: row.optional(8, PostgresRow.int).map(Double.init)
        case .paceWordsPerMin: row.optional(9, PostgresRow.int).map(Double.init)
        case .eyeContactPct: row.optional(10, PostgresRow.double)
        case .durationSec: Double(row.int(11))
        case .fillerCount: row.optional(12, PostgresRow.int).map(Double.init)
        default: nil
        }
    }

    // MARK: Two reports

    private func compare(_ request: Request, _ caller: Caller) async throws -> Response {
        let a = try await side("a", request, caller)
        let b = try await side("b", request, caller)
        let (mine, its) = (Circumstances(a), Circumstances(b))
        let obstacles = mine.obstacles(to: its)
        let tracked = TrackedMeasure.all(pace: ReportProgress.pace(of: b.basis?.scenario))
        let names = Figure.allCases.map(\.measure).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let measures = names.compactMap { name -> (String, JSONValue)? in
            guard let left = a.measured(name), let right = b.measured(name) else { return nil }
            let measure = tracked.first { $0.name == name }
            return (name, .object(Comparison(measure, left, right, mine.obstacles(to: its, for: measure)).json))
        }
        return .json([
            "a": .object(Self.json(a, mine)), "b": .object(Self.json(b, its)), "comparable": .bool(obstacles.isEmpty),
            "reasons": obstacles.json, "measures": .object(JSONObject(measures)),
        ])
    }

    private func side(_ name: String, _ request: Request, _ caller: Caller) async throws -> ReportHistoryRow {
        guard let session = request.query(name).flatMap({ UUID($0) }) else {
            throw Problem.invalidRequest("Send a and b, the sessions of the two reports.")
        }
        let row = try await context.owners.query(
            of: caller.user, "select row_to_json(r) from report_history r where session_id = $1 and owner_id = $2",
            [.uuid(session), .uuid(caller.user)]
        ).first
        guard let row else { throw Problem.notFound }
        return try ReportHistoryRow(JSONObject.parse(row.bytes(0)))
    }

    private static func json(_ row: ReportHistoryRow, _ circumstances: Circumstances) -> JSONObject {
        ([
            "sessionId": .uuid(row.sessionId), "reportId": .uuid(row.reportId), "createdAt": .time(row.createdAt),
        ] as JSONObject).adding(membersOf: circumstances.json)
    }
}

extension Asked {
    /// Reads a request's query about recordings: the kind, by default `mirrormate`, and the time zone, by default that of the latest
    /// session, else the caller's.
    ///
    /// - Throws: the problem `time-zone-invalid`, or `PostgresError`.
    init(ofRecordings request: Request, _ caller: Caller, _ context: ServiceContext) async throws {
        let last = try await ProgressHistory.lastTimeZone(of: caller.user, context.owners)
        try await self.init(
            Self.kind(of: request), request.query("timeZone"), else: last ?? caller.timeZone, context.zones)
    }

    /// The kind that a request about recordings asks for.
    static func kind(of request: Request) -> SessionKind {
        request.query("kind").map { SessionKind(rawValue: $0) } ?? ProgressHistory.firstKind
    }
}
