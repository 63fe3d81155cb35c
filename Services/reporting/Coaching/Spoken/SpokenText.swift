/// A transcript as sentences of words, by the signs that the recognizer wrote.
struct SpokenText {
    /// Lower-case words without signs; no sentence is empty.
    let sentences: [[String]]
    /// The same sentences as the recognizer wrote them; empty of sentences that were put together.
    let written: [String]

    /// All words in their order.
    var words: [String] { sentences.flatMap { $0 } }

    init(_ text: String) {
        var sentences: [[String]] = []
        var written: [String] = []
        var sentence: [String] = []
        var parts: [Substring] = []
        for part in text.split(whereSeparator: \.isWhitespace) {
            parts.append(part)
            // "ill-disposed" is one word, "one—two" are two.
            for piece in part.split(whereSeparator: { "—–/".contains($0) }) {
                let word = Self.word(piece.lowercased()[...])
                if !word.isEmpty { sentence.append(word) }
            }
            if Self.isEnd(part), !sentence.isEmpty {
                sentences.append(sentence)
                written.append(parts.joined(separator: " "))
                sentence = []
                parts = []
            }
        }
        if !sentence.isEmpty {
            sentences.append(sentence)
            written.append(parts.joined(separator: " "))
        }
        self.sentences = sentences
        self.written = written
    }

    /// Its letters, digits, hyphens and apostrophes; empty if it has no letter and no digit.
    private static func word(_ part: Substring) -> String {
        let kept = part.map { $0 == "’" ? "'" : $0 }.filter { $0.isLetter || $0.isNumber || $0 == "'" || $0 == "-" }
        let isSign: (Character) -> Bool = { $0 == "'" || $0 == "-" }
        return String(kept.drop(while: isSign).reversed().drop(while: isSign).reversed())
    }

    /// Whether a sentence ends behind it: a sign that is not the dot of an abbreviation or of a number.
    private static func isEnd(_ part: Substring) -> Bool {
        let bare = part.reversed().drop { "\"”’')".contains($0) }
        guard let sign = bare.first, ".?!…".contains(sign) else { return false }
        guard sign == "." else { return true }
        let word = word(part.lowercased()[...])
        // "Mr.", initials, "U.S."; but "3.5." ends one.
        return !EnglishWords.abbreviations.contains(word) && !(word.count == 1 && word != "i")
            && (!bare.dropFirst().contains(".") || word.contains(where: \.isNumber))
    }
}

extension SpokenText {
    /// How often one of the phrases is said; phrases are words with spaces between.
    ///
    /// - Parameter isMeant: whether a place counts: the word before it and the word behind it, empty at an end.
    func count(
        _ phrases: [String], where isMeant: (_ before: String, _ behind: String) -> Bool = { _, _ in true }
    ) -> Int {
        let phrases = phrases.map { $0.split(separator: " ").map(String.init) }
        return sentences.reduce(0) { sum, sentence in
            var count = 0
            var index = 0
            while index < sentence.count {
                let found = phrases.filter { sentence[index...].starts(with: $0) }.max { $0.count < $1.count }
                if let found {
                    let behind = index + found.count
                    let before = index > 0 ? sentence[index - 1] : ""
                    if isMeant(before, behind < sentence.count ? sentence[behind] : "") { count += 1 }
                    index = behind
                } else {
                    index += 1
                }
            }
            return sum + count
        }
    }

    /// Which sentence is the first that says something: "Hello everybody." does not, nor does a longer greeting.
    var opening: Int? {
        let said = sentences.indices.filter { sentences[$0].count >= 4 }
        let isGreeting = said.first.map { first in
            EnglishWords.greetings.contains { sentences[first].starts(with: $0.split(separator: " ").map(String.init)) }
        }
        return isGreeting == true ? said.dropFirst().first ?? said.first : said.first
    }

    /// The words that say what a sentence is about, without their endings.
    static func subjects(_ sentence: [String]) -> Set<String> {
        Set(sentence.filter { $0.count > 2 && !EnglishWords.common.contains($0) }.map(stem))
    }

    /// A word without the endings of number and time, so that "video" and "videos" are one.
    private static func stem(_ word: String) -> String {
        for ending in ["'s", "ings", "ing", "edly", "ed", "ies", "es", "s", "ly"]
        where word.hasSuffix(ending) && word.count - ending.count >= 3 {
            return String(word.dropLast(ending.count))
        }
        return word
    }
}
