/// How much speaks against the recognized words: the recognizer knows English only, and of another language it makes English
/// words that fit neither the sound, nor the lengths of what was said, nor a dictionary.
///
/// The weights were fitted by eye to clips of known languages (`docs/scoring.md`).
enum WordDoubt {
    /// The doubt from which the words are taken not to be what was said.
    static let bound = 1.0
    /// The acoustic score, and the spread of lengths, at which nothing is doubted; and what adds a doubt of 1.
    private static let clearScore = -20.0
    private static let clearSpread = 0.4
    private static let scoreStep = 22.5
    private static let unknownStep = 22.5
    private static let spreadStep = 0.225
    /// The share of the spoken time, in percent, from which words that could not be fitted at all decide alone.
    private static let mostUnfitted = 70.0
    /// What that says.
    private static let certain = 2.0

    /// The measures that it rests on.
    static let evidence: Set<String> = ["wordFit", "wordLengthSpread", "unfittedPct", "unknownWordPct"]

    /// 0 and less for English that was understood; nil where too little is known.
    static func value(_ findings: Findings) -> Double? {
        guard let unfitted = findings.measure("unfittedPct").number,
            let unknown = findings.measure("unknownWordPct").number
        else { return nil }
        if unfitted >= mostUnfitted { return certain }
        guard let score = findings.measure("wordFit").number, let spread = findings.measure("wordLengthSpread").number
        else { return nil }
        return (clearScore - score) / scoreStep + unknown / unknownStep + (spread - clearSpread) / spreadStep
    }
}
