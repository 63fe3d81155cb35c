/// What the command line answers to the shell.
enum ExitCode: Int32 {
    /// Everything asked for was done.
    case success = 0
    /// Something went wrong.
    case failure = 1
    /// The command was not understood.
    case usage = 2
    /// Something is missing on this machine or set wrongly.
    case configuration = 3
    /// Something that must run does not, or does not answer.
    case unavailable = 4
    /// The server refused by its rules: a used-up allowance, a wrong password.
    case refused = 5
}

/// What a command's exit codes mean, for its help.
struct ExitCodes: Equatable, Sendable {
    private var meanings: [(code: ExitCode, meaning: String)]

    /// Those of commands that do something.
    static let standard = ExitCodes(meanings: [
        (.success, "done"), (.failure, "failure"), (.usage, "not understood"),
        (.configuration, "something is missing or set wrongly here"),
        (.unavailable, "something that must run does not answer"), (.refused, "refused by the server's rules"),
    ])

    /// Those of commands that look at what happened.
    static let looking = ExitCodes(meanings: [
        (.success, "as expected"), (.failure, "a difference or a loss was found"), (.usage, "not understood"),
        (.configuration, "could not look"),
    ])

    /// The same, with another meaning of one code.
    func with(_ code: ExitCode, _ meaning: String) -> ExitCodes {
        ExitCodes(meanings: meanings.map { $0.code == code ? (code, meaning) : $0 })
    }

    var text: String {
        "Exit codes: " + meanings.map { "\($0.code.rawValue) \($0.meaning)" }.joined(separator: ", ") + "."
    }

    static func == (left: ExitCodes, right: ExitCodes) -> Bool { left.text == right.text }
}
