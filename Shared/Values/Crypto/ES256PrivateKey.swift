import CCrypto

/// A private key for ECDSA with P-256 and SHA-256, the `ES256` of JWS (RFC 7518, section 3.4).
///
/// Prints only its public thumbprint.
package struct ES256PrivateKey: Sendable, CustomStringConvertible {
    /// The key that verifies this one's signatures.
    package let publicKey: ES256PublicKey

    private let key: EllipticKey

    /// A new random key.
    ///
    /// - Throws: ``CryptoError/libraryFailure`` if OpenSSL fails.
    package static func generate() throws(CryptoError) -> ES256PrivateKey {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else {
            throw OpenSSL.failure(.libraryFailure)
        }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            EVP_PKEY_generate(context, &key) == 1
        else { throw OpenSSL.failure(.libraryFailure) }
        return try ES256PrivateKey(EllipticKey(takingOver: key))
    }

    /// A key from the DER bytes of its PKCS #8 structure (RFC 5958); refuses other curves, public keys and trailing
    /// bytes.
    ///
    /// - Throws: ``CryptoError``: `malformedKey` for bytes that are refused, `libraryFailure` if OpenSSL fails.
    package init(pkcs8 bytes: [UInt8]) throws(CryptoError) {
        let decoded: OpaquePointer? = bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            guard let info = d2i_PKCS8_PRIV_KEY_INFO(nil, &cursor, buffer.count) else { return nil }
            defer { PKCS8_PRIV_KEY_INFO_free(info) }
            guard let start = buffer.baseAddress, cursor == start + buffer.count else { return nil }
            return EVP_PKCS82PKEY(info)
        }
        try self.init(EllipticKey(takingOver: decoded))
    }

    private init(_ key: EllipticKey) throws(CryptoError) {
        publicKey = try ES256PublicKey(key)
        self.key = key
    }

    /// The DER bytes of the PKCS #8 structure, unencrypted: seal them before storing them.
    ///
    /// - Throws: ``CryptoError/libraryFailure`` if OpenSSL fails.
    package func pkcs8() throws(CryptoError) -> [UInt8] {
        guard let info = key.withPointer({ EVP_PKEY2PKCS8($0) }) else { throw OpenSSL.failure(.libraryFailure) }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        guard let bytes = DER.bytes({ i2d_PKCS8_PRIV_KEY_INFO(info, $0) }) else {
            throw OpenSSL.failure(.libraryFailure)
        }
        return bytes
    }

    /// The raw signature of a message, 64 bytes of `r` and `s`.
    ///
    /// - Throws: ``CryptoError/libraryFailure`` if OpenSSL fails.
    package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw OpenSSL.failure(.libraryFailure) }
        defer { EVP_MD_CTX_free(context) }
        let der = key.withPointer { key -> [UInt8]? in
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
        guard let der else { throw OpenSSL.failure(.libraryFailure) }
        return try ECDSASignature.raw(der: der)
    }

    package var description: String { "ES256PrivateKey(\(publicKey.thumbprint))" }
}
