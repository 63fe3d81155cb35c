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
    private let allowances: KeptStates<Allowance>
    private let plans: PlansInForce

    init(_ context: ServiceContext, _ plans: PlansInForce) {
        self.plans = plans
        tokens = context.tokens
        allowances = KeptStates(context.store)
    }

    func add(to router: Router) {
        CallerRoutes(router, tokens).on("GET", "/v1/quota", quota)
    }

    /// From the caller's stream, not from the read model: it agrees with what is admitted next.
    private func quota(_ request: Request, _ caller: Caller) async throws -> Response {
        let kind = request.query("kind").map { SessionKind(rawValue: $0) } ?? .unlessNamed
        let kinds = plans.now.kinds
        guard kinds.contains(kind) else {
            let known = kinds.map(\.rawValue).joined(separator: ", ")
            throw Problem.invalidRequest("There is no such kind of session; ask for one of: \(known).")
        }
        let allowance = try await allowances.state(of: Allowance.stream(caller.user))
        guard !allowance.isErased else { throw Problem.notFound }
        let standing = allowance.standing(of: kind, in: plans.now, at: .now())
        var headers: Headers = ["Cache-Control": "no-store"]
        if let limit = standing.limit {
            RateLimitStanding(
                "analysis", limit: limit, remaining: standing.remaining ?? 0,
                resetsIn: standing.resetsAt.map { ($0 - .now()).components.seconds }
            ).add(to: &headers)
        }
        return .json(.object(standing.json(kind: kind)), headers: headers)
    }
}

extension SessionKind {
    /// The kind that requests mean which do not name one: those of clients from before there were others.
    static let unlessNamed = SessionKind.mirrormate
}

extension Standing {
    /// The answer of `GET /v1/quota`; `null` stands for "unlimited", and for "no window is open" in `resetsAt`.
    ///
    /// The figures are those of the window in which least is left. What an allowance has besides one window stands behind
    /// them: all windows and caps by their names.
    func json(kind: SessionKind) -> JSONObject {
        let figures: JSONObject = [
            "kind": kind.json, "plan": plan.json, "limit": .optional(limit), "used": .int(used),
            "reserved": .int(reserved), "remaining": .optional(remaining), "resetsAt": .optional(resetsAt),
        ]
        if windows.count == 1, caps.isEmpty { return figures }
        return figures.adding([
            "windows": .object(JSONObject(windows.map { ($0.span.rawValue, $0.json(gifts: extra)) })),
            "caps": caps.isEmpty ? nil : .object(JSONObject(caps.map { ($0.code.rawValue, $0.json) })),
        ])
    }
}

extension Standing.Window {
    fileprivate func json(gifts: Int64) -> JSONValue {
        [
            "limit": .optional(limit), "used": .int(used), "reserved": .int(reserved),
            "remaining": .optional(unitsLeft.map { max(0, $0) + gifts }), "resetsAt": .optional(resetsAt),
        ]
    }
}

extension Standing.Cap {
    fileprivate var json: JSONValue {
        .object(
            JSONObject().adding([
                "limit": .int(limit), "taken": .int(taken), "remaining": .int(left),
                "withinSeconds": seconds.map(JSONValue.int),
            ]))
    }
}
