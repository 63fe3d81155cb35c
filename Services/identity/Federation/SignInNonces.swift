package import Access
import Crypto
package import EventStore
package import HTTPServer
package import Primitives

/// Nonces that bind an identity token to one request: what it is for, an id, when it was given, and an HMAC over all of them.
/// Nothing of one is stored before it is used; then its id, until it would be over anyway.
///
/// What a nonce is for can be read from it, so one that was made here for something else is never taken for a client's own.
package struct SignInNonces: Sendable {
    /// What a nonce is good for.
    package enum Purpose: Sendable, Equatable {
        case signIn
        /// What the bearer of a login session does: showing anew who they are, or linking an identity.
        case session(UUID)
    }

    /// A nonce that was made here and may still be used.
    package struct Nonce: Sendable, Equatable {
        package let id: UUID
        package let givenAt: Timestamp

        /// For the append that it allows: refuses it with `nonce-used` when it was used before.
        package var use: RowCall { FederationRows.useNonce(id, givenAt + SignInNonces.lifetime) }
    }

    package static let lifetime = Duration.seconds(600)
    private static let bindingLength = 16
    private static let contentLength = bindingLength + 24
    private static let macLength = 32

    private let keys: AuthenticationKeys

    package init(_ secrets: AccessSecrets) { keys = secrets.nonces }

    /// A nonce for a purpose, good for ``lifetime``. Nothing is kept of it before it comes back: it is known by its own bytes.
    package func make(for purpose: Purpose, at now: Timestamp) -> String {
        let key = keys.present
        let content =
            Self.binding(purpose, key) + UUID.v4().bytes + withUnsafeBytes(of: now.microseconds.bigEndian) { Array($0) }
        return Base64URL.encode(content + Self.mac(content, key))
    }

    /// The nonce of a text; nil for one that was not made here, so it is a client's own.
    ///
    /// - Throws: the problem `nonce-invalid` (401) for one that was made here for something else, or is over.
    package func read(_ text: String, for purpose: Purpose, at now: Timestamp) throws(Problem) -> Nonce? {
        guard text.utf8.count <= 128, let bytes = Base64URL.decode(text),
            bytes.count == Self.contentLength + Self.macLength,
            let key = keys.first(where: {
                ConstantTime.equal(
                    Array(bytes.dropFirst(Self.contentLength)), Self.mac(Array(bytes.prefix(Self.contentLength)), $0))
            }),
            let id = UUID(bytes: bytes[Self.bindingLength..<Self.bindingLength + 16])
        else { return nil }
        let givenAt = Timestamp(
            microseconds: bytes[Self.bindingLength + 16..<Self.contentLength].reduce(Int64(0)) { $0 << 8 | Int64($1) })
        guard Array(bytes.prefix(Self.bindingLength)) == Self.binding(purpose, key), now <= givenAt + Self.lifetime
        else {
            throw Problem(.nonceInvalid)
        }
        return Nonce(id: id, givenAt: givenAt)
    }

    /// Zeros for a sign-in; for a login session what follows from its id, which no provider needs to see.
    private static func binding(_ purpose: Purpose, _ key: [UInt8]) -> [UInt8] {
        switch purpose {
        case .signIn: Array(repeating: 0, count: bindingLength)
        case .session(let id):
            Array(HMACSHA256.authenticate(Array("login session \(id)".utf8), key: key).prefix(bindingLength))
        }
    }

    private static func mac(_ content: [UInt8], _ key: [UInt8]) -> [UInt8] {
        HMACSHA256.authenticate(Array("nonce ".utf8) + content, key: key)
    }
}
