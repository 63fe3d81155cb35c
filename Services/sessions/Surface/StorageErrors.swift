import CompatibleSurface
import HTTPServer
import Uploads

/// What storage refuses, in the words that its clients know.
extension CompatibleError {
    static let noSuchKey = CompatibleError(
        404, "NoSuchKey",
        "Object not found: a recording is there after its upload, and after its analysis if it is kept.",
        title: "not_found")
    static let noSuchBucket = CompatibleError(
        404, "NoSuchBucket", "Bucket not found: there is one, videos.", title: "Bucket not found")
    static let objectExists = CompatibleError(
        409, "ResourceAlreadyExists", "The resource already exists: send x-upsert: true to replace it.",
        title: "Duplicate")
    static let notAllowed = CompatibleError(
        403, "AccessDenied",
        "Only the owner of a session may store its recording, under the path that the session gave.",
        title: "Unauthorized")
    static let readOnlyBucket = CompatibleError(
        403, "AccessDenied", "Buckets cannot be changed: there is one, videos.", title: "Unauthorized")
    static let invalidSignature = CompatibleError(
        400, "InvalidSignature", "The token was not made for this path: ask for one.", title: "InvalidSignature")
    static let invalidToken = CompatibleError(
        400, "InvalidJWT", "The token is missing or is over: ask for another one.", title: "InvalidJWT")

    static func invalidRequest(_ message: String) -> CompatibleError {
        CompatibleError(400, "InvalidRequest", message, title: "invalid_request")
    }

    /// What storage calls a problem of uploads and recordings; nil for the platform's word.
    static func ofStorage(_ problem: Problem) -> CompatibleError? {
        var error: CompatibleError
        switch problem.code {
        case .uploadAddressInvalid, .mediaAddressInvalid: error = .invalidSignature
        case .uploadAddressExpired, .mediaAddressExpired: error = .invalidToken
        case .uploadInProgress, .uploadLocked:
            error = CompatibleError(423, "ResourceLocked", problem.detail, title: "resource_locked")
        // Its recording is there, and is not replaced any more.
        case .uploadSealed, .uploadStored: error = .objectExists
        // Quota has not decided yet, and clients have nothing to wait for but the answer itself.
        case .sessionQueued:
            return CompatibleError(
                503, "SlowDown",
                "It is not decided yet whether this session may be analysed: send the file again soon.",
                title: "slow_down", headers: ["Retry-After": "2"])
        case .sessionEnded, .uploadsUsedUp:
            error = CompatibleError(403, "AccessDenied", problem.detail, title: "Unauthorized")
        case .uploadMismatch: error = .invalidRequest(problem.detail)
        // Of the protocol itself, whose clients look at the status alone.
        case .uploadOffsetMismatch:
            error = CompatibleError(409, "InvalidUploadOffset", problem.detail, title: "invalid_offset")
        case .uploadGone: error = CompatibleError(410, "NoSuchUpload", problem.detail, title: "not_found")
        case .rangeNotSatisfiable: error = CompatibleError(416, "InvalidRange", problem.detail, title: "InvalidRange")
        case .lengthRequired:
            error = CompatibleError(411, "MissingContentLength", problem.detail, title: "missing_content_length")
        default: return nil
        }
        error.headers = problem.headers
        return error
    }
}
