/// The table of commands: the only place that knows which there are. Each room has its part of it in a file `…Table.swift`.
struct CommandTable: Sendable {
    let entries: [CommandEntry]

    /// All of `mirrormate`.
    static let mirrormate = CommandTable(entries: local + backup + operators + history + proof + contracts + shell)

    /// The entries that people are shown.
    var shown: [CommandEntry] { entries.filter { $0.topic != .hidden } }

    /// The first words of all shown commands, each once.
    var groups: [String] {
        var seen: Set<String> = []
        return shown.map(\.group).filter { seen.insert($0).inserted }
    }

    /// The commands whose first word this is and that have a second one.
    func members(of group: String) -> [CommandEntry] { entries.filter { $0.group == group && $0.member != nil } }

    /// What words ask for.
    enum Request {
        /// A text, and whether it was asked for (else it is shown because there was nothing to do).
        case help(String, isAsked: Bool)
        case run(CommandEntry, Arguments)
    }

    /// Reads the words after `mirrormate`.
    ///
    /// - Throws: a usage failure for what is not in the table.
    func request(_ words: [String], width: Int) throws(Failure) -> Request {
        let help = HelpText(table: self, width: width)
        guard let first = words.first else { return .help(help.main, isAsked: false) }
        if ["--help", "-h"].contains(first) { return .help(help.main, isAsked: true) }
        if words == ["--version"] { return .help("mirrormate \(Release.version)", isAsked: true) }
        let flags = words.prefix { $0 != "--" }
        if flags.contains("--help") || flags.contains("-h") {
            let names = words.prefix { !$0.hasPrefix("-") }
            return .help(try text(help, about: Array(names)), isAsked: true)
        }
        let (entry, rest) = try find(words)
        return .run(entry, try Arguments(rest, for: entry))
    }

    /// The help of a command, or of all with the same first word.
    func text(_ help: HelpText, about words: [String]) throws(Failure) -> String {
        let members = words.count == 1 ? members(of: words[0]) : []
        if members.count == 1 { return help.text(for: members[0]) }
        if !members.isEmpty { return help.text(of: words[0]) }
        return words.isEmpty ? help.main : help.text(for: try find(words).entry)
    }

    /// The command that words begin with, and the words after its name.
    func find(_ words: [String]) throws(Failure) -> (entry: CommandEntry, rest: [String]) {
        let first = words[0]
        if first.hasPrefix("-") {
            throw .usage(
                "\(first) stands before the command.", advice: "The command comes first: mirrormate COMMAND \(first) …")
        }
        if let entry = entries.first(where: { $0.name == first }) { return (entry, Array(words.dropFirst())) }
        let members = members(of: first)
        guard !members.isEmpty else {
            throw .usage(
                "There is no command \(first).\(Suggestion.text(for: first, among: groups))",
                advice: "The commands are \(groups.joined(separator: ", ")).")
        }
        let initial = members.first { $0.isDefault }
        let advice = "The commands are \(members.map(\.name).joined(separator: ", "))."
        guard words.count > 1, !words[1].hasPrefix("-") else {
            if let initial { return (initial, Array(words.dropFirst())) }
            throw .usage("“\(first)” needs another word.", advice: advice)
        }
        if let entry = members.first(where: { $0.member == words[1] }) { return (entry, Array(words.dropFirst(2))) }
        let near = Suggestion.nearest(to: words[1], among: members.compactMap(\.member))
        if near == nil, let initial, !initial.operands.isEmpty { return (initial, Array(words.dropFirst())) }
        let suggestion = near.map { " Did you mean \(first) \($0)?" } ?? ""
        throw .usage("There is no command \(first) \(words[1]).\(suggestion)", advice: advice)
    }
}
