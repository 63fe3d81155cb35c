import CCrypto

/// A hash of an algorithm that a client chooses, fed piece by piece: to notice bytes that were damaged on their way. SHA-1 keeps
/// nobody from making other bytes with the same hash; what must hold against that takes ``SHA256``.
package final class Checksum {
    /// The algorithms, by the names that tus gives them.
    package enum Algorithm: String, Sendable, CaseIterable {
        case sha1, sha256

        /// The length of a hash in bytes.
        package var length: Int {
            switch self {
            case .sha1: 20
            case .sha256: 32
            }
        }
    }

    private let algorithm: Algorithm
    private let context: OpaquePointer

    /// An empty hash, to be fed with ``update(_:)``.
    package init(_ algorithm: Algorithm) {
        let digest =
            switch algorithm {
            case .sha1: OpenSSL.sha1
            case .sha256: OpenSSL.sha256
            }
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex2(context, digest.pointer, nil) == 1 else {
            preconditionFailure("libcrypto could not allocate a hash context")
        }
        self.algorithm = algorithm
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes to the message.
    package func update(_ bytes: [UInt8]) {
        let outcome = bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
        precondition(outcome == 1, "hashing memory does not fail")
    }

    /// The hash of everything added; nothing can be added afterwards.
    package func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: algorithm.length) { buffer, count in
            let outcome = EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
            precondition(outcome == 1, "finishing a hash does not fail")
            count = algorithm.length
        }
    }
}
