import Contracts
import JSON
import Measuring
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

    /// As it is answered: what reporting makes of the document that analysis hands in.
    private func answered(_ measured: JSONObject) throws -> JSONObject {
        try report(JSONObject.parse(AnalysisDocument(measured).bytes))
    }

    private func report(_ document: JSONObject) throws -> JSONObject {
        guard
            case .report(_, _, _, let content) = AnalysisFinding(measured: document, of: .zero, after: ReportsBefore())
        else {
            Issue.record("No report can be made of it.")
            return [:]
        }
        return try JSONObject.parse(
            ReportRows.whole(
                JSONValue.object(content).bytes, sessionId: .zero, reportId: .zero, createdAt: .epoch))
    }

    @Test("has no member that the description of the API does not know, and each is of its type")
    func described() throws {
        for measured in try Self.measured() {
            #expect(SchemaCheck(isStrict: true).problems(.object(try answered(measured)), Schemas.report) == [])
        }
    }

    @Test("says of every measure its unit, its source, what is better, and which version of it that is")
    func measures() throws {
        for measured in try Self.measured() {
            let measures = try answered(measured).object("measures")
            #expect(measures.members.count > 50)
            for (name, measure) in measures.members {
                #expect(measure["unit"]?.stringValue?.isEmpty == false && measure["source"] != nil, "\(name)")
                #expect(measure["direction"] != nil && measure["version"] != nil, "\(name)")
                #expect((measure["value"] != .null) == (measure["valid"] == true), "\(name)")
                #expect((measure["reason"] != nil) == (measure["valid"] == false), "\(name)")
            }
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

    @Test("is made of a document that was handed in long ago")
    func released() throws {
        let path = "Tests/Services/ReportTests/Documents/measurements1.json"
        let document = try JSONObject.parse(try Checkout.text(of: path).utf8)
        let report = try report(document)
        #expect(report["scenario"] == "pitch" && report["spokenLanguage"] == "en-GB")
        #expect(report["confidenceScore"]?.intValue != nil)
        #expect(SchemaCheck(isStrict: true).problems(.object(report), Schemas.report) == [])
    }

    @Test("needs of a document its two parts, the length and the measures, and nothing else")
    func needed() throws {
        let document = try JSONObject.parse(AnalysisDocument(try #require(try Self.measured().first)).bytes)
        #expect(document.keys.sorted() == ["brief", "measured"])
        func without(_ member: String, _ object: JSONObject) -> JSONObject {
            var less = object
            less[member] = nil
            return less
        }
        for part in document.keys {
            #expect(throws: JSONError.self) { try MeasurementDocument(without(part, document)) }
        }
        let measured = try document.object("measured")
        let needed = measured.keys.filter { member in
            (try? MeasurementDocument(document.adding(["measured": .object(without(member, measured))]))) == nil
        }
        #expect(Set(needed) == ["durationMs", "measures"])
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
        let stored = ReportRows.ownMembers.reduce(into: report) { $0[$1] = nil }
        let answered = try JSONObject.parse(
            ReportRows.whole(JSONValue.object(stored).bytes, sessionId: .zero, reportId: .zero, createdAt: .epoch))
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
