package import Contracts
package import EventStore
package import HTTPServer
import JSON
import Observability
package import Runtime

/// Routes of an app whose client is older than the native API: for callers with the app's token, and with errors in the forms that
/// clients know, `{"error": "…"}` and `{"message": "…", "error": "…"}`, in one, to which the stable code is added.
///
/// What the gateway and HTTP itself answer stays a problem document.
@Loop package struct AppRoutes {
    private let router: Router
    private let context: ServiceContext
    private let surface: AppSurface
    private let refusals: @Sendable (RowRefusal) -> Problem?

    private static let log = Logger(label: "http")

    /// - Parameter refusals: what a refusal of the service's row functions means to a client.
    package init(
        _ router: Router, _ context: ServiceContext, _ surface: AppSurface,
        refusals: @escaping @Sendable (RowRefusal) -> Problem?
    ) {
        self.router = router
        self.context = context
        self.surface = surface
        self.refusals = refusals
    }

    /// Adds a route that needs the app's token.
    ///
    /// - Parameters:
    ///   - failure: what a fault of ours is called.
    ///   - error: the text of a problem; by default its detail. `message` is the same, or the problem's own member.
    package func on(
        _ method: String, _ path: String, orElse failure: String, _ answer: @escaping CallerRoutes.Answer,
        error: @escaping @Sendable (Problem) -> String = { $0.detail }
    ) {
        let (tokens, surface) = (context.appTokens, surface)
        open(
            method, path, orElse: failure,
            { try await answer($0, try await tokens.caller(of: $0, on: surface)) }, error: error)
    }

    /// Adds a route that needs none.
    package func open(
        _ method: String, _ path: String, orElse failure: String, _ answer: @escaping Handler,
        error: @escaping @Sendable (Problem) -> String = { $0.detail }
    ) {
        router.on(method, path) { request in
            do {
                return try await answer(request)
            } catch is CancellationError {
                throw CancellationError()
            } catch let thrown {
                return response(to: thrown, request, failure, error)
            }
        }
    }

    private func response(
        to thrown: any Error, _ request: Request, _ failure: String, _ error: (Problem) -> String
    ) -> Response {
        guard let problem = Problem.of(thrown, refusals: refusals) else {
            // Only its type, because its text may contain what the client sent.
            Self.log.error("request failed", ["error": .string(String(reflecting: type(of: thrown)))])
            return Self.response(Problem.internal, failure)
        }
        problem.note(thrown)
        context.security.noteRefusal(problem, request)
        return Self.response(problem, Self.known[problem.code] ?? error(problem))
    }

    /// The texts that clients know of tokens.
    private static let known: [ProblemCode: String] = [
        .unauthenticated: "Missing or invalid Bearer token", .tokenMalformed: "Missing or invalid Bearer token",
        .appTokenUnknown: "Invalid token",
    ]

    private static func response(_ problem: Problem, _ text: String) -> Response {
        var headers = problem.headers
        headers["Cache-Control"] = "no-store"
        let message = problem.members.first { $0.0 == "message" }?.1 ?? .string(text)
        return .json(
            ["error": .string(text), "message": message, "code": .string(problem.code.description)],
            status: problem.status, headers: headers)
    }
}
