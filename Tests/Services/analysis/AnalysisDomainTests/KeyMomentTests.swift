import JSON
import Primitives
import Testing

@testable import Coaching

private typealias Document = MeasuredDocument

@Suite("A key moment") struct KeyMomentTests {
    private func moments(
        _ values: [String: JSONValue] = Document.good, _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> [JSONValue] {
        var document = Document.json(values)
        change(&document)
        return try ReportBuilder.report(sessionId: .zero, createdAt: .epoch, Findings(document)).array("keyMoments")
    }

    /// Four words before a pause of a second, four behind it, as the recogniser writes them.
    private func spoken(_ document: inout JSONObject, text: String = "It was the age of wisdom, it was Mr. Lorry's.") {
        let words = ["it", "was", "the", "age", "of", "wisdom", "it", "was", "mr", "lorry", "s"]
        document["transcript"] = [
            "text": .string(text), "lowConfidence": false,
            "words": .array(
                words.enumerated().map { index, word in
                    let start = Double(index) * 0.5 + (index > 5 ? 1 : 0)
                    return ["w": .string(word), "start": .double(start), "end": .double(start + 0.4)]
                }),
        ]
        document["pauses"] = [["start": 2.9, "end": 4.0, "kind": "strategic"]]
    }

    @Test("is the liveliest five seconds, a clear pause or a long one, in the order of time")
    func kinds() throws {
        let moments = try moments()
        #expect(moments.map { $0["timestamp"]?.intValue } == [5, 6, 16])
        #expect(moments.map { $0["start"]?.doubleValue } == [5, 6.75, 16])
        #expect(moments.map { $0["end"]?.doubleValue } == [10, 7.65, 18.6])
        #expect(moments.map { $0["type"]?.stringValue } == ["strength", "strength", "improvement"])
    }

    @Test("quotes what was said there, as the transcript writes it")
    func quotes() throws {
        let moments = try moments { spoken(&$0) }
        let pause = try #require(moments.first { $0["end"] == 4.0 })
        #expect(pause["quote"] == "… the age of wisdom … it was Mr …")
        #expect(pause["description"]?.stringValue?.contains("“… the age of wisdom … it was Mr …”") == true)
        let text = try #require(pause["description"]?.stringValue)
        #expect(text.contains("1.1 seconds"))
    }

    @Test("quotes the bare words where the transcript does not match them")
    func mismatch() throws {
        let moments = try moments { spoken(&$0, text: "Something else entirely.") }
        #expect(moments.first { $0["end"] == 4.0 }?["quote"] == "… the age of wisdom … it was mr …")
    }

    @Test("quotes nothing that was recognised with too little certainty")
    func uncertain() throws {
        let moments = try moments { document in
            spoken(&document)
            document["transcript"] = .object(
                document["transcript"]!.objectValue!.adding(["lowConfidence": true]))
        }
        #expect(!moments.isEmpty)
        #expect(moments.allSatisfy { $0["quote"] == .null })
        #expect(moments.allSatisfy { $0["description"]?.stringValue?.contains("“") == false })
    }

    @Test("does not show as good what the report does not praise")
    func noPraise() throws {
        func strengths(_ values: [String: JSONValue]) throws -> Int {
            try moments(Document.without(values)).count { $0["type"] == "strength" }
        }
        #expect(try strengths([:]) == 2)
        #expect(try strengths(["pauseEffectiveness": 0.59]) == 1)
        #expect(try strengths(["volumeConsistency": 0.69]) == 1)
        #expect(try strengths(["soundQuality": 0.74]) == 1)
    }

    @Test("is a clear pause between 0.7 and 1.6 s that does not break a thought")
    func clearPause() throws {
        func found(_ end: Double, kind: String? = nil) throws -> Int {
            try moments {
                $0["pauses"] = [["start": 3, "end": .double(end), "kind": .optional(kind)]]
            }.count { $0["measures"] == ["pauseEffectiveness"] }
        }
        #expect(try found(3.71) == 1)
        #expect(try found(3.69) == 0)
        #expect(try found(4.59) == 1)
        #expect(try found(4.61) == 0)
        #expect(try found(4, kind: "strategic") == 1)
        #expect(try found(4, kind: "hesitant") == 0)
    }

    @Test("is flat only in a voice that is not praised for being even")
    func flattest() throws {
        func has(_ energy: Double, _ volume: Double) throws -> Bool {
            try moments(Document.without(["volumeConsistency": .double(volume)])) {
                $0["toneTimeline"] = [["t": 0, "energy": .double(energy)]]
            }.contains { $0["start"] == 0.0 }
        }
        #expect(try !has(0.1, 0.7))
        #expect(try has(0.4, 0.69))
        #expect(try !has(0.41, 0.69))
    }

    @Test("is a stop inside a thought from one second on, where the transcript goes on")
    func hesitation() throws {
        func found(_ end: Double, text: String) throws -> Int {
            try moments { document in
                spoken(&document, text: text)
                document["pauses"] = [["start": 2.9, "end": .double(end), "kind": "hesitant"]]
            }.count { $0["measures"] == ["hesitantPauseCount"] }
        }
        let goesOn = "It was the age of wisdom, it was Mr. Lorry's."
        #expect(try found(3.9, text: goesOn) == 1)
        #expect(try found(3.8, text: goesOn) == 0)
        #expect(try found(3.9, text: "It was the age of wisdom. It was Mr. Lorry's.") == 0)
        #expect(try found(3.9, text: "Something else entirely.") == 0)
    }

    @Test("beside fillers is one moment, not two")
    func stopBesideFillers() throws {
        func measures(_ filler: Double) throws -> [JSONValue?] {
            try moments { document in
                document["pauses"] = [["start": 10, "end": 13]]
                document["fillers"] = ["um": 2]
                document["fillerTimes"] = .array(
                    [filler, filler + 1].map { ["word": "um", "start": .double($0), "end": .double($0 + 0.3)] })
            }.filter { $0["type"] == "improvement" }.map { $0["measures"] }
        }
        #expect(try measures(14) == [["fillerWords"]])
        #expect(try measures(15.1) == [["pauseLongestSeconds"], ["fillerWords"]])
    }

    @Test("is where most fillers stand within ten seconds, if there are two")
    func fillers() throws {
        func found(_ times: [Double]) throws -> JSONValue? {
            try moments { document in
                document["fillers"] = ["um": .int(Int64(times.count))]
                document["fillerTimes"] = .array(
                    times.map { ["word": "um", "start": .double($0), "end": .double($0 + 0.3)] })
            }.first { $0["measures"] == ["fillerWords"] }
        }
        #expect(try found([1, 12]) == nil)
        let cluster = try #require(try found([1, 12, 15, 20]))
        #expect(cluster["start"] == 12.0)
        #expect(cluster["end"] == 20.3)
        #expect(cluster["quote"] == "um, um, um")
        #expect(cluster["description"]?.stringValue?.contains("three filler words") == true)
    }
}
