import Crypto
import Primitives

/// The secret that an endpoint's owner verifies with that something is from here: Standard Webhooks 1.0, symmetric (`v1`).
package struct WebhookSecret: Sendable, Equatable {
    private static let prefix = "whsec_"
    /// In bytes; the standard allows 24 to 64.
    package static let length = 32

    private let bytes: [UInt8]

    /// - Parameter bytes: ``length`` random ones.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the form that is shown and sealed; nil for anything else.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let bytes = Base64.decode(text.dropFirst(Self.prefix.count)),
            (24...64).contains(bytes.count)
        else { return nil }
        self.bytes = bytes
    }

    /// As it is shown to its owner, once.
    package var text: String { Self.prefix + Base64.encode(bytes) }

    /// The signature of what is sent.
    ///
    /// - Parameters:
    ///   - id: its `webhook-id`.
    ///   - seconds: its `webhook-timestamp`, since 1970.
    package func signature(id: String, seconds: Int64, body: String) -> String {
        "v1," + Base64.encode(HMACSHA256.authenticate(Array("\(id).\(seconds).\(body)".utf8), key: bytes))
    }
}
