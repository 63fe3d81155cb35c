import Coaching
import Contracts
import JSON
import Testing

@testable import analysis

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
        let document = try ReportDocument(
            sessionId: Fixture.id, createdAt: Fixture.start, measured: measured, brief: brief)
        return try JSONObject.parse(document.bytes).object("report")
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
        // What is not known does not raise it either.
        #expect(try #require(german["confidenceScore"]?.intValue) <= score)
    }
}
