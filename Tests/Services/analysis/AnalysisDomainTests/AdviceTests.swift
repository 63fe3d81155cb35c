import Coaching
import JSON
import Testing

@testable import analysis

private typealias Document = MeasuredDocument

@Suite("The words of a report") struct AdviceTests {
    private static let recordings: [(name: String, document: JSONObject)] = [
        ("good", Document.json()), ("silent", Document.json(Document.silent, words: 0)),
        ("faceless", Document.json(Document.faceless)), ("nothing", Document.json([:], words: 0)),
        ("fillers", Document.json(fillers: ["like": 9])),
        (
            "poor",
            Document.json(
                Document.without([
                    "paceWordsPerMin": 210, "tonalVariety": 0.1, "pauseEffectiveness": 0.2, "cameraContactPct": 30,
                    "headMovement": 0.2, "volumeConsistency": 0.3,
                ]))
        ),
    ]

    private func report(_ document: JSONObject) throws -> JSONObject {
        try ReportBuilder.report(sessionId: Fixture.id, createdAt: Fixture.start, Findings(document))
    }

    private func texts(_ report: JSONObject, _ field: String) throws -> [String] {
        try report.array(field).compactMap(\.stringValue)
    }

    @Test("name in every sentence of advice the measure that it rests on", arguments: recordings.indices)
    func measuresNamed(index: Int) throws {
        let (name, document) = Self.recordings[index]
        let report = try report(document)
        let names = try report.object("measures").keys + ["confidenceScore"]
        var sentences = try report.string("feedback").split(separator: ". ").map(String.init)
        #expect((3...4).contains(sentences.count), "\(name)")
        for field in ["strengths", "areasForImprovement", "practiceExercises"] {
            sentences += try texts(report, field)
        }
        for moment in try report.array("keyMoments") { sentences.append(moment["description"]?.stringValue ?? "") }
        for sentence in sentences {
            #expect(names.contains { sentence.contains($0) }, "\(name): \(sentence)")
            #expect(!sentence.contains("{"), "\(name): \(sentence)")
        }
    }

    @Test("do not praise and blame the same figure of a poor recording")
    func noContradiction() throws {
        let report = try report(Self.recordings[5].document)
        let areas = try texts(report, "areasForImprovement")
        #expect(areas.count == 3)
        #expect(areas[0].contains("(eyeContactPct)") && areas[0].contains("30 %"))
        #expect(areas[1].contains("(paceWordsPerMin)") && areas[1].contains("210"))
        for strength in try texts(report, "strengths") {
            #expect(!strength.contains("eyeContactPct") && !strength.contains("paceWordsPerMin"))
        }
    }

    @Test("never praise that no filler was heard")
    func noPraiseForZero() throws {
        let report = try report(Document.json())
        for text in try texts(report, "strengths") + [report.string("feedback")] { #expect(!text.contains("filler")) }
    }

    @Test(
        "give at most five tags, all from the list, each with the measures that justify it",
        arguments: recordings.indices)
    func tags(index: Int) throws {
        let report = try report(Self.recordings[index].document)
        let tags = try texts(report, "impressionTags")
        #expect(tags.count <= 5)
        #expect(Set(tags).isSubset(of: TagRules.vocabulary))
        #expect(try report.object("impressionTagMeasures").keys == tags)
    }

    @Test("give a good recording at least four tags, and none of a figure that was not rated")
    func justified() throws {
        #expect(try texts(report(Document.json()), "impressionTags").count >= 4)
        let faceless = try report(Document.json(Document.faceless))
        for (tag, measures) in try faceless.object("impressionTagMeasures").members {
            #expect(measures.arrayValue?.contains("eyeContactPct") == false, "\(tag)")
        }
    }

    @Test("know twenty tags, and have rules for known ones only")
    func vocabulary() {
        #expect(Set(TagRules.vocabulary).count == 20)
        #expect(Set(TagRules.table.map(\.tag)).isSubset(of: TagRules.vocabulary))
    }
}
