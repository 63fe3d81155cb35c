import Crypto
import HTTPServer
import JSON
import Primitives
import ServiceKit

/// The signed address of an upload: who has it may put the session's bytes there for a while, without a token.
struct UploadAddress: Sendable {
    private let key: [UInt8]
    private let publicURL: String
    private let lifetime: Duration

    init(key: [UInt8], publicURL: String, lifetime: Duration) {
        self.key = key
        self.publicURL = publicURL
        self.lifetime = lifetime
    }

    /// What a client needs for its upload.
    func json(_ session: UUID, _ creation: SessionCreation, now: Timestamp) -> JSONValue {
        let expires = min(now + lifetime, creation.expiresAt)
        let url =
            "\(publicURL)/v1/uploads/\(session)?expires=\(expires.seconds)&signature=\(signature(session, expires.seconds))"
        return [
            "method": "PUT", "url": .string(url), "headers": ["Content-Type": .string(creation.contentType)],
            "expiresAt": .time(expires),
        ]
    }

    /// Checks a request's address.
    ///
    /// - Throws: a problem 403 when it was not made here or its time is over.
    func check(_ request: Request, _ session: UUID, now: Timestamp) throws {
        guard let expires = request.query("expires").flatMap({ Int64($0) }), let given = request.query("signature"),
            ConstantTime.equal(Array(given.utf8), Array(signature(session, expires).utf8))
        else {
            throw Problem(.uploadAddressInvalid)
        }
        guard now.seconds < expires else {
            throw Problem(.uploadAddressExpired)
        }
    }

    private func signature(_ session: UUID, _ expires: Int64) -> String {
        Base64URL.encode(HMACSHA256.authenticate(Array("upload \(session) \(expires)".utf8), key: key))
    }
}
