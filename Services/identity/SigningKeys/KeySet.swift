package import HTTPServer
import JSON
package import Postgres
import Runtime

extension SigningKeyring {
    /// Serves the public keys (RFC 7517) to whoever verifies access tokens elsewhere.
    package static func keySet(_ pool: PostgresPool) -> Handler {
        { _ in
            let rows = try await pool.query(
                "select kid, x, y from good_signing_keys order by not_before"
            ).rows
            let keys = rows.map { row -> JSONValue in
                [
                    "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": .string(row.text(0)),
                    "x": .string(row.text(1)), "y": .string(row.text(2)),
                ]
            }
            return .json(["keys": .array(keys)], headers: ["Cache-Control": "public, max-age=60"])
        }
    }
}
