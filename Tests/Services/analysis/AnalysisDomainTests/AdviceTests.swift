import Coaching
import JSON
import Primitives
import Testing

@testable import analysis

private typealias Document = MeasuredDocument

@Suite("The advice of a report") struct AdviceTests {
    private static let poorFigures: [String: JSONValue] = [
        "paceWordsPerMin": 230, "tonalVariety": 0.1, "pauseEffectiveness": 0.2, "cameraContactPct": 30,
        "headMovement": 0.2, "volumeConsistency": 0.3,
    ]
    private static let bestFigures: [String: JSONValue] = [
        "pauseEffectiveness": 0.9, "volumeConsistency": 0.9, "tonalVariety": 0.9, "cameraContactPct": 98,
    ]
    private static let recordings: [(name: String, document: JSONObject)] = [
        ("good", Document.json()), ("silent", Document.json(Document.silent, words: 0)),
        ("faceless", Document.json(Document.faceless)), ("nothing", Document.json([:], words: 0)),
        ("fillers", Document.json(fillers: ["like": 9])), ("poor", Document.json(Document.without(poorFigures))),
        ("best", Document.json(Document.without(bestFigures))),
    ]

    private func report(_ document: JSONObject) throws -> JSONObject {
        try ReportBuilder.report(sessionId: Fixture.id, createdAt: Fixture.start, Findings(document))
    }

    private func report(_ values: [String: JSONValue], fillers: JSONObject = [:]) throws -> JSONObject {
        try report(Document.json(Document.without(values), fillers: fillers))
    }

    private func texts(_ report: JSONObject, _ field: String) throws -> [String] {
        try report.array(field).compactMap(\.stringValue)
    }

    /// The names of measures beside each sentence of a list.
    private func names(_ report: JSONObject, _ field: String) throws -> [[String]] {
        try report.array(field).map { try #require($0.arrayValue).compactMap(\.stringValue) }
    }

    @Test(
        "has beside every sentence the measures that it rests on, and none of their names in it",
        arguments: recordings.indices)
    func measuresBeside(index: Int) throws {
        let (name, document) = Self.recordings[index]
        let report = try report(document)
        let known = try report.object("measures").keys
        for (list, beside) in [
            ("strengths", "strengthMeasures"), ("areasForImprovement", "improvementMeasures"),
            ("practiceExercises", "exerciseMeasures"),
        ] {
            let texts = try texts(report, list)
            let measures = try names(report, beside)
            #expect(texts.count == measures.count, "\(name): \(list)")
            #expect(measures.allSatisfy { !$0.isEmpty && $0.allSatisfy(known.contains) }, "\(name): \(measures)")
        }
        let moments = try report.array("keyMoments")
        for moment in moments { #expect(moment["measures"]?.arrayValue?.isEmpty == false, "\(name)") }
        #expect(try texts(report, "feedbackMeasures").allSatisfy(known.contains), "\(name)")
        let sentences =
            try texts(report, "strengths") + texts(report, "areasForImprovement") + texts(report, "practiceExercises")
            + moments.compactMap { $0["description"]?.stringValue } + [report.string("feedback")]
        for sentence in sentences { #expect(!Prose.hasJargon(sentence), "\(name): \(sentence)") }
    }

    @Test("has one thing to work on first, with why, how, and what the next recording will show")
    func firstStep() throws {
        let report = try report(Document.json(Document.without(Self.poorFigures)))
        let first = try report.object("firstStep")
        for part in ["what", "why", "exercise", "nextRecording"] {
            #expect(!(try first.string(part)).isEmpty, "\(part)")
        }
        // Eye contact costs 12 of its 14 points, the others less.
        #expect(first["measures"] == ["eyeContactPct"])
        #expect(try texts(report, "areasForImprovement").first == "\(first.string("what")) \(first.string("why"))")
        #expect(try texts(report, "practiceExercises").count == 3)
        #expect(
            try texts(report, "practiceExercises")[0] == "\(first.string("exercise")) \(first.string("nextRecording"))")
    }

    @Test("tells a strong recording that it is strong, and invents nothing to improve")
    func strong() throws {
        let report = try report(Document.json(Document.without(Self.bestFigures)))
        #expect(report["areasForImprovement"] == [])
        #expect(report["practiceExercises"] == [])
        #expect(report["firstStep"] == .null)
        #expect(try report.string("feedback").hasPrefix("This is a strong recording"))
        #expect(report["measures"]?["areasForImprovement"]?["valid"] == false)
        // One weak part, and it is an area again.
        let weaker = Self.bestFigures.merging(["tonalVariety": 0.3]) { $1 }
        #expect(try texts(self.report(weaker), "areasForImprovement").count == 1)
    }

    @Test("praises nobody whose recording has nothing to praise")
    func nothingToPraise() throws {
        let figures = Self.poorFigures.merging(["soundQuality": 0.3, "pictureQuality": 0.3]) { $1 }
        let report = try report(Document.json(Document.without(figures)))
        #expect(report["strengths"] == [])
        #expect(!(try report.string("feedback")).isEmpty)
    }

    @Test("never praises that no filler was heard, nor that there were few")
    func noPraiseForZero() throws {
        for fillers in [[:], ["um": 1]] as [JSONObject] {
            let report = try report([:], fillers: fillers)
            for text in try texts(report, "strengths") + [report.string("feedback")] {
                #expect(!text.contains("filler"))
            }
        }
    }

    @Test(
        "says what to do about a recording that could not be judged, when it lies with the speaker",
        arguments: [
            ("paceWordsPerMin", "no-audio", "microphone"), ("paceWordsPerMin", "too-few-words", "half a minute"),
            ("cameraContactPct", "too-dark", "lamp"), ("cameraContactPct", "no-face", "preview"),
        ])
    func unjudged(figure: String, code: String, word: String) throws {
        let first = try report([figure: .string(code)]).object("firstStep")
        #expect(try first.string("exercise").contains(word) || first.string("why").contains(word))
        // A machine's failure is nothing to work on.
        #expect(
            try report(Document.json(Document.without(Self.bestFigures.merging([figure: "engine-missing"]) { $1 })))[
                "firstStep"] == .null)
    }

    @Test(
        "gives at most five tags, all from the list, each with the measures that justify it",
        arguments: recordings.indices)
    func tags(index: Int) throws {
        let report = try report(Self.recordings[index].document)
        let tags = try texts(report, "impressionTags")
        #expect(tags.count <= 5)
        #expect(Set(tags).isSubset(of: TagRules.vocabulary))
        #expect(try report.object("impressionTagMeasures").keys == tags)
    }

    @Test("gives a good recording at least four tags, and none of a figure that was not rated")
    func justified() throws {
        #expect(try texts(report(Document.json()), "impressionTags").count >= 4)
        let faceless = try report(Document.json(Document.faceless))
        for (tag, measures) in try faceless.object("impressionTagMeasures").members {
            #expect(measures.arrayValue?.contains("eyeContactPct") == false, "\(tag)")
        }
    }

    @Test("knows twenty tags, and has rules for known ones only")
    func vocabulary() {
        #expect(Set(TagRules.vocabulary).count == 20)
        #expect(Set(TagRules.table.map(\.tag)).isSubset(of: TagRules.vocabulary))
    }
}

/// What prose for people does not contain.
enum Prose {
    /// Names of measures, codes, open slots, and units or shares that only specialists read.
    static func hasJargon(_ text: String) -> Bool {
        let words = text.split { !($0.isLetter || $0.isNumber) }
        let isName = words.contains { word in
            zip(word, word.dropFirst()).contains { $0.isLowercase && $1.isUppercase }
        }
        // "a pause of 1 second" is not a ratio.
        let isRatio = words.indices.dropFirst().contains { index in
            words[index - 1] == "of" && words[index] == "1"
                && (index + 1 == words.count || words[index + 1] != "second")
        }
        return isName || isRatio || text.contains("{") || text.contains("  ") || text.contains("%")
            || words.contains { ["LUFS", "dB", "dBFS", "Hz", "semitones", "px", "null"].contains($0) }
    }
}
