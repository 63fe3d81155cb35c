import CCrypto

/// Message authentication with HMAC-SHA-256 (RFC 2104, RFC 4231).
package enum HMACSHA256 {
    /// The 32 bytes that authenticate a message under a key.
    package static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256.length) { buffer, count in
            let outcome = EVP_Q_mac(
                nil, "HMAC", nil, "SHA256", nil, key, key.count, message, message.count, buffer.baseAddress,
                SHA256.length, nil)
            precondition(outcome != nil, "HMAC over memory does not fail")
            count = SHA256.length
        }
    }

    /// Whether a tag authenticates the message under the key, compared in constant time.
    package static func verify(_ tag: [UInt8], message: [UInt8], key: [UInt8]) -> Bool {
        ConstantTime.equal(tag, authenticate(message, key: key))
    }
}

/// Comparison whose duration does not reveal where two secrets differ.
package enum ConstantTime {
    /// Whether two byte strings are equal; the time taken reveals only their lengths.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
