import JSON
import Primitives

/// Holds what somebody else has worded for one place against what was measured. Pure; it believes nothing.
///
/// What cannot be told from the words is left out rather than let pass: for each place there is a sentence of the catalogue.
struct SentenceCheck {
    let place: PlacedText
    /// All measures that a question tells, by their names.
    let measures: [String: WordedMeasure]
    /// Names that were said, in lower case: whoever is talked about has asked for no report.
    let names: Set<String>

    /// The most characters and words of one sentence.
    private static let longest = 220
    private static let mostWords = 36
    /// Letters and signs of English texts; a sentence has nothing else.
    private static let signs: Set<Character> = [
        " ", ".", ",", "!", "?", ";", ":", "'", "’", "-", "–", "—", "%", "(", ")", "…",
    ]

    /// The sentence as it stands in the report.
    ///
    /// - Throws: the first fault that it has.
    func sentence(_ entry: JSONObject) throws(SentenceFault) -> String {
        guard let said = entry["text"]?.stringValue else { throw .form }
        guard said.utf8.count <= Self.longest * 4 else { throw .tooLong }
        let text = said.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else { throw .form }
        guard let claim = WordingClaim(entry), place.measures.contains(claim.measure),
            let measure = measures[claim.measure]
        else { throw .baseless }
        guard claim.holds(of: measure) else { throw .untrue }
        try checkSigns(text)
        try checkNumbers(text, measure)
        try checkLength(text)
        let words = Self.words(text)
        if words.contains(where: names.contains) { throw .identifier }
        try Self.checkLanguage(words)
        if words.contains(where: { SentenceWords.matches($0, SentenceWords.unfit) }) { throw .unfit }
        // The light may be dark, and nobody's face is.
        if words.contains("face"), words.contains(where: { $0.hasPrefix("dark") }) { throw .unfit }
        try checkTopics(words, measure)
        try checkVerdict(words, measure)
        try Self.checkDirection(words, measure)
        // What is to be practised names where to get to, and not where it is.
        if place.place.kind != .exercise { try Self.checkComparisons(text, measure) }
        return text
    }

    /// What was named in a transcript: words with a capital letter where no sentence begins.
    static func names(in said: String) -> Set<String> {
        var names: Set<String> = []
        var begins = true
        for part in said.split(whereSeparator: \.isWhitespace) {
            if !begins, part.first(where: \.isLetter)?.isUppercase == true { names.formUnion(words(String(part))) }
            begins = part.last { !"\"”’')".contains($0) }.map { ".!?…:".contains($0) } ?? begins
        }
        return names.subtracting(SentenceWords.english).subtracting(["i", ""])
    }

    // MARK: What the words are

    private func checkSigns(_ text: String) throws(SentenceFault) {
        if text.contains(where: { "@/\\_#<>{}[]|=*`~“”\"„«»".contains($0) }) { throw .identifier }
        guard text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || Self.signs.contains($0) }) else {
            throw .language
        }
        // A name, or a word of a program, has a capital letter where no sentence begins; an address has a dot within.
        var begins = true
        for part in text.split(separator: " ") {
            let bare = part.drop { !$0.isLetter && !$0.isNumber }
            let isPronoun = bare == "I" || bare.hasPrefix("I'") || bare.hasPrefix("I’")
            let capitals = bare.dropFirst(begins ? 1 : 0).contains(where: \.isUppercase)
            if capitals, !isPronoun { throw .identifier }
            let inner = part.drop { ".!?…".contains($0) }.reversed().drop { ".!?…,;:)’'".contains($0) }
            if inner.contains(where: { ".!?:".contains($0) }), !inner.allSatisfy({ $0.isNumber || ".%".contains($0) }) {
                throw .identifier
            }
            if bare.contains(where: \.isNumber), bare.contains(where: \.isLetter) { throw .identifier }
            begins = part.last.map { ".!?…".contains($0) } ?? false
        }
        guard text.last.map({ ".!?".contains($0) }) == true else { throw .form }
    }

    private func checkNumbers(_ text: String, _ measure: WordedMeasure) throws(SentenceFault) {
        for found in text.matches(of: #/[0-9][0-9.,]*/#) {
            guard let number = Self.number(found.0),
                measure.numbers.contains(where: { ($0 - number).magnitude < 1e-6 })
            else { throw .number }
        }
        if Self.words(text).contains(where: { SentenceWords.matches($0, SentenceWords.numbers) }) { throw .number }
    }

    /// Digits, perhaps with what ends a sentence or a part of one behind them.
    private static func number(_ text: Substring) -> Double? {
        Double(String(text.reversed().drop { ".,".contains($0) }.reversed()))
    }

    private func checkLength(_ text: String) throws(SentenceFault) {
        let parts = text.split(separator: " ")
        let most = place.place.mostSentences
        guard parts.count(where: { ".!?…".contains($0.last ?? " ") }) <= most, text.count <= Self.longest * most,
            parts.count <= Self.mostWords * most
        else { throw .tooLong }
    }

    /// Lower-case words without signs.
    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && $0 != "'" && $0 != "’" }.map {
            $0.split { $0 == "'" || $0 == "’" }.first.map(String.init) ?? ""
        }
    }

    private static func checkLanguage(_ words: [String]) throws(SentenceFault) {
        guard words.count >= 3, !words.contains(where: SentenceWords.foreign.contains) else { throw .language }
        // Of English words every third or so only holds the others together.
        guard words.count(where: SentenceWords.english.contains) * 6 >= words.count else { throw .language }
    }

    // MARK: What they say

    private func checkTopics(_ words: [String], _ measure: WordedMeasure) throws(SentenceFault) {
        if words.contains(where: { SentenceWords.matches($0, SentenceWords.unmeasured) }) { throw .topic }
        let allowed: Set<Topic> =
            place.place.kind == .feedback
            ? Set([measure.topic].compactMap(\.self)) : Set(place.measures.compactMap { measures[$0]?.topic })
        for (topic, list) in SentenceWords.topics where !allowed.contains(topic) {
            if words.contains(where: { SentenceWords.matches($0, list) }) { throw .topic }
        }
    }

    /// A place of a strength is there because its measures are good, one of an area because they are not; what the feedback says has to be
    /// as its measure.
    private func checkVerdict(_ words: [String], _ measure: WordedMeasure) throws(SentenceFault) {
        let verdict: WordedMeasure.Verdict =
            switch place.place.kind {
            case .strength: .good
            case .area, .exercise: .bad
            case .feedback: measure.verdict
            }
        let against: [String] =
            switch verdict {
            case .bad: SentenceWords.praise
            case .good: SentenceWords.blame
            case .plain: SentenceWords.praise + SentenceWords.blame
            }
        if words.contains(where: { SentenceWords.matches($0, against) }) { throw .contradiction }
        // What is to be practised may well be told by what not to do.
        guard place.place.kind != .exercise else { return }
        if words.contains(where: SentenceWords.denials.contains) { throw .contradiction }
    }

    /// Too fast is above the right pace, too slow below it.
    private static func checkDirection(_ words: [String], _ measure: WordedMeasure) throws(SentenceFault) {
        guard measure.topic == .pace, let range = measure.range else { return }
        let text = words.joined(separator: " ")
        let isFast = text.contains("too fast") || text.contains("too quick") || words.contains { $0.hasPrefix("rush") }
        if isFast, measure.value <= range.upperBound { throw .contradiction }
        if text.contains("too slow"), measure.value >= range.lowerBound { throw .contradiction }
        // Which way to go from there.
        let goesFaster = ["speed up", "speed it up", "pick up", "quicken"].contains { text.contains($0) }
        if goesFaster, measure.value >= range.lowerBound { throw .contradiction }
        let goesSlower = ["slow down", "slow it down", "more slowly"].contains { text.contains($0) }
        if goesSlower, measure.value <= range.upperBound { throw .contradiction }
    }

    /// A number that belongs to the measure can still be put on the wrong side of it.
    private static func checkComparisons(_ text: String, _ measure: WordedMeasure) throws(SentenceFault) {
        let text = text.lowercased()
        let sides =
            #/\b(?:(below|under|less than|fewer than|slower than)|above|over|more than|faster than|beyond) ([0-9][0-9.,]*)/#
        for found in text.matches(of: sides) {
            guard let number = number(found.2) else { throw .number }
            if found.1 != nil ? measure.value >= number : measure.value <= number { throw .untrue }
        }
        let between = #/\b(?:was|were|is|stayed|lay|kept|spoke|at) between ([0-9][0-9.,]*) and ([0-9][0-9.,]*)/#
        for found in text.matches(of: between) {
            guard let low = number(found.1), let high = number(found.2) else { throw .number }
            if measure.value < low || measure.value > high { throw .untrue }
        }
    }
}
