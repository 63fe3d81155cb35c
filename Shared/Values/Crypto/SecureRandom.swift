import CCrypto

/// The source of keys, salts, nonces and opaque tokens.
package enum SecureRandom {
    /// Unpredictable bytes from OpenSSL's generator, which is seeded by the kernel.
    package static func bytes(_ count: Int) -> [UInt8] {
        precondition(count >= 0, "a count of bytes is not negative")
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let outcome = RAND_bytes_ex(nil, buffer.baseAddress, count, 0)
            // Continuing with predictable bytes would be worse than stopping.
            precondition(outcome == 1, "the system's random source failed")
            initialized = count
        }
    }
}
