import Contracts
import EventStore
import HTTPServer
import JSON
import Practice
import Primitives
import Projections
import Runtime
import ServiceKit

/// What clients may ask about days and streaks.
///
/// | Route | Answer |
/// |---|---|
/// | `GET /v1/practice/analytics?range=\|startDate=&endDate=&kind=&timeZone=` | totals by day, week and month, times of day, streaks |
/// | `GET /v1/practice/streak?kind=&timeZone=` | the streak, until when it is at risk, milestones |
/// | `GET`, `PATCH /v1/practice/settings` | grace and frozen days |
/// | `PUT`, `DELETE /v1/practice/freezes/{date}` | freezes and thaws a local day |
@Loop struct PracticeRoutes {
    private let context: ServiceContext

    init(_ context: ServiceContext) { self.context = context }

    private var commands: CommandHandler<Practitioner> { CommandHandler(context.store) }

    func add(to router: Router) {
        let callers = CallerRoutes(router, context.tokens)
        callers.on("GET", "/v1/practice/analytics", analytics)
        callers.on("GET", "/v1/practice/streak", streak)
        callers.on("GET", "/v1/practice/settings", settings)
        callers.on("PATCH", "/v1/practice/settings", changeSettings)
        callers.on("PUT", "/v1/practice/freezes/{date}", freeze)
        callers.on("DELETE", "/v1/practice/freezes/{date}", thaw)
    }

    // MARK: Looking

    private func analytics(_ request: Request, _ caller: Caller) async throws -> Response {
        let asked = try await Asked(request, caller, context)
        let range = try PracticeRange(request, today: asked.today)
        let (days, hours) = try await PracticeHistory.days(
            of: caller.user, asked.kind, hoursIn: range, context.owners)
        let practitioner = try await commands.load(Practitioner.stream(caller.user)).state
        let standing = try await Standing(days, practitioner.rules, asked)
        return .json(.object(PracticeTotals(days, hours, range).json(asked, standing)))
    }

    private func streak(_ request: Request, _ caller: Caller) async throws -> Response {
        let asked = try await Asked(request, caller, context)
        let days = try await PracticeHistory.days(of: caller.user, asked.kind, context.owners)
        let loaded = try await commands.load(Practitioner.stream(caller.user))
        let standing = try await Standing(days, loaded.state.rules, asked)
        let milestones = row(caller.user, loaded)?.milestones.filter { $0.kind == asked.kind } ?? []
        return .json(
            .object(
                asked.json.adding(membersOf: standing.json).adding([
                    "atRiskUntil": .optional(standing.atRiskUntil), "practisedToday": .bool(standing.practisedToday),
                    "graceMinutes": .int(loaded.state.graceMinutes),
                    "milestones": .array(
                        milestones.map { ["streakDays": .int($0.streakDays), "reachedAt": .time($0.reachedAt)] }),
                    "nextMilestone": .optional(Milestones.next(after: standing.longestStreak)),
                ])))
    }

    // MARK: Settings

    private func settings(_ request: Request, _ caller: Caller) async throws -> Response {
        .json(json(caller.user, try await commands.load(Practitioner.stream(caller.user))))
    }

    private func changeSettings(_ request: Request, _ caller: Caller) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("graceMinutes")
        return try await put(
            .setGrace(ownerId: caller.user, minutes: try body.int("graceMinutes")), request, caller)
    }

    private func freeze(_ request: Request, _ caller: Caller) async throws -> Response {
        let day = try date(request)
        let today = try await Asked(request, caller, context).today
        return try await put(.freeze(ownerId: caller.user, day, today: today), request, caller)
    }

    private func thaw(_ request: Request, _ caller: Caller) async throws -> Response {
        try await put(.thaw(ownerId: caller.user, try date(request)), request, caller)
    }

    private func put(
        _ command: PractitionerCommand, _ request: Request, _ caller: Caller
    ) async throws -> Response {
        let outcome = try await commands.put(
            command, on: Practitioner.stream(caller.user), by: caller.user, request)
        return .json(json(caller.user, outcome.loaded))
    }

    private func date(_ request: Request) throws(Problem) -> LocalDay {
        guard let day = request.parameters["date"].flatMap({ LocalDay($0) }) else { throw .notFound }
        return day
    }

    /// From the person's own stream, so that a client reads its own writes.
    private func row(_ owner: UUID, _ loaded: CommandHandler<Practitioner>.Loaded) -> PractitionerRow? {
        PractitionerProjection.row(owner, after: loaded.history)
    }

    private func json(_ owner: UUID, _ loaded: CommandHandler<Practitioner>.Loaded) -> JSONValue {
        [
            "graceMinutes": .int(loaded.state.graceMinutes),
            "frozenDays": .array(loaded.state.frozen.sorted().map { .string($0.description) }),
        ]
    }
}

/// What is asked about, and where.
@Loop struct Asked {
    let kind: SessionKind
    let timeZone: String
    let now: Timestamp
    /// How far the clocks there are ahead of UTC now, in seconds.
    let utcOffsetSeconds: Int64
    private let zones: TimeZones

    /// How far the clocks there are ahead of UTC at a moment, in seconds.
    ///
    /// - Throws: `PostgresError`.
    func utcOffsetSeconds(at moment: Timestamp) async throws -> Int64 {
        if moment == now { return utcOffsetSeconds }
        return try await zones.utcOffsetSeconds(of: timeZone, at: moment)
    }

    /// Where streaks and ranges end: the day where the practitioner is, which may be over in UTC, or not begun.
    var today: LocalDay { LocalDay(of: now, utcOffsetSeconds: utcOffsetSeconds) }

    /// Reads a request's query: the kind, by default `meditation`, and the time zone, by default that of the latest session.
    ///
    /// - Throws: the problem `time-zone-invalid`, or `PostgresError`.
    init(_ request: Request, _ caller: Caller, _ context: ServiceContext) async throws {
        let kind = request.query("kind").map { SessionKind(rawValue: $0) } ?? .meditation
        let named = request.query("timeZone")
        let last =
            named == nil ? try await PracticeHistory.lastTimeZone(of: caller.user, kind, context.owners) : nil
        try await self.init(kind, named, else: last ?? caller.timeZone, context.zones)
    }

    /// - Parameters:
    ///   - named: the time zone that the request names.
    ///   - usual: that of a request that names none; UTC when nothing is known.
    /// - Throws: the problem `time-zone-invalid`, or `PostgresError`.
    init(_ kind: SessionKind, _ named: String?, else usual: String?, _ zones: TimeZones) async throws {
        if let named { try await zones.check(named) }
        self.kind = kind
        timeZone = named ?? usual ?? "UTC"
        self.zones = zones
        now = .now()
        utcOffsetSeconds = try await zones.utcOffsetSeconds(of: timeZone, at: now)
    }

    var json: JSONObject {
        ["kind": kind.json, "timeZone": .string(timeZone), "today": .string(today.description)]
    }
}

extension PracticeRange {
    /// Reads a request's query: `range`, or `startDate` and `endDate`.
    ///
    /// - Throws: a problem 400.
    init(_ request: Request, today: LocalDay) throws(Problem) {
        switch (request.query("range"), request.query("startDate"), request.query("endDate")) {
        case (let span?, nil, nil):
            guard let span = Span(rawValue: span) else {
                let known = Span.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalidRequest("range must be one of \(known).")
            }
            self = span.range(through: today)
        case (nil, let first?, let last?):
            guard let first = LocalDay(first), let last = LocalDay(last) else {
                throw .invalidRequest("startDate and endDate must be dates such as 2026-11-23.")
            }
            guard first <= last else { throw .invalidRequest("endDate must not be before startDate.") }
            self.init(first: first, last: last)
        case (nil, nil, nil): self = Span.week.range(through: today)
        default: throw .invalidRequest("Send range, or both startDate and endDate.")
        }
    }
}
