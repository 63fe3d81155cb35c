package import HTTPServer
package import Runtime

/// Routes for operators, on the admin port only and only with the operators' key, so that a mistake in the network's
/// settings alone does not expose them.
@Loop package struct OperatorRoutes {
    private let router: Router
    private let key: KeyHash
    private let security: SecurityLog

    /// - Parameter key: the hash of the key that opens them.
    package init(_ router: Router, key: KeyHash, _ security: SecurityLog) {
        self.router = router
        self.key = key
        self.security = security
    }

    /// Adds a route that needs the header `Authorization: Bearer KEY`.
    package func on(_ method: String, _ path: String, _ handler: @escaping Handler) {
        let (key, security) = (key, security)
        router.on(method, path) { request in
            guard let given = request.bearerToken, key.fits(given) else {
                security.note(.operatorRefused, of: nil, request)
                throw Problem.unauthorized(.operatorKeyWrong)
            }
            security.note(.operatorAction, of: nil, request)
            return try await handler(request)
        }
    }
}
