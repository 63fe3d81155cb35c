/// Why a command stopped: a stable code, a sentence, and what to do next.
struct Failure: Error, CustomStringConvertible {
    let exit: ExitCode
    let code: String
    let message: String
    let advice: String

    init(_ exit: ExitCode, _ code: String, _ message: String, advice: String) {
        self.exit = exit
        self.code = code
        self.message = message
        self.advice = advice
    }

    var description: String { "\(message)\n\(advice)" }
}
