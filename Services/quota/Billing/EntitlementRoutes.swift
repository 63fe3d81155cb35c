import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// What clients may ask of what they have bought.
///
/// | Route | Answer |
/// |---|---|
/// | `GET /v1/entitlements` | the caller's plan in force, why, until when, and what was bought |
@Loop struct EntitlementRoutes {
    private let tokens: TokenVerifier
    private let allowances: KeptStates<Allowance>

    init(_ context: ServiceContext) {
        tokens = context.tokens
        allowances = KeptStates(context.store)
    }

    func add(to router: Router) {
        CallerRoutes(router, tokens).on("GET", "/v1/entitlements") { _, caller in try await answer(of: caller.user) }
    }

    /// From the owner's stream, which the next reservation is decided on.
    ///
    /// - Throws: `PostgresError`, `EventDecodingError`, or the problem `not-found` for somebody who is erased.
    func answer(of owner: UUID) async throws -> Response {
        let allowance = try await allowances.state(of: Allowance.stream(owner))
        guard !allowance.isErased else { throw Problem.notFound }
        return .json(.object(allowance.entitlement(at: .now()).json), headers: ["Cache-Control": "no-store"])
    }
}
