import JSON

/// The `measures` of a report: one entry for every field, under the field's name, then everything else that was measured.
enum ReportMeasures {
    static func all(
        _ findings: Findings, _ figures: Figures, _ scoring: Scoring, tags: [String], _ advice: Advice
    ) -> JSONObject {
        var measures: [(String, Measure)] = [
            ("durationSec", Measure(.int(Int64(figures[.durationSec] ?? 0)), unit: "s", source: .measured)),
            ("confidenceScore", score(scoring)),
            ("scoreCoverage", Measure(.int(scoring.coverage), unit: "points of 100", source: .estimated)),
            ("impressionTags", impression(tags)),
            ("fillerWords", fillers(findings, figures)),
            ("toneTimeline", timeline(findings)),
            ("toneTimeline.confidence", notMeasured("0-1", "confidence over time is not measured")),
            ("emotionBreakdown", notMeasured("shares", "emotions are not measured")),
            ("eyeContactPct", eyeContact(findings, figures)),
            ("postureScore", notMeasured("0-1", "posture is not measured")),
            ("gestureNaturalness", notMeasured("0-1", "gestures are not measured")),
            ("facialExpressiveness", notMeasured("0-1", "expressiveness is not measured, because there is no scale")),
            ("movementPurpose", notMeasured("0-1", "the purpose of movements is not measured")),
            ("strengths", texts(advice.strengths, unit: "sentences", "nothing that could be measured is a strength")),
            ("areasForImprovement", texts(advice.areas, unit: "sentences", "nothing could be measured")),
            ("practiceExercises", texts(advice.exercises, unit: "sentences", "nothing could be measured")),
            ("keyMoments", keyMoments(findings, figures)),
            ("feedback", Measure(.int(Int64(advice.feedback.count)), unit: "characters", source: .estimated)),
            ("transcript", transcript(findings)),
            ("fillersPer100Words", rate(figures)),
        ]
        for entry in findings.measures where !measures.contains(where: { $0.0 == entry.name }) {
            measures.append(entry)
        }
        for name in ["paceWordsPerMin", "volumeConsistency", "tonalVariety", "clarity", "pauseEffectiveness"]
        where !measures.contains(where: { $0.0 == name }) {
            measures.append((name, findings.measure(name)))
        }
        return JSONObject(
            measures.map { name, measure in
                var weighed = measure
                weighed.weight = Figure(rawValue: name).flatMap(scoring.weight)
                return (name, weighed.json)
            })
    }

    private static func notMeasured(_ unit: String, _ reason: String) -> Measure { Measure(unit: unit, reason: reason) }

    private static func score(_ scoring: Scoring) -> Measure {
        guard let score = scoring.score else {
            return Measure(unit: "points of 100", source: .estimated, reason: scoring.reason ?? "too little is valid")
        }
        return Measure(.int(score), unit: "points of 100", source: .estimated)
    }

    private static func impression(_ tags: [String]) -> Measure {
        tags.isEmpty
            ? Measure(unit: "tags", source: .estimated, reason: "no tag is justified by what could be measured")
            : Measure(.strings(tags), unit: "tags", source: .estimated)
    }

    /// The number of sentences; the sentences themselves are at the top level.
    private static func texts(_ texts: [String], unit: String, _ problem: String) -> Measure {
        texts.isEmpty
            ? Measure(unit: unit, source: .estimated, reason: problem)
            : Measure(.int(Int64(texts.count)), unit: unit, source: .estimated)
    }

    private static func fillers(_ findings: Findings, _ figures: Figures) -> Measure {
        guard figures[.fillerCount] != nil else {
            return Measure(unit: "words, at least", source: .model, reason: figures.reason(.fillerCount))
        }
        let counts = JSONObject(findings.fillers.map { ($0.word, .int($0.count)) })
        return Measure(.object(counts), unit: "words, at least", source: .model)
    }

    private static func rate(_ figures: Figures) -> Measure {
        guard let rate = figures[.fillersPer100Words] else {
            return Measure(
                unit: "per 100 words, at least", source: .model, reason: figures.reason(.fillersPer100Words))
        }
        return Measure(
            .double(NumberText.rounded(rate, places: 2)), unit: "per 100 words, at least", source: .model)
    }

    private static func timeline(_ findings: Findings) -> Measure {
        let points = findings.timeline.count { $0.energy != nil }
        return points == 0
            ? Measure(
                unit: "points", source: .measured, reason: "no five seconds of the recording hold a second of speech")
            : Measure(.int(Int64(points)), unit: "points", source: .measured)
    }

    private static func eyeContact(_ findings: Findings, _ figures: Figures) -> Measure {
        let unit = "share of all sampled pictures with one face turned to the camera, 0-1"
        guard let share = figures[.eyeContactPct] else {
            return Measure(unit: unit, source: .measured, reason: figures.reason(.eyeContactPct))
        }
        return Measure(.double(NumberText.rounded(share, places: 2)), unit: unit, source: .measured)
    }

    private static func keyMoments(_ findings: Findings, _ figures: Figures) -> Measure {
        let count = KeyMoments.json(findings, figures).arrayValue?.count ?? 0
        return count == 0
            ? Measure(unit: "moments", source: .estimated, reason: "no moment stands out in what could be measured")
            : Measure(.int(Int64(count)), unit: "moments", source: .estimated)
    }

    private static func transcript(_ findings: Findings) -> Measure {
        if let problem = findings.transcriptProblem {
            return Measure(unit: "words", source: .model, reason: problem)
        }
        return Measure(.int(Int64(findings.words.count)), unit: "words", source: .model)
    }
}
