/// A shell that can complete what is typed.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// The shell's script for a table.
    func script(_ table: CommandTable) -> String {
        switch self {
        case .bash: BashCompletion(table).script
        case .zsh: ZshCompletion(table).script
        case .fish: FishCompletion(table).script
        }
    }
}

extension CommandTable {
    /// The flags of all shown commands, each once: a flag means the same everywhere.
    var flags: [FlagSpelling] {
        var seen: Set<String> = []
        return shown.flatMap(\.flags).map(\.spelling).filter { seen.insert($0.name).inserted }
    }

    /// All ways to write a flag that takes a value.
    var valueFlags: [String] { flags.filter { $0.placeholder != nil }.flatMap(\.all) }

    /// The shown command that words without flags begin with, as the shells find it: by one word, or by two.
    var pairs: [String] { groups.filter { !members(of: $0).isEmpty } }
}

extension CommandEntry {
    /// What a shell offers after a blank and a dash.
    var offeredFlags: [String] {
        flags.map(\.spelling).flatMap { [$0.name] + ($0.short.map { [$0] } ?? []) }
            + Manner.flags.map(\.name)
    }
}
