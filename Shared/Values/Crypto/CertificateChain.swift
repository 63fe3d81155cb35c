import CCrypto
package import Primitives

/// Why a chain of certificates is not trusted.
package enum CertificateChainError: String, Error, Sendable, CaseIterable {
    /// It has not as many certificates as it must have.
    case wrongLength = "wrong-length"
    /// One of them is no certificate.
    case malformed
    /// It does not lead to a root that is trusted, or some certificate of it may not do what it does there.
    case untrusted
    /// One of them was not in force at the moment.
    case notInForce = "not-in-force"
    /// One of them does not have the extension that says what it was issued for.
    case unmarked
    /// The one that signs messages could issue certificates as well.
    case leafIsAuthority = "leaf-is-authority"
    /// The key of the one that signs messages is none for ES256.
    case unsuitableKey = "unsuitable-key"
}

/// Root certificates (RFC 5280) that somebody has decided to trust; no message can add to them.
package struct TrustedRoots: Sendable {
    /// The extensions that the certificates of a chain must have, as OIDs in numbers with dots. Who issues certificates for several
    /// purposes marks with them what each is for.
    package struct Markers: Sendable {
        package let leaf: String
        package let intermediate: String

        package init(leaf: String, intermediate: String) {
            self.leaf = leaf
            self.intermediate = intermediate
        }
    }

    private static let length = 3
    private let roots: [[UInt8]]

    /// The certificates of a file: PEM, one or more, or the DER bytes of one.
    ///
    /// - Throws: ``CryptoError/malformedKey`` for anything that is not the certificate of a root.
    package init(_ file: [UInt8]) throws(CryptoError) {
        let blocks = try PEM.blocks(of: "CERTIFICATE", in: String(decoding: file, as: UTF8.self))
        roots = blocks.isEmpty ? [file] : blocks
        for root in roots {
            guard let root = X509Certificate(der: root), root.isAuthority, root.isSelfIssued else {
                throw .malformedKey
            }
        }
    }

    /// The key that signs messages: that of the first of three certificates, which the second one issued, which one of these roots
    /// issued. The third of the chain is never looked at, as it is the message that names it.
    ///
    /// Whether one was revoked is not asked anywhere.
    ///
    /// - Parameters:
    ///   - chain: the DER bytes of the certificates.
    ///   - moment: when all of them must have been in force.
    /// - Throws: ``CertificateChainError`` for the first check that fails.
    package func key(
        of chain: [[UInt8]], markers: Markers, at moment: Timestamp
    ) throws(CertificateChainError) -> ES256PublicKey {
        guard chain.count == Self.length else { throw .wrongLength }
        guard let leaf = X509Certificate(der: chain[0]), let intermediate = X509Certificate(der: chain[1]) else {
            throw .malformed
        }
        guard !leaf.isAuthority else { throw .leafIsAuthority }
        guard intermediate.isAuthority else { throw .untrusted }
        try verify(leaf, intermediate, at: moment)
        guard leaf.has(markers.leaf), intermediate.has(markers.intermediate) else { throw .unmarked }
        guard let info = leaf.publicKeyInfo, let key = try? ES256PublicKey(der: info) else { throw .unsuitableKey }
        return key
    }

    private func verify(
        _ leaf: X509Certificate, _ intermediate: X509Certificate, at moment: Timestamp
    ) throws(CertificateChainError) {
        guard let store = X509_STORE_new() else { throw .untrusted }
        defer { X509_STORE_free(store) }
        // A store counts the references to what it holds.
        for root in roots { if let root = X509Certificate(der: root) { X509_STORE_add_cert(store, root.pointer) } }
        guard let between = OPENSSL_sk_new_null(), let context = X509_STORE_CTX_new() else { throw .untrusted }
        defer {
            X509_STORE_CTX_free(context)
            OPENSSL_sk_free(between)
        }
        OPENSSL_sk_push(between, UnsafeRawPointer(intermediate.pointer))
        guard X509_STORE_CTX_init(context, store, leaf.pointer, between) == 1,
            let parameters = X509_STORE_CTX_get0_param(context)
        else { throw .untrusted }
        X509_VERIFY_PARAM_set_time(parameters, time_t(moment.seconds))
        guard X509_verify_cert(context) == 1 else {
            ERR_clear_error()
            switch X509_STORE_CTX_get_error(context) {
            case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: throw .notInForce
            default: throw .untrusted
            }
        }
        // A root may have issued the leaf itself, without whoever is to stand between them.
        guard OPENSSL_sk_num(X509_STORE_CTX_get0_chain(context)) == Self.length else { throw .untrusted }
    }
}

/// A parsed certificate, freed with its last reference.
private final class X509Certificate {
    let pointer: OpaquePointer

    /// - Returns: nil for anything but the DER bytes of one certificate.
    init?(der bytes: [UInt8]) {
        let decoded: OpaquePointer? = bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            guard let certificate = d2i_X509(nil, &cursor, buffer.count) else { return nil }
            guard let start = buffer.baseAddress, cursor == start + buffer.count else {
                X509_free(certificate)
                return nil
            }
            return certificate
        }
        guard let decoded else {
            ERR_clear_error()
            return nil
        }
        pointer = decoded
    }

    deinit { X509_free(pointer) }

    /// Whether it may issue certificates.
    var isAuthority: Bool { flags & UInt32(EXFLAG_CA) != 0 }

    /// Whether it is its own issuer.
    var isSelfIssued: Bool { flags & UInt32(EXFLAG_SI) != 0 }

    private var flags: UInt32 { X509_get_extension_flags(pointer) }

    /// Whether it has an extension.
    func has(_ identifier: String) -> Bool {
        guard let object = OBJ_txt2obj(identifier, 1) else { return false }
        defer { ASN1_OBJECT_free(object) }
        return X509_get_ext_by_OBJ(pointer, object, -1) >= 0
    }

    /// The DER bytes of its SubjectPublicKeyInfo.
    var publicKeyInfo: [UInt8]? {
        guard let key = X509_get_X509_PUBKEY(pointer) else { return nil }
        return DER.bytes { i2d_X509_PUBKEY(key, $0) }
    }
}
