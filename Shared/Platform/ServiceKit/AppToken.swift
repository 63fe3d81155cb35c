import Crypto
import Primitives

/// The token of an app whose client cannot refresh one: `mma_` and 32 random bytes, base 64 URL without padding. Only the hash of its
/// text is kept, in identity and, by announcement, in every service (`docs/decisions/tokens.md`).
package struct AppToken: Sendable, Equatable {
    private static let prefix = "mma_"
    private static let length = 32

    /// What the client keeps.
    package let text: String

    private init(text: String) { self.text = text }

    /// A new one.
    package static func make() -> AppToken { AppToken(text: prefix + Base64URL.encode(SecureRandom.bytes(length))) }

    /// A token of this form; nil for any other text.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix),
            Base64URL.decode(String(text.dropFirst(Self.prefix.count)))?.count == Self.length
        else { return nil }
        self.text = text
    }

    /// SHA-256 of the text, 32 bytes.
    package var hash: [UInt8] { SHA256.digest(Array(text.utf8)) }
}
