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
    init(
        request body: JSONObject, of kind: SessionKind, timeZone: String, at now: Timestamp,
        _ settings: SessionsSettings
    ) throws {
        guard let rules = settings.kinds.upload(of: kind) else { throw Problem(.kindUnknown) }
        let limit = min(settings.uploads.limit, rules.limitBytes ?? .max)
        let upload = try ExpectedUpload(announced: body, limit: limit)
        guard rules.mediaTypes.contains(upload.type) else { throw Problem(.mediaTypeUnsupported) }
        let maxDurationSeconds = try body.optionalInt("maxDurationSeconds")
        if let maxDurationSeconds {
            guard let most = rules.maxDurationSeconds else {
                throw Problem.invalidRequest(
                    "maxDurationSeconds has no meaning for sessions of this kind; leave it out.")
            }
            guard (1...most).contains(maxDurationSeconds) else {
                throw Problem.invalidRequest("maxDurationSeconds must lie between 1 and \(most).")
            }
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
