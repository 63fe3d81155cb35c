import CCrypto

/// SHA-256 (FIPS 180-4), in one call or incrementally.
///
/// ``finalize()`` consumes an incremental hash; it cannot be copied or finished twice.
package struct SHA256: ~Copyable {
    /// The length of a hash in bytes.
    package static let length = 32

    private let context: OpaquePointer

    /// An empty hash, to be fed with ``update(_:)``.
    package init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex2(context, OpenSSL.sha256.pointer, nil) == 1 else {
            preconditionFailure("libcrypto could not allocate a hash context")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes to the message.
    package mutating func update(_ bytes: some Collection<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if done == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// Adds borrowed bytes to the message.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let outcome = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(outcome == 1, "hashing memory does not fail")
    }

    /// The 32-byte hash of everything added.
    package consuming func finalize() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.length) { buffer, count in
            let outcome = EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
            precondition(outcome == 1, "finishing a hash does not fail")
            count = Self.length
        }
    }

    /// The 32-byte hash of a message.
    package static func digest(_ message: some Collection<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(message)
        return hash.finalize()
    }
}
