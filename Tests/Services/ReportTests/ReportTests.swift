import Coaching
import JSON
import Primitives
import Testing
import TestingSupport
import TestingTools

@testable import APIDescription
@testable import reporting

/// What analysis makes, reporting relies on and clients are told, held against each other.
@Suite("A report, from analysis to clients,") struct ReportTests {
    /// What the media helper measured of three recordings: a face that leaves the picture, fillers, a voice that wavers.
    private static func measured() throws -> [JSONObject] {
        try Checkout.text(of: "Tests/Services/ReportTests/measured.jsonl").split(separator: "\n").map {
            try JSONObject.parse($0.utf8)
        }
    }

    /// As it is answered: with the id that reporting gives it.
    private func answered(_ measured: JSONObject) throws -> JSONObject {
        let document = try ReportDocument(sessionId: .zero, createdAt: .epoch, measured: measured)
        return try JSONObject.parse(document.bytes).object("report").adding(["reportId": .uuid(.zero)])
    }

    @Test("has no member that the description of the API does not know, and each is of its type")
    func described() throws {
        for measured in try Self.measured() {
            #expect(SchemaCheck(isStrict: true).problems(.object(try answered(measured)), Schemas.report) == [])
        }
    }

    @Test("has every member that is described")
    func complete() throws {
        let properties = try #require(Schemas.report["properties"]?.objectValue)
        for measured in try Self.measured() {
            let report = try answered(measured)
            for name in properties.keys { #expect(report[name] != nil, "\(name)") }
        }
    }

    @Test("of which nothing could be judged conforms as well")
    func empty() throws {
        let nothing: JSONObject = [
            "durationMs": 3_000, "measures": [:], "fillers": .null, "fillersReason": "no-audio",
            "warnings": ["no-audio"],
        ]
        let report = try answered(nothing)
        #expect(SchemaCheck(isStrict: true).problems(.object(report), Schemas.report) == [])
        #expect(try ReportSummary(report: report).confidenceScore == nil)
    }

    @Test("of rules version 1 still conforms")
    func old() throws {
        let path = "Tests/Services/reporting/ReportingDomainTests/Reports/rules1.json"
        let report = try JSONObject.parse(try Checkout.text(of: path).utf8).object("report")
        let answered = report.adding(["reportId": .uuid(.zero)])
        #expect(SchemaCheck(isStrict: true).problems(.object(answered), Schemas.report) == [])
    }

    @Test("holds what reporting relies on, and gives lists its numbers")
    func relied() throws {
        for measured in try Self.measured() {
            let report = try answered(measured)
            let summary = try ReportSummary(report: report)
            #expect(summary.confidenceScore == report["confidenceScore"]?.intValue)
            #expect(summary.scoreCoverage == 65)
            #expect(summary.scoreRange?.lowerBound == report["scoreRange"]?["low"]?.intValue)
            #expect(summary.scoreRange?.upperBound == report["scoreRange"]?["high"]?.intValue)
            #expect(try ReportSummary(summary.json) == summary)
        }
    }

    @Test("is refused by the check when a member has another type, is missing or is unknown")
    func check() throws {
        let report = try answered(try #require(try Self.measured().first))
        func problems(_ change: (inout JSONObject) -> Void) -> [String] {
            var changed = report
            change(&changed)
            return SchemaCheck(isStrict: true).problems(.object(changed), Schemas.report)
        }
        #expect(problems { $0["durationSec"] = "29" }.count == 1)
        #expect(problems { $0["durationSec"] = nil } == ["report.durationSec is missing"])
        #expect(problems { $0["confidenceScore"] = 101 }.count == 1)
        #expect(problems { $0["strengths"] = [1] }.count == 1)
        #expect(problems { $0["keyMoments"] = [["timestamp": 1, "type": "other", "description": "d"]] }.count == 1)
        #expect(problems { $0["scoreRange"] = ["low": 1] } == ["report.scoreRange.high is missing"])
        #expect(problems { $0["surprise"] = 1 } == ["report.surprise is not described"])
    }
}
