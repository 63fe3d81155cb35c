/// "Did you mean …?" for a mistyped word.
enum Suggestion {
    /// A sentence with the nearest known word, or nothing when none is near.
    static func text(for word: String, among known: [String]) -> String {
        let nearest = known.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
        guard let nearest, nearest.1 <= 3, nearest.1 < nearest.0.count else { return "" }
        return " Did you mean \(nearest.0)?"
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
