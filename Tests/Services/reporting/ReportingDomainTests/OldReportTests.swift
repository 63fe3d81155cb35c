import JSON
import Testing
import TestingSupport
import TestingTools

@testable import reporting

/// Documents that earlier rules made stay in the object store, with the scores that they were given.
@Suite("A report of rules version 1") struct OldReportTests {
    @Test("is read as it was written")
    func read() throws {
        let text = try Checkout.text(of: "Tests/Services/reporting/ReportingDomainTests/Reports/rules1.json")
        let report = try JSONObject.parse(text.utf8).object("report")
        #expect(report["rulesVersion"] == 1)
        #expect(report["scoreCoverage"] == nil)
        let summary = try ReportSummary(report: report)
        #expect(summary.confidenceScore == 96)
        #expect(summary.eyeContactPct == 1)
        #expect(summary.paceWordsPerMin == 151)
        #expect(summary.scoreCoverage == nil)
        #expect(summary.scoreRange == nil)
        // Stored as it was before there were such members, and read again as the same.
        #expect(summary.json["scoreCoverage"] == nil && summary.json["scoreRange"] == nil)
        #expect(try ReportSummary(summary.json) == summary)
        #expect(try ReportWording(report: report) == nil)
        #expect(summary.tags == ["persuasive", "polished", "confident", "engaging", "articulate"])
    }
}
