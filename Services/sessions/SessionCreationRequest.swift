import Contracts
import HTTPServer
import JSON
import Primitives
import ServiceKit

/// The body of `POST /v1/sessions`, checked.
struct SessionCreationRequest: Sendable {
    let kind: SessionKind
    let contentType: String
    let contentLength: Int64
    let sha256: String?
    let maxDurationSeconds: Int64?
    let replaces: UUID?
    let timeZone: String

    /// Reads and checks a body.
    ///
    /// - Parameter ownersZone: the time zone of the owner's profile, for bodies that name none.
    /// - Throws: a problem 400, 413, 415 or 422, or `JSONError`.
    init(_ body: JSONObject, uploadLimit: Int64, ownersZone: String?) throws {
        kind = try body.code("kind")
        guard kind == .mirrormate else {
            throw Problem(.kindUnknown)
        }
        contentType = try body.string("contentType").lowercased()
        guard MediaType(rawValue: contentType) != nil else {
            throw Problem(.mediaTypeUnsupported)
        }
        contentLength = try body.int("contentLength")
        guard contentLength > 0 else { throw Problem.invalidRequest("contentLength must be the file's size in bytes.") }
        guard contentLength <= uploadLimit else { throw Problem.bodyTooLarge(limit: uploadLimit) }
        sha256 = try body.optionalString("sha256")?.lowercased()
        if let sha256, Hex.decode(sha256)?.count != 32 {
            throw Problem.invalidRequest("sha256 must be 64 hexadecimal digits.")
        }
        maxDurationSeconds = try body.optionalInt("maxDurationSeconds")
        if let maxDurationSeconds, !(1...95).contains(maxDurationSeconds) {
            throw Problem.invalidRequest("maxDurationSeconds must lie between 1 and 95.")
        }
        replaces = try body.optionalUUID("replaces")
        timeZone = try body.optionalString("timeZone") ?? ownersZone ?? "UTC"
        let allowed = timeZone.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || [0x2B, 0x2D, 0x2F, 0x5F].contains($0)
        }
        guard allowed, (1...64).contains(timeZone.utf8.count) else {
            throw Problem.invalidRequest("timeZone must be a name of the IANA time zone database.")
        }
        let known = [
            "kind", "contentType", "contentLength", "sha256", "maxDurationSeconds", "replaces", "timeZone",
        ]
        if let stranger = body.keys.first(where: { !known.contains($0) }) {
            throw Problem.invalidRequest("\(stranger) is not a member of this request.")
        }
    }
}
