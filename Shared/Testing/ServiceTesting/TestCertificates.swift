package import Crypto
package import Primitives

/// Makes X.509 certificates (RFC 5280) of keys for ES256, good ones and such as nobody should accept.
package struct TestCertificate: Sendable {
    /// What a certificate says of itself.
    package struct Form: Sendable {
        package var subject: String
        /// Whether it says that it may issue others.
        package var isAuthority: Bool
        /// The OIDs of further extensions, in numbers with dots.
        package var markers: [String]
        package var start: Timestamp
        package var end: Timestamp

        package init(
            _ subject: String, isAuthority: Bool, markers: [String] = [], from start: Timestamp, to end: Timestamp
        ) {
            self.subject = subject
            self.isAuthority = isAuthority
            self.markers = markers
            self.start = start
            self.end = end
        }
    }

    package let form: Form
    /// The key that it is of.
    package let key: ES256PrivateKey
    package let der: [UInt8]

    /// A certificate of a new key, issued by another one, or by itself.
    ///
    /// - Parameter info: the key that it says to be of, as SubjectPublicKeyInfo, instead of its own.
    /// - Throws: `CryptoError` when OpenSSL fails.
    package init(_ form: Form, by issuer: TestCertificate? = nil, info: [UInt8]? = nil) throws(CryptoError) {
        self.form = form
        key = try .generate()
        let signer = issuer?.key ?? key
        var extensions = [
            // Basic constraints.
            Self.more("2.5.29.19", DER.sequence(form.isAuthority ? [DER.yes] : []), isCritical: true),
            // Key usage: to sign certificates and lists of revoked ones, or anything else.
            Self.more(
                "2.5.29.15", form.isAuthority ? [0x03, 0x02, 0x01, 0x06] : [0x03, 0x02, 0x07, 0x80], isCritical: true),
            // The names of its key and of its issuer's.
            Self.more("2.5.29.14", DER.element(0x04, Self.name(of: key))),
        ]
        if issuer != nil {
            extensions.append(Self.more("2.5.29.35", DER.sequence([DER.element(0x80, Self.name(of: signer))])))
        }
        extensions += form.markers.map { Self.more($0, [0x05, 0x00]) }
        let algorithm = DER.sequence([DER.identifier("1.2.840.10045.4.3.2")])
        let signed = DER.sequence([
            DER.element(0xA0, [0x02, 0x01, 0x02]), DER.number(UUID.v7().bytes), algorithm,
            Self.distinguished((issuer?.form ?? form).subject),
            DER.sequence([DER.time(form.start), DER.time(form.end)]), Self.distinguished(form.subject),
            info ?? key.publicKey.der, DER.element(0xA3, DER.sequence(extensions)),
        ])
        let signature = try signer.sign(signed)
        let half = signature.count / 2
        let pair = DER.sequence([DER.number(Array(signature[..<half])), DER.number(Array(signature[half...]))])
        der = DER.sequence([signed, algorithm, DER.element(0x03, [0x00] + pair)])
    }

    /// As a block of a PEM file.
    package var pem: String { PEM.block("CERTIFICATE", der) }

    private static func name(of key: ES256PrivateKey) -> [UInt8] { Array(SHA256.digest(key.publicKey.der).prefix(20)) }

    private static func more(_ identifier: String, _ value: [UInt8], isCritical: Bool = false) -> [UInt8] {
        DER.sequence([DER.identifier(identifier)] + (isCritical ? [DER.yes] : []) + [DER.element(0x04, value)])
    }

    private static func distinguished(_ name: String) -> [UInt8] {
        DER.sequence([
            DER.element(0x31, DER.sequence([DER.identifier("2.5.4.3"), DER.element(0x0C, Array(name.utf8))]))
        ])
    }
}

/// Writing of the distinguished encoding rules (X.690), as much as certificates need.
private enum DER {
    static let yes: [UInt8] = [0x01, 0x01, 0xFF]

    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count
        let head: [UInt8] =
            length < 0x80
            ? [UInt8(length)]
            : length < 0x100 ? [0x81, UInt8(length)] : [0x82, UInt8(length >> 8), UInt8(length & 0xFF)]
        return [tag] + head + content
    }

    static func sequence(_ elements: [[UInt8]]) -> [UInt8] { element(0x30, Array(elements.joined())) }

    /// A number of at least 0, the highest byte first.
    static func number(_ bytes: [UInt8]) -> [UInt8] {
        let significant = Array(bytes.drop { $0 == 0 })
        return element(0x02, significant.first.map { $0 < 0x80 } ?? false ? significant : [0] + significant)
    }

    static func identifier(_ text: String) -> [UInt8] {
        let arcs = text.split(separator: ".").compactMap { Int($0) }
        let content = ([arcs[0] * 40 + arcs[1]] + arcs[2...]).flatMap { arc in
            var digits = [UInt8(arc & 0x7F)]
            var rest = arc >> 7
            while rest > 0 {
                digits.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
                rest >>= 7
            }
            return digits
        }
        return element(0x06, content)
    }

    /// A time before the year 2050.
    static func time(_ moment: Timestamp) -> [UInt8] {
        // From 2026-01-15T09:00:00.000000Z.
        let text = moment.rfc3339.prefix(19).dropFirst(2).filter(\.isNumber) + "Z"
        return element(0x17, Array(text.utf8))
    }
}
