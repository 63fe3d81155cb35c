import CCrypto

/// The owner of one OpenSSL RSA key.
///
/// Sendable: the key never changes after `init`, and OpenSSL allows concurrent use by operations that each have their own
/// context.
final class RSAKey: @unchecked Sendable {
    /// How long a modulus may be, in bits: RS256 needs 2,048 (RFC 7518, section 3.3), and beyond 4,096 a signature takes long
    /// to check.
    static let modulusBits = 2_048...4_096
    /// A public exponent beyond four bytes makes checking a signature slow.
    static let longestExponent = 4

    private let pointer: OpaquePointer

    /// Takes ownership of a key; frees and refuses one that is no RSA key of an accepted length.
    init(takingOver key: OpaquePointer?) throws(CryptoError) {
        guard let key else { throw OpenSSL.failure(.malformedKey) }
        guard EVP_PKEY_is_a(key, "RSA") == 1, Self.modulusBits.contains(Int(EVP_PKEY_get_bits(key))) else {
            EVP_PKEY_free(key)
            throw OpenSSL.failure(.malformedKey)
        }
        pointer = key
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Lends the key to a body that must not keep it.
    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(pointer)
    }

    /// A number of the key, `n` or `e`, in network byte order without leading zeros.
    func number(_ name: String) throws(CryptoError) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let number else {
            throw OpenSSL.failure(.libraryFailure)
        }
        defer { BN_free(number) }
        return try BigNumber.bytes(number, length: (Int(BN_num_bits(number)) + 7) / 8)
    }
}
