/// Asks before what cannot be undone.
enum Confirmation {
    /// Goes on when `--yes` was given, or when the person types the word.
    ///
    /// - Parameters:
    ///   - what: what will happen, as a sentence.
    ///   - word: what is to be typed.
    /// - Throws: a failure that says that nothing was changed.
    static func ask(_ what: String, typing word: String, _ arguments: Arguments, _ console: Console) throws(Failure) {
        if arguments[Flags.yes] { return }
        console.ask("\(what) Type \(word) to go on:")
        guard readLine()?.filter({ !$0.isWhitespace }) == word else {
            throw Failure(.refused, "not-confirmed", "Nothing was changed.", advice: "With --yes nothing is asked.")
        }
    }
}
