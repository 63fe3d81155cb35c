import Contracts
package import HTTPServer
import JSON
import Primitives
import ServiceKit
import Uploads

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
    package static let uploadsUsedUp = ProblemCode(
        "uploads-used-up", 409, "Uploaded too often",
        "Finalize the session with the last upload, or create another session.")
    package static let quotaExceeded = ProblemCode(
        "quota-exceeded", 429, "Quota used up",
        "The next analysis is possible at resetsAt.")
    package static let tooManyAnalyses = ProblemCode(
        "too-many-analyses", 429, "Too many analyses from this network",
        "Wait for as many seconds as Retry-After says, or go on from another network.")
    package static let tooManyRefusals = ProblemCode(
        "too-many-refusals", 429, "Refused too often",
        "Wait for as many seconds as Retry-After says: quota has refused many sessions of this user.")
    package static let addressUnconfirmed = ProblemCode(
        "address-unconfirmed", 403, "The address is not confirmed",
        """
        Send the code of the mail of sign-up, or of another that POST /v1/auth/verify-email mails, to that route; then refresh \
        the access token and try again.
        """)

    /// All of them.
    package static let sessions: [ProblemCode] = [
        sessionQueued, sessionEnded, sessionOpen, uploadMissing, uploadSealed, uploadChanged, uploadsUsedUp,
        quotaExceeded, tooManyAnalyses, tooManyRefusals, addressUnconfirmed,
    ]
}

/// The one place where refusals of sessions become problems.
extension SessionRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unknown: .notFound
        case .exists: Problem(.idempotencyKeyReused)
        case .notAdmitted: Problem(.sessionQueued)
        case .ended: Problem(.sessionEnded)
        case .uploadMissing: Problem(.uploadMissing)
        case .uploadSealed: Problem(.uploadSealed)
        case .uploadMismatch: Problem(.uploadMismatch)
        case .uploadChanged: Problem(.uploadChanged)
        case .uploadsUsedUp: Problem(.uploadsUsedUp)
        }
    }
}

extension QuotaDenial {
    /// What a refused creation is answered with.
    var problem: Problem {
        var members: [(String, JSONValue)] = [("resetsAt", .time(resetsAt))]
        if let window { members.append(("window", window.json)) }
        if code == .sessionOpen {
            if let heldBy { members.append(("heldBy", .object(heldBy.json))) }
            return Problem(.sessionOpen, members: members)
        }
        let seconds = max(1, (resetsAt - .now()).components.seconds)
        var headers: Headers = ["Retry-After": String(seconds)]
        RateLimitStanding("analysis", limit: nil, remaining: 0, resetsIn: seconds).add(to: &headers)
        return Problem(.quotaExceeded, members: members, headers: headers)
    }
}
