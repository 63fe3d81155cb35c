package import HTTPServer
import ServiceKit

/// Problems of kept recordings.
extension ProblemCode {
    package static let retentionTooLong = ProblemCode(
        "retention-too-long", 422, "Recordings are not kept for so long",
        "Choose 0 to mostMediaDays days; 0 removes a recording when its session ends.")
    package static let retentionChangesUsedUp = ProblemCode(
        "retention-changes-used-up", 429, "Changed too often",
        "Wait for as many seconds as Retry-After says, or keep recordings for a shorter time, which is always possible."
    )
    package static let mediaNotKept = ProblemCode(
        "media-not-kept", 404, "The recording is not kept",
        "Read the session's media: a recording is kept if that was chosen before its session ended, and until it says.")
    package static let mediaAddressInvalid = ProblemCode(
        "media-address-invalid", 403, "Not an address of a recording",
        "Ask GET /v1/sessions/{id}/media-url for the address and use it unchanged.")
    package static let mediaAddressExpired = ProblemCode(
        "media-address-expired", 403, "The address has expired",
        "Ask GET /v1/sessions/{id}/media-url for a new one.")
    package static let rangeNotSatisfiable = ProblemCode(
        "range-not-satisfiable", 416, "There are no such bytes",
        "Ask for bytes below the size that Content-Range names.")
    package static let tooManyDownloads = ProblemCode(
        "too-many-downloads", 429, "Too many recordings are being fetched at once",
        "Let another one end, or wait for as many seconds as Retry-After says.")

    /// All of them.
    package static let retention: [ProblemCode] = [
        retentionTooLong, retentionChangesUsedUp, mediaNotKept, mediaAddressInvalid, mediaAddressExpired,
        rangeNotSatisfiable, tooManyDownloads,
    ]
}

/// The one place where refusals of choices become problems.
extension MediaRetentionRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .tooLong: Problem(.retentionTooLong)
        case .usedUp: Problem(.retentionChangesUsedUp)
        }
    }
}
