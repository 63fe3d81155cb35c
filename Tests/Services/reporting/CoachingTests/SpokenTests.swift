import JSON
import Primitives
import Testing

@testable import Coaching

/// A recording in which a text is said, and what is measured of it.
struct Talk {
    var text: String
    /// Seconds from one word to the next.
    var interval = 0.4
    var pauses: [(start: Double, end: Double)] = []
    var energy: [Double?] = []
    var isUncertain = false
    /// Figures other than those of a good recording.
    var values: [String: JSONValue] = [:]
    /// When each word is said, where it is not at the interval.
    var times: [Double]?
    /// What each pause is, where that is told.
    var kinds: [String] = []
    /// The pitch each tenth of a second, where that is measured.
    var melody: [Double?]?

    func report() throws -> JSONObject {
        let words = SpokenText(text).words
        var document = MeasuredDocument.json(MeasuredDocument.without(values), words: 0)
        let starts = times ?? words.indices.map { Double($0) * interval }
        document["durationMs"] = .int(Int64(1_000 * ((starts.last ?? 0) + 1)))
        document["transcript"] = [
            "text": .string(text), "lowConfidence": .bool(isUncertain),
            "words": .array(
                zip(words, starts).map { word, start in
                    ["w": .string(word), "start": .double(start), "end": .double(start + 0.3)]
                }),
        ]
        document["pauses"] = .array(
            pauses.enumerated().map { index, pause in
                [
                    "start": .double(pause.start), "end": .double(pause.end),
                    "kind": kinds.isEmpty ? .null : .string(kinds[index]),
                ]
            })
        if let melody {
            document["melody"] = [
                "stepSec": 0.1, "semitones": .array(melody.map { $0.map { .double($0) } ?? .null }),
            ]
        }
        document["toneTimeline"] = .array(
            energy.enumerated().map { ["t": .int(Int64($0 * 5)), "energy": .optional($1)] })
        return ReportBuilder.report(try Findings(document), session: Fixture.id)
    }

    func measure(_ name: String) throws -> JSONObject { try report().object("measures").object(name) }
}

@Suite("The sentences of a transcript") struct SpokenTextTests {
    @Test("end where the recogniser wrote a sign, not behind an abbreviation")
    func sentences() {
        let text = SpokenText("And Mr. Dashwood had 3.5 of them, e.g. Two. Really?! “He was not.” It's Dr. J. Smith")
        #expect(
            text.sentences.map { $0.joined(separator: " ") } == [
                "and mr dashwood had 35 of them eg two", "really", "he was not", "it's dr j smith",
            ])
        #expect(SpokenText("It grew by 3.5. Then it fell.").sentences.count == 2)
        #expect(SpokenText("No. I said no… He went on!").sentences.count == 3)
        #expect(SpokenText("").sentences.isEmpty && SpokenText(" — … ").sentences.isEmpty)
        #expect(SpokenText("ill-disposed one—two ’twas").words == ["ill-disposed", "one", "two", "twas"])
    }

    @Test("are about the words that others do not have in common, whatever their ending")
    func subjects() {
        #expect(SpokenText.subjects(["the", "videos", "that", "we", "recorded"]) == ["video", "record"])
        #expect(SpokenText.subjects(["recording", "a", "video"]) == ["record", "video"])
    }
}

@Suite("What is measured of the words,") struct VocabularyTests {
    /// Twenty words in four sentences.
    private static let plain =
        "Our river needs our help now. Rubbish covers both banks again. Fish die every single summer. Children cannot swim there."
    private static let filler = " The city sends nobody to clean it up."

    private func value(_ name: String, _ text: String) throws -> Double? {
        try Talk(text: text).measure(name)["value"]?.doubleValue
    }

    @Test(
        "has unit, direction, source and version, and no share in the score",
        arguments: [
            "sentenceLengthWords", "repeatedOpeningPct", "repeatedWordsPer100Words", "wordVariety", "hedgesPer100Words",
            "opinionPhrasesPer100Words", "passivePct", "openingOnSubject", "closingOnSubject", "paceVariationPct",
            "paceDriftPct", "startEnergy", "endEnergy", "secondVoicePct", "wordDoubt",
        ])
    func form(name: String) throws {
        let measure = try Talk(text: Self.plain).measure(name)
        #expect(!(try measure.string("unit")).isEmpty)
        #expect(["higher", "lower", "within", "none"].contains(try measure.string("direction")))
        #expect(["measured", "model"].contains(try measure.string("source")))
        #expect(measure["version"] == 1)
        #expect(measure["weight"] == nil)
    }

    @Test("counts from twenty words on, and in four sentences")
    func valid() throws {
        let short = Self.plain.replacing(" now", with: "")
        for name in ["repeatedWordsPer100Words", "hedgesPer100Words", "opinionPhrasesPer100Words"] {
            #expect(try Talk(text: Self.plain).measure(name)["valid"] == true, "\(name)")
            let few = try Talk(text: short).measure(name)
            #expect(few["value"] == .null && few["reason"] == "fewer than 20 words were recognised", "\(name)")
        }
        let joined = Self.plain.replacing(" there.", with: " there again.").replacing(
            "now. Rubbish", with: "now, rubbish")
        for name in ["sentenceLengthWords", "repeatedOpeningPct", "passivePct", "closingOnSubject"] {
            let text = Self.plain.replacing("Children cannot swim", with: "Summer children cannot swim in the river")
            #expect(try Talk(text: text).measure(name)["valid"] == true, "\(name)")
            let few = try Talk(text: joined).measure(name)
            #expect(few["reason"] == "fewer than four sentences could be told apart", "\(name)")
        }
    }

    @Test("needs fifty words for their variety")
    func variety() throws {
        let words = (0..<50).map { "word\($0)" }
        #expect(try value("wordVariety", words.joined(separator: " ")) == 1)
        #expect(try value("wordVariety", words.dropLast().joined(separator: " ")) == nil)
        #expect(
            try Talk(text: words.dropLast().joined(separator: " ")).measure("wordVariety")["reason"]
                == "fewer than 50 words were recognised")
        #expect(
            try value("wordVariety", Array(repeating: words.prefix(25), count: 4).joined().joined(separator: " "))
                == 0.5)
    }

    @Test("is left out of an uncertain transcript and of one in another language")
    func left() throws {
        let uncertain = try Talk(text: Self.plain, isUncertain: true).measure("hedgesPer100Words")
        #expect(uncertain["reason"] == "the words were recognised with too little certainty")
        var findings = try Findings(MeasuredDocument.json())
        findings.leaveOutWords(.otherLanguage, .otherLanguage)
        let report = ReportBuilder.report(findings, session: Fixture.id)
        for name in ["hedgesPer100Words", "sentenceLengthWords", "wordVariety", "paceDriftPct"] {
            #expect(report["measures"]?[name]?["code"] == "other-language", "\(name)")
        }
        #expect(report["paceTimeline"] == [])
    }

    @Test("gives the length of sentences, and how many begin alike")
    func sentences() throws {
        #expect(try value("sentenceLengthWords", Self.plain) == 5)
        #expect(try value("repeatedOpeningPct", Self.plain) == 0)
        let alike =
            "We want clean water here today. We want more trees. We want a park for all of us. Nobody listens to us anyway."
        #expect(try value("repeatedOpeningPct", alike) == 50)
    }

    @Test(
        "knows a hedge from what sounds like one",
        arguments: [
            ("Maybe we should go.", 1), ("It is kind of late.", 1), ("That is a kind of magic.", 0),
            ("This sort of thing happens.", 0), ("I sort of liked it.", 1), ("I guess so.", 1),
            ("We guess the weight.", 0),
            ("It took a little bit longer.", 1), ("A bit more, perhaps.", 2), ("The probability is low.", 0),
            ("I was not sure about it.", 1), ("Make sure that it works.", 0),
        ])
    func hedges(text: String, count: Int) throws {
        let vocabulary = Vocabulary(SpokenText(text))
        #expect((vocabulary.hedges * Double(SpokenText(text).words.count) / 100).rounded() == Double(count), "\(text)")
    }

    @Test(
        "knows an opinion from a thought",
        arguments: [
            ("I think we should go.", 1), ("I think of my mother.", 0), ("I think about it every day.", 0),
            ("I believe that it works, and I feel like it will.", 2), ("They think so.", 0),
            ("What I think, I say.", 1),
        ])
    func opinions(text: String, count: Int) throws {
        let vocabulary = Vocabulary(SpokenText(text))
        #expect(
            (vocabulary.opinions * Double(SpokenText(text).words.count) / 100).rounded() == Double(count), "\(text)")
    }

    @Test(
        "knows a passive from a state",
        arguments: [
            ("The letter was written by hand.", true), ("It has been decided.", true),
            ("They are being watched.", true),
            ("The door was slowly closed.", true), ("He was never again seen.", true), ("The work is done.", true),
            ("I am tired.", false), ("We are excited about it.", false), ("She is married.", false),
            ("He was a wicked man.", false), ("The bed is red.", false), ("He walked home.", false),
            ("I was interested in it.", false), ("It is ill-disposed.", false),
        ])
    func passives(text: String, isPassive: Bool) throws {
        #expect((Vocabulary(SpokenText(text)).passives > 0) == isPassive, "\(text)")
    }

    @Test(
        "counts words and pairs that are said twice in a row, but not those that may be",
        arguments: [
            ("I I want that.", 1), ("We want we want to go.", 1), ("The the the end.", 2), ("He had had enough.", 0),
            ("I know that that is true.", 0), ("It was very very good.", 0), ("Again and again and over.", 0),
        ])
    func repetitions(text: String, count: Int) throws {
        let vocabulary = Vocabulary(SpokenText(text))
        #expect(
            (vocabulary.repetitions * Double(SpokenText(text).words.count) / 100).rounded() == Double(count), "\(text)")
    }

    @Test(
        "tells with which two words sentences begin most often, as they are written",
        arguments: [
            ("I go. And so it was. I go there. And so on it goes. I go again.", "I go"),
            ("And I go. Then he went. And I stay.", "And I"), ("So I'm here. So I'm gone.", "So I'm"),
            ("Go. Go. We went. They went.", nil), ("We went. They went.", nil),
        ] as [(String, String?)])
    func commonOpening(text: String, words: String?) {
        #expect(Vocabulary.commonOpening(SpokenText(text).sentences) == words)
    }
}

@Suite("How a talk begins and ends") struct StructureTests {
    private let middle = " The banks are full of rubbish. Fish die there every summer."

    @Test("is told by announcements, and by words that come again")
    func opening() {
        func opening(_ first: String) -> Double? {
            Structure(SpokenText(first + middle + " Rivers need care.")).opening
        }
        #expect(opening("Hello everybody. Today it is about our river.") == 1)
        #expect(opening("Good morning to all of you. Today we look at our river.") == 1)
        // "Today" alone announces nothing.
        #expect(opening("The children bathed today in the fountain.") == 0)
        #expect(opening("I'm going to talk about our river.") == 1)
        #expect(opening("Our river is full of plastic bottles.") == 0.5)
        #expect(opening("Bananas contain plenty of potassium.") == 0)
        // Nothing in it that could come again.
        #expect(opening("So there we were then.") == nil)
    }

    @Test("is told by thanks and conclusions, and by words that were said before")
    func closing() {
        func closing(_ last: String) -> Double? {
            Structure(SpokenText("Our river needs help." + middle + " " + last)).closing
        }
        #expect(closing("Thank you very much.") == 1)
        #expect(closing("That's why we should act.") == 1)
        #expect(closing("Help our river.") == 1)
        #expect(closing("Bananas contain potassium.") == 0)
        #expect(closing("So there we were then.") == nil)
    }

    @Test("is said with the reservation that it is a guess")
    func uncertain() throws {
        let text =
            "Today it is about our river." + middle + " Nobody feels responsible for it. Thank you for your time."
        for name in ["openingOnSubject", "closingOnSubject", "passivePct"] {
            let measure = try Talk(text: text).measure(name)
            #expect(measure["valid"] == true && measure["lowConfidence"] == true, "\(name)")
        }
        let empty = text.replacing("Today it is about our river.", with: "So there we were then.")
        let measure = try Talk(text: empty).measure("openingOnSubject")
        #expect(measure["reason"] == "the sentence has too few words that say what it is about")
    }
}

@Suite("What is measured over time") struct OverTimeTests {
    private let words = (0..<90).map { "word\($0)" }.joined(separator: " ")

    @Test("has the pace of every ten seconds, without the pauses")
    func timeline() throws {
        // 90 words, 0.4 s apart: 150 a minute, 36 s.
        let even = try Talk(text: words).report()
        #expect(try even.array("paceTimeline").map { $0["wordsPerMin"] } == [150, 150, 150, 153])
        #expect(try even.array("paceTimeline").map { $0["t"] } == [0.0, 10.0, 20.0, 30.0])
        // A pause of four seconds: as many words in less time.
        var times = (0..<90).map { Double($0) * 0.4 }
        for index in times.indices where times[index] >= 4 { times[index] += 4 }
        let paused = try Talk(text: words, pauses: [(4, 8)], times: times).report()
        #expect(try paused.array("paceTimeline")[0]["wordsPerMin"] == 150)
    }

    @Test("has the pitch of every second, where there is enough voice, and none where it cannot be judged")
    func pitch() throws {
        // Three seconds and a half: high, low with a stray tenth, two tenths alone, three.
        let melody: [Double?] =
            Array(repeating: 2.04, count: 10) + Array(repeating: -3, count: 9) + [12]
            + Array(repeating: nil, count: 8) + [1, 1] + Array(repeating: nil, count: 2) + [0, 1, 2]
        let report = try Talk(text: words, melody: melody).report()
        #expect(try report.array("pitchTimeline").map { $0["t"] } == [0.0, 1.0, 2.0, 3.0])
        #expect(try report.array("pitchTimeline").map { $0["semitones"] } == [2.0, -3.0, .null, 1.0])
        let noisy = try Talk(text: words, values: ["pitchRangeSemitones": "too-noisy"], melody: melody).report()
        #expect(noisy["pitchTimeline"] == [])
        #expect(try Talk(text: words).report()["pitchTimeline"] == [])
    }

    @Test("says how much the pace varies, and where it goes, from three stretches on")
    func variation() throws {
        let even = try Talk(text: words).report().object("measures")
        #expect(try #require(even["paceVariationPct"]?["value"]?.doubleValue) <= 1)
        #expect(try #require(even["paceDriftPct"]?["value"]?.doubleValue) <= 2)
        // Twice as fast in the last third.
        var times: [Double] = []
        for index in 0..<90 { times.append((times.last ?? 0) + (index == 0 ? 0 : index < 50 ? 0.5 : 0.25)) }
        let faster = try Talk(text: words, times: times).report()
        #expect(try #require(faster["measures"]?["paceDriftPct"]?["value"]?.doubleValue) > 80)
        #expect(try #require(faster["measures"]?["paceVariationPct"]?["value"]?.doubleValue) > 20)
        #expect(try faster.array("improvementMeasures").contains(["paceDriftPct"]))
        // Two stretches.
        let short = try Talk(text: words.split(separator: " ").prefix(50).joined(separator: " ")).measure(
            "paceDriftPct")
        #expect(
            short["reason"] == "there are fewer than three stretches of ten seconds with enough speech"
                && short["value"] == .null)
        let enough = try Talk(text: words.split(separator: " ").prefix(62).joined(separator: " ")).measure(
            "paceDriftPct")
        #expect(enough["valid"] == true)
    }

    @Test("has the energy of the first and the last ten seconds, from four points on")
    func energy() throws {
        let energy = [0.6, 0.5, 0.5, nil, 0.3, 0.2]
        let measures = try Talk(text: words, energy: energy, values: ["volumeConsistency": 0.6]).report()
        #expect(measures["measures"]?["startEnergy"]?["value"] == 0.55)
        #expect(measures["measures"]?["endEnergy"]?["value"] == 0.25)
        #expect(try measures.array("improvementMeasures").contains(["endEnergy", "startEnergy", "volumeConsistency"]))
        // A voice that is praised for being even is not blamed for fading.
        let steady = try Talk(text: words, energy: energy).report()
        #expect(try !steady.array("improvementMeasures").contains { $0.arrayValue?.contains("endEnergy") == true })
        let few = try Talk(text: words, energy: [0.6, 0.5, nil, 0.2]).measure("endEnergy")
        #expect(few["valid"] == false && few["reason"] == "the recording is too short")
        let none = try Talk(text: words).measure("startEnergy")
        #expect(none["reason"] == "no five seconds of the recording hold a second of speech")
    }

    /// The pitch at each tenth of a second.
    private func pitch(_ values: (Double) -> Double?, seconds: Double = 36) -> [Double?] {
        Swift.stride(from: 0, to: seconds, by: 0.1).map(values)
    }

    @Test("counts the stretches of ten seconds in which the voice hardly moves")
    func monotone() throws {
        // Four semitones up and down; from 10 to 20 s two.
        let melody = pitch { time in
            (10..<20).contains(time)
                ? (time * 5).rounded(.down).truncatingRemainder(dividingBy: 2) * 2 - 1
                : (time * 5).rounded(.down).truncatingRemainder(dividingBy: 2) * 4 - 2
        }
        #expect(try Talk(text: words, melody: melody).measure("monotoneStretchCount")["value"] == 1)
        #expect(
            try Talk(text: words, melody: melody.map { $0.map { $0 / 2 } }).measure("monotoneStretchCount")["value"]
                == 4)
        #expect(
            try Talk(text: words, melody: melody.map { $0.map { $0 * 2 } }).measure("monotoneStretchCount")["value"]
                == 0)
        // 3.9 seconds of voice in ten say nothing.
        for (voiced, value) in [(39, JSONValue.null), (40, 0)] {
            let sparse = pitch({ _ in nil }).indices.map { index in
                index % 100 < voiced ? Double(index % 2) * 4 : nil
            }
            let measure = try Talk(text: words, melody: sparse).measure("monotoneStretchCount")
            #expect(measure["value"] == value)
            if value == .null { #expect(measure["reason"] == "there is too little speech") }
        }
    }

    @Test("has how far the voice falls before pauses that end a thought, from four of them on", arguments: [-4.0, 3])
    func ends(change: Double) throws {
        let pauses = [5.0, 10, 15, 20].map { (start: $0, end: $0 + 0.5) }
        // The last half second before each pause lies apart.
        let melody = pitch { time in pauses.contains { time > $0.start - 0.55 && time < $0.start } ? 1 + change : 1 }
        let kinds = ["strategic", "strategic", "strategic", "strategic"]
        // The last word is an end too, in which nothing moves.
        let mean = change * 4 / 5
        let measure = try Talk(text: words, pauses: pauses, kinds: kinds, melody: melody).measure("sentenceEndMelody")
        #expect(abs(try #require(measure["value"]?.doubleValue) - mean) <= 0.1)
        #expect(measure["lowConfidence"] == true && measure["weight"] == nil)
        // Hesitant pauses end no thought: with two of them, three ends are left.
        let few = try Talk(
            text: words, pauses: pauses, kinds: ["strategic", "hesitant", "hesitant", "strategic"], melody: melody
        ).measure("sentenceEndMelody")
        #expect(
            few["value"] == .null && few["reason"] == "fewer than four sentences end in a voice that can be followed")
    }

    @Test(
        "does not have the melody over time where there is none, and says why",
        arguments: ["sentenceEndMelody", "monotoneStretchCount"])
    func melody(name: String) throws {
        let older = try Talk(text: words).measure(name)
        #expect(older["value"] == .null && older["valid"] == false)
        #expect(older["reason"] == "the melody of the voice was measured as a whole, not over time")
        let noisy = try Talk(
            text: words, values: ["pitchRangeSemitones": "too-noisy"], melody: pitch { _ in 0 }
        ).measure(name)
        #expect(noisy["value"] == .null && noisy["reason"] == "the recording is too noisy")
    }

    @Test("leaves the score as it was")
    func unscored() throws {
        let hedged = Array(repeating: "maybe we kind of tried", count: 20).joined(separator: " ")
        let plain = Array(repeating: "today we really all tried", count: 20).joined(separator: " ")
        let (one, other) = (try Talk(text: hedged).report(), try Talk(text: plain).report())
        #expect(one["confidenceScore"] == other["confidenceScore"] && one["scoreCoverage"] == other["scoreCoverage"])
        #expect(try one.array("improvementMeasures").contains(["hedgesPer100Words", "wordCount"]))
        #expect(try !other.array("improvementMeasures").contains(["hedgesPer100Words", "wordCount"]))
    }
}
