/// What was said during some time, as the transcript writes it.
struct Quote {
    /// The most words that are quoted; the rest is left out.
    static let longest = 8

    private let text: String
    private let words: [Findings.Word]
    /// Where each word stands in the text; empty if text and words do not match.
    private let places: [Range<String.Index>]

    /// - Parameter findings: what was recognised; nothing is quoted of words that are too uncertain.
    init(_ findings: Findings) {
        text = findings.text
        words = findings.transcriptProblem == nil ? findings.words : []
        places = Self.places(of: words, in: text)
    }

    /// The first words that begin in the time.
    func during(_ start: Double, _ end: Double) -> String? {
        guard let first = words.firstIndex(where: { $0.start >= start - 0.05 && $0.start < end }) else { return nil }
        let last = words.lastIndex { $0.start < end } ?? first
        let shown = min(last, first + Self.longest - 1)
        return part(first...shown) + (shown < last ? " …" : "")
    }

    /// The last words before a silence, and the first after it, around an ellipsis.
    func around(_ start: Double, _ end: Double) -> String? {
        guard let before = words.lastIndex(where: { $0.start < start }) else { return nil }
        let said = "… " + part(max(before - 3, 0)...before)
        guard let after = words.indices.first(where: { $0 > before }) else { return said + " …" }
        return said + " … " + part(after...min(after + 2, words.count - 1)) + " …"
    }

    /// Whether the transcript goes on over a silence without a sign that ends a sentence; false where it cannot tell.
    func goesOn(over start: Double) -> Bool {
        guard let before = words.lastIndex(where: { $0.start < start }), places.indices.contains(before + 1) else {
            return false
        }
        return !text[places[before].upperBound..<places[before + 1].lowerBound].contains { ".?!".contains($0) }
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
