package import Contracts
package import JSON
package import Primitives

/// Builds the coaching report from what was measured: pure and deterministic.
///
/// The top-level members have the plain types that the MirrorMate app's clients read; `measures` states for each its
/// source and whether it is valid. What cannot be judged is null with a reason, never 0.
package enum ReportBuilder {
    /// Raise it whenever a rule or formula gives the same figures another score, range or coverage, so that reports made by
    /// different rules are not compared.
    package static let rulesVersion: Int64 = 4

    /// The whole report of a recording, judged as its client said.
    ///
    /// - Parameters:
    ///   - session: whose report it is; which variant a sentence is follows from it.
    ///   - language: of its sentences.
    ///   - previous: as in ``report(_:session:scenario:language:previous:)``.
    package static func report(
        _ document: MeasurementDocument, session: UUID, language: Language = .english,
        previous: [String: Int64] = [:]
    ) -> JSONObject {
        var findings = Findings(document.measurements)
        // What the client says holds; what is heard can only contradict that it is English.
        if !document.brief.isEnglish {
            findings.leaveOutWords(.otherLanguage, .otherLanguage)
        } else if findings.soundsUnlikeEnglish {
            findings.leaveOutWords(.unlikeEnglish, .unlikeEnglish)
        }
        var report = report(
            findings, session: session, scenario: Scenario(document.brief.scenario), language: language,
            previous: previous)
        report["spokenLanguage"] = .optional(document.brief.language)
        return report
    }

    /// The whole report.
    ///
    /// - Parameters:
    ///   - session: whose report it is; which variant a sentence is follows from it.
    ///   - scenario: what was spoken for.
    ///   - language: of its sentences.
    ///   - previous: which variants the owner's report before this one used, as its member `wording` says; empty for the
    ///     first report.
    package static func report(
        _ findings: Findings, session: UUID, scenario: Scenario = .general, language: Language = .english,
        previous: [String: Int64] = [:]
    ) -> JSONObject {
        let catalogue = language.catalogue
        var findings = findings
        for entry in SpokenMeasures.all(findings) where !findings.measures.contains(where: { $0.name == entry.name }) {
            findings.measures.append(entry)
        }
        var figures = Figures(findings)
        let scoring = Scoring(figures, scenario: scenario)
        figures.leaveOutContact()
        figures.set(.confidenceScore, scoring.score.map(Double.init), cause: scoring.cause)
        var writer = Writer(findings, figures, scenario, catalogue, Wording(session: session, previous: previous))
        let advice = Advice(findings, figures, scoring, scenario, &writer)
        let tags = TagRules.chosen(figures, scenario, scoring.score, without: advice.topics)
        let measures = ReportMeasures.all(findings, figures, scoring, tags: tags.map(\.tag.rawValue), advice)

        var report: JSONObject = [
            "durationSec": .int(Int64(figures[.durationSec] ?? 0)),
            "confidenceScore": .optional(scoring.score),
            "scoreCoverage": .int(scoring.coverage),
            "scoreRange": scoring.range.map { ["low": .int($0.lowerBound), "high": .int($0.upperBound)] } ?? .null,
            "impressionTags": .strings(tags.map(\.tag.rawValue)),
            "fillerWords": fillers(findings, figures),
            "toneTimeline": timeline(findings), "paceTimeline": SpokenMeasures.paceTimeline(findings),
            "pitchTimeline": SpokenMeasures.pitchTimeline(findings),
            "emotionBreakdown": findings.emotions == nil ? .null : .object(findings.emotionShares),
            "gaze": ["eyeContactPct": share(figures[.eyeContactPct])],
        ]
        report["vocalAnalysis"] = [
            "paceWordsPerMin": .optional(figures[.paceWordsPerMin].map { Int64($0.rounded()) }),
            "volumeConsistency": share(figures[.volumeConsistency]),
            "tonalVariety": share(figures[.tonalVariety]),
            "clarity": share(figures[.clarity]),
            "pauseEffectiveness": share(figures[.pauseEffectiveness]),
        ]
        report["bodyLanguageAnalysis"] = [
            "postureScore": share(figures[.postureScore]), "gestureNaturalness": share(figures[.gestureNaturalness]),
            "facialExpressiveness": share(figures[.facialExpressiveness]),
            "eyeContactPct": share(figures[.eyeContactPct]), "movementPurpose": .null,
        ]
        advice.tell(in: &report)
        report["transcript"] = transcript(findings)
        report["measures"] = .object(JSONObject(measures.map { ($0, $1.json(catalogue)) }))
        report["scoreParts"] = scoring.json(catalogue)
        report["impressionTagMeasures"] = .object(
            JSONObject(tags.map { ($0.tag.rawValue, .names($0.figures)) }))
        report["fillerTimes"] = figures[.fillerCount] == nil ? .array([]) : findings.fillerTimesJSON
        report["pauses"] = findings.pausesJSON
        report["fillersAtLeast"] = .bool(findings.fillersAtLeast)
        let warnings = advice.shown(findings.shownWarnings)
        report["warnings"] = .strings(warnings)
        report["warningTexts"] = .strings(
            warnings.map { catalogue.warning(Warning(rawValue: $0) ?? .other) })
        report["video"] = findings.video
        let engines = findings.engines.objectValue ?? [:]
        report["engines"] = .object(engines.adding(["text": .string(WordedReport.catalogue)]))
        report["wording"] = [
            "language": .string(language.rawValue),
            "variants": .object(JSONObject(writer.wording.chosen.map { ($0.key, .int($0.variant)) })),
        ]
        report["textEngines"] = WordedReport.attribution(PlacedTexts(report).all) { _ in WordedReport.catalogue }
        report["scenario"] = .string(scenario.rawValue)
        report["rulesVersion"] = .int(rulesVersion)
        return report
    }

    private static func share(_ value: Double?) -> JSONValue {
        .optional(value.map { NumberText.rounded(min(max($0, 0), 1), places: 2) })
    }

    private static func fillers(_ findings: Findings, _ figures: Figures) -> JSONValue {
        guard figures[.fillerCount] != nil else { return .null }
        return .object(JSONObject(findings.fillers.map { ($0.word, .int($0.count)) }))
    }

    private static func timeline(_ findings: Findings) -> JSONValue {
        .array(
            findings.timeline.map { point in
                [
                    "t": .double(NumberText.rounded(point.time, places: 2)), "energy": share(point.energy),
                    "confidence": .null,
                ]
            })
    }

    private static func transcript(_ findings: Findings) -> JSONValue {
        guard !findings.words.isEmpty else { return .null }
        return [
            "text": .string(findings.text),
            "lowConfidence": .bool(findings.lowConfidence || Quote.isUncertain(findings)),
            "words": .array(
                findings.words.map { word in
                    [
                        "w": .string(word.text), "start": .double(NumberText.rounded(word.start, places: 2)),
                        "end": .double(NumberText.rounded(word.end, places: 2)),
                    ]
                }),
        ]
    }
}

extension JSONValue {
    /// Strings as an array.
    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
}
