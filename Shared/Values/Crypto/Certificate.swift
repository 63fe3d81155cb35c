import CCrypto
package import Primitives

/// An X.509 certificate (RFC 5280), as far as operators have to know of it.
package struct Certificate: Sendable, Equatable {
    /// When it ends.
    package let end: Timestamp

    /// The first block `CERTIFICATE` of a PEM file.
    ///
    /// - Throws: ``CryptoError/malformedKey`` when there is none, or one that cannot be read.
    package init(pem: String) throws(CryptoError) {
        guard let bytes = try PEM.blocks(of: "CERTIFICATE", in: pem).first else { throw .malformedKey }
        let decoded: OpaquePointer? = bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_X509(nil, &cursor, buffer.count)
        }
        guard let certificate = decoded else { throw .malformedKey }
        defer { X509_free(certificate) }
        guard let begin = ASN1_TIME_set(nil, 0) else { throw .libraryFailure }
        defer { ASN1_TIME_free(begin) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard ASN1_TIME_diff(&days, &seconds, begin, X509_get0_notAfter(certificate)) == 1 else { throw .malformedKey }
        end = Timestamp(microseconds: (Int64(days) * 86_400 + Int64(seconds)) * 1_000_000)
    }
}
