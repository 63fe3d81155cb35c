/// What every operand of the table has, whatever its value is.
protocol CommandOperand: Sendable {
    /// What stands for it in help, such as `VIDEO`; unlike that of any other operand of the command.
    var name: String { get }
    var help: String { get }
    var completion: Completion { get }
    var occurrence: Occurrence { get }

    /// The value of a word.
    func read(_ word: String) throws(Refusal) -> any Sendable
}

/// How often an operand stands on the command line.
enum Occurrence: Sendable {
    case once, optional, any
}

/// A word that a command takes besides its flags: `T`, `T?` when it may be missing, `[T]` when there may be many.
struct Operand<Value: Sendable>: CommandOperand {
    let name: String
    let help: String
    let completion: Completion
    let occurrence: Occurrence
    private let reading: @Sendable (String) throws(Refusal) -> any Sendable
    private let value: @Sendable ([any Sendable]) -> Value?

    /// An operand that must be there.
    init(_ type: ValueType<Value>, _ help: String) {
        self.init(type, help, .once) { $0.first as? Value }
    }

    /// An operand that may be missing.
    init<T>(optional type: ValueType<T>, _ help: String) where Value == T? {
        self.init(type, help, .optional) { .some($0.first as? T) }
    }

    /// All words that are left.
    init<T>(many type: ValueType<T>, _ help: String) where Value == [T] {
        self.init(type, help, .any) { $0.compactMap { $0 as? T } }
    }

    private init<T>(
        _ type: ValueType<T>, _ help: String, _ occurrence: Occurrence,
        _ value: @escaping @Sendable ([any Sendable]) -> Value?
    ) {
        name = type.placeholder
        self.help = help
        completion = type.completion
        self.occurrence = occurrence
        reading = { (word) throws(Refusal) in try type.read(word, as: type.placeholder) }
        self.value = value
    }

    func read(_ word: String) throws(Refusal) -> any Sendable { try reading(word) }

    /// The value that a command gets, from what was read.
    func value(of read: [any Sendable]) -> Value {
        guard let value = value(read) else { preconditionFailure("The command does not take \(name).") }
        return value
    }
}
