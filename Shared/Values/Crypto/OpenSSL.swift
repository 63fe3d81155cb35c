import CCrypto

/// What the wrappers of this module share.
enum OpenSSL {
    /// The SHA-256 implementation, fetched once: a fetch by name costs more than hashing a short message.
    static let sha256 = Digest(EVP_MD_fetch(nil, "SHA256", nil), "SHA256")
    static let sha1 = Digest(EVP_MD_fetch(nil, "SHA1", nil), "SHA1")

    /// A fetched algorithm. Sendable: OpenSSL's fetched algorithms are immutable and atomically reference-counted.
    struct Digest: @unchecked Sendable {
        let pointer: OpaquePointer

        fileprivate init(_ pointer: OpaquePointer?, _ name: String) {
            guard let pointer else { preconditionFailure("libcrypto has no \(name); its installation is broken") }
            self.pointer = pointer
        }
    }

    /// Clears this thread's error queue after a failure, so that later calls do not see it, and returns the error to throw.
    static func failure(_ error: CryptoError) -> CryptoError {
        ERR_clear_error()
        return error
    }
}
