import Coaching
import Contracts
import JSON
import Testing

private typealias Document = MeasuredDocument

@Suite("A report of a recording of which something was said") struct BriefTests {
    private func report(_ brief: RecordingBrief, _ values: [String: JSONValue] = [:], words: Int = 60) throws
        -> JSONObject
    {
        var measured = Document.json(Document.without(values), words: words, fillers: ["like": 3])
        measured["fillerTimes"] = [["word": "like", "start": 3.5, "end": 3.75]]
        measured["pauses"] = [["start": 6.75, "end": 7.65, "kind": "hesitant"]]
        // What rests on words is of the model.
        var measures = try measured.object("measures")
        for name in ["paceWordsPerMin", "clarity"] {
            measures[name] = .object(try measures.object(name).adding(["source": "model"]))
        }
        measured["measures"] = .object(measures)
        return try ReportBuilder.report(MeasurementDocument(measured, brief: brief), session: Fixture.id)
    }

    @Test("judges pace by the bands of its scenario, and says which")
    func scenario() throws {
        func pace(_ scenario: SpeakingScenario?) throws -> JSONValue? {
            let report = try report(RecordingBrief(scenario: scenario), ["paceWordsPerMin": 185])
            return try report.array("scoreParts")[0]["values"]?["pace"]
        }
        #expect(try pace(nil) == 0.909)
        #expect(try pace(.interview) == 0.636)
        #expect(try pace(.pitch) == 0.909)
        #expect(try pace(.casual) == 1.0)
        #expect(try report(RecordingBrief())["scenario"] == "general")
        #expect(try report(RecordingBrief(scenario: .pitch))["scenario"] == "pitch")
        // Of a client that knows more than this build.
        #expect(try report(RecordingBrief(scenario: SpeakingScenario(rawValue: "eulogy")))["scenario"] == "general")
    }

    @Test("in English is judged as English", arguments: ["en", "en-GB", nil])
    func english(language: String?) throws {
        let report = try report(RecordingBrief(language: language))
        #expect(report["vocalAnalysis"]?["paceWordsPerMin"] == 150)
        #expect(report["fillerWords"] == ["like": 3])
        #expect(report["spokenLanguage"] == .optional(language))
        #expect(report["warnings"] == [])
    }

    @Test("in another language has nothing that rests on words, and says why")
    func german() throws {
        let report = try report(RecordingBrief(language: "de"))
        #expect(report["spokenLanguage"] == "de")
        #expect(report["transcript"] == .null)
        #expect(report["fillerWords"] == .null)
        #expect(report["fillerTimes"] == [])
        #expect(report["pauses"] == [["start": 6.75, "end": 7.65, "kind": .null]])
        #expect(report["vocalAnalysis"]?["paceWordsPerMin"] == .null)
        #expect(report["vocalAnalysis"]?["clarity"] == .null)
        #expect(report["vocalAnalysis"]?["tonalVariety"] == 0.5)
        let measures = try report.object("measures")
        for name in ["paceWordsPerMin", "wordCount", "clarity", "fillerWords", "fillersPer100Words", "transcript"] {
            #expect(measures[name]?["valid"] == false, "\(name)")
            #expect(measures[name]?["reason"] == "only English words are understood so far", "\(name)")
        }
        #expect(report["warnings"] == ["other-language"])
        for moment in try report.array("keyMoments") { #expect(moment["quote"] == .null) }
    }

    /// A recording whose words fit so well; its client may have said a language.
    private func fitting(_ fit: [String: JSONValue], _ language: String? = nil) throws -> JSONObject {
        try report(RecordingBrief(language: language), Self.clear.merging(fit) { $1 })
    }

    /// English that was understood, and what is made of another language.
    private static let clear: [String: JSONValue] = [
        "wordFit": -14, "wordLengthSpread": 0.4, "unfittedPct": 0, "unknownWordPct": 2,
    ]
    private static let foreign: [String: JSONValue] = [
        "wordFit": -38.4, "wordLengthSpread": 0.5, "unfittedPct": 20, "unknownWordPct": 12,
    ]

    @Test("that does not sound like English is not judged as if it were", arguments: ["en", "en-GB", nil])
    func contradicted(language: String?) throws {
        let report = try fitting(Self.foreign, language)
        #expect(report["spokenLanguage"] == .optional(language))
        #expect(report["transcript"] == .null)
        #expect(report["fillerWords"] == .null)
        #expect(report["paceTimeline"] == [])
        #expect(report["vocalAnalysis"]?["paceWordsPerMin"] == .null)
        #expect(report["vocalAnalysis"]?["tonalVariety"] == 0.5)
        let measures = try report.object("measures")
        for name in ["paceWordsPerMin", "wordCount", "clarity", "fillerWords", "hedgesPer100Words"] {
            #expect(measures[name]?["reason"] == "what was said does not sound like English", "\(name)")
        }
        #expect(measures["paceWordsPerMin"]?["code"] == "unlike-english")
        // What it rests on is told.
        #expect(measures["wordFit"]?["value"] == -38.4)
        #expect(try #require(measures["wordDoubt"]?["value"]?.doubleValue) > 1)
        #expect(report["warnings"] == ["unlike-english"])
        #expect(try report.string("feedback").contains("does not sound like English"))
        for moment in try report.array("keyMoments") { #expect(moment["quote"] == .null) }
    }

    @Test(
        "is taken for English as long as its words are not in doubt",
        arguments: [
            // Readers, also in noise or too fast, and a synthetic voice that no English model fits.
            ([:], true), (["wordFit": -22.5, "wordLengthSpread": 0.53], true),
            (["wordFit": -18.7, "unknownWordPct": 8], true),
            (["wordFit": -42.3, "wordLengthSpread": 0.37, "unfittedPct": 39, "unknownWordPct": 0], true),
            // A step on each side of the bound, for each of the four.
            (["wordFit": -40.4], true), (["wordFit": -40.6], false), (["unknownWordPct": 28], true),
            (["unknownWordPct": 30], false), (["wordLengthSpread": 0.66], true), (["wordLengthSpread": 0.68], false),
            (["unfittedPct": 69], true), (["unfittedPct": 70], false),
            // Nothing could be fitted at all.
            (["wordFit": "words-do-not-fit", "wordLengthSpread": "words-do-not-fit", "unfittedPct": 100], false),
        ] as [([String: JSONValue], Bool)])
    func doubt(values: [String: JSONValue], isEnglish: Bool) throws {
        let report = try fitting(values)
        #expect((report["transcript"] != .null) == isEnglish)
        #expect((report["warnings"] == []) == isEnglish)
    }

    @Test("is taken for English where nothing says how well its words fit")
    func unknownFit() throws {
        let missing = Self.clear.mapValues { _ in JSONValue.string("engine-missing") }
        for values in [missing, [:]] {
            let report = try report(RecordingBrief(), values)
            #expect(report["transcript"] != .null)
            #expect(report["warnings"] == [])
            #expect(report["measures"]?["wordDoubt"]?["valid"] == false)
        }
    }

    @Test("is in the language that the client says, however it sounds")
    func stated() throws {
        for fit in [Self.clear, Self.foreign] { #expect(try fitting(fit, "de")["warnings"] == ["other-language"]) }
    }

    @Test("that does not sound like English loses nothing by it, and gains nothing")
    func contradictedFault() throws {
        let english = try fitting([:])
        let other = try fitting(Self.foreign)
        #expect(other["scoreCoverage"] == 55)
        let score = try #require(english["confidenceScore"]?.intValue)
        let range = try other.object("scoreRange")
        #expect(try (range.int("low")...range.int("high")).contains(score), "\(range) \(score)")
        #expect(try #require(other["confidenceScore"]?.intValue) <= score)
    }

    @Test("in which no word was recognised says that, whatever the language")
    func silent() throws {
        let mute: [String: JSONValue] = ["paceWordsPerMin": "engine-missing", "wordCount": "engine-missing"]
        let report = try report(RecordingBrief(language: "de"), mute, words: 0)
        #expect(report["measures"]?["paceWordsPerMin"]?["code"] == "engine-missing")
        #expect(report["warnings"] == [])
    }

    @Test("in another language does not count against who speaks it")
    func fault() throws {
        let english = try report(RecordingBrief(language: "en"))
        let german = try report(RecordingBrief(language: "de"))
        #expect(german["scoreCoverage"] == 55)
        #expect(german["measures"]?["paceWordsPerMin"]?["weight"] == nil)
        let score = try #require(english["confidenceScore"]?.intValue)
        let range = try german.object("scoreRange")
        #expect(try (range.int("low")...range.int("high")).contains(score), "\(range) \(score)")
        // Nor does it read as if it had been poor.
        #expect(try german.string("feedback").contains("between \(range.int("low")) and \(range.int("high"))"))
        // What is not known does not raise it either.
        #expect(try #require(german["confidenceScore"]?.intValue) <= score)
    }
}
