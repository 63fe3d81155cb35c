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
    private let security: SecurityLog

    /// - Parameter key: the secret of `OPERATOR_KEY`.
    package init(_ router: Router, key: Secret, _ security: SecurityLog) {
        self.router = router
        self.security = security
        self.key = Array(key.reveal().utf8)
    }

    /// Adds a route that needs the header `Authorization: Bearer SECRET`.
    package func on(_ method: String, _ path: String, _ handler: @escaping Handler) {
        let (key, security) = (key, security)
        router.on(method, path) { request in
            let given = Array((request.headers["authorization"] ?? "").utf8)
            guard ConstantTime.equal(given, Array("Bearer ".utf8) + key) else {
                security.note(.operatorRefused, of: nil, request)
                throw Problem(.operatorKeyWrong, headers: ["WWW-Authenticate": "Bearer"])
            }
            security.note(.operatorAction, of: nil, request)
            return try await handler(request)
        }
    }
}
