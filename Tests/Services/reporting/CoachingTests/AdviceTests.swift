import JSON
import Primitives
import Testing

@testable import Coaching

private typealias Document = MeasuredDocument

@Suite("The advice of a report") struct AdviceTests {
    private static let poorFigures: [String: JSONValue] = [
        "paceWordsPerMin": 230, "tonalVariety": 0.1, "pauseEffectiveness": 0.2, "cameraContactPct": 30,
        "headMovement": 0.2, "volumeConsistency": 0.3,
    ]
    private static let bestFigures: [String: JSONValue] = [
        "pauseEffectiveness": 0.9, "volumeConsistency": 0.9, "tonalVariety": 0.9, "cameraContactPct": 98,
    ]
    private static let recordings: [(name: String, document: JSONObject)] = [
        ("good", Document.json()), ("silent", Document.json(Document.silent, words: 0)),
        ("faceless", Document.json(Document.faceless)), ("nothing", Document.json([:], words: 0)),
        ("fillers", Document.json(fillers: ["like": 9])),
        ("seen", Document.json(Document.without(["postureScore": 0.2, "gestureNaturalness": 0.3]))),
        ("poor", Document.json(Document.without(poorFigures))),
        ("best", Document.json(Document.without(bestFigures))),
    ]

    private func report(_ document: JSONObject) throws -> JSONObject {
        try ReportBuilder.report(Findings(document), session: Fixture.id)
    }

    private func report(_ values: [String: JSONValue], fillers: JSONObject = [:]) throws -> JSONObject {
        try report(Document.json(Document.without(values), fillers: fillers))
    }

    private func texts(_ report: JSONObject, _ field: String) throws -> [String] {
        try report.array(field).compactMap(\.stringValue)
    }

    /// The names of measures beside each sentence of a list.
    private func names(_ report: JSONObject, _ field: String) throws -> [[String]] {
        try report.array(field).map { try #require($0.arrayValue).compactMap(\.stringValue) }
    }

    @Test(
        "has beside every sentence the measures that it rests on, and none of their names in it",
        arguments: recordings.indices)
    func measuresBeside(index: Int) throws {
        let (name, document) = Self.recordings[index]
        let report = try report(document)
        let known = try report.object("measures").keys
        for (list, beside) in [
            ("strengths", "strengthMeasures"), ("areasForImprovement", "improvementMeasures"),
            ("practiceExercises", "exerciseMeasures"),
        ] {
            let texts = try texts(report, list)
            let measures = try names(report, beside)
            #expect(texts.count == measures.count, "\(name): \(list)")
            #expect(measures.allSatisfy { !$0.isEmpty && $0.allSatisfy(known.contains) }, "\(name): \(measures)")
        }
        let moments = try report.array("keyMoments")
        for moment in moments { #expect(moment["measures"]?.arrayValue?.isEmpty == false, "\(name)") }
        #expect(try texts(report, "feedbackMeasures").allSatisfy(known.contains), "\(name)")
        let sentences =
            try texts(report, "strengths") + texts(report, "areasForImprovement") + texts(report, "practiceExercises")
            + moments.compactMap { $0["description"]?.stringValue } + [report.string("feedback")]
        for sentence in sentences { #expect(!Prose.hasJargon(sentence), "\(name): \(sentence)") }
    }

    @Test("has one thing to work on first, with why, how, and what the next recording will show")
    func firstStep() throws {
        let report = try report(Document.json(Document.without(Self.poorFigures)))
        let first = try report.object("firstStep")
        for part in ["what", "why", "exercise", "nextRecording"] {
            #expect(!(try first.string(part)).isEmpty, "\(part)")
        }
        // Eye contact costs 12 of its 14 points, the others less.
        #expect(first["measures"] == ["eyeContactPct"])
        #expect(try texts(report, "areasForImprovement").first == "\(first.string("what")) \(first.string("why"))")
        #expect(try texts(report, "practiceExercises").count == 3)
        #expect(
            try texts(report, "practiceExercises")[0] == "\(first.string("exercise")) \(first.string("nextRecording"))")
    }

    @Test("tells a strong recording that it is strong, and invents nothing to improve")
    func strong() throws {
        let report = try report(Document.json(Document.without(Self.bestFigures)))
        #expect(report["areasForImprovement"] == [])
        #expect(report["practiceExercises"] == [])
        #expect(report["firstStep"] == .null)
        #expect(try report.string("feedback").hasPrefix("This is a strong recording"))
        #expect(report["measures"]?["areasForImprovement"]?["valid"] == false)
        // One weak part, and it is an area again.
        let weaker = Self.bestFigures.merging(["tonalVariety": 0.3]) { $1 }
        #expect(try texts(self.report(weaker), "areasForImprovement").count == 1)
    }

    @Test("praises nobody whose recording has nothing to praise")
    func nothingToPraise() throws {
        let figures = Self.poorFigures.merging(["soundQuality": 0.3, "pictureQuality": 0.3]) { $1 }
        let report = try report(Document.json(Document.without(figures)))
        #expect(report["strengths"] == [])
        #expect(!(try report.string("feedback")).isEmpty)
    }

    @Test("never praises that no filler was heard, nor that there were few")
    func noPraiseForZero() throws {
        for fillers in [[:], ["um": 1]] as [JSONObject] {
            let report = try report([:], fillers: fillers)
            for text in try texts(report, "strengths") + [report.string("feedback")] {
                #expect(!text.contains("filler"))
            }
        }
    }

    @Test(
        "says what to do about a recording that could not be judged, when it lies with the speaker",
        arguments: [
            ("paceWordsPerMin", "no-audio", "microphone"), ("paceWordsPerMin", "too-few-words", "half a minute"),
            ("cameraContactPct", "too-dark", "lamp"), ("cameraContactPct", "no-face", "preview"),
        ])
    func unjudged(figure: String, code: String, word: String) throws {
        let first = try report([figure: .string(code)]).object("firstStep")
        #expect(try first.string("exercise").contains(word) || first.string("why").contains(word))
        // A machine's failure is nothing to work on.
        #expect(
            try report(Document.json(Document.without(Self.bestFigures.merging([figure: "engine-missing"]) { $1 })))[
                "firstStep"] == .null)
    }

    @Test(
        "gives at most five tags, all from the list, each with the measures that justify it",
        arguments: recordings.indices)
    func tags(index: Int) throws {
        let report = try report(Self.recordings[index].document)
        let tags = try texts(report, "impressionTags")
        #expect(tags.count <= 5)
        #expect(tags.allSatisfy { Tag(rawValue: $0) != nil })
        #expect(try report.object("impressionTagMeasures").keys == tags)
    }

    @Test("gives a good recording three tags, and none of a figure that was not rated")
    func justified() throws {
        #expect(try texts(report(Document.json()), "impressionTags").count == 3)
        let faceless = try report(Document.json(Document.faceless))
        for (tag, measures) in try faceless.object("impressionTagMeasures").members {
            #expect(measures.arrayValue?.contains("eyeContactPct") == false, "\(tag)")
        }
    }

    @Test("says what the first step may bring, and says so of three points and more only")
    func gain() throws {
        func step(_ melody: Double) throws -> JSONObject {
            try self.report(Self.bestFigures.merging(["tonalVariety": .double(melody), "cameraContactPct": 80]) { $1 })
        }
        // Melody loses 7 points of 65: 100 · 7/65/0.5 = 21.5.
        let report = try step(0.3)
        #expect(report["firstStep"]?["points"] == 22)
        #expect(try report.string("feedback").contains("22 points"))
        // Of fillers it is what they take away: 3 in 60 words 5.7.
        let fillers = try self.report(Self.bestFigures, fillers: ["um": 3])
        #expect(fillers["firstStep"]?["points"] == 6)
        // 2 in 60 words 3.3, and 2 in 80 words 2.1.
        #expect(try self.report(Self.bestFigures, fillers: ["um": 2])["firstStep"]?["points"] == 3)
        let few = Document.json(Document.without(Self.bestFigures), words: 80, fillers: ["um": 2])
        let least = try self.report(few)
        #expect(least["firstStep"]?["points"] == .null && least["firstStep"]?["measures"] != nil)
        // The head is not scored.
        let head = try self.report(Self.bestFigures.merging(["headMovement": 0.2]) { $1 })
        #expect(head["firstStep"]?["points"] == .null)
        #expect(try !head.string("feedback").contains("points"))
        // Nobody gains more than what is missing.
        let score = try #require(report["confidenceScore"]?.intValue)
        #expect(score + 22 <= 100)
    }

    @Test("says the first step in the feedback in other words than below")
    func otherWords() throws {
        let texts = English().area(.turnedAway)
        for low in 0..<10 {
            let report = try ReportBuilder.report(
                Findings(Document.json(Document.without(Self.poorFigures))),
                session: UUID(high: 1, low: UInt64(low)))
            let feedback = try report.string("feedback")
            func isSaid(_ text: String) -> Bool {
                feedback.contains(text.replacing("{eyeContactPct:time}", with: "about a third of the time (30 %)"))
            }
            #expect(texts.brief.contains(where: isSaid) && !texts.what.contains(where: isSaid), "\(feedback)")
            let variants = try report.object("wording").object("variants")
            #expect(variants["area.turnedAway.what"] != nil)
        }
    }

    @Test("praises first what the owner's report before wanted improved")
    func mended() throws {
        let findings = try Findings(Document.json(Document.without(Self.bestFigures)))
        func first(_ previous: [String: Int64]) throws -> JSONValue? {
            try ReportBuilder.report(findings, session: Fixture.id, previous: previous).array("strengthMeasures").first
        }
        #expect(try first([:])?.arrayValue?.first == "eyeContactPct")
        #expect(try first(["area.flatVoice.what": 1])?.arrayValue?.first == "tonalVariety")
        #expect(try first(["strength.livelyMelody": 1])?.arrayValue?.first == "eyeContactPct")
    }

    @Test("says which fillers were heard, the most frequent first")
    func fillerList() throws {
        let report = try report([:], fillers: ["um": 1, "like": 4, "so": 0])
        let areas = try texts(report, "areasForImprovement")
        #expect(areas.contains { $0.contains("“like” four times and “um” once") }, "\(areas)")
    }

    @Test("praises an opening that says what it is about, and quotes it")
    func opening() throws {
        func strengths(_ text: String, clarity: Double = 0.8, words: Int = 60) throws -> [String] {
            var document = Document.json(
                Document.without(["clarity": .double(clarity), "paceWordsPerMin": 116]), words: words)
            var transcript = try document.object("transcript")
            let rest = " One two three four five. Six seven eight nine ten. One more to the end of it all."
            transcript["text"] = .string(text + rest)
            document["transcript"] = .object(transcript)
            return try texts(self.report(document), "strengths")
        }
        func quotes(_ texts: [String]) -> Bool { texts.contains { $0.contains("“Today I talk about bees”") } }
        #expect(try quotes(strengths("Good morning to you all. Today I talk about bees.")))
        #expect(try !quotes(strengths("Today is a day for talk about bees.")))
        #expect(try !quotes(strengths("Today I talk about bees.", clarity: 0.79)))
        #expect(try quotes(strengths("Today I talk about bees.", words: 40)))
        #expect(try !quotes(strengths("Today I talk about bees.", words: 39)))
        // What takes longer than 20 words is not said at once.
        for (count, isPraised) in [(15, true), (16, false)] {
            let long = "Today I talk about bees" + String(repeating: " flying", count: count)
            #expect(try strengths(long + ".").contains { $0.contains("“\(long)”") } == isPraised, "\(count)")
        }
    }

    @Test("praises facing the camera only where viewers can see it", arguments: [(0.5, true), (0.49, false)])
    func visible(quality: Double, isPraised: Bool) throws {
        let report = try report(["pictureQuality": .double(quality), "cameraContactPct": 100])
        let named = try names(report, "strengthMeasures").contains { $0.contains("eyeContactPct") }
        #expect(named == isPraised)
    }

    @Test("praises an ending that closes what was said, and quotes it")
    func ending() throws {
        func strengths(_ last: String, clarity: Double = 0.8, words: Int = 60) throws -> [String] {
            var document = Document.json(
                Document.without(["clarity": .double(clarity), "paceWordsPerMin": 116]), words: words)
            var transcript = try document.object("transcript")
            let before = "Bees live here. One two three four five. Six seven eight nine ten. Eleven twelve and more. "
            transcript["text"] = .string(before + last)
            document["transcript"] = .object(transcript)
            return try texts(self.report(document), "strengths")
        }
        func quotes(_ texts: [String], _ quote: String) -> Bool { texts.contains { $0.contains("“\(quote)”") } }
        #expect(try quotes(strengths("Thank you for listening."), "Thank you for listening"))
        #expect(try !quotes(strengths("They fly away in autumn."), "They fly away in autumn"))
        #expect(try !quotes(strengths("Thank you for listening.", clarity: 0.79), "Thank you for listening"))
        #expect(try quotes(strengths("Thank you for listening.", words: 40), "Thank you for listening"))
        #expect(try !quotes(strengths("Thank you for listening.", words: 39), "Thank you for listening"))
        // Of a long one, the end.
        let long = "So " + String(repeating: "very ", count: 14) + "much for that, and thank you."
        let told = "… " + String(repeating: "very ", count: 10) + "much for that, and thank you"
        #expect(try quotes(strengths(long), told))
    }

    @Test("names one strength in the feedback where there is something to work on, else two")
    func brief() throws {
        func feedback(_ values: [String: JSONValue]) throws -> String { try report(values).string("feedback") }
        #expect(try feedback(Self.bestFigures).contains(" and your comfortable pace"))
        #expect(
            try !feedback(Self.bestFigures.merging(["tonalVariety": 0.3]) { $1 }).contains("your comfortable pace"))
    }

    @Test("closes with what may wait, if there is anything, and with what to put right before the next take")
    func closing() throws {
        func feedback(_ values: [String: JSONValue]) throws -> String {
            try report(Self.bestFigures.merging(values) { $1 }).string("feedback")
        }
        let isLeft = { (text: String) in text.contains("until that works") }
        #expect(try !isLeft(feedback(["tonalVariety": 0.3])))
        #expect(try isLeft(feedback(["tonalVariety": 0.3, "paceWordsPerMin": 210])))
        for repair in [["faceWidthPx": 60], ["severalFacesPct": 40], ["snrProxyDb": 15, "soundQuality": 0.2]]
            as [[String: JSONValue]]
        {
            #expect(try feedback(repair).contains("Put that right"), "\(repair)")
        }
    }
}

@Suite("The feedback of a report") struct FeedbackTests {
    private static let best: [String: JSONValue] = [
        "pauseEffectiveness": 0.9, "volumeConsistency": 0.9, "tonalVariety": 0.9, "cameraContactPct": 98,
    ]

    private func report(_ values: [String: JSONValue], _ session: UInt64 = 1) throws -> JSONObject {
        let document = Document.json(Document.without(Self.best.merging(values) { $1 }))
        return try ReportBuilder.report(Findings(document), session: UUID(high: 1, low: session))
    }

    /// Which kind of first sentence a recording gets, in any of its variants.
    private func opening(_ values: [String: JSONValue]) throws -> FeedbackKey? {
        let feedback = try report(values).string("feedback")
        return FeedbackKey.allCases.first { key in
            English().feedback(key).contains { feedback.hasPrefix($0) }
        }
    }

    @Test("does not begin with what the next sentence contradicts")
    func openings() throws {
        #expect(try opening([:]) == .flawless)
        #expect(try opening(["headMovement": 0.2]) == .strong)
        // 3 of 65 points of the melody may bring 9, 4 may bring 12.
        #expect(try opening(["tonalVariety": 0.54, "faceLiveliness": 1]) == .good)
        #expect(try opening(["cameraContactPct": 79]) == .strong)
        // The recording alone is at fault, or the speaker as well.
        let noise: [String: JSONValue] = ["snrProxyDb": 15, "soundQuality": 0.1]
        #expect(try opening(noise) == .hidden)
        #expect(try opening(noise.merging(["paceWordsPerMin": 196]) { $1 }) == .mixed)
        // So it is where something else comes first: 4.5 of 65 points may bring 14, 1.5 may bring 5.
        let flat: [String: JSONValue] = ["tonalVariety": 0.3]
        #expect(try opening(noise.merging(flat) { $1 }) == .mixed)
        #expect(try opening(flat.merging(["snrProxyDb": 24, "soundQuality": 0.7]) { $1 }) == .good)
        // One thing that may bring 31 points; another that may bring 28.
        let long: [String: JSONValue] = ["pauseMeanSeconds": 4, "pauseLongestSeconds": 5]
        #expect(try opening(long.merging(["pauseEffectiveness": 0]) { $1 }) == .mixed)
        #expect(try opening(long.merging(["pauseEffectiveness": 0.1]) { $1 }) == .good)
        // Nobody sees whom to look at.
        #expect(try opening(["severalFacesPct": 40]) == .mixed)
        #expect(try opening(["noFacePct": 40, "cameraContactPct": 55]) == .mixed)
        #expect(try opening(["noFacePct": 19, "cameraContactPct": 79]) == .strong)
    }

    @Test("begins with one of the sentences that tell one report from the next")
    func first() throws {
        for values in [
            [:], ["headMovement": 0.2], ["severalFacesPct": 40], ["cameraContactPct": "no-face"],
            ["paceWordsPerMin": "engine-missing"],
        ] as [[String: JSONValue]] {
            let report = try report(values)
            let feedback = try report.string("feedback")
            let variants = try report.object("wording").object("variants")
            let told = FeedbackKey.openings.filter { variants["feedback.\($0.rawValue)"] != nil }
            #expect(told.count == 1, "\(told)")
            #expect(
                told.contains { key in
                    English().feedback(key).contains { feedback.hasPrefix($0.prefix { $0 != "{" }) }
                }, "\(feedback)")
        }
    }

    @Test("begins with the range of a score that the machine has left open, not with what its lower end is called")
    func leftOpen() throws {
        let values: [String: JSONValue] = ["paceWordsPerMin": "engine-missing", "tonalVariety": 0.1]
        for session in 0..<4 as Range<UInt64> {
            let report = try report(values, session)
            let range = try report.object("scoreRange")
            let feedback = try report.string("feedback")
            #expect(try feedback.contains("between \(range.int("low")) and \(range.int("high"))"), "\(feedback)")
            let openings: [FeedbackKey] = [.strong, .good, .mixed, .halfway, .building, .weak]
            for key in openings {
                #expect(!English().feedback(key).contains { feedback.hasPrefix($0) }, "\(feedback)")
            }
        }
        #expect(try !report(["tonalVariety": 0.1]).string("feedback").contains("between"))
    }

    @Test("calls a recording halfway there from 50 points on")
    func halfway() throws {
        var found: [Int64: FeedbackKey] = [:]
        for contact in stride(from: 20, through: 79, by: 0.5) {
            let values: [String: JSONValue] = [
                "tonalVariety": 0.3, "paceWordsPerMin": 194, "cameraContactPct": .double(contact),
            ]
            let score = try #require(report(values)["confidenceScore"]?.intValue)
            found[score] = try found[score] ?? opening(values)
        }
        for (score, key) in found {
            let expected: FeedbackKey =
                switch score {
                case 60...: .good
                case 50...: .halfway
                case 40...: .building
                default: .weak
                }
            #expect(key == expected, "\(score)")
        }
        #expect(Set(found.keys).isSuperset(of: [49, 50, 59, 60]), "\(found.keys.sorted())")
    }

    @Test("calls nothing flawless without pauses that serve, and says what could be tried")
    func pauses() throws {
        let short = try report(["pauseMeanSeconds": 0.45])
        #expect(short["areasForImprovement"] == [])
        #expect(try short.string("feedback").contains("breath"))
        #expect(try opening(["pauseMeanSeconds": 0.45]) == .strong)
        #expect(try !report([:]).string("feedback").contains("breath"))
        #expect(try report([:]).string("feedback").contains("osture and gestures"))
        let seen = try report(["postureScore": 1, "gestureNaturalness": 1]).string("feedback")
        #expect(
            !seen.contains("osture and gestures"), "Where somebody has judged them, nobody says that they were not.")
        let strengths = try report(["postureScore": 1, "gestureNaturalness": 1, "facialExpressiveness": 1])
        for list in ["strengthMeasures", "improvementMeasures"] {
            let named = try strengths.array(list).flatMap { $0.arrayValue ?? [] }
            #expect(!named.contains { ["postureScore", "gestureNaturalness", "facialExpressiveness"].contains($0) })
        }
    }

    @Test("does not let wait what spoils the next recording as well")
    func alsoRepair() throws {
        let noisy = try report(["tonalVariety": 0.1, "snrProxyDb": 20, "soundQuality": 0.6]).string("feedback")
        let other = ["One other thing should not wait: ", "Your next recording gains at once from one other thing: "]
        let repairs = other.map { $0 + "recording somewhere quieter." }
        #expect(repairs.contains { noisy.contains($0) }, "\(noisy)")
        #expect(!noisy.contains("until that works"))
        let practice = try report(["tonalVariety": 0.1, "paceWordsPerMin": 200]).string("feedback")
        #expect(practice.contains("until that works") && !other.contains { practice.contains($0) })
    }

    @Test("of a face that nobody can see or tell apart publishes no eye contact, with its reason")
    func contact() throws {
        for (values, reason) in [
            (["faceWidthPx": 69], "the face is too small in the picture"), (["faceWidthPx": 70], nil),
            (["pictureQuality": 0.49], "the picture of your face is too poor"),
            (["pictureQuality": 0.49, "faceLuma": 20], "the picture is too dark"), (["pictureQuality": 0.5], nil),
            (["severalFacesPct": 10], "another face is in the picture as well"), (["severalFacesPct": 9], nil),
        ] as [([String: JSONValue], String?)] {
            let report = try report(values.merging(["cameraContactPct": 40]) { $1 })
            #expect((report["gaze"]?["eyeContactPct"] == .null) == (reason != nil), "\(values)")
            #expect((report["bodyLanguageAnalysis"]?["eyeContactPct"] == .null) == (reason != nil), "\(values)")
            let measure = try report.object("measures").object("eyeContactPct")
            #expect(measure["reason"]?.stringValue == reason, "\(values)")
            // It counts as it did.
            #expect(measure["weight"] == 21.5, "\(values)")
            let told = try report.array("improvementMeasures").contains(["eyeContactPct"])
            #expect(told == (reason == nil), "\(values)")
        }
    }

    @Test("tells light from behind as that, not as a missing lamp")
    func backlight() throws {
        func warnings(_ values: [String: JSONValue]) throws -> JSONValue? {
            var document = Document.json(Document.without(values))
            document["warnings"] = ["too-dark"]
            return try ReportBuilder.report(Findings(document), session: Fixture.id)["warnings"]
        }
        #expect(try warnings(["faceLuma": 30, "backlight": 90, "pictureQuality": 0.1]) == ["backlight"])
        #expect(try warnings(["faceLuma": 30, "backlight": 20, "pictureQuality": 0.1]) == ["too-dark"])
    }

    @Test("exercises on a sentence of one's own where one is known, in a time that reaches the goal")
    func ownWords() throws {
        func exercise(_ text: String) throws -> String {
            var document = Document.json(Document.without(Self.best.merging(["paceWordsPerMin": 240]) { $1 }))
            let words = text.split { !$0.isLetter }.map(String.init)
            document["transcript"] = [
                "text": .string(text), "lowConfidence": false,
                "words": .array(
                    words.enumerated().map { index, word in
                        ["w": .string(word), "start": .double(Double(index)), "end": .double(Double(index) + 0.3)]
                    }),
            ]
            return try ReportBuilder.report(Findings(document), session: Fixture.id).object("firstStep").string(
                "exercise")
        }
        // Ten words at 150 a minute.
        let own = try exercise("We go. The river is cold in the winter, and very deep. So we go around it again.")
        #expect(own.contains("“The river is cold in the winter, and very deep”") && own.contains("4 seconds"), "\(own)")
        for text in [
            "We go. And then we go around it all again, as we always do.", "We go. The river is cold in the winter.",
            "Good morning to all of you who came here. We go now.",
        ] {
            let other = try exercise(text)
            #expect(!other.contains("“"), "\(other)")
        }
    }

    @Test("exercises on a sentence of one's own once in a report")
    func ownWordsOnce() throws {
        var document = Document.json(
            Document.without(Self.best.merging(["paceWordsPerMin": 240, "tonalVariety": 0.1]) { $1 }))
        let text = "We go. The river is cold in the winter, and very deep. So we go around it again."
        document["transcript"] = [
            "text": .string(text), "lowConfidence": false,
            "words": .array(
                text.split { !$0.isLetter }.enumerated().map { index, word in
                    [
                        "w": .string(String(word)), "start": .double(Double(index)),
                        "end": .double(Double(index) + 0.3),
                    ]
                }),
        ]
        let report = try ReportBuilder.report(Findings(document), session: Fixture.id)
        let exercises = try report.array("practiceExercises").compactMap(\.stringValue)
        #expect(exercises.count == 2)
        #expect(
            exercises.count { $0.contains("“The river is cold in the winter, and very deep”") } == 1, "\(exercises)")
    }

    @Test("about haste has an exercise that reaches its own goal")
    func reachable() throws {
        let texts = try (0..<8).map { session in
            try report(["paceWordsPerMin": 241], session).object("firstStep").string("exercise")
        }
        // A text of a minute in 100 seconds is 145 words a minute.
        #expect(texts.contains { $0.contains("100 seconds") })
    }
}

/// What prose for people does not contain.
enum Prose {
    /// Names of measures, codes, open slots, and units or shares that only specialists read.
    static func hasJargon(_ text: String) -> Bool {
        let words = text.split { !($0.isLetter || $0.isNumber) }
        let isName = words.contains { word in
            zip(word, word.dropFirst()).contains { $0.isLowercase && $1.isUppercase }
        }
        // "a pause of 1 second" is not a ratio.
        let isRatio = words.indices.dropFirst().contains { index in
            words[index - 1] == "of" && words[index] == "1"
                && (index + 1 == words.count || words[index + 1] != "second")
        }
        // "about half of the time (52 %)" says exactly what it rounds.
        let bare = text.replacing(/\ \([0-9]+\ %\)/, with: "")
        return isName || isRatio || text.contains("{") || text.contains("  ") || bare.contains("%")
            || words.contains { ["LUFS", "dB", "dBFS", "Hz", "semitones", "px", "null"].contains($0) }
    }
}
