/// How a command speaks, whichever it is: flags that every command takes.
struct Manner: Equatable {
    /// Only results and failures.
    var isQuiet = false
    /// No colours, whatever the terminal can show.
    var isPlain = false

    static let quiet = FlagSpelling(name: "--quiet", help: "only results and failures, no notes on the way")
    static let noColor = FlagSpelling(name: "--no-color", help: "no colours, as with NO_COLOR")

    /// What every command takes, in the order of help.
    static let flags = [quiet, noColor, Flags.help]

    init(isQuiet: Bool = false, isPlain: Bool = false) {
        self.isQuiet = isQuiet
        self.isPlain = isPlain
    }

    /// Takes these flags out of the words, wherever they stand before a `--`.
    init(takenFrom words: inout [String]) {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        isQuiet = words[..<end].contains(Self.quiet.name)
        isPlain = words[..<end].contains(Self.noColor.name)
        words = words[..<end].filter { ![Self.quiet.name, Self.noColor.name].contains($0) } + words[end...]
    }
}

/// What `mirrormate --version` says.
enum Release {
    /// The version that CHANGELOG.md begins with.
    static let version = "0.1.0"
}
