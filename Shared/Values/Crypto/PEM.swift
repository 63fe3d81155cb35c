import Primitives

/// Keys as text (RFC 7468), as `openssl pkey` writes and reads them.
package enum PEM {
    /// The bytes of every block of a label, in order. Text between blocks is a comment.
    ///
    /// - Throws: ``CryptoError/malformedKey`` for a block without an end or of other than base 64.
    package static func blocks(of label: String, in text: String) throws(CryptoError) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var body: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingSpaces
            if line == "-----BEGIN \(label)-----" {
                guard body == nil else { throw .malformedKey }
                body = ""
            } else if line == "-----END \(label)-----" {
                guard let text = body, let bytes = Base64.decode(text) else { throw .malformedKey }
                found.append(bytes)
                body = nil
            } else if body != nil {
                body?.append(contentsOf: line)
            }
        }
        guard body == nil else { throw .malformedKey }
        return found
    }

    /// One block, ended by a line feed.
    package static func block(_ label: String, _ bytes: [UInt8]) -> String {
        var text = "-----BEGIN \(label)-----\n"
        var rest = Base64.encode(bytes)[...]
        while !rest.isEmpty {
            text += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        return text + "-----END \(label)-----\n"
    }
}

extension ES256PrivateKey {
    /// The keys of all blocks `PRIVATE KEY`, in order.
    ///
    /// - Throws: ``CryptoError/malformedKey`` for anything else than keys of P-256.
    package static func keys(pem: String) throws(CryptoError) -> [ES256PrivateKey] {
        var keys: [ES256PrivateKey] = []
        for bytes in try PEM.blocks(of: "PRIVATE KEY", in: pem) { keys.append(try ES256PrivateKey(pkcs8: bytes)) }
        return keys
    }

    /// The key as one block `PRIVATE KEY`: a secret.
    ///
    /// - Throws: `CryptoError` when it cannot be written.
    package func pem() throws(CryptoError) -> String { PEM.block("PRIVATE KEY", try pkcs8()) }
}

extension ES256PublicKey {
    /// The keys of all blocks `PUBLIC KEY`, in order.
    ///
    /// - Throws: ``CryptoError/malformedKey`` for anything else than keys of P-256.
    package static func keys(pem: String) throws(CryptoError) -> [ES256PublicKey] {
        var keys: [ES256PublicKey] = []
        for bytes in try PEM.blocks(of: "PUBLIC KEY", in: pem) { keys.append(try ES256PublicKey(der: bytes)) }
        return keys
    }

    /// The key as one block `PUBLIC KEY`.
    package var pem: String { PEM.block("PUBLIC KEY", der) }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
