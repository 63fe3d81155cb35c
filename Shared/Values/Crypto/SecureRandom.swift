import CCrypto

/// The source of keys, salts, nonces and opaque tokens.
package enum SecureRandom {
    /// Some bytes nobody can foresee, from OpenSSL's generator, which the kernel's source seeds.
    package static func bytes(_ count: Int) -> [UInt8] {
        precondition(count >= 0, "a count of bytes is not negative")
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let outcome = RAND_bytes_ex(nil, buffer.baseAddress, count, 0)
            // To go on with bytes that can be foreseen would be worse than to stop.
            precondition(outcome == 1, "the system's random source failed")
            initialized = count
        }
    }
}
