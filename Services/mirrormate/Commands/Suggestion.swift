/// "Did you mean …?" for a mistyped word.
enum Suggestion {
    /// A sentence with the nearest known word, after a blank; empty when none is near.
    static func text(for word: String, among known: [String]) -> String {
        nearest(to: word, among: known).map { " Did you mean \($0)?" } ?? ""
    }

    /// The known word that was probably meant: the only one that begins like this, else the one with the fewest letters to
    /// change, unless these were half of the word.
    static func nearest(to word: String, among known: [String]) -> String? {
        let longer = known.filter { word.count >= 3 && $0.hasPrefix(word) }
        if longer.count == 1 { return longer[0] }
        let nearest = known.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
        guard let nearest, nearest.1 <= min(3, max(1, word.count / 2)), nearest.1 < nearest.0.count else { return nil }
        return nearest.0
    }

    /// The number of letters to insert, remove or replace (Levenshtein).
    static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let cost = letter == right[column] ? diagonal : min(diagonal, row[column], row[column + 1]) + 1
                diagonal = row[column + 1]
                row[column + 1] = cost
            }
        }
        return row[right.count]
    }
}
