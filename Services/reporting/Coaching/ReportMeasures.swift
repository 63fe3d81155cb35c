import Contracts
import JSON

/// The `measures` of a report: one entry for every field, under the field's name, then everything else that was measured.
enum ReportMeasures {
    static func all(
        _ findings: Findings, _ figures: Figures, _ scoring: Scoring, tags: [String], _ advice: Advice
    ) -> [(String, Measure)] {
        var measures: [(String, Measure)] = [
            ("durationSec", Measure(.int(Int64(figures[.durationSec] ?? 0)), unit: "s", source: .measured)),
            ("confidenceScore", score(scoring)),
            ("scoreCoverage", Measure(.int(scoring.coverage), unit: "points of 100", source: .estimated)),
            ("impressionTags", impression(tags)),
            ("fillerWords", fillers(findings, figures)),
            ("toneTimeline", timeline(findings)),
            ("toneTimeline.confidence", notMeasured("0-1", .confidenceOverTime)),
            ("emotionBreakdown", emotions(findings)),
            ("eyeContactPct", eyeContact(findings, figures)),
            ("postureScore", seen(findings, "postureScore", .posture)),
            ("gestureNaturalness", seen(findings, "gestureNaturalness", .gestures)),
            ("facialExpressiveness", seen(findings, "facialExpressiveness", .expressiveness)),
            ("movementPurpose", notMeasured("0-1", .movementPurpose)),
            ("strengths", texts(advice.strengths.count, .noStrength)),
            ("areasForImprovement", texts(advice.areas.count, .noArea)),
            ("practiceExercises", texts(advice.areas.count, .noArea)),
            ("keyMoments", keyMoments(advice)),
            ("feedback", Measure(.int(Int64(advice.feedback.text.count)), unit: "characters", source: .estimated)),
            ("transcript", transcript(findings)),
            ("fillersPer100Words", rate(figures)), ("pausesPerMin", pauses(figures)),
        ].map { ($0, described($1, $0)) }
        for entry in findings.measures where !measures.contains(where: { $0.0 == entry.name }) {
            measures.append(entry)
        }
        for name in ["paceWordsPerMin", "volumeConsistency", "tonalVariety", "clarity", "pauseEffectiveness"]
        where !measures.contains(where: { $0.0 == name }) {
            measures.append((name, findings.measure(name)))
        }
        return measures.map { name, measure in
            var weighed = measure
            weighed.weight = Figure(rawValue: name).flatMap(scoring.weight)
            return (name, weighed)
        }
    }

    /// What is better of the figures that are made here; the others only describe.
    private static let directions = [
        "confidenceScore": "higher", "scoreCoverage": "higher", "fillerWords": "lower", "fillersPer100Words": "lower",
        "eyeContactPct": "higher", "postureScore": "higher", "gestureNaturalness": "higher",
        "facialExpressiveness": "higher", "movementPurpose": "higher", "pausesPerMin": "within",
    ]

    /// With its direction and version: `rulesVersion` tells the definitions of these apart, so each is the first.
    private static func described(_ measure: Measure, _ name: String) -> Measure {
        var measure = measure
        measure.direction = directions[name] ?? "none"
        measure.version = 1
        return measure
    }

    private static func notMeasured(_ unit: String, _ reason: Reason) -> Measure {
        Measure(unit: unit, cause: .known(reason))
    }

    /// What a provider has seen, or why not; where none was to be asked, nobody here measures it.
    private static func seen(_ findings: Findings, _ name: String, _ reason: Reason) -> Measure {
        findings.measures.first { $0.name == name }?.measure ?? notMeasured("0-1", reason)
    }

    /// Null unless a provider has found some, where a policy let it be asked.
    private static func emotions(_ findings: Findings) -> Measure {
        guard let emotions = findings.emotions else { return notMeasured("shares", .emotions) }
        var measure = Measure(.object(findings.emotionShares), unit: "shares", source: .model)
        measure.lowConfidence = true
        measure.engine = emotions.engine
        return measure
    }

    private static func score(_ scoring: Scoring) -> Measure {
        guard let score = scoring.score else {
            return Measure(unit: "points of 100", source: .estimated, cause: scoring.cause ?? .known(.noValue))
        }
        return Measure(.int(score), unit: "points of 100", source: .estimated)
    }

    private static func impression(_ tags: [String]) -> Measure {
        tags.isEmpty
            ? Measure(unit: "tags", source: .estimated, cause: .known(.noTag))
            : Measure(.strings(tags), unit: "tags", source: .estimated)
    }

    /// The number of sentences; the sentences themselves are at the top level.
    private static func texts(_ count: Int, _ problem: Reason) -> Measure {
        count == 0
            ? Measure(unit: "sentences", source: .estimated, cause: .known(problem))
            : Measure(.int(Int64(count)), unit: "sentences", source: .estimated)
    }

    private static func fillers(_ findings: Findings, _ figures: Figures) -> Measure {
        guard figures[.fillerCount] != nil else {
            return Measure(unit: "words, at least", source: .model, cause: figures.cause(.fillerCount))
        }
        let counts = JSONObject(findings.fillers.map { ($0.word, .int($0.count)) })
        return Measure(.object(counts), unit: "words, at least", source: .model)
    }

    private static func rate(_ figures: Figures) -> Measure {
        guard let rate = figures[.fillersPer100Words] else {
            return Measure(
                unit: "per 100 words, at least", source: .model, cause: figures.cause(.fillersPer100Words))
        }
        return Measure(
            .double(NumberText.rounded(rate, places: 2)), unit: "per 100 words, at least", source: .model)
    }

    private static func pauses(_ figures: Figures) -> Measure {
        guard let rate = figures[.pausesPerMin] else {
            return Measure(unit: "pauses/min", source: .measured, cause: figures.cause(.pausesPerMin))
        }
        return Measure(.double(NumberText.rounded(rate, places: 1)), unit: "pauses/min", source: .measured)
    }

    private static func timeline(_ findings: Findings) -> Measure {
        let points = findings.timeline.count { $0.energy != nil }
        return points == 0
            ? Measure(
                unit: "points", source: .measured, cause: .known(.noEnergy))
            : Measure(.int(Int64(points)), unit: "points", source: .measured)
    }

    private static func eyeContact(_ findings: Findings, _ figures: Figures) -> Measure {
        let unit = "share of all sampled pictures with one face turned to the camera, 0-1"
        guard let share = figures[.eyeContactPct] else {
            return Measure(unit: unit, source: .measured, cause: figures.cause(.eyeContactPct))
        }
        return Measure(.double(NumberText.rounded(share, places: 2)), unit: unit, source: .measured)
    }

    private static func keyMoments(_ advice: Advice) -> Measure {
        let count = advice.moments.count
        return count == 0
            ? Measure(unit: "moments", source: .estimated, cause: .known(.noMoment))
            : Measure(.int(Int64(count)), unit: "moments", source: .estimated)
    }

    private static func transcript(_ findings: Findings) -> Measure {
        if let problem = findings.transcriptProblem {
            return Measure(unit: "words", source: .model, cause: problem)
        }
        return Measure(.int(Int64(findings.words.count)), unit: "words", source: .model)
    }
}
