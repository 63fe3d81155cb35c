package import HTTPServer
package import Runtime

/// Routes for operators, on the admin port only and only with the operators' key, so that a mistake in the network's
/// settings alone does not expose them.
@Loop package struct OperatorRoutes {
    private let router: Router
    private let key: KeyHash

    /// - Parameter key: the hash of the key that opens them.
    package init(_ router: Router, key: KeyHash) {
        self.router = router
        self.key = key
    }

    /// Adds a route that needs the header `Authorization: Bearer KEY`.
    package func on(_ method: String, _ path: String, _ handler: @escaping Handler) {
        let key = key
        router.on(method, path) { request in
            let scheme = "Bearer "
            guard let given = request.headers["authorization"], given.hasPrefix(scheme),
                key.fits(String(given.dropFirst(scheme.count)))
            else {
                throw Problem(.operatorKeyWrong, headers: ["WWW-Authenticate": "Bearer"])
            }
            return try await handler(request)
        }
    }
}
