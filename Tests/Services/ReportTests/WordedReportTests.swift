import Coaching
import Contracts
import JSON
import Primitives
import Testing
import TestingSupport
import TestingTools

@testable import APIDescription

/// A report as a language model has worded it, of a recording that was measured, held against what is known to be right.
@Suite("A report in a model's sentences") struct WordedReportTests {
    private static func read(_ path: String) throws -> JSONObject {
        try JSONObject.parse(try Checkout.text(of: path).utf8)
    }

    /// What the stand-in of a provider answers.
    private static func worded(_ plain: JSONObject) throws -> WordedReport {
        WordedReport(
            plain, answer: try read("Tests/system/contracts/openai/sentences.json"), by: "openai/gpt-4o-mini")
    }

    private static func report() throws -> JSONObject {
        let line = try Checkout.text(of: "Tests/Services/ReportTests/measured.jsonl").split(separator: "\n")[0]
        let document = try MeasurementDocument(JSONObject.parse(line.utf8), brief: RecordingBrief())
        return ReportBuilder.report(document, session: UUID(high: 0, low: 1))
    }

    @Test("has those that are true, and the catalogue's for all others")
    func golden() throws {
        let expected = try Self.read("Tests/Services/ReportTests/Worded/report.json")
        let worded = try Self.worded(try Self.report())
        for name in expected.keys where name != "feedbackCharacters" {
            #expect(worded.report[name] == expected[name], "\(name)")
        }
        #expect(worded.report["measures"]?["feedback"]?["value"] == expected["feedbackCharacters"])
        #expect(
            worded.dropped == [
                .repeated: 1, .number: 1, .untrue: 1, .contradiction: 1, .language: 1, .identifier: 1,
            ])
        #expect(worded.kept.count == 8)
    }

    @Test("has every figure as it was, and no other member")
    func figures() throws {
        let plain = try Self.report()
        let worded = try Self.worded(plain).report
        #expect(worded.keys.sorted() == plain.keys.sorted())
        let said: Set = [
            "strengths", "areasForImprovement", "practiceExercises", "firstStep", "feedback", "engines", "textEngines",
            "measures",
        ]
        for name in plain.keys where !said.contains(name) { #expect(worded[name] == plain[name], "\(name)") }
        let (before, after) = (try plain.object("measures"), try worded.object("measures"))
        for name in before.keys where name != "feedback" { #expect(after[name] == before[name], "\(name)") }
    }

    @Test("is as the API describes it")
    func described() throws {
        let worded = try Self.worded(try Self.report()).report
        for name in ["textEngines", "engines", "firstStep", "measures"] {
            let schema = try #require(Schemas.report["properties"]?[name])
            #expect(SchemaCheck(isStrict: true).problems(worded[name] ?? .null, schema) == [], "\(name)")
        }
    }

    @Test("says that the catalogue made it where nobody was asked")
    func catalogue() throws {
        let plain = try Self.report()
        #expect(plain["engines"]?["text"] == "catalogue")
        let makers = try plain.object("textEngines")
        #expect(makers["strengths"]?.arrayValue?.count == plain["strengths"]?.arrayValue?.count)
        for member in makers.members {
            let flat = (member.value.arrayValue ?? []).flatMap { $0.arrayValue ?? [$0] }
            #expect(!flat.isEmpty && flat.allSatisfy { $0 == "catalogue" }, "\(member.key)")
        }
    }
}
