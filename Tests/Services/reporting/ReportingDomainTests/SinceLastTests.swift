import Coaching
import Contracts
import JSON
import Primitives
import Testing

@testable import reporting

@Suite("What a report says of the one before it") struct SinceLastTests {
    private func row(
        _ number: UInt64, rules: Int64? = 4, exercise: [String] = [], opening: (FeedbackKey, variant: Int64)? = nil,
        _ measures: [String: Double?]
    ) -> ReportHistoryRow {
        let session = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0000 | number)
        let report = ReportIdentity(sessionId: session, ownerId: Fixture.owner)
        return ReportHistoryRow(
            sessionId: session, reportId: report.reportId, ownerId: Fixture.owner,
            createdAt: Fixture.start.adding(seconds: Int64(number)), summary: Fixture.emptySummary,
            wording: opening.map { ReportWording(language: "en", variants: ["feedback.\($0.0.rawValue)": $0.variant]) },
            basis: rules.map {
                ReportBasis(
                    rulesVersion: $0, measures: measures.mapValues { ReportBasis.Measured($0) }, exercise: exercise)
            }, recording: nil)
    }

    private func said(_ last: ReportHistoryRow, _ now: ReportHistoryRow) -> JSONValue {
        SinceLast(now, after: last).json
    }

    @Test("is what changed beyond the repeatability, measure by measure")
    func changes() {
        let json = said(
            row(1, ["confidenceScore": 60, "tonalVariety": 0.5, "eyeContactPct": 0.9, "paceWordsPerMin": 150]),
            row(2, ["confidenceScore": 70, "tonalVariety": 0.55, "eyeContactPct": 0.5, "paceWordsPerMin": nil]))
        #expect(json["comparable"] == true && json["reasons"] == [])
        let verdicts = ["confidenceScore", "tonalVariety", "eyeContactPct", "paceWordsPerMin"].map {
            json["measures"]?[$0]?["verdict"]
        }
        #expect(verdicts == ["better", "same", "worse", .null])
        #expect(json["measures"]?["paceWordsPerMin"]?["reasons"] == ["not-valid"])
        #expect(json["measures"]?["confidenceScore"]?["change"]?.doubleValue == 10)
        #expect(json["exercise"] == .null)
        // Each sentence with what it rests on.
        let rests: [JSONValue] = [["confidenceScore"], ["eyeContactPct"], ["tonalVariety"], ["paceWordsPerMin"]]
        #expect(json["sentenceMeasures"]?.arrayValue == rests)
        let sentences = json["sentences"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(sentences.count == rests.count)
        for (sentence, words) in zip(sentences, ["70", "(50 %)", "melody", "only one of the two"]) {
            #expect(sentence.contains(words), "\(sentence)")
        }
    }

    @Test("says of its exercise whether a change followed")
    func exercise() {
        for (before, after, verdict) in [(0.3, 0.6, "better"), (0.6, 0.3, "worse"), (0.5, 0.52, "same")] {
            let json = said(
                row(1, exercise: ["pitchRangeSemitones", "tonalVariety"], ["tonalVariety": before]),
                row(2, ["tonalVariety": after]))
            #expect(json["exercise"]?["verdict"] == .string(verdict) && json["exercise"]?["measure"] == "tonalVariety")
            #expect(json["exercise"]?["measures"] == ["pitchRangeSemitones", "tonalVariety"])
            let sentence = json["exercise"]?["sentence"]?.stringValue ?? ""
            #expect(sentence.contains("melody of your voice"), "\(sentence)")
        }
        // Of a head nobody knows which way is better.
        let head = said(row(1, exercise: ["headMovement"], ["headMovement": 0.2]), row(2, ["headMovement": 0.1]))
        #expect(head["exercise"]?["verdict"] == .null && head["exercise"]?["reasons"] == ["no-direction"])
    }

    @Test("says nothing across other rules but why not")
    func rules() {
        for (rules, reason) in [(3, "rules-differ"), (nil, "rules-unknown")] as [(Int64?, String)] {
            let json = said(
                row(1, rules: rules, exercise: ["tonalVariety"], ["tonalVariety": 0.2]), row(2, ["tonalVariety": 0.9]))
            #expect(json["comparable"] == false && json["reasons"] == [.string(reason)])
            #expect(json["measures"]?["tonalVariety"]?["verdict"] ?? .null == .null)
            #expect(json["exercise"]?["verdict"] ?? .null == .null)
            let sentences = json["sentences"]?.arrayValue?.compactMap(\.stringValue) ?? []
            #expect(sentences.count == 1 && sentences[0].contains("rules"), "\(sentences)")
            #expect(json["sentenceMeasures"] == [[]])
            // What says of no rules says of no exercise.
            let sentence = json["exercise"]?["sentence"]?.stringValue
            #expect(sentence?.contains("because") == (rules == nil ? nil : true))
        }
    }

    @Test("compares a measure without a version as one of its first")
    func definitions() {
        for (a, b, reasons) in [(nil, 1, []), (1, 1, []), (nil, 2, ["definitions-differ"])]
            as [(Int64?, Int64?, JSONValue)]
        {
            let comparison = Comparison(nil, .init(0.5, version: a), .init(0.6, version: b), [])
            #expect(comparison.json["reasons"] == reasons)
        }
    }

    @Test("does not say the same in the same words twice in a row", arguments: FeedbackKey.openings)
    func turns(opening: FeedbackKey) {
        let figures: [String: Double?] = ["confidenceScore": 60, "tonalVariety": 0.5, "eyeContactPct": 0.9]
        func sentences(_ variant: Int64) -> Set<String> {
            let json = said(
                row(1, exercise: ["tonalVariety"], figures), row(2, opening: (opening, variant: variant), figures))
            let told = json["sentences"]?.arrayValue?.compactMap(\.stringValue) ?? []
            return Set(told + [json["exercise"]?["sentence"]?.stringValue ?? ""])
        }
        #expect(sentences(0).count == 2 && sentences(0).isDisjoint(with: sentences(1)))
    }

    @Test("comes with the next goal, of the last five comparable values of the weakest measure that has none")
    func goal() {
        let rows =
            [row(0, rules: 3, ["eyeContactPct": 0.1])] + (1...6).map { row($0, ["eyeContactPct": $0 < 3 ? 0 : 0.5]) }
        let now = row(9, ["eyeContactPct": 0.7, "tonalVariety": 0.9])
        var members = ReportsBefore(rows: rows).members(of: now)
        #expect(members["nextGoal"]?["measure"] == "eyeContactPct" && members["nextGoal"]?["from"]?.doubleValue == 0.5)
        #expect(members["sinceLast"]?["sessionId"] == .uuid(rows[6].sessionId))
        let goal = members["nextGoal"]?["sentence"]?.stringValue ?? ""
        #expect(goal.contains("face the camera") && goal.contains("(50 %)"), "\(goal)")
        members = ReportsBefore(rows: rows, aimed: ["eyeContactPct"]).members(of: now)
        #expect(members["nextGoal"]?["measure"] == "tonalVariety")
        members = ReportsBefore().members(of: row(9, [:]))
        #expect(members == ["sinceLast": .null, "nextGoal": .null])
    }
}
