import Contracts
import EventStore
import HTTPServer
import JSON
import Primitives
import Progress
import Projections
import Runtime
import ServiceKit

/// What clients do with goals (`docs/progress.md`).
///
/// | Route | Answer |
/// |---|---|
/// | `POST /v1/goals` `{measure, atLeast?, atMost?, recordings?, days?, kind?, timeZone?}` | sets one |
/// | `GET /v1/goals` | all of the caller's, newest first, with what counts so far, and the next one worth setting |
/// | `DELETE /v1/goals/{id}` | not wanted or not shown any more |
@Loop struct GoalRoutes {
    private static let members = ["measure", "atLeast", "atMost", "recordings", "days", "kind", "timeZone"]

    private let context: ServiceContext

    init(_ context: ServiceContext) { self.context = context }

    private var commands: CommandHandler<Goals> { CommandHandler(context.store) }

    func add(to router: Router) {
        let callers = CallerRoutes(router, context.tokens)
        callers.on("POST", "/v1/goals", set)
        callers.on("GET", "/v1/goals", list)
        callers.on("DELETE", "/v1/goals/{id}", drop)
    }

    // MARK: Setting

    private func set(_ request: Request, _ caller: Caller) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow(Self.members)
        let target = GoalTarget(
            measure: try body.string("measure"), atLeast: try body.optionalDouble("atLeast"),
            atMost: try body.optionalDouble("atMost"),
            recordings: try body.optionalInt("recordings") ?? GoalProposal.recordings,
            days: try body.optionalInt("days") ?? GoalProposal.days)
        // Before days are counted on.
        guard target.isPossible else { throw Problem(.goalImpossible) }
        let kind = try body.optionalString("kind").map { SessionKind(rawValue: $0) } ?? ProgressHistory.firstKind
        guard ReportBasis.isName(kind.rawValue) else { throw Problem(.goalImpossible) }
        let id = context.hashes.commandID(request, owner: caller.user)
        let hash = context.hashes.hash(body)
        // The goal's id follows from the key, so that a repeat finds the same one.
        let goalId = UUID.v5(namespace: id, name: "goal")
        if try await context.store.receipt(id: id, requestHash: hash) != nil {
            return try answer(goalId, caller, try await commands.load(Goals.stream(caller.user)))
        }
        let last = try await ProgressHistory.lastTimeZone(of: caller.user, context.owners)
        let asked = try await Asked(
            kind, try body.optionalString("timeZone"), else: last ?? caller.timeZone, context.zones)
        let goal = Goal(
            goalId: goalId, kind: kind, target: target, setAt: asked.now,
            endsAt: try await context.zones.start(of: asked.today + target.days, in: asked.timeZone),
            timeZone: asked.timeZone)
        let outcome = try await commands.handle(
            .set(ownerId: caller.user, goal), on: Goals.stream(caller.user), id: id,
            requestHash: hash, metadata: request.metadata(owner: caller.user))
        return try answer(goalId, caller, outcome.loaded)
    }

    private func answer(
        _ id: UUID, _ caller: Caller, _ loaded: CommandHandler<Goals>.Loaded
    ) throws(Problem) -> Response {
        // It was set, and dropped before the repeat.
        guard let entry = entries(caller.user, loaded).first(where: { $0.goal.goalId == id }) else { throw .notFound }
        return .json(.object(Self.json(entry, [])), status: 201)
    }

    private func drop(_ request: Request, _ caller: Caller) async throws -> Response {
        try await commands.put(
            .drop(ownerId: caller.user, goalId: try request.id("id")), on: Goals.stream(caller.user),
            by: caller.user, request)
        return .noContent
    }

    // MARK: Looking

    private func list(_ request: Request, _ caller: Caller) async throws -> Response {
        let entries = entries(caller.user, try await commands.load(Goals.stream(caller.user)))
        let open = entries.filter { $0.standing == .open }.map(\.goal)
        let rows = try await GoalReports.rows(for: open, of: caller.user, context.owners)
        let proposal = try await ProgressHistory.proposal(of: caller.user, without: open, context.owners)
        return .json([
            "items": .array(entries.reversed().map { .object(Self.json($0, rows)) }),
            "proposal": proposal?.json ?? .null,
        ])
    }

    /// From the person's own stream, so that a client reads its own writes.
    private func entries(_ owner: UUID, _ loaded: CommandHandler<Goals>.Loaded) -> [GoalsRow.Entry] {
        GoalsProjection.row(owner, after: loaded.history)?.goals ?? []
    }

    /// A goal with what counts so far.
    ///
    /// - Parameter rows: the reports since it was set; of no consequence for one that has ended.
    private static func json(_ entry: GoalsRow.Entry, _ rows: [ReportHistoryRow]) -> JSONObject {
        let hits = entry.standing == .open ? entry.goal.hits(among: rows) : entry.hits
        return entry.goal.json.adding([
            "unit": .string(entry.goal.target.unit), "standing": .string(entry.standing.rawValue),
            "endedAt": .optional(entry.endedAt), "counted": .array(hits.map { .object($0.json) }),
        ])
    }
}
