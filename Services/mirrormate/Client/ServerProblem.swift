import JSON
import Primitives

/// Problem documents (RFC 9457) of the server as failures of a command, in words of somebody at a command line.
enum ServerProblem {
    /// The code of a problem document; nil when it is none.
    static func code(_ body: [UInt8]) -> String? { (try? JSONObject.parse(body))?["code"]?.stringValue }

    /// The session that stands in the way of another one; nil where none does.
    static func holder(_ problem: JSONObject) -> String? { problem["heldBy"]?["sessionId"]?.stringValue }

    /// The failure that an answer of 300 and above stands for.
    ///
    /// - Parameters:
    ///   - retryAfter: the field `Retry-After` of the answer, in seconds.
    ///   - again: what a later command has to be told to speak as the same account; see `Server.again`.
    static func failure(status: Int, body: [UInt8], retryAfter: String? = nil, again: String = "") -> Failure {
        let problem = (try? JSONObject.parse(body)) ?? JSONObject()
        let code = problem["code"]?.stringValue ?? "http-\(status)"
        let title = problem["title"]?.stringValue ?? "The server answered with status \(status)"
        let advice =
            advice(code, problem, retryAfter, again: again) ?? problem["detail"]?.stringValue
            ?? "Try again; the logs of the services may say more."
        return Failure(exit(status: status, code: code), code, "\(title) (\(code)).", advice: advice)
    }

    /// What to do, where the server's own words are for programs; nil where they are for anybody.
    static func advice(
        _ code: String, _ problem: JSONObject, _ retryAfter: String? = nil, again: String = ""
    ) -> String? {
        switch code {
        case "quota-exceeded":
            guard let resets = problem["resetsAt"]?.stringValue.flatMap(Timestamp.init(rfc3339:)) else { return nil }
            return "The next analysis is possible \(LocalTime.words(resets)); --new-user tries with a fresh account."
        case "session-open":
            guard let holder = holder(problem) else { return nil }
            return
                "It is \(holder). `mirrormate submit --continue \(holder)\(again)` goes on with it, `mirrormate sessions cancel "
                + "\(holder)\(again)` ends it, and --replace sends this video in its place."
        case "address-unconfirmed":
            return
                "Confirm the address with the code that was mailed at sign-up; the app page has a field for it. Then try "
                + "again, or with --new-user."
        default:
            guard let seconds = retryAfter.flatMap(Int64.init) else { return nil }
            return "Try again \(LocalTime.words(.now() + .seconds(seconds)))."
        }
    }

    private static func exit(status: Int, code: String) -> ExitCode {
        switch status {
        case 401, 402, 403, 429: .refused
        case 409 where code.hasPrefix("quota") || code == "session-open": .refused
        case 500...599: .unavailable
        default: .failure
        }
    }
}
