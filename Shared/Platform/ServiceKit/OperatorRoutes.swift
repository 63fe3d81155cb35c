package import Configuration
import Crypto
package import HTTPServer
import Primitives
package import Runtime

/// Routes for operators, on the admin port only and only with the operators' secret, so that a mistake in the network's
/// settings alone does not expose them.
@Loop package struct OperatorRoutes {
    private let router: Router
    private let key: [UInt8]

    /// - Parameter key: the secret of `OPERATOR_KEY`.
    package init(_ router: Router, key: Secret) {
        self.router = router
        self.key = Array(key.reveal().utf8)
    }

    /// Adds a route that needs the header `Authorization: Bearer SECRET`.
    package func on(_ method: String, _ path: String, _ handler: @escaping Handler) {
        let key = key
        router.on(method, path) { request in
            let given = Array((request.headers["authorization"] ?? "").utf8)
            guard ConstantTime.equal(given, Array("Bearer ".utf8) + key) else {
                throw Problem(.operatorKeyWrong, headers: ["WWW-Authenticate": "Bearer"])
            }
            return try await handler(request)
        }
    }
}
