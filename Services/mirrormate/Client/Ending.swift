import JSON

/// How a session ended.
struct Ending {
    let status: String
    private let session: JSONObject

    /// The ending of a session document; nil while it goes on.
    init?(_ session: JSONObject) {
        guard let status = session["status"]?.stringValue,
            ["complete", "error", "cancelled", "expired", "refused"].contains(status)
        else { return nil }
        self.status = status
        self.session = session
    }

    /// The failure that an ending other than `complete` is for the one who waits.
    var failure: Failure {
        let part = session[status == "refused" ? "refusal" : "error"]?.objectValue
        let code = part?["code"]?.stringValue ?? status
        let title = part?["title"]?.stringValue
        if status == "refused" {
            let resets = part?["resetsAt"]?.stringValue.map {
                " The next one is free at \($0)."
            }
            return Failure(
                .refused, code, "The session was refused (\(code)).\(resets ?? "")",
                advice: title ?? "Wait until then; on a local stack --new-user makes a fresh account.")
        }
        return Failure(
            .failure, code, "The session ended as \(status) (\(code)).",
            advice: title ?? "Try again, perhaps with another video; `quota` shows whether it was charged.")
    }
}
