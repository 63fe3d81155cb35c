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
        return try ReportBuilder.report(Findings(document), session: .zero).array("keyMoments")
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
        #expect(pause["quote"] == "It was the age of wisdom")
        #expect(pause["description"]?.stringValue?.contains("“It was the age of wisdom”") == true)
        let text = try #require(pause["description"]?.stringValue)
        #expect(text.contains("1.1 seconds"))
    }

    @Test(
        "begins its quote with a sentence, where one begins near",
        arguments: [
            ("We end here. Then we go on.", "Then we go on"),
            ("We end here, then we go on.", "We end here, then we go on"),
            // What is left would be too little.
            ("We end here then we. Go on.", "We end here then we"),
        ])
    func sentence(text: String, quote: String) throws {
        let words = ["so", "that", "is", "that", "and", "more", "we", "end", "here", "then", "we", "go", "on"]
        let moments = try moments { document in
            // The liveliest five seconds begin with the third of these words.
            document["transcript"] = [
                "text": .string("So that is that and more. " + text), "lowConfidence": false,
                "words": .array(
                    words.enumerated().map { index, word in
                        let start = 1 + Double(index) * 0.5
                        return ["w": .string(word), "start": .double(start), "end": .double(start + 0.4)]
                    }),
            ]
        }
        #expect(try #require(moments.first { $0["start"] == 5.0 })["quote"] == .string(quote))
    }

    @Test("quotes nothing where the transcript does not match the words")
    func mismatch() throws {
        let moments = try moments { spoken(&$0, text: "Something else entirely.") }
        #expect(moments.first { $0["end"] == 4.0 }?["quote"] == .null)
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

    @Test("quotes no word of a voice that was not clear, and the report says that the words are uncertain")
    func unclear() throws {
        func quoted(_ clarity: Double) throws -> (Int, JSONValue?) {
            var document = Document.json(Document.without(["clarity": .double(clarity)]))
            spoken(&document)
            let report = try ReportBuilder.report(Findings(document), session: .zero)
            return (
                try report.array("keyMoments").count { $0["quote"] != .null }, report["transcript"]?["lowConfidence"]
            )
        }
        #expect(try quoted(0.8).0 > 0)
        #expect(try quoted(0.79) == (0, false))
        #expect(try quoted(0.5) == (0, false))
        #expect(try quoted(0.49) == (0, true))
    }

    @Test("quotes before a pause six words of one sentence at most")
    func before() throws {
        func quote(_ text: String) throws -> JSONValue? {
            try moments { document in
                spoken(&document, text: text)
                document["pauses"] = [["start": 4.95, "end": 5.95]]
            }.first { $0["measures"] == ["pauseEffectiveness"] }?["quote"]
        }
        #expect(try quote("It was the age of wisdom, it was Mr. Lorry's.") == "the age of wisdom, it was")
        #expect(try quote("It was the age of wisdom. It was Mr. Lorry's.") == "It was")
        // One word is no place that anybody finds.
        #expect(try quote("It was the age of wisdom, it. Was Mr. Lorry's.") == .null)
    }

    @Test("is the longest run of words from twelve seconds on, where pauses are missing")
    func longRun() throws {
        func runs(_ pause: Double, effectiveness: Double = 0.2) throws -> [JSONValue] {
            try moments(Document.without(["pauseEffectiveness": .double(effectiveness), "pauseCount": 1])) {
                $0["pauses"] = [["start": .double(pause), "end": 12.3]]
            }.filter { $0["measures"] == ["pauseCount"] }
        }
        // The words end at 23.9 s.
        #expect(try runs(12).map { $0["start"] } == [0.0])
        #expect(try runs(12)[0]["end"] == 12.0)
        #expect(try runs(11.9).isEmpty)
        #expect(try runs(12, effectiveness: 0.9).isEmpty)
    }

    @Test("is the stretch in which the voice moves least, where it is flat")
    func monotone() throws {
        func starts(_ variety: Double, _ range: Double) throws -> [JSONValue?] {
            let flat = (0..<100).map { JSONValue.double($0 % 2 == 0 ? 0 : range) }
            let wide = (0..<100).map { JSONValue.double($0 % 2 == 0 ? 0 : 6) }
            return try moments(Document.without(["tonalVariety": .double(variety)])) {
                $0["melody"] = ["stepSec": 0.1, "semitones": .array(wide + flat)]
            }.filter { $0["measures"] == ["tonalVariety"] }.map { $0["start"] }
        }
        #expect(try starts(0.5, 2.9) == [10.0])
        #expect(try starts(0.5, 3) == [])
        #expect(try starts(0.6, 2.9) == [])
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

    @Test("is none in a recording of too few words, nor in a voice that is drowned")
    func unjudged() throws {
        #expect(try !moments(Document.good).isEmpty)
        for reason in [
            ["paceWordsPerMin": "too-few-words"], ["pauseCount": "too-noisy", "pauseEffectiveness": "too-noisy"],
        ] as [[String: JSONValue]] {
            #expect(try moments(Document.without(reason)).isEmpty, "\(reason)")
        }
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

    @Test("is no clear pause beside a filler, nor in a volume that wavers")
    func unclearPause() throws {
        func found(_ filler: Double, _ volume: Double = 0.8) throws -> Int {
            try moments(Document.without(["volumeConsistency": .double(volume)])) {
                $0["pauses"] = [["start": 10, "end": 11]]
                $0["fillers"] = ["um": 1]
                $0["fillerTimes"] = [["word": "um", "start": .double(filler), "end": .double(filler + 0.3)]]
            }.count { $0["measures"] == ["pauseEffectiveness"] }
        }
        #expect(try found(12.9) == 0)
        #expect(try found(13.1) == 1)
        #expect(try found(13.1, 0.65) == 1)
        #expect(try found(13.1, 0.64) == 0)
    }

    @Test("is the fastest stretch of who is too fast, with its pace")
    func fastest() throws {
        func found(_ pace: Double) throws -> [JSONValue] {
            try moments(Document.without(["paceWordsPerMin": .double(pace)])) { document in
                document["pauses"] = []
                // One word in half a second, then two.
                let starts = (0..<20).map { Double($0) * 0.5 } + (0..<40).map { 10 + Double($0) * 0.25 }
                document["transcript"] = [
                    "text": "word", "lowConfidence": false,
                    "words": .array(
                        starts.map { ["w": "word", "start": .double($0), "end": .double($0 + 0.2)] }),
                ]
            }.filter { $0["measures"] == ["paceWordsPerMin"] }
        }
        #expect(try found(194).map { $0["start"] } == [10.0])
        #expect(try found(194)[0]["description"]?.stringValue?.contains("about 24") == true)
        #expect(try found(193).isEmpty)
    }

    @Test("is the quietest stretch of a volume that is told to waver, however loud")
    func quietest() throws {
        func has(_ volume: Double) throws -> Bool {
            try moments(Document.without(["volumeConsistency": .double(volume)])) {
                $0["toneTimeline"] = [["t": 0, "energy": 0.5], ["t": 5, "energy": 0.56]]
            }.contains { $0["start"] == 0.0 }
        }
        #expect(try has(0.55))
        #expect(try !has(0.56))
    }

    @Test(
        "quotes to the end of a sentence, and ends on no word that leads to something else",
        arguments: [
            ("It was gravel and broken glass and an old shoe they found.", "It was gravel and broken glass …"),
            ("It was the worst of times. It was the age of wisdom now then.", "It was the worst of times"),
            ("It was a very odd and rather cold-hearted old man then.", "It was a very odd and rather cold-hearted …"),
        ])
    func ends(text: String, quote: String) throws {
        let words = text.split { !$0.isLetter }.map(String.init)
        let moments = try moments { document in
            document["transcript"] = [
                "text": .string(text), "lowConfidence": false,
                "words": .array(
                    words.enumerated().map { index, word in
                        let start = 5 + Double(index) * 0.45
                        return ["w": .string(word), "start": .double(start), "end": .double(start + 0.4)]
                    }),
            ]
        }
        #expect(try #require(moments.first { $0["start"] == 5.0 })["quote"] == .string(quote))
    }

    @Test("is flat only in a voice that is not praised for being even")
    func flattest() throws {
        func has(_ energy: Double, _ volume: Double, highest: Double = 0.65) throws -> Bool {
            try moments(Document.without(["volumeConsistency": .double(volume)])) {
                $0["toneTimeline"] = [["t": 0, "energy": .double(energy)], ["t": 5, "energy": .double(highest)]]
            }.contains { $0["start"] == 0.0 }
        }
        #expect(try !has(0.1, 0.7))
        #expect(try has(0.45, 0.69))
        #expect(try !has(0.46, 0.69))
        // Nothing is weak where nothing is much stronger.
        #expect(try has(0.25, 0.69, highest: 0.41))
        #expect(try !has(0.25, 0.69, highest: 0.39))
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
        // Two only where they stand together.
        #expect(try found([1, 5]) == nil)
        #expect(try found([1, 4.9])?["end"] == 5.2)
        let cluster = try #require(try found([1, 12, 15, 20]))
        #expect(cluster["start"] == 12.0)
        #expect(cluster["end"] == 20.3)
        #expect(cluster["quote"] == "um … um … um")
        #expect(cluster["description"]?.stringValue?.contains("“um”, “um”, “um”") == true)
        #expect(cluster["description"]?.stringValue?.contains("three filler words") == true)
    }
}
