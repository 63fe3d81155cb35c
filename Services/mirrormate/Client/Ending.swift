import JSON
import Primitives

/// How a session ended.
struct Ending {
    let status: String
    private let session: JSONObject
    private let again: String

    /// The ending of a session document; nil while it goes on.
    ///
    /// - Parameter again: what a later command has to be told to speak as the same account; see `Server.again`.
    init?(_ session: JSONObject, again: String = "") {
        guard let status = session["status"]?.stringValue,
            ["complete", "error", "cancelled", "expired", "refused"].contains(status)
        else { return nil }
        self.status = status
        self.session = session
        self.again = again
    }

    /// The failure that an ending other than `complete` is for the one who waits.
    var failure: Failure {
        let part = session[status == "refused" ? "refusal" : "error"]?.objectValue
        let code = part?["code"]?.stringValue ?? status
        let title = part?["title"]?.stringValue
        if status == "refused" {
            return Failure(
                .refused, code, "The session was refused: \(title ?? code) (\(code)).",
                advice: ServerProblem.advice(code, part ?? JSONObject(), again: again)
                    ?? "On a local stack --new-user makes a fresh account.")
        }
        return Failure(
            .failure, code, "The session ended as \(status) (\(code)).",
            advice: title
                ?? "Try again, perhaps with another video; `mirrormate timeline SESSION` shows whether it was charged.")
    }
}
