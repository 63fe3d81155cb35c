/// Commands that people are advised to type, for the stack that they spoke of.
enum Advice {
    /// The same text, in which every command between backticks that takes `--state` has it.
    ///
    /// - Parameter folder: what `--state` was told; nil for the stack that is meant without it.
    static func placed(_ text: String, at folder: String?) -> String {
        guard let folder else { return text }
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        return parts.enumerated().map { index, part in
            // Those between two marks.
            index % 2 == 1 && isPlaceable(part) ? "\(part) \(Flags.state.spelling.name) \(quoted(folder))" : part
        }.joined(separator: "`")
    }

    private static func isPlaceable(_ line: String) -> Bool {
        let words = line.split(separator: " ").map(String.init)
        guard ["mirrormate", "./mirrormate"].contains(words.first), words.count > 1 else { return false }
        let state = Flags.state.spelling
        guard !words.contains(state.name), let entry = try? CommandTable.mirrormate.find(Array(words.dropFirst())).entry
        else { return false }
        return entry.flags.contains { $0.spelling == state }
    }

    /// A word as a shell reads it.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "/._-+:@%,=".contains($0) }
        return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: #"'\''"#))'"
    }
}
