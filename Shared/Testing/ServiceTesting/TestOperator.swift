import Crypto
import Primitives

/// The operator of tests.
package enum TestOperator {
    package static let key = "what only operators know"
    /// The variables with which services know the key.
    package static let variables = ["OPERATOR_KEY_HASH": Hex.encode(SHA256.digest(key.utf8))]
}
