/// What every flag of the table has, whatever its value is.
protocol CommandFlag: Sendable {
    var spelling: FlagSpelling { get }

    /// The value of the word that follows the flag.
    func read(_ word: String) throws(Refusal) -> any Sendable
}

/// How a flag is written and explained.
struct FlagSpelling: Equatable, Sendable {
    /// Its name, such as `--state`.
    let name: String
    /// Its one-letter form, such as `-o`.
    var short: String?
    /// What it was called before; understood, but neither shown nor offered.
    var former: [String] = []
    /// What stands for its value in help; nil for a flag that takes none.
    var placeholder: String?
    var completion = Completion.none
    let help: String
    /// What holds when it is not given; nil where that needs no word.
    var preset: String?

    /// Every way to write it.
    var all: [String] { [name] + (short.map { [$0] } ?? []) + former }
}

/// A flag with the type of its value: `Bool` for a switch, `T?` for a value that may be missing, `T` for one with a preset.
///
/// A flag means the same wherever it is taken: it is declared once, in ``Flags``, and commands list it.
struct Flag<Value: Sendable>: CommandFlag {
    let spelling: FlagSpelling
    private let reading: @Sendable (String) throws(Refusal) -> any Sendable
    private let value: @Sendable ((any Sendable)?) -> Value

    func read(_ word: String) throws(Refusal) -> any Sendable { try reading(word) }

    /// The value that a command gets, from what was read, or nil when the flag was not given.
    func value(of read: (any Sendable)?) -> Value { value(read) }
}

extension Flag where Value == Bool {
    /// A switch.
    init(_ name: String, _ help: String) {
        spelling = FlagSpelling(name: name, help: help)
        reading = { (_) throws(Refusal) in true }
        value = { $0 != nil }
    }
}

extension Flag {
    /// A flag whose value may be missing.
    init<T>(
        _ name: String, short: String? = nil, former: [String] = [], _ type: ValueType<T>, _ help: String
    ) where Value == T? {
        spelling = FlagSpelling(
            name: name, short: short, former: former, placeholder: type.placeholder, completion: type.completion,
            help: help)
        reading = { (word) throws(Refusal) in try type.read(word, as: name) }
        value = { $0 as? T }
    }

    /// A flag with a value that holds when it is not given.
    init(_ name: String, _ type: ValueType<Value>, preset: Value, _ help: String) {
        spelling = FlagSpelling(
            name: name, placeholder: type.placeholder, completion: type.completion, help: help, preset: "\(preset)")
        reading = { (word) throws(Refusal) in try type.read(word, as: name) }
        value = { $0 as? Value ?? preset }
    }
}

/// All flags. Those of several commands stand here, those of one stand beside its entry in the table.
enum Flags {
    static let state = Flag(
        "--state", former: ["--state-dir"], .folder,
        "the folder that keeps everything (default .mirrormate, or MIRRORMATE_STATE)")
    static let bin = Flag("--bin", .folder, "the folder of the services' executables (default: beside mirrormate)")
    static let json = Flag("--json", "the result as JSON on standard output; everything else goes to standard error")
    static let wait = Flag("--wait", "wait first until every service is ready, for as long as it comes closer to that")
    static let yes = Flag("--yes", "do not ask before what cannot be undone")
    static let output = Flag("--output", short: "-o", .file, "write the result to this file")
    static let data = Flag("--data", "with the data of each event")
    static let from = Flag(
        "--from", .point, "begin there: at a position, a version or a time (2026-11-21T17:00:00Z, 15m)")

    /// The flag that every command takes.
    static let help = FlagSpelling(name: "--help", short: "-h", help: "this text")
}
