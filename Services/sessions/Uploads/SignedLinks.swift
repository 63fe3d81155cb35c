import Crypto
package import HTTPServer
package import JSON
package import Primitives
import ServiceKit

/// Addresses that let whoever has them do one thing for a while, without a token.
package struct SignedLinks: Sendable {
    private let key: [UInt8]
    private let publicURL: String

    /// - Parameters:
    ///   - key: at least 16 bytes that nobody else knows.
    ///   - publicURL: the only address that clients see.
    package init(key: [UInt8], publicURL: String) {
        self.key = key
        self.publicURL = publicURL
    }

    /// The address of a path, good for a method until a moment.
    package func url(_ method: String, _ path: String, until end: Timestamp) -> String {
        "\(publicURL)\(path)?expires=\(end.seconds)&signature=\(signature(method, path, end.seconds))"
    }

    /// What a client needs for putting a file to a path.
    package func offer(_ path: String, contentType: String, until end: Timestamp) -> JSONValue {
        [
            "method": "PUT", "url": .string(url("PUT", path, until: end)),
            "headers": ["Content-Type": .string(contentType)], "expiresAt": .time(end),
        ]
    }

    /// Checks that a request for a path came by an address that was made here and still holds.
    ///
    /// - Throws: the problem `upload-address-invalid` or `upload-address-expired`.
    package func check(_ request: Request, path: String, now: Timestamp = .now()) throws(Problem) {
        guard let expires = request.query("expires").flatMap({ Int64($0) }), let given = request.query("signature"),
            ConstantTime.equal(Array(given.utf8), Array(signature(request.method, path, expires).utf8))
        else { throw Problem(.uploadAddressInvalid) }
        guard now.seconds < expires else { throw Problem(.uploadAddressExpired) }
    }

    private func signature(_ method: String, _ path: String, _ expires: Int64) -> String {
        Base64URL.encode(HMACSHA256.authenticate(Array("\(method) \(path) \(expires)".utf8), key: key))
    }
}
