/// The words after a command's name, sorted into options and operands.
struct Arguments {
    private(set) var flags: Set<String> = []
    private(set) var values: [String: String] = [:]
    private(set) var operands: [String] = []

    /// Sorts words; `--name value` and `--name=value` are the same, `--` ends the options.
    ///
    /// - Throws: a usage failure for an unknown option or a missing value.
    init(_ words: some Sequence<String>, flags knownFlags: [String], values knownValues: [String]) throws(Failure) {
        var words = Array(words)[...]
        var onlyOperands = false
        while let word = words.popFirst() {
            guard !onlyOperands, word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            if word == "--" {
                onlyOperands = true
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if knownFlags.contains(parts[0]), parts.count == 1 {
                flags.insert(word)
            } else if knownValues.contains(parts[0]) {
                guard let value = parts.count == 2 ? parts[1] : words.popFirst() else {
                    throw Self.usage("\(word) needs a value.")
                }
                values[parts[0]] = value
            } else {
                throw Self.usage(
                    "There is no option \(word).\(Suggestion.text(for: parts[0], among: knownFlags + knownValues))")
            }
        }
    }

    /// The number of an option, within bounds.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Self.usage("\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// The only operand.
    func operand(_ what: String) throws(Failure) -> String {
        guard operands.count == 1 else { throw Self.usage("Exactly one \(what) is needed.") }
        return operands[0]
    }

    /// Refuses operands.
    func noOperands() throws(Failure) {
        if let word = operands.first { throw Self.usage("\(word) was not expected.") }
    }

    static func usage(_ message: String) -> Failure {
        Failure(.usage, "usage", message, advice: "Add --help to see what the command takes.")
    }
}
