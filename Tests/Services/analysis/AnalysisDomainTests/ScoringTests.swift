import Coaching
import JSON
import Testing

@testable import analysis

private typealias Document = MeasuredDocument

private func scoring(_ values: [String: JSONValue], fillers: JSONObject = [:], words: Int = 60) throws -> Scoring {
    Scoring(Figures(try Findings(Document.json(values, words: words, fillers: fillers))))
}

@Suite("The confidence score") struct ScoringTests {
    @Test("is the weighted mean of the valid parts: the example of docs/scoring.md")
    func example() throws {
        // (25 · 0.8 + 20 · 0.9 + 10 · 1 + 10 · 0.5) / 65 = 53 / 65 = 0.815
        let scoring = try scoring(Document.good)
        #expect(scoring.score == 82)
        #expect(scoring.parts.map(\.weight) == [25, 20, 20, 15, 10, 10])
        #expect(scoring.parts.map { $0.value != nil } == [true, false, true, false, true, true])
        #expect(abs(scoring.parts.map(\.share).reduce(0, +) - 100) < 1e-9)
        #expect(abs(scoring.parts[2].share - 100 * 20 / 65) < 1e-9)
    }

    @Test("is renormalised when a part is not valid")
    func renormalised() throws {
        // Without variety: (25 · 0.8 + 20 · 0.9 + 10 · 1) / 55 = 48 / 55 = 0.873
        #expect(try scoring(Document.without(["tonalVariety": "too little voice"])).score == 87)
        // Without words, so without fillers: (25 · 0.8 + 20 · 0.9 + 10 · 0.5) / 55 = 43 / 55 = 0.782
        #expect(try scoring(Document.good, words: 0).score == 78)
        // Voice by variety alone, no fillers counted: (20 · 0.9 + 10 · 0.5) / 30 = 23 / 30 = 0.767
        let quiet = Document.without([
            "paceWordsPerMin": "too short", "volumeConsistency": "too short", "pauseEffectiveness": "too noisy",
        ])
        #expect(try scoring(quiet, words: 0).score == 77)
    }

    @Test("falls with fillers: 6 in 60 words leave nothing of that part")
    func fillers() throws {
        // (25 · 0.8 + 20 · 0.9 + 10 · 0 + 10 · 0.5) / 65 = 43 / 65 = 0.662
        #expect(try scoring(Document.good, fillers: ["like": 5, "um": 1]).score == 66)
        // 3 in 60 are 5 in a hundred: 1 − 4/9 = 0.556; (20 + 18 + 5.56 + 5) / 65 = 0.747
        #expect(try scoring(Document.good, fillers: ["like": 3]).score == 75)
    }

    @Test("asks for a voice and a face figure")
    func bothSides() throws {
        #expect(try scoring(Document.silent, words: 0).score == nil)
        #expect(try scoring(Document.faceless).score == nil)
        let reason = "a score needs a voice and a face figure, and neither could be rated"
        #expect(try scoring([:], words: 0).reason == reason)
        #expect(try scoring(Document.faceless).parts.allSatisfy { $0.share == 0 })
    }

    @Test(
        "judges pace by the published trapezium",
        arguments: [(60, 0), (90, 50), (120, 100), (180, 100), (210, 50), (240, 0)])
    func pace(words: Int64, percent: Int64) throws {
        let only = Document.without(["volumeConsistency": "-", "pauseEffectiveness": "-"])
        let voice = try scoring(only.merging(["paceWordsPerMin": .int(words)]) { $1 }).parts[0]
        #expect(voice.value == Double(percent) / 100)
    }

    @Test("says of each measure how much of the score rests on it")
    func weights() throws {
        let scoring = try scoring(Document.good)
        #expect(scoring.weight(of: .eyeContactPct) == 30.8)
        #expect(scoring.weight(of: .paceWordsPerMin) == 12.8)
        #expect(scoring.weight(of: .clarity) == nil)
    }
}
