import Contracts

/// What was said during some time, as the transcript writes it.
struct Quote {
    /// The most words that are quoted; the rest is left out.
    static let longest = 8
    /// The most words that are quoted of what was said just before, or first.
    private static let few = 6
    /// The most words of a sentence that is said again in an exercise, and that are quoted of the one with which somebody ends.
    private static let longestSentence = 16
    /// The most words of an opening that is praised: it is quoted whole, as only that shows what it is about.
    static let longestOpening = 20
    /// The words at the end of a sentence that say nothing by themselves.
    private static let tail = 3
    /// The clarity below which a quote would show what was misheard.
    static let leastClarity = 0.8
    /// The clarity below which words are uncertain.
    private static let leastCertain = 0.5

    /// Whether the voice was so unclear that its words are uncertain.
    static func isUncertain(_ findings: Findings) -> Bool { isBelow(leastCertain, findings) }

    private static func isBelow(_ clarity: Double, _ findings: Findings) -> Bool {
        findings.measure("clarity").number.map { $0 < clarity } ?? false
    }

    private let text: String
    private let words: [Findings.Word]
    /// Where each word stands in the text; empty if text and words do not match.
    private let places: [Range<String.Index>]

    /// - Parameter findings: what was recognised; nothing is quoted of words that are too uncertain.
    init(_ findings: Findings) {
        text = findings.text
        words = findings.transcriptProblem == nil && !Self.isBelow(Self.leastClarity, findings) ? findings.words : []
        places = Self.places(of: words, in: text)
    }

    /// The sentence with which somebody begins, after any greeting; nil if it cannot be told from the words.
    var opening: String? {
        guard !words.isEmpty else { return nil }
        let sentences = SpokenText(text)
        return sentences.opening.map { Self.shown(sentences.written[$0], Self.longestOpening, isLast: false) }
    }

    /// The sentence with which somebody ends; nil if it cannot be told from the words.
    var closing: String? {
        words.isEmpty ? nil : SpokenText(text).written.last.map { Self.shown($0, Self.longestSentence, isLast: true) }
    }

    /// A sentence as it is quoted: not too long, and without the dot that the sentence around it has.
    ///
    /// - Parameters:
    ///   - most: how many words of it.
    ///   - isLast: whether its end is what matters.
    private static func shown(_ written: String, _ most: Int, isLast: Bool) -> String {
        let parts = written.split(whereSeparator: \.isWhitespace)
        let isLong = parts.count > most
        let kept = isLast ? parts.suffix(most) : parts.prefix(most)
        var shown = kept.joined(separator: " ")
        if shown.hasSuffix("."), isLast || !isLong { shown.removeLast() }
        return isLong ? isLast ? "… " + shown : shown + " …" : shown
    }

    /// The first few words that begin in the time, of one sentence.
    func beginning(_ start: Double, _ end: Double) -> String? {
        guard let (first, last) = words(from: start, to: end) else { return nil }
        let whole = sentenceEnd(first)
        var shown = min(last, whole, first + Self.few - 1)
        if shown < whole { shown = withoutLoose(first, shown) }
        return part(first...shown)
    }

    /// The first words that begin in the time, of one sentence.
    func during(_ start: Double, _ end: Double) -> String? {
        guard let (begin, last) = words(from: start, to: end) else { return nil }
        let first = beginOfQuote(begin, last)
        let whole = sentenceEnd(first)
        // A word or two that are missing from the sentence belong to it.
        let near = whole - last <= 2 ? whole : last
        var shown = min(near, whole, first + Self.longest - 1)
        if shown < whole { shown = withoutLoose(first, withJoined(first, shown)) }
        return part(first...shown).map { shown < whole ? $0 + " …" : $0 }
    }

    /// The words that begin in the time.
    private func words(from start: Double, to end: Double) -> (first: Int, last: Int)? {
        guard let first = words.firstIndex(where: { $0.start >= start - 0.05 && $0.start < end }) else { return nil }
        return (first, words.lastIndex { $0.start < end } ?? first)
    }

    /// Where a quote begins that would begin within a sentence.
    private func beginOfQuote(_ first: Int, _ last: Int) -> Int {
        // The last words of a sentence that began before are left out where another one follows.
        if !isBegin(first), let tail = (first..<first + Self.tail).first(where: { ends(after: $0) }),
            last - tail >= Self.tail
        {
            return tail + 1
        }
        // The first word or two of the sentence belong to it.
        if let begin = (max(first - 2, 0)...first).last(where: isBegin) { return begin }
        return behindComma(first, last)
    }

    /// Behind a comma near the beginning, where enough follows: what stands before it is the rest of something else.
    private func behindComma(_ first: Int, _ last: Int) -> Int {
        let comma = (first..<min(first + Self.tail, last)).first { signs(after: $0).contains(",") }
        return comma.map { last - $0 >= 3 ? $0 + 1 : first } ?? first
    }

    /// The last few words before a silence, of one sentence; nil if there is only one, by which nobody finds the place.
    func before(_ start: Double) -> String? {
        guard let last = words.lastIndex(where: { $0.start < start }) else { return nil }
        var first = last
        while first > 0, last - first < Self.few - 1, !isBegin(first) { first -= 1 }
        while first > 0, isJoined(first - 1) { first -= 1 }
        guard first < last else { return nil }
        return part((isBegin(first) ? first : behindComma(first, last))...last)
    }

    private func isBegin(_ word: Int) -> Bool { word == 0 || ends(after: word - 1) }

    /// The last word of the sentence in which a word stands.
    private func sentenceEnd(_ word: Int) -> Int { words.indices[word...].first(where: ends) ?? words.count - 1 }

    /// Without words at the end that lead to something which is not quoted.
    private func withoutLoose(_ first: Int, _ last: Int) -> Int {
        var last = last
        while last - first >= 2, EnglishWords.leads.contains(words[last].text.lowercased()) { last -= 1 }
        return last
    }

    /// With the rest of a word that has a hyphen: the recognizer counts two words.
    private func withJoined(_ first: Int, _ last: Int) -> Int {
        var last = last
        while last + 1 < words.count, isJoined(last) { last += 1 }
        return last
    }

    private func isJoined(_ word: Int) -> Bool { signs(after: word) == "-" }

    /// What the transcript writes between a word and the next; empty where it cannot tell.
    private func signs(after word: Int) -> Substring {
        guard places.indices.contains(word + 1) else { return "" }
        return text[places[word].upperBound..<places[word + 1].lowerBound]
    }

    /// A sentence of theirs that can be said again, and its words: the first of eight to sixteen that greets nobody and does
    /// not go on from another.
    var sentence: (text: String, words: Int)? {
        var first = 0
        while first < words.count {
            let last = sentenceEnd(first)
            let count = last - first + 1
            let said = words[first...last].map { $0.text.lowercased() }
            let isGreeting = EnglishWords.greetings.contains {
                said.starts(with: $0.split(separator: " ").map(String.init))
            }
            if (8...Self.longestSentence).contains(count), !isGreeting, !EnglishWords.joints.contains(said[0]) {
                return part(first...last).map { ($0, count) }
            }
            first = last + 1
        }
        return nil
    }

    /// Whether the transcript has a sign that ends a sentence behind a word; false where it cannot tell.
    private func ends(after word: Int) -> Bool {
        !EnglishWords.abbreviations.contains(words[word].text.lowercased())
            && signs(after: word).contains { ".?!".contains($0) }
    }

    /// Whether the transcript goes on over a silence without a sign that ends a sentence; false where it cannot tell.
    func goesOn(over start: Double) -> Bool {
        guard let before = words.lastIndex(where: { $0.start < start }), places.indices.contains(before + 1) else {
            return false
        }
        return !ends(after: before)
    }

    /// The words as the transcript writes them; nil where it does not have them.
    private func part(_ range: ClosedRange<Int>) -> String? {
        guard !places.isEmpty else { return nil }
        let found = text[places[range.lowerBound].lowerBound..<places[range.upperBound].upperBound]
        return found.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The words carry no signs and no capitals: each is found in the text by its letters and digits, one after the other.
    static func places(of words: [Findings.Word], in text: String) -> [Range<String.Index>] {
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
