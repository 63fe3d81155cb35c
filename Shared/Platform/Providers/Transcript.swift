import JSON
import Primitives

/// What was said in a recording, as a provider wrote it down: a stranger's words, whatever they ask for.
package struct Transcript: Sendable, Equatable {
    /// A word with its place.
    package struct Word: Sendable, Equatable {
        package var text: String
        /// Milliseconds from the beginning; an end is never before its start.
        package var startMs: Int64
        package var endMs: Int64

        package init(text: String, startMs: Int64, endMs: Int64) {
            self.text = text
            self.startMs = startMs
            self.endMs = endMs
        }
    }

    /// In the order of their starts.
    package var words: [Word]
    /// The language as the provider names it, such as `english` or `en`; nil when it does not.
    package var language: String?

    package init(words: [Word], language: String?) {
        self.words = words
        self.language = language
    }
}

extension Transcript {
    /// Answers of a transcription may have a list of tokens for each segment.
    private static let limits = JSONLimits(depth: 16, values: 400_000)
    /// How much beyond the end of the sound a word may lie, in milliseconds: providers round and pad.
    private static let slack: Int64 = 2_000
    /// Nobody says more words in a second.
    private static let wordsPerSecond: Int64 = 12
    private static let longestWord = 100

    /// Reads an answer with word times (`verbose_json` of the OpenAI API, whose members other servers have too). What is not asked for is passed
    /// by; what is must be right.
    ///
    /// - Parameter milliseconds: how long the sound is.
    /// - Throws: ``AnswerFault``: what of it is missing, has another type, lies where it cannot, or is too much.
    package init(reading bytes: [UInt8], audioMs milliseconds: Int64) throws(AnswerFault) {
        guard let value = try? JSONValue.parse(bytes, limits: Self.limits) else { throw .notJSON }
        guard let object = value.objectValue, let list = object["words"]?.arrayValue else { throw .form }
        guard Int64(list.count) <= (milliseconds / 1_000 + 1) * Self.wordsPerSecond + 20 else { throw .excess }
        var words: [Word] = []
        for item in list {
            let word = try Self.word(item, milliseconds)
            if let last = words.last, word.startMs < last.startMs { throw .range }
            if !word.text.isEmpty { words.append(word) }
        }
        switch object["language"] {
        case nil, .null?: language = nil
        case let value?:
            guard let text = value.stringValue, text.utf8.count <= 40 else { throw .form }
            language = text.lowercased()
        }
        self.words = words
    }

    private static func word(_ item: JSONValue, _ milliseconds: Int64) throws(AnswerFault) -> Word {
        guard let object = item.objectValue, let text = object["word"]?.stringValue,
            let start = object["start"]?.doubleValue, let end = object["end"]?.doubleValue
        else { throw .form }
        let spoken = Substring(text).trimmed
        guard spoken.utf8.count <= longestWord else { throw .excess }
        guard spoken.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else { throw .form }
        let most = Double(milliseconds + slack) / 1_000
        guard (0...most).contains(start), (start...most).contains(end) else { throw .range }
        return Word(
            text: String(spoken), startMs: min(Int64((start * 1_000).rounded()), milliseconds),
            endMs: min(Int64((end * 1_000).rounded()), milliseconds))
    }
}

extension Substring {
    /// Without white space at both ends.
    var trimmed: Substring {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
