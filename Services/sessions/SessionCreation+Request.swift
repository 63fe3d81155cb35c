import Contracts
import HTTPServer
import JSON
import Primitives
import ServiceKit
import Uploads

extension SessionCreation {
    /// What the body of `POST /v1/sessions` may have.
    static let members = [
        "kind", "contentType", "contentLength", "sha256", "maxDurationSeconds", "replaces", "timeZone", "language",
        "scenario",
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
        self.init(
            timeZone: timeZone, createdAt: now, expiresAt: now + settings.sessionLifetime,
            contentType: upload.type.rawValue, contentLength: upload.size, sha256: upload.sha256,
            maxDurationSeconds: maxDurationSeconds, replaces: try body.optionalUUID("replaces"),
            brief: try RecordingBrief(request: body))
    }
}

extension RecordingBrief {
    /// - Throws: a problem 400, or `JSONError`.
    fileprivate init(request body: JSONObject) throws {
        try self.init(body)
        if let language, !Self.isTag(language) {
            throw Problem.invalidRequest("language must be a BCP 47 tag such as en or pt-BR.")
        }
        if let scenario, !SpeakingScenario.all.contains(scenario) {
            let known = SpeakingScenario.all.map(\.rawValue).joined(separator: ", ")
            throw Problem.invalidRequest("scenario must be one of \(known).")
        }
    }
}
