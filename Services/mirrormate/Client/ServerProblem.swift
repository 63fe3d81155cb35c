import JSON

/// Problem documents (RFC 9457) of the server as failures of a command.
enum ServerProblem {
    /// The code of a problem document; nil when it is none.
    static func code(_ body: [UInt8]) -> String? { (try? JSONObject.parse(body))?["code"]?.stringValue }

    /// The failure that an answer of 300 and above stands for.
    static func failure(status: Int, body: [UInt8]) -> Failure {
        let problem = (try? JSONObject.parse(body)) ?? JSONObject()
        let code = problem["code"]?.stringValue ?? "http-\(status)"
        let title = problem["title"]?.stringValue ?? "The server answered with status \(status)"
        let detail = problem["detail"]?.stringValue ?? "Try again; the logs of the services may say more."
        return Failure(exit(status: status, code: code), code, "\(title) (\(code)).", advice: detail)
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
