import Crypto
package import Primitives

/// A refresh token: a login session's id, the token's number in the session's family and an HMAC over both. So tokens can
/// be neither guessed nor found in the database, and an older one is known as such.
package struct RefreshToken: Sendable, Equatable {
    package let session: UUID
    /// 1 for the first token of a session.
    package let number: Int64

    /// Where a client keeps a token.
    package enum Place: String, Sendable {
        /// Wherever it likes: it comes and goes in the bodies of requests and answers.
        case body
        /// In the cookie of ``RefreshCookie``.
        case cookie
        /// As in a body, on the compatible surface.
        case compatible

        /// The key with which tokens are made that are kept so.
        func key(from root: [UInt8]) -> [UInt8] {
            switch self {
            case .body: root
            case .cookie: HMACSHA256.authenticate(Array("mirrormate/refresh-cookie".utf8), key: root)
            case .compatible: HMACSHA256.authenticate(Array("mirrormate/refresh-compatible".utf8), key: root)
            }
        }
    }

    private static let contentLength = 24
    private static let macLength = 32

    package init(session: UUID, number: Int64) {
        self.session = session
        self.number = number
    }

    /// Reads a token; nil if it was not made with the key.
    package init?(_ text: String, key: [UInt8]) {
        guard text.utf8.count <= 128, let bytes = Base64URL.decode(text),
            bytes.count == Self.contentLength + Self.macLength,
            HMACSHA256.verify(
                Array(bytes.suffix(Self.macLength)), message: Array(bytes.prefix(Self.contentLength)), key: key),
            let session = UUID(bytes: bytes.prefix(16))
        else { return nil }
        self.init(session: session, number: bytes[16..<Self.contentLength].reduce(0) { $0 << 8 | Int64($1) })
    }

    /// The token as the client gets it.
    package func text(key: [UInt8]) -> String {
        let content = session.bytes + withUnsafeBytes(of: number.bigEndian) { Array($0) }
        return Base64URL.encode(content + HMACSHA256.authenticate(content, key: key))
    }
}
