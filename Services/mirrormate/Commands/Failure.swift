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

    /// What the person typed was not understood.
    static func usage(_ message: String, advice: String = "Add --help to see what the command takes.") -> Failure {
        Failure(.usage, "usage", message, advice: advice)
    }

    /// A word that is well formed and names nothing, with what there is.
    static func unknown(_ message: String, _ word: String, among known: [String]) -> Failure {
        let list = known.isEmpty ? "There is none." : "There is: \(known.joined(separator: ", "))."
        return Failure(.usage, "unknown", message + "." + Suggestion.text(for: word, among: known), advice: list)
    }

    /// A beginning of ids that is no single one's.
    static func ambiguous(_ digits: String, among ids: [String]) -> Failure {
        Failure(
            .usage, "ambiguous", "\(digits) is the beginning of several ids.",
            advice: "Type more of it: \(ids.prefix(5).joined(separator: ", "))\(ids.count > 5 ? ", …" : "").")
    }

    var description: String { "\(message)\n\(advice)" }
}
