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

    package static let tusVersion = ProblemCode(
        "tus-version-unsupported", 412, "Another version of tus is needed",
        "Send Tus-Resumable with the version that Tus-Version names.")
    package static let chunkTypeUnsupported = ProblemCode(
        "chunk-type-unsupported", 415, "Not a piece of a file",
        "Send the bytes as application/offset+octet-stream.")
    package static let uploadOffsetMismatch = ProblemCode(
        "upload-offset-mismatch", 409, "The upload goes on elsewhere",
        "Ask for Upload-Offset with HEAD, and send the bytes from there.")
    package static let uploadLocked = ProblemCode(
        "upload-locked", 423, "The file is being sent already",
        "Wait for as many seconds as Retry-After says, then ask for Upload-Offset with HEAD and go on from there.")
    package static let uploadGone = ProblemCode(
        "upload-gone", 410, "The upload is over",
        "Begin another one: this one was given up, expired, or gave way to another of the same session.")
    package static let uploadStored = ProblemCode(
        "upload-stored", 409, "The upload is complete",
        "Finalize the session, or delete it with its file.")
    package static let uploadChecksumMismatch = ProblemCode(
        "upload-checksum-mismatch", 460, "The bytes were damaged on their way",
        "Send the same bytes again from the same offset.")

    /// All of them.
    package static let uploads: [ProblemCode] = [
        uploadAddressInvalid, uploadAddressExpired, mediaTypeUnsupported, mediaTypeMismatch, uploadMismatch,
        uploadInProgress, tooManyUploads, tusVersion, chunkTypeUnsupported, uploadOffsetMismatch, uploadLocked,
        uploadGone,
        uploadStored, uploadChecksumMismatch,
    ]
}
