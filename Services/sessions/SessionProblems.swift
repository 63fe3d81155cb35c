import Contracts
package import HTTPServer
import JSON
import Primitives

/// The one place where refusals of sessions become problem documents.
extension SessionRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unknown: .notFound
        case .exists: conflict("Session exists", "Another session has this id; send a new Idempotency-Key.")
        case .notAdmitted: conflict("Still queued", "Wait until the session's status is awaitingUpload.")
        case .ended: conflict("Session has ended", "Create another session.")
        case .uploadMissing: conflict("Nothing uploaded", "Put the file to the session's upload address first.")
        case .uploadSealed: conflict("Upload is sealed", "The session was finalized; create another for another file.")
        case .uploadMismatch:
            Problem(
                status: 422, code: rawValue, title: "Not the announced file",
                detail: "Send exactly the bytes whose size and SHA-256 were announced, or create another session.")
        case .uploadChanged: conflict("Upload was replaced", "A newer upload took its place; finalize again.")
        }
    }

    private func conflict(_ title: String, _ detail: String) -> Problem {
        Problem(status: 409, code: rawValue, title: title, detail: detail)
    }
}

extension QuotaDenial {
    /// What a refused creation is answered with.
    var problem: Problem {
        var members: [(String, JSONValue)] = [("resetsAt", .time(resetsAt))]
        if code == .sessionOpen {
            if let heldBy { members.append(("heldBy", .object(heldBy.json))) }
            return Problem(
                status: 409, code: code.rawValue, title: "A session is open",
                detail: "Go on with the session in heldBy, cancel it, or name it in replaces.", members: members)
        }
        let seconds = max(1, (resetsAt - .now()).components.seconds)
        return Problem(
            status: 429, code: code.rawValue, title: "Quota used up",
            detail: "The next analysis is possible at resetsAt.", members: members,
            headers: ["Retry-After": String(seconds)])
    }
}
