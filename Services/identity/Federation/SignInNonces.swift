package import Access
import Crypto
package import EventStore
package import HTTPServer
package import Primitives

/// Nonces that bind an identity token to one request: an id, when it was given, and an HMAC over both and over whom it was given
/// to. Nothing of one is stored before it is used; then its id, until it would be over anyway.
package struct SignInNonces: Sendable {
    /// A nonce that was made here and may still be used.
    package struct Nonce: Sendable, Equatable {
        package let id: UUID
        package let givenAt: Timestamp

        /// For the append that it allows: refuses it with `nonce-used` when it was used before.
        package var use: RowCall { FederationRows.useNonce(id, givenAt + SignInNonces.lifetime) }
    }

    package static let lifetime = Duration.seconds(600)
    private static let contentLength = 24
    private static let macLength = 32

    private let key: [UInt8]

    package init(_ secrets: AccessSecrets) { key = secrets.nonces }

    /// A new one.
    ///
    /// - Parameter session: the login session whose bearer shows anew who they are; nil for a sign-in.
    package func make(for session: UUID?, at now: Timestamp) -> String {
        let content = UUID.v4().bytes + withUnsafeBytes(of: now.microseconds.bigEndian) { Array($0) }
        return Base64URL.encode(content + mac(content, session))
    }

    /// The nonce of a text; nil for one that was not made here for this.
    ///
    /// - Throws: the problem `nonce-invalid` (401) for one that is over.
    package func read(_ text: String, for session: UUID?, at now: Timestamp) throws(Problem) -> Nonce? {
        guard text.utf8.count <= 128, let bytes = Base64URL.decode(text),
            bytes.count == Self.contentLength + Self.macLength,
            ConstantTime.equal(
                Array(bytes.dropFirst(Self.contentLength)), mac(Array(bytes.prefix(Self.contentLength)), session)),
            let id = UUID(bytes: bytes.prefix(16))
        else { return nil }
        let givenAt = Timestamp(
            microseconds: bytes[16..<Self.contentLength].reduce(Int64(0)) { $0 << 8 | Int64($1) })
        guard now <= givenAt + Self.lifetime else { throw Problem(.nonceInvalid) }
        return Nonce(id: id, givenAt: givenAt)
    }

    private func mac(_ content: [UInt8], _ session: UUID?) -> [UInt8] {
        HMACSHA256.authenticate(Array("\(session.map { "confirm \($0)" } ?? "sign-in") ".utf8) + content, key: key)
    }
}
