package import HTTPServer
package import Runtime

/// Routes for callers who are signed in.
@Loop package struct CallerRoutes {
    /// Answers a request of a caller whose access token was checked.
    package typealias Answer = @Loop (Request, Caller) async throws -> Response

    private let router: Router
    private let tokens: TokenVerifier

    package init(_ router: Router, _ tokens: TokenVerifier) {
        self.router = router
        self.tokens = tokens
    }

    /// Adds a route that needs an access token.
    ///
    /// - Parameter thoughErased: whether it also answers somebody who was erased.
    package func on(_ method: String, _ path: String, thoughErased: Bool = false, _ answer: @escaping Answer) {
        let tokens = tokens
        router.on(method, path) { try await answer($0, try await tokens.caller(of: $0, thoughErased: thoughErased)) }
    }
}
