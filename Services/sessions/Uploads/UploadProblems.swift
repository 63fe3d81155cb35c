package import HTTPServer

/// Problems of uploads.
extension ProblemCode {
    package static let uploadAddressInvalid = ProblemCode(
        "upload-address-invalid", 403, "Not an upload address",
        "Read the session for its upload address and send the bytes there unchanged.")
    package static let uploadAddressExpired = ProblemCode(
        "upload-address-expired", 403, "Upload address expired",
        "Read the session for a new upload address.")
    package static let mediaTypeUnsupported = ProblemCode(
        "media-type-unsupported", 415, "Unsupported media type",
        "Record MP4, QuickTime or WebM and say so in contentType.")
    package static let mediaTypeMismatch = ProblemCode(
        "media-type-mismatch", 415, "Not a video of the announced type",
        "Send an MP4, QuickTime or WebM file of the type that was announced.")
    package static let uploadMismatch = ProblemCode(
        "upload-mismatch", 422, "Not the announced file",
        "Send exactly the bytes whose size and SHA-256 were announced, or create another session.")

    package static let uploadInProgress = ProblemCode(
        "upload-in-progress", 409, "The file is being sent already",
        "Wait for as many seconds as Retry-After says, then read the session or send the file again.")
    package static let tooManyUploads = ProblemCode(
        "too-many-uploads", 429, "Too much is being sent at once",
        "Let another upload end, or wait for as many seconds as Retry-After says.")

    /// All of them.
    package static let uploads: [ProblemCode] = [
        uploadAddressInvalid, uploadAddressExpired, mediaTypeUnsupported, mediaTypeMismatch, uploadMismatch,
        uploadInProgress, tooManyUploads,
    ]
}
