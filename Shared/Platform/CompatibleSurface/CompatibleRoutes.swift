import Contracts
package import EventStore
package import HTTPServer
import JSON
import Observability
package import Runtime
package import ServiceKit

/// Routes of the compatible surface beside a service's native ones: callers as API keys and compatible access tokens name them,
/// errors in the form of the prefix, and answers that pages of other origins may read.
///
/// ```swift
/// guard context.settings.hasCompatibleSurface else { return }
/// let routes = CompatibleRoutes(router, context, .rest, refusals: problem(of:))
/// routes.on("GET", "/sessions") { request, caller in … }
/// ```
@Loop package struct CompatibleRoutes {
    /// Answers a request of a caller who was checked.
    package typealias Answer = @Loop (Request, CompatibleCaller) async throws -> Response

    /// What the service calls a problem of its own; nil for the platform's word.
    package typealias Translation = @Sendable (Problem) -> CompatibleError?

    private nonisolated static let log = Logger(label: "http")

    private let router: Router
    private let prefix: CompatiblePrefix
    private let keys: APIKeys
    private let tokens: TokenVerifier
    private let security: SecurityLog

    /// - Parameters:
    ///   - refusals: what a refusal of the service's row functions means to a client.
    ///   - translation: what problems are called here.
    package init(
        _ router: Router, _ context: ServiceContext, _ prefix: CompatiblePrefix,
        refusals: @escaping @Sendable (RowRefusal) -> Problem?, translation: @escaping Translation = { _ in nil }
    ) {
        self.router = router
        self.prefix = prefix
        keys = APIKeys(context)
        tokens = context.compatibleTokens
        security = context.security
        router.use(Self.middleware(prefix, context.security, refusals, translation))
    }

    /// Adds a route for callers with an API key or an access token.
    ///
    /// - Parameter path: below the prefix, beginning with a slash.
    package func on(_ method: String, _ path: String, _ answer: @escaping Answer) {
        router.on(method, prefix.rawValue + path) { [self] request in
            try await answer(request, try await caller(of: request))
        }
    }

    /// Adds a route that takes no notice of `Authorization`: clients send whatever they have, also what is over.
    ///
    /// - Parameter withKey: whether it needs an API key all the same.
    package func open(
        _ method: String, _ path: String, withKey isKeyNeeded: Bool = true, _ answer: @escaping Handler
    ) {
        router.on(method, prefix.rawValue + path) { [self] request in
            if isKeyNeeded { try await checkKey(request, isNeeded: true) }
            return try await answer(request)
        }
    }

    /// Who sends a request. A bearer that is neither a key nor a good token is refused, never taken for nobody.
    ///
    /// - Throws: ``CompatibleError`` for a key that is missing or unknown; a problem 401 for a token that is not good; 503 when too
    ///   many requests with unknown keys wait already; `PostgresError`.
    package func caller(of request: Request) async throws -> CompatibleCaller {
        try await checkKey(request, isNeeded: prefix.needsKey || request.bearerToken == nil)
        guard let bearer = request.bearerToken else { return .anon }
        switch try await keys.role(of: bearer, in: request) {
        case .anon?: return .anon
        case .service?: return .service
        case .some: throw Self.unknownKey
        case nil: return .user(try await tokens.caller(of: request))
        }
    }

    /// Refuses a request whose `apikey` is not known, or is missing where it is needed.
    private func checkKey(_ request: Request, isNeeded: Bool) async throws {
        guard let text = request.headers["apikey"], !text.isEmpty else {
            guard isNeeded else { return }
            throw CompatibleError(401, "no_api_key", "No API key found in request: send it in the header apikey.")
        }
        guard try await keys.role(of: text, in: request) != nil else {
            security.note(.tokenRefused, of: nil, request, ["code": "api-key-unknown"])
            throw Self.unknownKey
        }
    }

    private nonisolated static let unknownKey = CompatibleError(
        401, "invalid_api_key", "Invalid API key: send one that mirrormate keys has made and nobody has revoked.")

    /// Answers what CORS asks, and writes errors in the prefix's form.
    private static func middleware(
        _ prefix: CompatiblePrefix, _ security: SecurityLog, _ refusals: @escaping @Sendable (RowRefusal) -> Problem?,
        _ translation: @escaping Translation
    ) -> Middleware {
        { request, next in
            // By the route that was found: a path may be written in more than one way.
            guard prefix.holds(request.route ?? request.path) else { return try await next(request) }
            let isOptions = request.method == "OPTIONS"
            if isOptions, request.headers["access-control-request-method"] != nil { return CrossOrigin.preflight }
            var response: Response
            do {
                response = try await next(request)
            } catch is CancellationError {
                throw CancellationError()
            } catch let problem as Problem where isOptions && [404, 405].contains(problem.status) {
                return CrossOrigin.preflight
            } catch {
                response = answer(to: error, request, prefix, security, refusals, translation)
            }
            if prefix == .auth { response.headers["X-Supabase-Api-Version"] = "2024-01-01" }
            CrossOrigin.allow(&response.headers)
            return response
        }
    }

    /// What our own clients do not send, or not so often, as natively (`SecurityLog.refusedRequests`).
    private nonisolated static let noted: Set<Int> = [400, 403, 408, 413, 415, 429]

    private static func answer(
        to error: any Error, _ request: Request, _ prefix: CompatiblePrefix, _ security: SecurityLog,
        _ refusals: @Sendable (RowRefusal) -> Problem?, _ translation: Translation
    ) -> Response {
        if let refusal = error as? CompatibleError {
            if noted.contains(refusal.status) {
                security.note(.requestRefused, of: nil, request, ["code": .string(refusal.code)])
            }
            return refusal.response(on: prefix)
        }
        guard let problem = Problem.of(error, refusals: refusals) else {
            // Only its type, because its text may contain what the client sent.
            log.error("request failed", ["error": .string(String(reflecting: type(of: error)))])
            return CompatibleError.of(.internal, on: prefix).response(on: prefix)
        }
        problem.note(error)
        security.noteRefusal(problem, request)
        return (translation(problem) ?? .of(problem, on: prefix)).response(on: prefix)
    }
}
