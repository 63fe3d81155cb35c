package import HTTPServer

/// Problems of sessions.
extension ProblemCode {
    package static let sessionQueued = ProblemCode(
        "session-queued", 409, "Still queued",
        "Wait until the session's status is awaitingUpload.")
    package static let sessionEnded = ProblemCode("session-ended", 409, "Session has ended", "Create another session.")
    package static let sessionOpen = ProblemCode(
        "session-open", 409, "A session is open",
        "Go on with the session in heldBy, cancel it, or name it in replaces.")
    package static let uploadMissing = ProblemCode(
        "upload-missing", 409, "Nothing uploaded",
        "Put the file to the session's upload address first.")
    package static let uploadSealed = ProblemCode(
        "upload-sealed", 409, "Upload is sealed",
        "The session was finalized; create another for another file.")
    package static let uploadChanged = ProblemCode(
        "upload-changed", 409, "Upload was replaced",
        "A newer upload took its place; finalize again.")
    package static let quotaExceeded = ProblemCode(
        "quota-exceeded", 429, "Quota used up",
        "The next analysis is possible at resetsAt.")

    /// All of them.
    package static let sessions: [ProblemCode] = [
        sessionQueued, sessionEnded, sessionOpen, uploadMissing, uploadSealed, uploadChanged, quotaExceeded,
    ]
}
