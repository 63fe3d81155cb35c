import Contracts
import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// What clients may ask.
///
/// | Route | Answer |
/// |---|---|
/// | `GET /v1/quota?kind=` | the caller's plan and units of a kind, `mirrormate` unless another is named |
@Loop struct QuotaRoutes {
    private let tokens: TokenVerifier
    private let allowances: CommandHandler<Allowance>

    init(_ context: ServiceContext) {
        tokens = context.tokens
        allowances = CommandHandler(context.store)
    }

    func add(to router: Router) {
        CallerRoutes(router, tokens).on("GET", "/v1/quota", quota)
    }

    /// From the caller's stream, not from the read model: it agrees with what is admitted next.
    private func quota(_ request: Request, _ caller: Caller) async throws -> Response {
        let kind = request.query("kind").map { SessionKind(rawValue: $0) } ?? .mirrormate
        guard Plan.kinds.contains(kind) else {
            let known = Plan.kinds.map(\.rawValue).joined(separator: ", ")
            throw Problem.invalidRequest("There is no such kind of session; ask for one of: \(known).")
        }
        let allowance = try await allowances.load(Allowance.stream(caller.user)).state
        guard !allowance.isErased else { throw Problem.notFound }
        let standing = allowance.standing(of: kind, at: .now())
        var headers: Headers = ["Cache-Control": "no-store"]
        headers.setRateLimit(
            "analysis", limit: standing.limit, remaining: standing.remaining ?? 0,
            resetsIn: standing.resetsAt.map { ($0 - .now()).components.seconds })
        return .json(.object(standing.json(kind: kind)), headers: headers)
    }
}

extension Standing {
    /// The answer of `GET /v1/quota`; `null` stands for "unlimited", and for "no window is open" in `resetsAt`.
    func json(kind: SessionKind) -> JSONObject {
        [
            "kind": kind.json, "plan": plan.json, "limit": .optional(limit), "used": .int(used),
            "reserved": .int(reserved), "remaining": .optional(remaining), "resetsAt": .optional(resetsAt),
        ]
    }
}
