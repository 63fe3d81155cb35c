import Contracts
import JSON

/// Measures that follow from the transcript, its times and the energy over time: shown and used in advice, not scored.
enum SpokenMeasures {
    /// The words without which rates say nothing.
    static let leastWords = 20
    /// The sentences without which their shares say nothing.
    static let leastSentences = 4
    /// The points of energy without which there is no beginning and no end.
    static let leastPoints = 4

    /// All of them, in the order in which reports have them.
    static func all(_ findings: Findings) -> [(name: String, measure: Measure)] {
        words(findings) + pace(findings) + energy(findings) + melody(findings)
            + [secondVoice(findings), doubt(findings)]
    }

    /// The reasons that have a stable code, because others than these measures have them too.
    private static let coded: Set<Reason> = [
        .noAudio, .noSpeech, .engineMissing, .otherLanguage, .unlikeEnglish, .secondVoice,
    ]

    // MARK: Words

    private static func words(_ findings: Findings) -> [(name: String, measure: Measure)] {
        let text = SpokenText(findings.text)
        let isSaid = !text.sentences.isEmpty
        let vocabulary = isSaid ? Vocabulary(text) : nil
        let structure = isSaid ? Structure(text) : nil
        // An alignment may have other words than the text, so both have to be there.
        let problem = findings.transcriptProblem ?? (isSaid ? nil : .known(.noSpeech))
        let few = problem ?? (text.words.count < leastWords ? .known(.fewerThanTwentyWords) : nil)
        let short = few ?? (text.sentences.count < leastSentences ? .known(.tooFewSentences) : nil)
        let narrow = problem ?? (vocabulary?.variety == nil ? .known(.fewerThanFiftyWords) : nil)
        func entry(
            _ name: String, _ value: Double?, _ places: Int, _ unit: String, _ direction: String, _ problem: Cause?,
            isUncertain: Bool = false
        ) -> (name: String, measure: Measure) {
            (name, measure(value, places, unit, .model, direction, problem, isUncertain: isUncertain))
        }
        let rate = "per 100 words, at least"
        return [
            entry("sentenceLengthWords", vocabulary?.sentenceLength, 1, "words/sentence", "within", short),
            entry("repeatedOpeningPct", vocabulary?.repeatedOpenings, 0, "% of sentences", "lower", short),
            entry("repeatedWordsPer100Words", vocabulary?.repetitions, 2, rate, "lower", few),
            entry(
                "wordVariety", vocabulary?.variety, 2, "share of different words among 50 in a row, 0-1", "higher",
                narrow),
            entry("hedgesPer100Words", vocabulary?.hedges, 2, rate, "lower", few),
            entry("opinionPhrasesPer100Words", vocabulary?.opinions, 2, rate, "lower", few),
            entry("passivePct", vocabulary?.passives, 0, "% of sentences", "lower", short, isUncertain: true),
            entry(
                "openingOnSubject", structure?.opening, 2, "0-1", "higher",
                short ?? (structure?.opening == nil ? .known(.noSubject) : nil), isUncertain: true),
            entry(
                "closingOnSubject", structure?.closing, 2, "0-1", "higher",
                short ?? (structure?.closing == nil ? .known(.noSubject) : nil), isUncertain: true),
        ]
    }

    // MARK: Over time

    private static func pace(_ findings: Findings) -> [(name: String, measure: Measure)] {
        let pace = PaceOverTime(findings.words, findings.pauses)
        let problem = findings.transcriptProblem ?? (pace.points.count < 3 ? .known(.tooFewStretches) : nil)
        // Without an aligner, words are spread evenly over the recognizer's lines.
        let isUncertain = findings.engines["aligner"]?.stringValue == "estimated"
        return [
            (
                "paceVariationPct",
                measure(pace.variation, 0, "% of the mean pace", .model, "none", problem, isUncertain: isUncertain)
            ),
            (
                "paceDriftPct",
                measure(
                    pace.drift, 0, "% from the first to the last third", .model, "within", problem,
                    isUncertain: isUncertain)
            ),
        ]
    }

    /// The pace over time as a report tells it; empty where it cannot be judged.
    static func paceTimeline(_ findings: Findings) -> JSONValue {
        guard findings.transcriptProblem == nil else { return .array([]) }
        return .array(
            PaceOverTime(findings.words, findings.pauses).points.map { point in
                [
                    "t": .double(NumberText.rounded(point.time, places: 2)),
                    "wordsPerMin": .int(Int64(point.wordsPerMin.rounded())),
                ]
            })
    }

    /// The pitch over time as a report tells it; empty where it cannot be judged.
    static func pitchTimeline(_ findings: Findings) -> JSONValue {
        guard findings.melodyProblem == nil, let melody = findings.melody else { return .array([]) }
        return .array(
            MelodyOverTime.seconds(of: melody).enumerated().map { second, semitones in
                [
                    "t": .double(Double(second)),
                    "semitones": .optional(semitones.map { NumberText.rounded($0, places: 1) }),
                ]
            })
    }

    private static func energy(_ findings: Findings) -> [(name: String, measure: Measure)] {
        let points = findings.timeline.compactMap(\.energy)
        let problem: Cause? =
            points.isEmpty ? .known(.noEnergy) : points.count < leastPoints ? .known(.tooShort) : nil
        let unit = "0-1, 0.5 is the recording's own mean"
        func mean(_ points: ArraySlice<Double>) -> Double { points.reduce(0, +) / Double(max(points.count, 1)) }
        return [
            ("startEnergy", measure(mean(points.prefix(2)), 2, unit, .measured, "higher", problem)),
            ("endEnergy", measure(mean(points.suffix(2)), 2, unit, .measured, "higher", problem)),
        ]
    }

    private static func melody(_ findings: Findings) -> [(name: String, measure: Measure)] {
        let melody = findings.melody.map { MelodyOverTime($0, findings.words, findings.pauses) }
        let problem = findings.melodyProblem
        let few = findings.transcriptProblem ?? problem ?? (melody?.meanEnd == nil ? .known(.tooFewEnds) : nil)
        let short = problem ?? (melody?.stretches.isEmpty == true ? .known(.tooLittleSpeech) : nil)
        return [
            (
                "sentenceEndMelody",
                measure(melody?.meanEnd, 1, "semitones above what comes before", .model, "none", few, isUncertain: true)
            ),
            (
                "monotoneStretchCount",
                measure(
                    melody.map { Double($0.stretches.count(where: \.isMonotone)) }, 0, "stretches of 10 s", .measured,
                    "lower", short)
            ),
        ]
    }

    private static func secondVoice(_ findings: Findings) -> (name: String, measure: Measure) {
        let problem: Cause? =
            findings.melody == nil
            ? findings.melodyProblem : findings.secondVoiceShare == nil ? .known(.tooFewRuns) : nil
        return (
            "secondVoicePct",
            measure(
                findings.secondVoiceShare.map { 100 * $0 }, 0, "% of the voiced time", .measured, "lower", problem,
                isUncertain: true)
        )
    }

    private static func doubt(_ findings: Findings) -> (name: String, measure: Measure) {
        let value = WordDoubt.value(findings)
        let evidence = findings.measure("unfittedPct")
        var doubt = measure(
            value, 2, "1 and more where the words are not what was said", .model, "lower",
            value == nil ? evidence.valid ? .known(.noValue) : evidence.cause : nil, isUncertain: true)
        if value == nil { doubt.code = evidence.code }
        return ("wordDoubt", doubt)
    }

    private static func measure(
        _ value: Double?, _ places: Int, _ unit: String, _ source: Measure.Source, _ direction: String,
        _ problem: Cause?, isUncertain: Bool = false
    ) -> Measure {
        var measure: Measure
        if let value, problem == nil {
            let rounded = NumberText.rounded(value, places: places)
            measure = Measure(places == 0 ? .int(Int64(rounded)) : .double(rounded), unit: unit, source: source)
            measure.lowConfidence = isUncertain
        } else {
            measure = Measure(unit: unit, source: source, cause: problem ?? .known(.noValue))
            if case .known(let reason) = problem, coded.contains(reason) {
                measure.code = reason.rawValue
            }
        }
        measure.direction = direction
        measure.version = 1
        return measure
    }
}
