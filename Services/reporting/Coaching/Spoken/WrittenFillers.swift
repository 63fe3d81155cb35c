import Contracts

/// Fillers that only the signs of the transcript show.
///
/// "And you know." goes on to nothing, and so it is no statement; nor is "Ah" between two signs, as recognisers write a
/// hesitation.
enum WrittenFillers {
    /// When each of them was said, by the name under which fillers are counted; none where words and text do not match.
    static func all(_ words: [Measurements.Word], in text: String) -> [Measurements.Word] {
        let places = Quote.places(of: words, in: text)
        guard !places.isEmpty else { return [] }
        /// The signs between a word and the next.
        func signs(after word: Int) -> Substring {
            let end = places.indices.contains(word + 1) ? places[word + 1].lowerBound : text.endIndex
            return text[places[word].upperBound..<end]
        }
        func isSetOff(after word: Int) -> Bool { word < 0 || signs(after: word).contains { ",;:.?!…".contains($0) } }
        func ends(after word: Int) -> Bool { word < 0 || signs(after: word).contains { ".?!…".contains($0) } }
        var found: [Measurements.Word] = []
        for index in words.indices {
            let word = words[index].text.lowercased()
            if hesitations.contains(word), isSetOff(after: index - 1), isSetOff(after: index) {
                found.append(filler(.uh, words[index], words[index]))
            }
            for (filler, spoken) in phrases {
                let last = index + spoken.count
                guard joints.contains(word), isSetOff(after: index - 1), words.indices.contains(last),
                    ends(after: last),
                    words[(index + 1)...last].map({ $0.text.lowercased() }) == spoken
                else { continue }
                found.append(self.filler(filler, words[index + 1], words[last]))
            }
        }
        return found
    }

    /// From the first of its words to the last.
    private static func filler(
        _ name: FillerWord, _ first: Measurements.Word, _ last: Measurements.Word
    ) -> Measurements.Word {
        var filler = first
        filler.text = name.rawValue
        filler.end = last.end
        return filler
    }

    /// Other spellings of "uh".
    private static let hesitations: Set<String> = ["ah", "oh"]
    /// What makes a sentence with nothing but a joint before it.
    private static let phrases: [(FillerWord, [String])] = [(.youKnow, ["you", "know"]), (.like, ["like"])]
    private static let joints: Set<String> = ["and", "but", "so", "or", "well", "um", "uh", "ah", "oh"]
}
