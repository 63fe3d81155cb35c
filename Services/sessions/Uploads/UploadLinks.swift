package import JSON
package import Primitives
package import ServiceKit

/// The addresses of uploads.
extension SignedLinks {
    /// - Parameters:
    ///   - key: at least 16 bytes that nobody else knows.
    ///   - publicURL: the only address that clients see.
    package static func uploads(key: [UInt8], publicURL: String) -> SignedLinks {
        SignedLinks(key: key, publicURL: publicURL, invalid: .uploadAddressInvalid, expired: .uploadAddressExpired)
    }

    /// What a client needs for putting a file to a path.
    package func offer(_ path: String, contentType: String, until end: Timestamp) -> JSONValue {
        [
            "method": "PUT", "url": .string(url("PUT", path, until: end)),
            "headers": ["Content-Type": .string(contentType)], "expiresAt": .time(end),
        ]
    }
}
