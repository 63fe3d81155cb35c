import Runtime

/// One command: all that help, the reading of its words, completion and exit codes need, and what it does.
struct CommandEntry: Sendable {
    /// Its words after `mirrormate`: `up`, or `quota grant`.
    let name: String
    let topic: CommandTopic
    /// What it does, in one line.
    let summary: String
    var operands: [any CommandOperand] = []
    /// Its flags; `--help` is every command's.
    var flags: [any CommandFlag] = []
    /// Flags of which only one may be given at a time.
    var exclusive: [[any CommandFlag]] = []
    /// Command lines, each with what it is for.
    var examples: [(line: String, purpose: String)] = []
    /// What else is to be known, a line a paragraph.
    var notes: [String] = []
    var exitCodes = ExitCodes.standard
    /// Whether it is what the first of its two words does alone.
    var isDefault = false
    /// Whether it leaves the machine to those who serve: its process gets a low priority.
    var isPolite = false
    let run: @Loop @Sendable (Arguments, Console) async throws -> ExitCode

    /// The first word of its name.
    var group: String { String(name.prefix { $0 != " " }) }

    /// The second word of its name, or nil.
    var member: String? { name == group ? nil : String(name.dropFirst(group.count + 1)) }

    /// A failure of whoever typed it.
    func misused(_ message: String) -> Failure {
        .usage(message, advice: "`mirrormate \(name) --help` says what it takes.")
    }

    /// The failure of a word that was refused.
    func misused(_ refusal: Refusal) -> Failure {
        guard let advice = refusal.advice else { return misused(refusal.message) }
        return .usage(refusal.message, advice: advice)
    }
}

/// What a command is about, in the order of the main help.
enum CommandTopic: String, CaseIterable {
    case local = "A stack on this machine"
    case backup = "Backups of it"
    case operators = "For operators"
    case history = "What happened"
    case proof = "Whether anything is lost or wrong"
    case development = "For developers"
    /// What programs call; not shown.
    case hidden = ""
}
