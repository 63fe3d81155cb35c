import Contracts
package import HTTPServer
import JSON
import Primitives
import ServiceKit

/// The one place where refusals of sessions become problem documents.
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
        }
    }
}

extension QuotaDenial {
    /// What a refused creation is answered with.
    var problem: Problem {
        var members: [(String, JSONValue)] = [("resetsAt", .time(resetsAt))]
        if code == .sessionOpen {
            if let heldBy { members.append(("heldBy", .object(heldBy.json))) }
            return Problem(.sessionOpen, members: members)
        }
        let seconds = max(1, (resetsAt - .now()).components.seconds)
        return Problem(
            .quotaExceeded, members: members,
            headers: ["Retry-After": String(seconds), "RateLimit": "\"analysis\";r=0;t=\(seconds)"])
    }
}
