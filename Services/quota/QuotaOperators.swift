import Contracts
import EventSourcing
import EventStore
import HTTPServer
import JSON
import Observability
import Primitives
import Runtime
import ServiceKit

/// What operators do with allowances, through the same commands and events as everything else.
///
/// | Route (admin port) | What it does |
/// |---|---|
/// | `GET /operator/allowances/{owner}?kind=` | what the owner sees in `GET /v1/quota` |
/// | `POST /operator/allowances/{owner}/grants` `{units, kind?}` with `Idempotency-Key` | gives units, kept until used |
/// | `PUT /operator/allowances/{owner}/plan` `{plan}` | puts another plan in force |
/// | `GET /operator/plans` | the plans as they are in force, since when and where they come from |
@Loop struct QuotaOperators {
    private let allowances: CommandHandler<Allowance>
    private let hashes: RequestHashes
    private let plans: PlansInForce

    init(_ context: ServiceContext, _ plans: PlansInForce) {
        self.plans = plans
        allowances = CommandHandler(context.store)
        hashes = context.hashes
    }

    func add(to routes: OperatorRoutes) {
        routes.on("GET", "/operator/allowances/{owner}") { request in
            let owner = try request.id("owner")
            let kind = request.query("kind").map { SessionKind(rawValue: $0) } ?? .unlessNamed
            try plans.check(kind)
            return answer(try await allowances.load(Allowance.stream(owner)).state, kind)
        }
        routes.on("POST", "/operator/allowances/{owner}/grants") { request in
            guard RequestHashes.idempotencyKey(request) != nil else { throw Problem(.idempotencyKeyMissing) }
            let body = try await request.jsonObject()
            try body.allow("units", "kind")
            let owner = try request.id("owner")
            let kind: SessionKind = body["kind"] == nil ? .unlessNamed : try body.code("kind")
            try plans.check(kind)
            return try await handle(
                .grant(ownerId: owner, kind: kind, units: body.int("units")), owner, kind, request, body)
        }
        routes.on("PUT", "/operator/allowances/{owner}/plan") { request in
            let body = try await request.jsonObject()
            try body.allow("plan")
            let owner = try request.id("owner")
            let plan: PlanCode = try body.code("plan")
            try plans.check(plan)
            return try await handle(.changePlan(ownerId: owner, plan), owner, .unlessNamed, request, body)
        }
        routes.on("GET", "/operator/plans") { _ in .json(["plans": .array(plans.entries.map(\.json))]) }
    }

    private func handle(
        _ command: AllowanceCommand, _ owner: UUID, _ kind: SessionKind, _ request: Request, _ body: JSONObject
    ) async throws -> Response {
        let outcome = try await allowances.handle(
            command, on: Allowance.stream(owner), id: hashes.commandID(request, owner: owner),
            requestHash: hashes.hash(body),
            metadata: request.metadata(owner: owner, actor: "operator"))
        return answer(outcome.state, kind)
    }

    private func answer(_ allowance: Allowance, _ kind: SessionKind) -> Response {
        .json(.object(allowance.standing(of: kind, in: plans.now, at: .now()).json(kind: kind)))
    }
}

extension PlansInForce.Entry {
    fileprivate var json: JSONValue {
        let kinds = plan.definition.kinds.sorted { $0.key.rawValue < $1.key.rawValue }
        return [
            "plan": plan.definition.code.json, "number": .int(plan.number), "source": .string(plan.source.rawValue),
            "since": .time(since), "isOffered": .bool(isOffered),
            "kinds": .object(
                JSONObject(
                    kinds.map { kind, terms in
                        (kind.rawValue, .object(terms.json.adding(["words": .string(terms.words)])))
                    })),
        ]
    }
}
