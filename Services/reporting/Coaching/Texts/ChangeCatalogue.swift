/// The words for what changed from one report to the next, and for the goal that follows, in one language. Where several texts are given,
/// they are variants of each other. Slots: `{before}` and `{now}` are values, `{names}` and `{Names}` noun phrases, `{reason}` a clause.
package protocol ChangeCatalogue: Sendable {
    /// What is compared, as a noun phrase.
    func name(_ measure: ComparedMeasure) -> String
    /// The same as what an exercise is for.
    func trained(_ measure: ComparedMeasure) -> String
    /// A value of it with its unit, as people say it; nil of what has no unit that people know.
    func figure(_ value: Double, of measure: ComparedMeasure) -> String?
    /// That it is better, or worse: sentences with `{before}` and `{now}`, where it has figures.
    func change(_ measure: ComparedMeasure, isBetter: Bool) -> [String]
    /// The other sentences.
    func change(_ key: ChangeKey) -> [String]
    /// Why something cannot be compared: a clause.
    func reason(_ obstacle: ChangeObstacle) -> String
    /// A goal: sentences with `{recordings}`, `{days}`, `{low}`, `{high}` and `{from}`, as ``goal(_:of:)`` tells values.
    func goal(_ measure: ComparedMeasure) -> String
    /// A value in a goal.
    func goal(_ value: Double, of measure: ComparedMeasure) -> String
    /// How many recordings, and within how many days.
    func recordings(_ count: Int64) -> String
    func days(_ count: Int64) -> String
}

/// What is told of from report to report: the score, and what it rests on. The raw values are the names of measures.
package enum ComparedMeasure: String, CaseIterable, Sendable {
    case confidenceScore, paceWordsPerMin, fillersPer100Words, pauseEffectiveness, volumeConsistency, tonalVariety
    case eyeContactPct, faceLiveliness, soundQuality, pictureQuality
}

/// Sentences about what changed that are not about one measure alone.
package enum ChangeKey: String, CaseIterable, Sendable {
    /// Some things are as they were, others not; or all are.
    case stayed, nothingChanged
    /// The pace is another one, and as easy to follow; or it was too fast and is too slow, or the other way round.
    case paceMoved, paceCrossed
    /// The two reports cannot be compared at all, or some of what they say.
    case incomparable, partsIncomparable
    /// What the last exercise was about is better, worse, as before, cannot be compared, or has no better and worse.
    case exerciseBetter, exerciseWorse, exerciseSame, exerciseIncomparable, exerciseUnmeasured
}

/// Why something cannot be compared.
package enum ChangeObstacle: String, CaseIterable, Sendable {
    case rulesUnknown = "rules-unknown"
    case rulesDiffer = "rules-differ"
    case kindsDiffer = "kinds-differ"
    case languagesDiffer = "languages-differ"
    case scenariosDiffer = "scenarios-differ"
    case enginesDiffer = "engines-differ"
    case definitionsDiffer = "definitions-differ"
    /// One recording has a valid value, or neither has.
    case validOnce = "valid-once"
    case notValid = "not-valid"
}
