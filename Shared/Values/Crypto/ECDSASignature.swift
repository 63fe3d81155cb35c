import CCrypto

/// The two forms of an ECDSA signature: the raw pair of JWS (RFC 7518, section 3.4) and OpenSSL's DER.
enum ECDSASignature {
    /// The length of the raw form in bytes.
    static let rawLength = 64

    /// `r` and `s`, 32 bytes each, from DER.
    static func raw(der: [UInt8]) throws(CryptoError) -> [UInt8] {
        let signature = der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &cursor, buffer.count)
        }
        guard let signature else { throw OpenSSL.failure(.libraryFailure) }
        defer { ECDSA_SIG_free(signature) }
        guard let r = ECDSA_SIG_get0_r(signature), let s = ECDSA_SIG_get0_s(signature) else {
            throw OpenSSL.failure(.libraryFailure)
        }
        return try BigNumber.bytes(r, length: rawLength / 2) + BigNumber.bytes(s, length: rawLength / 2)
    }

    /// DER from the 64 bytes of `r` and `s`; nil for any other length.
    static func der(raw: [UInt8]) -> [UInt8]? {
        guard raw.count == rawLength, let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        let half = Int32(rawLength / 2)
        let (r, s) = raw.withUnsafeBufferPointer { buffer in
            (BN_bin2bn(buffer.baseAddress, half, nil), BN_bin2bn(buffer.baseAddress! + Int(half), half, nil))
        }
        // On success the signature owns both numbers.
        guard let r, let s, ECDSA_SIG_set0(signature, r, s) == 1 else {
            BN_free(r)
            BN_free(s)
            return nil
        }
        return DER.bytes { i2d_ECDSA_SIG(signature, $0) }
    }
}

/// Writing of ASN.1 structures.
enum DER {
    /// The output of an `i2d` function, which is called once for the length and once to write; nil if it fails.
    static func bytes(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
        let length = write(nil)
        guard length > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            var cursor = buffer.baseAddress
            count = max(0, Int(write(&cursor)))
        }
    }
}
