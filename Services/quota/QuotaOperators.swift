import Contracts
import EventSourcing
import EventStore
package import HTTPServer
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
@Loop struct QuotaOperators {
    private let allowances: CommandHandler<Allowance>
    private let hashes: RequestHashes

    init(_ context: ServiceContext) {
        allowances = CommandHandler(context.store)
        hashes = context.hashes
    }

    func add(to routes: OperatorRoutes) {
        routes.on("GET", "/operator/allowances/{owner}") { request in
            let owner = try request.id("owner")
            let kind = request.query("kind").map { SessionKind(rawValue: $0) } ?? .mirrormate
            return answer(try await allowances.load(Allowance.stream(owner)).state, kind)
        }
        routes.on("POST", "/operator/allowances/{owner}/grants") { request in
            guard RequestHashes.idempotencyKey(request) != nil else { throw Problem(.idempotencyKeyMissing) }
            let body = try await request.jsonObject()
            let owner = try request.id("owner")
            let kind: SessionKind = body["kind"] == nil ? .mirrormate : try body.code("kind")
            return try await handle(
                .grant(ownerId: owner, kind: kind, units: body.int("units")), owner, kind, request, body)
        }
        routes.on("PUT", "/operator/allowances/{owner}/plan") { request in
            let body = try await request.jsonObject()
            let owner = try request.id("owner")
            return try await handle(.changePlan(ownerId: owner, body.code("plan")), owner, .mirrormate, request, body)
        }
    }

    private func handle(
        _ command: QuotaCommand, _ owner: UUID, _ kind: SessionKind, _ request: Request, _ body: JSONObject
    ) async throws -> Response {
        let outcome = try await allowances.handle(
            command, on: Allowance.stream(owner), id: hashes.commandID(request, owner: owner),
            requestHash: hashes.hash(body),
            metadata: request.metadata(owner: owner, actor: "operator"))
        return answer(outcome.state, kind)
    }

    private func answer(_ allowance: Allowance, _ kind: SessionKind) -> Response {
        .json(.object(allowance.standing(of: kind, at: .now()).json(kind: kind)))
    }
}

/// The one place where refusals of allowances become problems.
extension QuotaRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .planUnknown: Problem(.planUnknown)
        case .kindUnknown: Problem(.kindUnknown)
        case .unitsOutOfRange: Problem(.unitsOutOfRange)
        case .ownerErased: .notFound
        }
    }
}
