import Contracts

/// What was said during some time, as the transcript writes it.
struct Quote {
    /// The most words that are quoted; the rest is left out.
    static let longest = 8
    /// The most words that are quoted of what was said just before, or first.
    private static let few = 6
    /// The most words that are quoted of the sentence with which somebody begins or ends.
    private static let longestSentence = 16
    /// The words at the end of a sentence that say nothing by themselves.
    private static let tail = 3
    /// The clarity below which words are too uncertain to be quoted.
    static let leastClarity = 0.5

    /// Whether the voice was so unclear that its words are uncertain.
    static func isUncertain(_ findings: Findings) -> Bool {
        findings.measure("clarity").number.map { $0 < leastClarity } ?? false
    }

    private let text: String
    private let words: [Findings.Word]
    /// Where each word stands in the text; empty if text and words do not match.
    private let places: [Range<String.Index>]

    /// - Parameter findings: what was recognised; nothing is quoted of words that are too uncertain.
    init(_ findings: Findings) {
        text = findings.text
        words = findings.transcriptProblem == nil && !Self.isUncertain(findings) ? findings.words : []
        places = Self.places(of: words, in: text)
    }

    /// The sentence with which somebody begins, after any greeting; nil if it cannot be told from the words.
    var opening: String? {
        guard !words.isEmpty else { return nil }
        let sentences = SpokenText(text)
        return sentences.opening.map { Self.shown(sentences.written[$0], isLast: false) }
    }

    /// The sentence with which somebody ends; nil if it cannot be told from the words.
    var closing: String? {
        words.isEmpty ? nil : SpokenText(text).written.last.map { Self.shown($0, isLast: true) }
    }

    /// A sentence as it is quoted: not too long, and without the dot that the sentence around it has.
    ///
    /// - Parameter isLast: whether its end is what matters.
    private static func shown(_ written: String, isLast: Bool) -> String {
        let parts = written.split(whereSeparator: \.isWhitespace)
        let isLong = parts.count > longestSentence
        let kept = isLast ? parts.suffix(longestSentence) : parts.prefix(longestSentence)
        var shown = kept.joined(separator: " ")
        if shown.hasSuffix("."), isLast || !isLong { shown.removeLast() }
        return isLong ? isLast ? "… " + shown : shown + " …" : shown
    }

    /// The first few words that begin in the time.
    func beginning(_ start: Double, _ end: Double) -> String? {
        guard let first = words.firstIndex(where: { $0.start >= start - 0.05 && $0.start < end }) else { return nil }
        let last = words.lastIndex { $0.start < end } ?? first
        return part(first...min(last, first + Self.few - 1))
    }

    /// The first words that begin in the time.
    func during(_ start: Double, _ end: Double) -> String? {
        guard var first = words.firstIndex(where: { $0.start >= start - 0.05 && $0.start < end }) else { return nil }
        let last = words.lastIndex { $0.start < end } ?? first
        // The last words of a sentence that began before are left out where another one follows.
        if let tail = (first..<first + Self.tail).first(where: { ends(after: $0) }), last - tail >= Self.tail {
            first = tail + 1
        }
        let shown = min(last, first + Self.longest - 1)
        return part(first...shown) + (shown < last ? " …" : "")
    }

    /// The last few words before a silence, of one sentence.
    func before(_ start: Double) -> String? {
        guard let last = words.lastIndex(where: { $0.start < start }) else { return nil }
        var first = last
        while first > 0, last - first < Self.few - 1, !ends(after: first - 1) { first -= 1 }
        return part(first...last)
    }

    /// Whether the transcript has a sign that ends a sentence behind a word; false where it cannot tell.
    private func ends(after word: Int) -> Bool {
        guard places.indices.contains(word + 1), !EnglishWords.abbreviations.contains(words[word].text.lowercased())
        else { return false }
        return text[places[word].upperBound..<places[word + 1].lowerBound].contains { ".?!".contains($0) }
    }

    /// Whether the transcript goes on over a silence without a sign that ends a sentence; false where it cannot tell.
    func goesOn(over start: Double) -> Bool {
        guard let before = words.lastIndex(where: { $0.start < start }), places.indices.contains(before + 1) else {
            return false
        }
        return !ends(after: before)
    }

    private func part(_ range: ClosedRange<Int>) -> String {
        guard !places.isEmpty else { return words[range].map(\.text).joined(separator: " ") }
        let found = text[places[range.lowerBound].lowerBound..<places[range.upperBound].upperBound]
        return found.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The words carry no signs and no capitals: each is found in the text by its letters and digits, one after the other.
    private static func places(of words: [Findings.Word], in text: String) -> [Range<String.Index>] {
        var places: [Range<String.Index>] = []
        var position = text.startIndex
        for word in words {
            var begin: String.Index?
            for letter in word.text.lowercased() where isSpoken(letter) {
                while position < text.endIndex, !isSpoken(text[position]) { position = text.index(after: position) }
                guard position < text.endIndex, text[position].lowercased() == String(letter) else { return [] }
                begin = begin ?? position
                position = text.index(after: position)
            }
            guard let begin else { return [] }
            places.append(begin..<position)
        }
        return places
    }

    private static func isSpoken(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
