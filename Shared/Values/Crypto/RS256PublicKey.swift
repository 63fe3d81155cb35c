import CCrypto
import Primitives

/// A public key for RSASSA-PKCS1-v1_5 with SHA-256, the `RS256` of JWS (RFC 7518, section 3.3), of 2,048 to 4,096 bits.
package struct RS256PublicKey: Sendable, Equatable {
    /// The modulus in network byte order, without leading zeros.
    package let modulus: [UInt8]
    /// The public exponent likewise.
    package let exponent: [UInt8]

    private let key: RSAKey

    /// A key from its numbers in network byte order, as a JSON Web Key has them.
    ///
    /// - Throws: ``CryptoError/malformedKey`` for a length that is not accepted, a leading zero, an even modulus, and an
    ///   exponent that is even, 1 or longer than four bytes.
    package init(modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) {
        guard let last = modulus.last, last & 1 == 1, modulus[0] != 0,
            modulus.count <= RSAKey.modulusBits.upperBound / 8,
            let end = exponent.last, end & 1 == 1, exponent[0] != 0, exponent != [1],
            exponent.count <= RSAKey.longestExponent
        else { throw .malformedKey }
        let bytes = Self.subjectPublicKeyInfo(modulus, exponent)
        let decoded: OpaquePointer? = bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_PUBKEY(nil, &cursor, buffer.count)
        }
        key = try RSAKey(takingOver: decoded)
        self.modulus = modulus
        self.exponent = exponent
    }

    /// A key from the members `n` and `e` of a JSON Web Key (RFC 7518, section 6.3.1).
    ///
    /// - Throws: ``CryptoError/malformedKey`` if a member is not base64url; otherwise as ``init(modulus:exponent:)``.
    package init(jwkN: String, jwkE: String) throws(CryptoError) {
        guard let modulus = Base64URL.decode(jwkN), let exponent = Base64URL.decode(jwkE) else { throw .malformedKey }
        try self.init(modulus: modulus, exponent: exponent)
    }

    init(_ key: RSAKey) throws(CryptoError) {
        modulus = try key.number("n")
        exponent = try key.number("e")
        self.key = key
    }

    /// The `n` member of the JSON Web Key.
    package var jwkN: String { Base64URL.encode(modulus) }

    /// The `e` member of the JSON Web Key.
    package var jwkE: String { Base64URL.encode(exponent) }

    /// The DER bytes of the SubjectPublicKeyInfo (RFC 3279, section 2.3.1).
    package var der: [UInt8] { Self.subjectPublicKeyInfo(modulus, exponent) }

    /// Whether a signature, as long as the modulus, is this key's signature of a message.
    package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == modulus.count, let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        let valid = key.withPointer { key in
            EVP_DigestVerifyInit_ex(context, nil, "SHA256", nil, nil, key, nil) == 1
                && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        }
        if !valid { ERR_clear_error() }
        return valid
    }

    package static func == (left: RS256PublicKey, right: RS256PublicKey) -> Bool {
        left.modulus == right.modulus && left.exponent == right.exponent
    }

    /// `rsaEncryption` (1.2.840.113549.1.1.1) with its NULL parameters.
    private static let algorithm: [UInt8] = [
        0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]

    private static func subjectPublicKeyInfo(_ modulus: [UInt8], _ exponent: [UInt8]) -> [UInt8] {
        let key = DER.element(0x30, DER.integer(modulus) + DER.integer(exponent))
        return DER.element(0x30, algorithm + DER.element(0x03, [0] + key))
    }
}

extension DER {
    /// A value with its tag and definite length.
    fileprivate static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        guard count >= 0x80 else { return [tag, UInt8(count)] + content }
        let length = count < 0x100 ? [UInt8(count)] : [UInt8(count >> 8), UInt8(count & 0xFF)]
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    /// A number that is not negative.
    fileprivate static func integer(_ bytes: [UInt8]) -> [UInt8] {
        element(0x02, (bytes.first ?? 0) & 0x80 == 0 ? bytes : [0] + bytes)
    }
}
