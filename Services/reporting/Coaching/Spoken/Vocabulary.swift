/// What is counted of the words of a transcript.
struct Vocabulary {
    /// The words over which variety is compared; texts of any length are measured alike.
    static let window = 50

    /// Words in a sentence, on average.
    let sentenceLength: Double
    /// Sentences, in percent, that begin with two words with which one began before.
    let repeatedOpenings: Double
    /// Sentences, in percent, with a passive.
    let passives: Double
    /// Hedges, in a hundred words.
    let hedges: Double
    /// Phrases such as "I think", in a hundred words.
    let opinions: Double
    /// Words that are said twice in a row, in a hundred words.
    let repetitions: Double
    /// The share of different words among fifty in a row, 0 to 1, on average; nil of fewer words.
    let variety: Double?

    /// - Parameter text: with at least one word.
    init(_ text: SpokenText) {
        let words = text.words
        let hundreds = Double(words.count) / 100
        sentenceLength = Double(words.count) / Double(text.sentences.count)
        repeatedOpenings = Self.share(of: text.sentences.count, Self.repeatedOpenings(text.sentences))
        passives = Self.share(of: text.sentences.count, text.sentences.count(where: Self.isPassive))
        hedges = Double(Self.hedges(text)) / hundreds
        opinions =
            Double(text.count(EnglishWords.opinions) { _, behind in !EnglishWords.objects.contains(behind) }) / hundreds
        repetitions = Double(text.sentences.reduce(0) { $0 + Self.repetitions($1) }) / hundreds
        variety = Self.variety(words)
    }

    private static func share(of all: Int, _ some: Int) -> Double { 100 * Double(some) / Double(all) }

    private static func hedges(_ text: SpokenText) -> Int {
        let kinds = ["kind of", "sort of"]
        let others = EnglishWords.hedges.filter { !kinds.contains($0) }
        return text.count(others) + text.count(kinds) { before, _ in !EnglishWords.determiners.contains(before) }
    }

    /// Sentences that begin with two words with which one before began.
    static func repeatedOpenings(_ sentences: [[String]]) -> Int {
        var seen: Set<[String]> = []
        return sentences.count { sentence in
            let opening = Array(sentence.prefix(2))
            return opening.count == 2 && !seen.insert(opening).inserted
        }
    }

    /// The two words with which sentences begin most often, as they are written at a beginning; nil if none do so twice.
    static func commonOpening(_ sentences: [[String]]) -> String? {
        let openings = sentences.map { Array($0.prefix(2)) }.filter { $0.count == 2 }
        let counts = openings.reduce(into: [[String]: Int]()) { $0[$1, default: 0] += 1 }
        // The first of those that come as often.
        guard let most = counts.values.max(), most > 1, let words = openings.first(where: { counts[$0] == most })
        else { return nil }
        let written = words.enumerated().map { (place, word) -> String in
            let isCapital = place == 0 || word == "i" || word.hasPrefix("i'")
            return isCapital ? word.prefix(1).uppercased() + word.dropFirst() : word
        }
        return written.joined(separator: " ")
    }

    /// Sentences that begin with two words with which the one right before began.
    static func adjacentOpenings(_ sentences: [[String]]) -> Int {
        zip(sentences, sentences.dropFirst()).count { before, sentence in
            sentence.count >= 2 && before.prefix(2) == sentence.prefix(2)
        }
    }

    /// A form of be, perhaps an adverb or two, and a participle.
    private static func isPassive(_ sentence: [String]) -> Bool {
        sentence.indices.contains { index in
            guard EnglishWords.formsOfBe.contains(sentence[index]) else { return false }
            let rest = sentence[(index + 1)...].prefix(3).drop {
                EnglishWords.adverbs.contains($0) || ($0.hasSuffix("ly") && $0.count > 3)
            }
            return rest.first.map(isParticiple) ?? false
        }
    }

    private static func isParticiple(_ word: String) -> Bool {
        if EnglishWords.participles.contains(word) { return true }
        return word.hasSuffix("ed") && word.count > 3 && !EnglishWords.states.contains(word) && !word.contains("-")
    }

    /// Words, and pairs of words, that are said again at once.
    private static func repetitions(_ sentence: [String]) -> Int {
        var count = 0
        var index = 1
        while index < sentence.count {
            if sentence[index] == sentence[index - 1], !EnglishWords.doubles.contains(sentence[index]) {
                count += 1
            } else if index >= 3, sentence[index] == sentence[index - 2], sentence[index - 1] == sentence[index - 3],
                sentence[index] != sentence[index - 1],
                EnglishWords.joints.isDisjoint(with: [sentence[index], sentence[index - 1]])
            {
                count += 1
                index += 1
            }
            index += 1
        }
        return count
    }

    /// The mean share of different words in every window: a share over the whole text would fall with its length.
    private static func variety(_ words: [String]) -> Double? {
        guard words.count >= window else { return nil }
        var counts: [String: Int] = [:]
        var sum = 0
        for (index, word) in words.enumerated() {
            counts[word, default: 0] += 1
            if index >= window {
                let gone = words[index - window]
                counts[gone] = counts[gone] == 1 ? nil : (counts[gone] ?? 1) - 1
            }
            if index >= window - 1 { sum += counts.count }
        }
        return Double(sum) / Double((words.count - window + 1) * window)
    }
}

/// Whether a talk begins with what it is about, and whether its end closes it. By words alone, so a guess.
struct Structure {
    /// 1 for an announcement; else the share of the opening's subject words that come again, 0 to 1; nil if it has too few.
    let opening: Double?
    /// 1 for words that close; else the share of the last sentence's subject words that were said before; nil as above.
    let closing: Double?

    init(_ text: SpokenText) {
        let first = text.opening ?? 0
        opening = Self.shared(
            text.sentences[first], EnglishWords.announcements, with: text.sentences[(first + 1)...])
        closing = Self.shared(text.sentences.last ?? [], EnglishWords.closings, with: text.sentences.dropLast())
    }

    private static func shared(
        _ sentence: [String], _ phrases: [String], with others: ArraySlice<[String]>
    ) -> Double? {
        if SpokenText(sentences: [sentence]).count(phrases) > 0 { return 1 }
        let subjects = SpokenText.subjects(sentence)
        guard subjects.count >= 2 else { return nil }
        let said = others.reduce(into: Set<String>()) { $0.formUnion(SpokenText.subjects($1)) }
        return Double(subjects.intersection(said).count) / Double(subjects.count)
    }
}

extension SpokenText {
    fileprivate init(sentences: [[String]]) {
        self.sentences = sentences
        written = []
    }
}
