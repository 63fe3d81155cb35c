package import Contracts
import Crypto
import JSON
package import Primitives

/// The text of an API key: around 32 random bytes, in one of two forms that clients know.
///
/// Only the hash of the text is kept. Nobody looks at what it says: it is compared, and stands for what it was made for.
package struct APIKeyText: Sendable, Equatable {
    /// What a key looks like.
    package enum Form: String, Sendable, CaseIterable {
        /// Three parts with points between, because older clients start with nothing else and send it as a bearer.
        case token
        /// `sb_publishable_…` and `sb_secret_…`.
        case opaque
    }

    /// How long clients that look are told the key lasts: ten years.
    private static let lifetime: Int64 = 10 * 365 * 86_400
    private static let length = 32

    /// What the client keeps.
    package let text: String

    /// A new key.
    ///
    /// - Parameter now: the moment that the text says it was made at.
    package static func make(_ role: APIKeyRole, _ form: Form, at now: Timestamp) -> APIKeyText {
        let random = Base64URL.encode(SecureRandom.bytes(length))
        switch form {
        case .opaque: return APIKeyText(text: (role == .service ? "sb_secret_" : "sb_publishable_") + random)
        case .token:
            let header: JSONValue = ["alg": "HS256", "typ": "JWT"]
            let payload: JSONValue = [
                "iss": "mirrormate", "role": .string(role.rawValue), "iat": .int(now.seconds),
                "exp": .int(now.seconds + lifetime),
            ]
            // The random bytes stand where a signature would.
            return APIKeyText(
                text: [Base64URL.encode(header.bytes), Base64URL.encode(payload.bytes), random].joined(separator: "."))
        }
    }

    /// Whether a text has the form of a key: access tokens, which come in the same place, never have.
    package static func isLike(_ text: String) -> Bool { beginnings.contains { text.hasPrefix($0) } }

    /// The last is `{"alg":"HS256",` in base 64.
    private static let beginnings = ["sb_publishable_", "sb_secret_", "eyJhbGciOiJIUzI1NiIs"]

    /// SHA-256 of a text, 32 bytes.
    package static func hash(of text: String) -> [UInt8] { SHA256.digest(Array(text.utf8)) }
}
