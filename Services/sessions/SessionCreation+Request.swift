import Contracts
import HTTPServer
import JSON
import Primitives
import ServiceKit
import Uploads

extension SessionCreation {
    private static let members = [
        "kind", "contentType", "contentLength", "sha256", "maxDurationSeconds", "replaces", "timeZone",
    ]

    /// Reads and checks the body of `POST /v1/sessions`, all but `timeZone`.
    ///
    /// - Throws: a problem 400, 413, 415 or 422, or `JSONError`.
    init(request body: JSONObject, timeZone: String, at now: Timestamp, _ settings: SessionsSettings) throws {
        guard try body.code("kind") == SessionKind.mirrormate else { throw Problem(.kindUnknown) }
        let upload = try ExpectedUpload(announced: body, limit: settings.uploads.limit)
        let maxDurationSeconds = try body.optionalInt("maxDurationSeconds")
        if let maxDurationSeconds, !(1...95).contains(maxDurationSeconds) {
            throw Problem.invalidRequest("maxDurationSeconds must lie between 1 and 95.")
        }
        if let stranger = body.keys.first(where: { !Self.members.contains($0) }) {
            throw Problem.invalidRequest("\(stranger) is not a member of this request.")
        }
        self.init(
            timeZone: timeZone, createdAt: now, expiresAt: now + settings.sessionLifetime,
            contentType: upload.type.rawValue, contentLength: upload.size, sha256: upload.sha256,
            maxDurationSeconds: maxDurationSeconds, replaces: try body.optionalUUID("replaces"))
    }
}
