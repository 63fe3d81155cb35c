package import Configuration
import Crypto
import Primitives

/// A key by which this service knows somebody who shows it, such as the gateway or an operator.
///
/// The service has the key's hash alone, so nobody learns from it how to pose as them before another service.
package struct KeyHash: Sendable {
    private let hash: [UInt8]

    /// - Parameter hash: SHA-256 of the key's text, in 64 hexadecimal digits; anything else gives nil.
    package init?(_ hash: String) {
        guard hash.utf8.count == 2 * SHA256.length, let bytes = Hex.decode(hash) else { return nil }
        self.hash = bytes
    }

    /// Reads a variable; nil if it is not set. A problem stays in `environment` until it is finished.
    ///
    /// - Parameter key: what is hashed, such as `the gateway's key`.
    package static func read(_ name: String, of key: String, _ environment: Environment) -> KeyHash? {
        guard let text = environment.optionalSecret(name) else { return nil }
        let hash = KeyHash(text.reveal())
        if hash == nil { environment.refuse(name, "must be 64 hexadecimal digits, SHA-256 of \(key).") }
        return hash
    }

    /// Whether a text is the key.
    package func fits(_ shown: String) -> Bool { SHA256.digest(shown.utf8) == hash }
}
