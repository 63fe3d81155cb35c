import Crypto
package import HTTPServer
package import ObjectStorage
import Primitives
package import Runtime
import ServiceKit

/// Streams uploads into the object store in constant memory, and sees on the way that they are what was announced.
@Loop package struct UploadReceiver {
    private let objects: any ObjectStore

    package init(_ objects: any ObjectStore) { self.objects = objects }

    /// Writes a request's body to an object; nothing is left of one that is refused.
    ///
    /// - Parameters:
    ///   - renew: is called for each piece that has come.
    ///   - check: is called before the object becomes visible; what it throws leaves nothing behind.
    /// - Returns: its SHA-256 in hexadecimal digits.
    /// - Throws: the problems `length-required`, `upload-mismatch` and `media-type-mismatch`, or `ObjectStoreError`;
    ///   what `check` throws.
    package func receive(
        _ body: RequestBody, as key: String, _ expected: ExpectedUpload, renew: () async throws -> Void,
        check: () throws -> Void
    ) async throws -> String {
        guard let length = body.length else { throw Problem(.lengthRequired) }
        guard length == expected.size else { throw Problem(.uploadMismatch) }
        let writer = try await objects.makeWriter(key, size: length)
        do {
            let digest = try await copy(body, to: writer, expected, renew: renew)
            if let announced = expected.sha256, announced != digest { throw Problem(.uploadMismatch) }
            try check()
            try await writer.commit()
            return digest
        } catch {
            await writer.abandon()
            throw error
        }
    }

    private func copy(
        _ body: RequestBody, to writer: any ObjectWriter, _ expected: ExpectedUpload, renew: () async throws -> Void
    ) async throws -> String {
        var hash = SHA256()
        var prefix: [UInt8] = []
        while let chunk = try await body.next() {
            if prefix.count < MediaType.prefixLength {
                prefix += chunk.prefix(MediaType.prefixLength - prefix.count)
                if prefix.count == MediaType.prefixLength { try expected.type(of: prefix) }
            }
            try await renew()
            hash.update(chunk)
            try await writer.write(chunk)
        }
        if prefix.count < MediaType.prefixLength { try expected.type(of: prefix) }
        return Hex.encode(hash.finalize())
    }
}
