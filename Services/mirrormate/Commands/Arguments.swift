/// What stands after a command's name, read as the table says.
struct Arguments: Sendable {
    private var flags: [String: any Sendable] = [:]
    private var operands: [String: [any Sendable]] = [:]

    /// The value of a flag; what holds without it when it was not given or the command does not take it.
    subscript<Value>(_ flag: Flag<Value>) -> Value { flag.value(of: flags[flag.spelling.name]) }

    /// The value of one of the command's operands.
    subscript<Value>(_ operand: Operand<Value>) -> Value { operand.value(of: operands[operand.name] ?? []) }

    /// Reads words; `--name value` and `--name=value` are the same, `--` ends the flags.
    ///
    /// - Throws: a usage failure that says what to do for a flag, a value or an operand that the command does not take.
    init(_ words: [String], for entry: CommandEntry) throws(Failure) {
        var rest = words[...]
        var plain: [String] = []
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-" else {
                plain.append(word)
                continue
            }
            if word == "--" {
                plain += rest
                break
            }
            try takeFlag(word, &rest, entry)
        }
        try takeOperands(plain, entry)
        for group in entry.exclusive {
            let given = group.map(\.spelling.name).filter { flags[$0] != nil }
            if given.count > 1 {
                throw entry.misused("\(given.joined(separator: " and ")) cannot be given together.")
            }
        }
    }

    private mutating func takeFlag(
        _ word: String, _ rest: inout ArraySlice<String>, _ entry: CommandEntry
    ) throws(Failure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let flag = entry.flags.first(where: { $0.spelling.all.contains(parts[0]) }) else {
            let known = entry.flags.map(\.spelling.name) + Manner.flags.map(\.name)
            throw entry.misused("There is no option \(parts[0]).\(Suggestion.text(for: parts[0], among: known))")
        }
        let name = flag.spelling.name
        guard let placeholder = flag.spelling.placeholder else {
            if parts.count == 2 { throw entry.misused("\(parts[0]) takes no value.") }
            flags[name] = true
            return
        }
        var value = parts.count == 2 ? parts[1] : nil
        if value == nil, let next = rest.first, !next.hasPrefix("--") { value = rest.popFirst() }
        guard let value, !value.isEmpty else {
            // Where `--states` is a switch, `--state` alone was probably meant to be it.
            let longer = entry.flags.map(\.spelling).first { $0.placeholder == nil && $0.name.hasPrefix(parts[0]) }
            let suggestion = longer.map { " Did you mean \($0.name)?" } ?? ""
            throw entry.misused(
                "\(parts[0]) needs a value: \(parts[0]) \(placeholder), \(flag.spelling.help).\(suggestion)")
        }
        do { flags[name] = try flag.read(value) } catch { throw entry.misused(error) }
    }

    private mutating func takeOperands(_ words: [String], _ entry: CommandEntry) throws(Failure) {
        var rest = words[...]
        for operand in entry.operands {
            var taken: [any Sendable] = []
            while taken.isEmpty || operand.occurrence == .any, let word = rest.popFirst() {
                do { taken.append(try operand.read(word)) } catch { throw entry.misused(error) }
            }
            if taken.isEmpty, operand.occurrence == .once {
                throw entry.misused("\(operand.name) is missing: \(operand.help).")
            }
            operands[operand.name] = taken
        }
        if let word = rest.first { throw entry.misused("“\(word)” was not expected.") }
    }
}
