import Contracts
import Primitives

/// Why a word of the command line cannot be what it stands for.
struct Refusal: Error {
    /// A sentence.
    let message: String
    /// What to do instead; nil where the command's help says it.
    var advice: String?
}

/// What a shell can offer in a place of the command line.
enum Completion: Equatable, Sendable {
    /// What only the person knows, such as an id.
    case none
    case files
    case folders
    /// One of these words.
    case words([String])
    /// The names of the commands.
    case commands
}

/// How a word of the command line becomes a value: what help calls it, how it is read, and what a shell can offer for it.
struct ValueType<Value: Sendable>: Sendable {
    /// What help writes in its place: `DIR`, `N`, `TIME`.
    let placeholder: String
    let completion: Completion
    private let reading: @Sendable (_ word: String, _ what: String) throws(Refusal) -> Value

    /// A type that is read by a function which gives nil for what it does not understand.
    ///
    /// - Parameter expected: what the word must be, as the end of the sentence "X must be …".
    init(
        _ placeholder: String, _ completion: Completion = .none, expected: String,
        _ parse: @escaping @Sendable (String) -> Value?
    ) {
        self.placeholder = placeholder
        self.completion = completion
        reading = { (word, what) throws(Refusal) in
            guard let value = parse(word) else {
                throw Refusal(message: "\(what) must be \(expected), not “\(word)”.")
            }
            return value
        }
    }

    /// A type with a list of known words.
    ///
    /// - Parameter noun: what one of them is, for the sentence "There is no NOUN X."
    init(_ placeholder: String, noun: String, _ known: [String], _ parse: @escaping @Sendable (String) -> Value?) {
        self.placeholder = placeholder
        completion = .words(known)
        reading = { (word, _) throws(Refusal) in
            if let value = parse(word) { return value }
            throw Refusal(
                message: "There is no \(noun) \(word).\(Suggestion.text(for: word, among: known))",
                advice: "The \(noun)s are \(known.joined(separator: ", ")).")
        }
    }

    /// The value of a word.
    ///
    /// - Parameter what: where the word stands, as the start of a sentence: a flag or an operand's name.
    func read(_ word: String, as what: String) throws(Refusal) -> Value { try reading(word, what) }

    /// The same under another name in help.
    func named(_ placeholder: String) -> Self { Self(placeholder, completion, reading) }

    private init(
        _ placeholder: String, _ completion: Completion,
        _ reading: @escaping @Sendable (String, String) throws(Refusal) -> Value
    ) {
        self.placeholder = placeholder
        self.completion = completion
        self.reading = reading
    }
}

extension ValueType where Value == String {
    /// Any text.
    static func text(_ placeholder: String, _ completion: Completion = .none) -> Self {
        Self(placeholder, completion, expected: "a text") { $0 }
    }

    /// A file's path; whether the file is there is seen when it is used.
    static var file: Self { .text("FILE", .files) }

    /// A folder's path; whether the folder is there is seen when it is used.
    static var folder: Self { .text("DIR", .folders) }

    /// An address of a server.
    static var url: Self {
        Self("URL", expected: "an address that begins with http:// or https://") { word in
            word.hasPrefix("http://") || word.hasPrefix("https://") ? word : nil
        }
    }

    /// A mail address; whether an account has it is for the server to say.
    static var email: Self {
        Self("EMAIL", expected: "a mail address") { isAddress($0) ? $0 : nil }
    }

    /// An account, by its mail address or its id; whether there is one is for the server to say.
    static var account: Self {
        Self("EMAIL", expected: "an account's mail address or id") { isAddress($0) || UUID($0) != nil ? $0 : nil }
    }

    private static func isAddress(_ word: String) -> Bool {
        guard let at = word.firstIndex(of: "@") else { return false }
        return at != word.startIndex && word.index(after: at) != word.endIndex
    }

    /// A language, as its BCP 47 tag.
    static var languageTag: Self {
        Self("LANGUAGE", expected: "a language tag such as en, de or pt-BR") { RecordingBrief.isTag($0) ? $0 : nil }
    }

    /// One of a few words.
    static func choice(_ placeholder: String, noun: String, _ words: [String]) -> Self {
        Self(placeholder, noun: noun, words) { words.contains($0) ? $0 : nil }
    }
}

extension ValueType where Value == Int {
    /// A whole number within bounds.
    static func number(_ placeholder: String = "N", in range: ClosedRange<Int>) -> Self {
        Self(placeholder, expected: "a number from \(range.lowerBound) to \(range.upperBound)") { word in
            Int(word).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ValueType where Value == Int64 {
    /// A place in a log or a stream, counted from 1; 0 is before the first event.
    static func count(_ placeholder: String) -> Self {
        Self(placeholder, expected: "a whole number from 0 on") { word in Int64(word).flatMap { $0 >= 0 ? $0 : nil } }
    }
}

extension ValueType where Value == Timestamp {
    /// A moment: RFC 3339, or how long ago as `15m`, `2h`, `90s`.
    static var moment: Self {
        Self("TIME", expected: "a time such as 2026-11-21T17:00:00Z, or how long ago, such as 15m") { word in
            if let moment = Timestamp(rfc3339: word) { return moment }
            return Duration(configuration: word).map { Timestamp.now() - $0 }
        }
    }
}

/// A place in a history, as a person names it.
enum HistoryPoint: Sendable {
    /// A position of a log, or a version of one stream.
    case number(Int64)
    case moment(Timestamp)
}

extension ValueType where Value == HistoryPoint {
    /// A position, a version or a moment.
    static var point: Self {
        let moment = ValueType<Timestamp>.moment
        return Self(
            "POINT",
            expected: "a position, a version, a time such as 2026-11-21T17:00:00Z, or how long ago, such as 15m"
        ) { word in
            if let number = Int64(word) { return number >= 0 ? .number(number) : nil }
            return (try? moment.read(word, as: "")).map(HistoryPoint.moment)
        }
    }
}
