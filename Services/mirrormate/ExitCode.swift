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
