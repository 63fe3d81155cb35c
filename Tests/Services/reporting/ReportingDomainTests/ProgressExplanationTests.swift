import Contracts
import JSON
import Primitives
import Testing

@testable import reporting

@Suite("The explanation of a trend") struct ProgressExplanationTests {
    private func row(_ number: Int, _ score: Int64, rules: Int64? = 4, engine: String = "moonshine") -> ReportHistoryRow
    {
        let session = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number))
        let report = ReportIdentity(sessionId: session, ownerId: Fixture.owner)
        return ReportHistoryRow(
            sessionId: session, reportId: report.reportId, ownerId: Fixture.owner,
            createdAt: Fixture.start.adding(seconds: Int64(number) * 3_600), summary: Fixture.emptySummary,
            wording: nil,
            basis: rules.map {
                ReportBasis(
                    rulesVersion: $0, engines: ["asr": engine, "thresholds": "3"],
                    measures: ["confidenceScore": .init(Double(score)), "tonalVariety": .init(nil, code: "too-noisy")])
            }, recording: nil)
    }

    @Test("names the reports that count, and of each other one the reason")
    func reports() throws {
        let rows =
            [row(0, 99, rules: nil), row(1, 98, rules: 3), row(2, 97, engine: "pocketsphinx")]
            + (3..<9).map { row($0, 40 + Int64($0) * 5) }
        let said = try #require(ProgressExplanation(rows, measure: "confidenceScore"))
        #expect(said.taken.map(\.value) == [55, 60, 65, 70, 75, 80] && said.taken.allSatisfy { $0.rulesVersion == 4 })
        #expect(said.left.map(\.reasons) == [["rules-unknown"], ["rules-differ"], ["engines-differ"]])
        #expect(said.headline == "confidenceScore: improved over 6 reports, changed by 25.0 points of 100")
        #expect(said.rule.hasPrefix("The change is beyond the repeatability of 2.0"))
        let melody = try #require(ProgressExplanation(rows, measure: "tonalVariety"))
        #expect(melody.taken == [] && melody.left.filter { $0.reasons == ["not-valid"] }.count == 7)
        #expect(melody.rule == "A trend takes 5 comparable reports with a valid value.")
        #expect(ProgressExplanation(rows, measure: "wordCount") == nil)
        #expect(ProgressExplanation([], measure: "confidenceScore")?.taken == [])
    }

    @Test("says which rule kept a change from counting")
    func rules() throws {
        func rule(_ scores: [Int64]) throws -> String {
            try #require(
                ProgressExplanation(scores.enumerated().map { row($0, $1) }, measure: "confidenceScore")
            ).rule
        }
        #expect(try rule([50, 70, 40, 60, 55, 65]).hasPrefix("It could be chance"))
        #expect(try rule([50, 50, 50, 50, 50, 51, 51, 51, 51, 51]).contains("within the repeatability of 2.0"))
        #expect(try rule([50, 60]).hasPrefix("A trend takes"))
    }

    @Test("goes no further back than a trend looks")
    func window() throws {
        let said = try #require(
            ProgressExplanation((0..<40).map { row($0, 50 + Int64($0 % 3)) }, measure: "confidenceScore"))
        #expect(said.taken.count == 30 && said.left.count == 10)
        #expect(said.left.allSatisfy { $0.reasons == [ProgressExplanation.older] })
    }
}
