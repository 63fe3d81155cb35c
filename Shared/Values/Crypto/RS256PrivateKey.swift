import CCrypto

/// A private key for RSASSA-PKCS1-v1_5 with SHA-256, the `RS256` of JWS (RFC 7518, section 3.3): for an issuer that stands in
/// the place of one that signs so. This system signs nothing of its own with it.
package struct RS256PrivateKey: Sendable {
    /// The key that verifies this one's signatures.
    package let publicKey: RS256PublicKey

    private let key: RSAKey

    /// A new random key of 2,048 bits.
    ///
    /// - Throws: ``CryptoError/libraryFailure`` if OpenSSL fails.
    package static func generate() throws(CryptoError) -> RS256PrivateKey {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else {
            throw OpenSSL.failure(.libraryFailure)
        }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2_048) == 1,
            EVP_PKEY_generate(context, &key) == 1
        else { throw OpenSSL.failure(.libraryFailure) }
        return try RS256PrivateKey(RSAKey(takingOver: key))
    }

    private init(_ key: RSAKey) throws(CryptoError) {
        publicKey = try RS256PublicKey(key)
        self.key = key
    }

    /// The signature of a message, as long as the modulus.
    ///
    /// - Throws: ``CryptoError/libraryFailure`` if OpenSSL fails.
    package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw OpenSSL.failure(.libraryFailure) }
        defer { EVP_MD_CTX_free(context) }
        let signature = key.withPointer { key -> [UInt8]? in
            var length = 0
            guard EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, key, nil) == 1,
                EVP_DigestSign(context, nil, &length, message, message.count) == 1
            else { return nil }
            var signed = false
            let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
                signed = EVP_DigestSign(context, buffer.baseAddress, &length, message, message.count) == 1
                count = signed ? length : 0
            }
            return signed ? bytes : nil
        }
        guard let signature else { throw OpenSSL.failure(.libraryFailure) }
        return signature
    }
}
