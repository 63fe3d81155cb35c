package import Configuration
import Crypto
import Primitives

/// Tells the gateway from everybody else inside the network: by a key that it shows this service and no other.
///
/// The service knows the key's hash alone, so nobody learns from it how to pose as the gateway.
package struct GatewayKey: Sendable {
    private let hash: [UInt8]

    /// - Parameter hash: SHA-256 of the key's text, in 64 hexadecimal digits; anything else gives nil.
    package init?(hash: String) {
        guard hash.utf8.count == 2 * SHA256.length, let bytes = Hex.decode(hash) else { return nil }
        self.hash = bytes
    }

    /// Reads `GATEWAY_KEY_HASH`; nil if it is not set. A problem stays in `environment` until it is finished.
    package static func read(_ environment: Environment) -> GatewayKey? {
        guard let text = environment.optionalSecret("GATEWAY_KEY_HASH") else { return nil }
        let key = GatewayKey(hash: text.reveal())
        if key == nil {
            environment.refuse("GATEWAY_KEY_HASH", "must be 64 hexadecimal digits, SHA-256 of the gateway's key.")
        }
        return key
    }

    /// Whether a text is the key.
    package func fits(_ shown: String) -> Bool { SHA256.digest(shown.utf8) == hash }
}
