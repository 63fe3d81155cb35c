import CCrypto
import Primitives

/// A public key for ECDSA with P-256 and SHA-256, the `ES256` of JWS (RFC 7518, section 3.4).
package struct ES256PublicKey: Sendable, Equatable {
    /// The first coordinate of the point, 32 bytes.
    package let x: [UInt8]
    /// The second coordinate of the point, 32 bytes.
    package let y: [UInt8]

    private let key: EllipticKey

    /// A key from its coordinates, 32 bytes each; refuses a point that is not on the curve.
    ///
    /// - Throws: ``CryptoError``: `malformedKey` for coordinates that are refused, `libraryFailure` if OpenSSL fails.
    package init(x: [UInt8], y: [UInt8]) throws(CryptoError) {
        guard x.count == EllipticKey.coordinateLength, y.count == EllipticKey.coordinateLength else {
            throw .malformedKey
        }
        try self.init(der: Self.subjectPublicKeyInfo + x + y)
    }

    /// A key from the DER bytes of its SubjectPublicKeyInfo (RFC 5480).
    ///
    /// - Throws: ``CryptoError/malformedKey`` for other curves, trailing bytes and anything that is no public key.
    package init(der bytes: [UInt8]) throws(CryptoError) {
        let decoded: OpaquePointer? = bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            guard let key = d2i_PUBKEY(nil, &cursor, buffer.count) else { return nil }
            guard let start = buffer.baseAddress, cursor == start + buffer.count else {
                EVP_PKEY_free(key)
                return nil
            }
            return key
        }
        try self.init(EllipticKey(takingOver: decoded))
    }

    /// The DER bytes of the SubjectPublicKeyInfo.
    package var der: [UInt8] { Self.subjectPublicKeyInfo + x + y }

    /// A key from the `x` and `y` members of a JSON Web Key (RFC 7518, section 6.2.1).
    ///
    /// - Throws: ``CryptoError``: `malformedKey` if a member is not base64url; otherwise as ``init(x:y:)``.
    package init(jwkX: String, jwkY: String) throws(CryptoError) {
        guard let x = Base64URL.decode(jwkX), let y = Base64URL.decode(jwkY) else { throw .malformedKey }
        try self.init(x: x, y: y)
    }

    init(_ key: EllipticKey) throws(CryptoError) {
        (x, y) = try key.coordinates()
        self.key = key
    }

    /// The `x` member of the JSON Web Key.
    package var jwkX: String { Base64URL.encode(x) }

    /// The `y` member of the JSON Web Key.
    package var jwkY: String { Base64URL.encode(y) }

    /// The SHA-256 thumbprint of the JSON Web Key (RFC 7638), suitable as its `kid`.
    package var thumbprint: String {
        let members = #"{"crv":"P-256","kty":"EC","x":"\#(jwkX)","y":"\#(jwkY)"}"#
        return Base64URL.encode(SHA256.digest(members.utf8))
    }

    /// Whether a raw signature, 64 bytes of `r` and `s`, is this key's signature of a message.
    package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let der = ECDSASignature.der(raw: signature), let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        let valid = key.withPointer { key in
            EVP_DigestVerifyInit_ex(context, nil, "SHA256", nil, nil, key, nil) == 1
                && EVP_DigestVerify(context, der, der.count, message, message.count) == 1
        }
        if !valid { ERR_clear_error() }
        return valid
    }

    package static func == (left: ES256PublicKey, right: ES256PublicKey) -> Bool {
        left.x == right.x && left.y == right.y
    }

    /// The DER of a P-256 SubjectPublicKeyInfo (RFC 5480) up to the two coordinates of its uncompressed point.
    private static let subjectPublicKeyInfo: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]
}
