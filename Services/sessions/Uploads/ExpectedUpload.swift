package import HTTPServer
package import JSON
import Primitives
import ServiceKit

/// What an upload must be.
package struct ExpectedUpload: Sendable {
    package var size: Int64
    package var type: MediaType
    /// SHA-256 as 64 lower-case hexadecimal digits, when it was announced.
    package var sha256: String?
    /// Whether the client said beforehand what it would be; otherwise any recording that is accepted.
    package var isAnnounced = true

    package init(size: Int64, type: MediaType, sha256: String?) {
        self.size = size
        self.type = type
        self.sha256 = sha256
    }

    /// - Throws: the problem `media-type-unsupported`.
    package init(size: Int64, contentType: String, sha256: String?) throws(Problem) {
        guard let type = MediaType(rawValue: contentType) else { throw Problem(.mediaTypeUnsupported) }
        self.init(size: size, type: type, sha256: sha256)
    }

    /// Sees by a file's first bytes that it is what it must be.
    ///
    /// - Returns: what it is.
    /// - Throws: the problem `media-type-mismatch`.
    @discardableResult
    func type(of prefix: [UInt8]) throws(Problem) -> MediaType {
        guard isAnnounced else {
            guard let found = MediaType.likely(prefix) else { throw Problem(.mediaTypeMismatch) }
            return found
        }
        guard MediaType.recognise(prefix).contains(type) else { throw Problem(.mediaTypeMismatch) }
        return type
    }
}

extension ExpectedUpload {
    /// Reads what a client announces of a file: `contentType` with or without parameters, `contentLength` in bytes and perhaps `sha256`.
    ///
    /// - Parameter limit: the largest file, in bytes.
    /// - Throws: a problem 400, 413 or 415, or `JSONError`.
    package init(announced body: JSONObject, limit: Int64) throws {
        // Browsers name their recordings with parameters, as in `video/webm;codecs=vp8,opus`; the file's bytes say it better.
        let named = try body.string("contentType").lowercased().prefix { $0 != ";" }
        let type = String(named.reversed().drop { $0 == " " }.reversed())
        guard MediaType(rawValue: type) != nil else { throw Problem(.mediaTypeUnsupported) }
        let size = try body.int("contentLength")
        guard size > 0 else { throw Problem.invalidRequest("contentLength must be the file's size in bytes.") }
        guard size <= limit else { throw Problem.bodyTooLarge(limit: limit) }
        let sha256 = try body.optionalString("sha256")?.lowercased()
        if let sha256, Hex.decode(sha256)?.count != 32 {
            throw Problem.invalidRequest("sha256 must be 64 hexadecimal digits.")
        }
        try self.init(size: size, contentType: type, sha256: sha256)
    }
}
