import Coaching
import JSON
import Primitives
import Testing

private typealias Document = MeasuredDocument

/// Where each rule begins and where it ends.
@Suite("A rule of advice") struct AdviceRuleTests {
    private func firstMeasures(_ values: [String: JSONValue], fillers: JSONObject = [:]) throws -> [[JSONValue]] {
        let document = Document.json(Document.without(values), fillers: fillers)
        let report = try ReportBuilder.report(Findings(document), session: Fixture.id)
        return try report.array("improvementMeasures").map { $0.arrayValue ?? [] }
    }

    /// Recordings without a fault, but for one figure.
    private static let sound: [String: JSONValue] = [
        "tonalVariety": 0.9, "pauseEffectiveness": 0.9, "faceWidthPx": 150, "faceSharpness": 40, "faceLuma": 120,
        "backlight": 0, "faceCutPct": 0,
    ]

    static let bounds: [(area: Area, figure: String, measure: Figure, inside: JSONValue, outside: JSONValue)] = [
        (.tooFast, "paceWordsPerMin", .paceWordsPerMin, 194, 193),
        (.tooSlow, "paceWordsPerMin", .paceWordsPerMin, 110, 111),
        (.flatVoice, "tonalVariety", .tonalVariety, 0.54, 0.55),
        (.waveringVolume, "volumeConsistency", .volumeConsistency, 0.55, 0.56),
        (.turnedAway, "cameraContactPct", .eyeContactPct, 79, 80),
        (.secondFace, "severalFacesPct", .severalFacesPct, 10, 9),
        (.backlight, "backlight", .backlight, 70, 69), (.darkFace, "faceLuma", .faceLuma, 55, 56),
        (.smallFace, "faceWidthPx", .faceWidthPx, 70, 71), (.blurredFace, "faceSharpness", .faceSharpness, 12, 12.1),
        (.cutFace, "faceCutPct", .faceCutPct, 30, 29), (.overdriven, "clippedPct", .clippedPct, 0.9, 0.89),
        (.quiet, "loudnessLufs", .loudnessLufs, -39, -38.9),
        (.restlessHead, "headMovement", .headMovement, 0.12, 0.119),
        (.stillFace, "faceLiveliness", .faceLiveliness, 0.25, 0.26),
        (.slumpedPosture, "postureScore", .postureScore, 0.4, 0.41),
        (.stiffGestures, "gestureNaturalness", .gestureNaturalness, 0.4, 0.41),
    ]

    @Test("begins at its bound and not before", arguments: bounds)
    func begins(area: Area, figure: String, measure: Figure, inside: JSONValue, outside: JSONValue) throws {
        let names = JSONValue.string(measure.rawValue)
        let found = try firstMeasures(Self.sound.merging([figure: inside]) { $1 })
        #expect(found.count == 1 && found[0].contains(names), "\(area): \(found)")
        #expect(try firstMeasures(Self.sound.merging([figure: outside]) { $1 }) == [], "\(area)")
    }

    @Test(
        "about pauses tells long, missing, many and short ones apart",
        arguments: [
            ([("pauseMeanSeconds", 2.5)], "long"), ([("pauseCount", 1)], "one pause"),
            ([("pauseCount", 2)], "two pauses"),
            ([("pauseCount", 12), ("hesitantPauseCount", 6), ("pauseMeanSeconds", 0.5)], "12"),
            ([("pauseMeanSeconds", 0.45), ("pauseCount", 6)], "0.5 seconds"),
        ] as [([(String, Double)], String)])
    func pauses(figures: [(String, Double)], word: String) throws {
        let values = Dictionary(uniqueKeysWithValues: figures.map { ($0.0, JSONValue.double($0.1)) })
        func area(_ effectiveness: Double) throws -> String? {
            let all = Self.sound.merging(values) { $1 }.merging(["pauseEffectiveness": .double(effectiveness)]) { $1 }
            // The second variant of each text is looked at as well.
            for session in 0..<8 {
                let report = try ReportBuilder.report(
                    Findings(Document.json(Document.without(all))),
                    session: UUID(high: 1, low: UInt64(session)))
                if let text = try report.array("areasForImprovement").first?.stringValue, text.contains(word) {
                    return text
                }
            }
            return nil
        }
        #expect(try area(0.59) != nil)
        #expect(try area(0.6) == nil)
    }

    @Test("about pauses counts them by the minute, not in all")
    func pausesByTheMinute() throws {
        // In 28.32 s 11 are 23.3 a minute and 12 are 25.4; 2 are 4.2 and 3 are 6.4.
        func measures(_ count: Int64) throws -> [JSONValue] {
            let values: [String: JSONValue] = [
                "pauseCount": .int(count), "pauseMeanSeconds": 0.45, "pauseEffectiveness": 0.4, "hesitantPauseCount": 6,
            ]
            return try firstMeasures(Self.sound.merging(values) { $1 })[0]
        }
        for (count, isRate) in [(2, true), (3, false), (11, false), (12, true)] as [(Int64, Bool)] {
            #expect(try measures(count).contains("pausesPerMin") == isRate, "\(count)")
        }
    }

    @Test("about short pauses begins at 0.45 s on average")
    func shortPauses() throws {
        let poor = Self.sound.merging(["pauseEffectiveness": 0.4]) { $1 }
        #expect(try firstMeasures(poor.merging(["pauseMeanSeconds": 0.45]) { $1 }).count == 1)
        #expect(try firstMeasures(poor.merging(["pauseMeanSeconds": 0.46]) { $1 }).isEmpty)
    }

    @Test("about the face or the head needs one face, in the picture for most of the time")
    func oneFace() throws {
        let faces: [[String: JSONValue]] = [
            ["faceLiveliness": 0.1], ["headMovement": 0.2], ["postureScore": 0.1], ["gestureNaturalness": 0.1],
        ]
        for face in faces {
            let name = try #require(face.keys.first)
            for (seen, isTold) in [
                (["severalFacesPct": 10], true), (["severalFacesPct": 11], false), (["facePresencePct": 60], true),
                (["facePresencePct": 59], false),
            ] as [([String: JSONValue], Bool)] {
                let areas = try firstMeasures(Self.sound.merging(face) { $1 }.merging(seen) { $1 })
                #expect(areas.contains { $0.contains(.string(name)) } == isTold, "\(name) \(seen)")
            }
        }
    }

    @Test("about a still face needs both who have looked at it, where neither alone would be believed")
    func stillFace() throws {
        func isTold(_ liveliness: JSONValue, _ seen: JSONValue) throws -> Bool {
            let face: [String: JSONValue] = ["faceLiveliness": liveliness, "facialExpressiveness": seen]
            let areas = try firstMeasures(Self.sound.merging(face) { $1 })
            return areas.contains { $0.contains("faceLiveliness") || $0.contains("facialExpressiveness") }
        }
        for (liveliness, seen, expected) in [
            (0.5, 0.25, true), (0.51, 0.25, false), (0.5, 0.26, false), (0.25, 1, true), (0.8, 0, false),
        ] as [(Double, Double, Bool)] {
            #expect(try isTold(.double(liveliness), .double(seen)) == expected, "\(liveliness) \(seen)")
        }
        // A provider's word alone is none.
        #expect(try !isTold("slow-sampling", 0))
    }

    @Test("about what a provider has seen counts a third when it is put in order, and says what the score may gain")
    func seen() throws {
        // Posture costs 20 points, a third of that 6.7; the pace costs 10 · 35/55 = 6.4, all of it 10.
        let posture: [String: JSONValue] = ["postureScore": 0]
        func first(_ pace: JSONValue) throws -> [JSONValue]? {
            try firstMeasures(Self.sound.merging(posture) { $1 }.merging(["paceWordsPerMin": pace]) { $1 }).first
        }
        #expect(try first(215)?.first == "postureScore")
        #expect(try first(250)?.first == "paceWordsPerMin")
        let document = Document.json(Document.without(Self.sound.merging(posture) { $1 }))
        let report = try ReportBuilder.report(Findings(document), session: Fixture.id)
        #expect(report["firstStep"]?["measures"]?.arrayValue?.first == "postureScore")
        let points = try #require(report["firstStep"]?["points"]?.intValue)
        #expect(points > 20 && points <= 100 - (report["confidenceScore"]?.intValue ?? 0))
        #expect(report["firstStep"]?["exercise"]?.stringValue?.isEmpty == false)
    }

    @Test("about fillers and the stops around them is one")
    func fillerStops() throws {
        let stops: [String: JSONValue] = [
            "pauseCount": 14, "pauseMeanSeconds": 0.5, "pauseEffectiveness": 0.1, "hesitantPauseCount": 7,
        ]
        func areas(_ fillers: Int64) throws -> [[JSONValue]] {
            try firstMeasures(Self.sound.merging(stops) { $1 }, fillers: ["um": .int(fillers)])
        }
        let both = try areas(2)
        #expect(both.count == 1 && both[0].contains("fillerWords") && both[0].contains("pausesPerMin"))
        let stopped = try areas(1)
        #expect(stopped.count == 1 && !stopped[0].contains("fillerWords") && stopped[0].contains("pausesPerMin"))
        // Fillers without stops.
        let said = try firstMeasures(Self.sound, fillers: ["um": 2])
        #expect(said.count == 1 && said[0].contains("fillerWords") && !said[0].contains("pausesPerMin"))
    }

    @Test("about many stops needs half of them inside of thoughts, a steady volume and no haste")
    func restless() throws {
        func isTold(_ values: [String: JSONValue]) throws -> Bool {
            let stops: [String: JSONValue] = [
                "pauseCount": 12, "pauseMeanSeconds": 0.5, "pauseEffectiveness": 0.1, "hesitantPauseCount": 6,
            ]
            return try firstMeasures(Self.sound.merging(stops) { $1 }.merging(values) { $1 })
                .contains { $0.contains("pausesPerMin") }
        }
        #expect(try isTold([:]))
        #expect(try !isTold(["hesitantPauseCount": 5]))
        #expect(try isTold(["volumeConsistency": 0.65]))
        #expect(try !isTold(["volumeConsistency": 0.64]))
        #expect(try isTold(["paceWordsPerMin": 193]))
        #expect(try !isTold(["paceWordsPerMin": 194]))
    }

    @Test("about a volume that wavers counts the pauses that its quiet words pass for")
    func sinking() throws {
        func gain(_ pauses: Int64) throws -> JSONValue? {
            let values: [String: JSONValue] = [
                "volumeConsistency": 0.5, "pauseCount": .int(pauses), "pauseMeanSeconds": 0.6,
                "pauseEffectiveness": 0.2,
            ]
            let document = Document.json(Document.without(Self.sound.merging(values) { $1 }))
            return try ReportBuilder.report(Findings(document), session: Fixture.id).object("firstStep")["points"]
        }
        // 2.5 of 65 points for the volume, 8 more for the pauses; 12 are 25.4 a minute.
        #expect(try gain(11) == 8)
        #expect(try gain(12) == 32)
    }

    @Test("about cut peaks counts what they take from the volume, which no area of the volume does")
    func cutPeaks() throws {
        func report(_ values: [String: JSONValue]) throws -> JSONObject {
            let clipped: [String: JSONValue] = ["clippedPct": 2, "soundQuality": 0, "tonalVariety": 0.4]
            let all = Self.sound.merging(clipped) { $1 }.merging(values) { $1 }
            return try ReportBuilder.report(Findings(Document.json(Document.without(all))), session: Fixture.id)
        }
        // Sound 5 and volume 4 of 65, before the melody's 6.
        let even = try report(["volumeConsistency": 0.8])
        #expect(try even.array("improvementMeasures").first == ["clippedPct"])
        #expect(try even.object("firstStep")["points"] == 28)
        // Of a volume that wavers besides, only the rest: sound 5 and volume 2.5.
        #expect(try report(["volumeConsistency": 0.5]).object("firstStep")["points"] == 23)
        // Not overdriven, the melody comes first.
        let quiet = try report(["volumeConsistency": 0.8, "clippedPct": 0.5, "loudnessLufs": -45])
        #expect(try quiet.array("improvementMeasures").first?.arrayValue?.contains("tonalVariety") == true)
    }

    @Test("about missing pauses stands for the haste that follows from them, with what both cost")
    func breathless() throws {
        let values: [String: JSONValue] = ["paceWordsPerMin": 210, "pauseCount": 1, "pauseEffectiveness": 0.2]
        func areas(_ articulation: Double) throws -> [[JSONValue]] {
            try firstMeasures(
                Self.sound.merging(values) { $1 }.merging(["articulationWordsPerMin": .double(articulation)]) { $1 })
        }
        // With a fifth of the time in pauses, 242 are 194.
        #expect(try areas(242).count == 1)
        #expect(try areas(242)[0].contains("paceWordsPerMin") && areas(242)[0].contains("pausesPerMin"))
        #expect(try areas(243).count == 2)
        let document = Document.json(
            Document.without(Self.sound.merging(values) { $1 }.merging(["articulationWordsPerMin": 220]) { $1 }))
        let report = try ReportBuilder.report(Findings(document), session: Fixture.id)
        // 8 for the pauses, 10 · 30/55 for the pace: 13.45 of 65, at most what is missing.
        let score = try #require(report["confidenceScore"]?.intValue)
        #expect(try report.object("firstStep")["points"]?.intValue == min(41, 100 - score))
        #expect(try report.string("feedback").contains("which also brings your pace down"))
    }

    @Test("about long pauses stands for the slowness that follows from them, and not for slow speech")
    func draggingPauses() throws {
        func areas(_ articulation: Double) throws -> [[JSONValue]] {
            try firstMeasures(
                Self.sound.merging([
                    "paceWordsPerMin": 100, "pauseMeanSeconds": 3, "pauseEffectiveness": 0.1,
                    "articulationWordsPerMin": .double(articulation),
                ]) { $1 })
        }
        #expect(try areas(121).count == 1)
        #expect(try areas(121)[0].contains("paceWordsPerMin") && areas(121)[0].contains("pauseMeanSeconds"))
        #expect(try areas(120).count == 2)
    }

    @Test("about a dark face promises nothing for a liveliness that nobody has seen")
    func unseenLiveliness() throws {
        let dark: [String: JSONValue] = ["faceLuma": 20, "pictureQuality": 0, "tonalVariety": 0.2]
        let document = Document.json(Document.without(Self.sound.merging(dark) { $1 }))
        let report = try ReportBuilder.report(Findings(document), session: Fixture.id)
        // Picture 5, contact 0.93; the liveliness of 6 decides only that the picture comes before the melody's 8.
        #expect(try report.array("improvementMeasures").first == ["faceLuma"])
        #expect(try report.object("firstStep")["points"] == 18)
    }

    @Test("about alike sentences needs two pairs that follow each other, and is not the first of nearly all points")
    func repeatedOpenings() throws {
        func areas(_ text: String, _ values: [String: JSONValue] = [:]) throws -> JSONObject {
            var document = Document.json(Document.without(Self.sound.merging(values) { $1 }))
            document["transcript"] = .object(
                document["transcript"]!.objectValue!.adding(["text": .string(text)]))
            return try ReportBuilder.report(Findings(document), session: Fixture.id)
        }
        func isTold(_ report: JSONObject) throws -> Bool {
            try report.array("improvementMeasures").contains(["repeatedOpeningPct"])
        }
        let together =
            "It was a good day for it. It was a bad day too. It was what we had then. Nobody came along. We all went home again."
        let apart =
            "It was a good day for it. Nobody came along. It was a bad day too. We all went home again. It was what we had then."
        let lower: [String: JSONValue] = ["cameraContactPct": 80, "pauseEffectiveness": 0.6]
        #expect(try isTold(areas(together, lower)))
        #expect(try !isTold(areas(apart, lower)))
        #expect(try areas(together, lower).array("practiceExercises")[0].stringValue?.contains("2 of 5") == true)
        #expect(try areas(together, lower).object("firstStep").string("what").contains("“It was”"))
        let best = try areas(together, ["cameraContactPct": 98])
        #expect(try #require(best["confidenceScore"]?.intValue) >= 90)
        #expect(try !isTold(best))
    }

    @Test("about too few words leaves nothing else to be said of how they were spoken")
    func littleSpeech() throws {
        let few: [String: JSONValue] = ["paceWordsPerMin": "too-few-words"]
        for fault in [
            ["pauseMeanSeconds": 2.5, "pauseEffectiveness": 0.1], ["tonalVariety": 0.1], ["volumeConsistency": 0.3],
            ["faceLiveliness": 0.1],
        ] as [[String: JSONValue]] {
            let values = Self.sound.merging(fault) { $1 }
            let told = try firstMeasures(values)
            #expect(told.count == 1 && told[0] != ["paceWordsPerMin"], "\(told)")
            #expect(try firstMeasures(values.merging(few) { $1 }) == [["paceWordsPerMin"]], "\(fault)")
        }
        // The light is the same whether anybody speaks or not.
        let dark = Self.sound.merging(["faceLuma": 40]) { $1 }
        #expect(try firstMeasures(dark.merging(few) { $1 }).count == 2)
        let report = try ReportBuilder.report(
            Findings(Document.json(Document.without(Self.sound.merging(few) { $1 }))), session: Fixture.id)
        let praised = try report.array("strengthMeasures").flatMap { $0.arrayValue ?? [] }
        #expect(praised.contains("eyeContactPct"))
        #expect(!praised.contains("pauseEffectiveness") && !praised.contains("tonalVariety"), "\(praised)")
        // Nor does a tag rest on it: a natural voice and head would have one.
        let natural = Document.without(Self.sound.merging(few) { $1 }.merging(["tonalVariety": 0.6]) { $1 })
        let tagged = try ReportBuilder.report(Findings(Document.json(natural)), session: Fixture.id)
        #expect(try #require(tagged["confidenceScore"]?.intValue) >= 40)
        for (tag, names) in try tagged.object("impressionTagMeasures").members {
            #expect(names.arrayValue?.contains("tonalVariety") == false, "\(tag)")
        }
    }

    @Test("about a voice that is drowned leaves nothing else to be said of it")
    func drownedVoice() throws {
        let noise: [String: JSONValue] = [
            "pauseCount": "too-noisy", "pauseEffectiveness": "too-noisy", "tonalVariety": "too-noisy",
            "soundQuality": 0, "volumeConsistency": 0.3, "cameraContactPct": 70,
        ]
        let document = Document.json(Document.without(Self.sound.merging(noise) { $1 }))
        let report = try ReportBuilder.report(Findings(document), session: Fixture.id)
        #expect(try report.array("improvementMeasures") == [["pauseCount"], ["eyeContactPct"]])
        #expect(try !report.array("strengthMeasures").contains(["paceWordsPerMin"]))
    }

    @Test("about why there is no score comes first, and is put right before the next recording")
    func unscored() throws {
        // Missing pauses and the haste that follows cost 20 points, the face 14.
        let breathless: [String: JSONValue] = [
            "pauseCount": 1, "pauseEffectiveness": 0, "paceWordsPerMin": 240, "articulationWordsPerMin": 240,
        ]
        let values = Self.sound.merging(breathless) { $1 }
        #expect(try firstMeasures(values).first?.contains("pausesPerMin") == true)
        let faceless = values.merging(["cameraContactPct": "no-face"]) { $1 }
        #expect(try firstMeasures(faceless).first == ["eyeContactPct"])
        let report = try ReportBuilder.report(
            Findings(Document.json(Document.without(faceless))), session: Fixture.id)
        #expect(report["confidenceScore"] == .null)
        #expect(try report.string("feedback").contains("Put that right"))
    }

    @Test("keeps what is put right in a moment among the three")
    func repairs() throws {
        let values: [String: JSONValue] = [
            "paceWordsPerMin": 250, "cameraContactPct": 50, "tonalVariety": 0.1, "snrProxyDb": 20, "soundQuality": 0.6,
        ]
        let areas = try firstMeasures(Self.sound.merging(values) { $1 })
        #expect(areas.count == 3)
        #expect(areas.last?.contains("snrProxyDb") == true)
        #expect(areas.first?.contains("paceWordsPerMin") == true)
    }

    @Test("about a tiny face counts what cannot be seen of it as well")
    func tinyFace() throws {
        // Picture 5, contact 14 · 0.27 = 3.7 and the liveliness of 6, against 10 of the pace.
        let tiny: [String: JSONValue] = [
            "faceWidthPx": 60, "pictureQuality": 0, "cameraContactPct": 75, "paceWordsPerMin": 250,
        ]
        #expect(try firstMeasures(Self.sound.merging(tiny) { $1 }).first?.contains("faceWidthPx") == true)
        // The same without what was lost: 0.1 · 5 + 3.7.
        let clear = tiny.merging(["pictureQuality": 0.9]) { $1 }
        #expect(try firstMeasures(Self.sound.merging(clear) { $1 }).first?.contains("paceWordsPerMin") == true)
    }

    @Test("about fillers needs two of them, and 2.5 in a hundred words")
    func fillers() throws {
        #expect(try firstMeasures(Self.sound, fillers: ["um": 2]).count == 1)
        #expect(try firstMeasures(Self.sound, fillers: ["um": 1]).isEmpty)
        // In a longer recording three, from one in a hundred words on.
        func isTold(_ count: Int64, of words: Int) throws -> Bool {
            let document = Document.json(Document.without(Self.sound), words: words, fillers: ["um": .int(count)])
            let report = try ReportBuilder.report(Findings(document), session: Fixture.id)
            return try !report.array("improvementMeasures").isEmpty
        }
        #expect(try isTold(3, of: 200))
        #expect(try !isTold(2, of: 200))
        #expect(try !isTold(3, of: 301))
    }

    @Test("about the noise needs a poor sound, not a small distance alone")
    func noise() throws {
        let near: [String: JSONValue] = ["snrProxyDb": 20]
        #expect(try firstMeasures(Self.sound.merging(near) { $1 }).isEmpty)
        #expect(try firstMeasures(Self.sound.merging(near) { $1 }.merging(["soundQuality": 0.3]) { $1 }).count == 1)
    }

    @Test("about leaving the picture or turning away is one, not two")
    func onePerTopic() throws {
        let away: [String: JSONValue] = ["cameraContactPct": 35, "noFacePct": 60]
        #expect(try firstMeasures(Self.sound.merging(away) { $1 }) == [["noFacePct", "eyeContactPct"]])
    }

    /// Each is praised from its bound on.
    static let praised: [(name: String, figure: String, measure: String, inside: JSONValue, outside: JSONValue)] = [
        ("contact", "cameraContactPct", "eyeContactPct", 80, 79), ("tiny face", "faceWidthPx", "eyeContactPct", 70, 69),
        ("one pause", "pauseCount", "pauseEffectiveness", 2, 1),
        ("another's head", "severalFacesPct", "headMovement", 9, 11),
        ("hardly there", "facePresencePct", "headMovement", 60, 59),
        ("slow", "paceWordsPerMin", "paceWordsPerMin", 120, 119),
        ("fast", "paceWordsPerMin", "paceWordsPerMin", 180, 181),
        ("pauses", "pauseEffectiveness", "pauseEffectiveness", 0.6, 0.59),
        ("short pauses", "pauseMeanSeconds", "pauseEffectiveness", 0.5, 0.49),
        ("a long pause", "pauseLongestSeconds", "pauseEffectiveness", 2.5, 2.6),
        ("pauses all the time", "pauseCount", "pauseEffectiveness", 9, 10),
        ("quiet words as pauses", "volumeConsistency", "pauseEffectiveness", 0.65, 0.64),
        ("melody", "tonalVariety", "tonalVariety", 0.6, 0.59),
        ("volume", "volumeConsistency", "volumeConsistency", 0.7, 0.69),
        ("cut sound is even", "clippedPct", "volumeConsistency", 0.5, 0.6),
        ("drowned by noise", "soundQuality", "volumeConsistency", 0.8, 0.79),
        ("head", "headMovement", "headMovement", 0.08, 0.09), ("sound", "soundQuality", "soundQuality", 0.8, 0.79),
        ("picture", "pictureQuality", "pictureQuality", 0.8, 0.79),
        ("second face", "severalFacesPct", "pictureQuality", 9, 11),
    ]

    @Test("praises from its bound on and not before", arguments: praised)
    func praise(name: String, figure: String, measure: String, inside: JSONValue, outside: JSONValue) throws {
        // Others are out of the way, because a report has three strengths at most.
        let quiet: [String: JSONValue] = [
            "cameraContactPct": 78, "paceWordsPerMin": 116, "pauseEffectiveness": 0.58, "tonalVariety": 0.55,
            "volumeConsistency": 0.65, "headMovement": 0.1, "soundQuality": 0.77, "pictureQuality": 0.78,
        ]
        let own: [String: String] = ["eyeContactPct": "cameraContactPct"]
        var values = Self.sound.merging(quiet) { $1 }
        values[own[measure] ?? measure] = Self.sound[measure] ?? Document.good[own[measure] ?? measure]
        if measure == "volumeConsistency" { values["soundQuality"] = 1 }
        func praised(_ value: JSONValue) throws -> Bool {
            let document = Document.json(Document.without(values.merging([figure: value]) { $1 }))
            let report = try ReportBuilder.report(Findings(document), session: Fixture.id)
            return try report.array("strengthMeasures").contains { $0.arrayValue?.contains(.string(measure)) == true }
        }
        #expect(try praised(inside), "\(name)")
        #expect(try !praised(outside), "\(name)")
    }

    @Test("does not praise the silences around fillers")
    func silences() throws {
        for (count, isPraised) in [(1, true), (2, false)] as [(Int64, Bool)] {
            let document = Document.json(
                Document.without(["cameraContactPct": 70, "pauseEffectiveness": 0.9]), fillers: ["um": .int(count)])
            let report = try ReportBuilder.report(Findings(document), session: Fixture.id)
            let named = try report.array("strengthMeasures").contains {
                $0.arrayValue?.contains("pauseEffectiveness") == true
            }
            #expect(named == isPraised, "\(count)")
        }
    }

    @Test("does not praise pauses of who is too fast to be followed")
    func hasty() throws {
        for (pace, isPraised) in [(193, true), (194, false)] as [(Int64, Bool)] {
            let values: [String: JSONValue] = [
                "cameraContactPct": 70, "pauseEffectiveness": 0.9, "paceWordsPerMin": .int(pace),
            ]
            let report = try ReportBuilder.report(
                Findings(Document.json(Document.without(values))), session: Fixture.id)
            let named = try report.array("strengthMeasures").contains {
                $0.arrayValue?.contains("pauseEffectiveness") == true
            }
            #expect(named == isPraised, "\(pace)")
        }
    }

    @Test("never praises what another blames, whatever the figures")
    func disjoint() throws {
        for scenario in Scenario.allCases {
            for strength in StrengthRules.table(scenario) {
                for area in AreaRules.table(scenario) where area.topic == strength.topic {
                    for case .within(let figure, let good) in strength.conditions {
                        for case .within(figure, let bad) in area.conditions.prefix(1) {
                            #expect(!good.overlaps(bad), "\(strength.key) and \(area.key) about \(figure), \(scenario)")
                        }
                    }
                }
            }
        }
    }

    @Test("about the sound counts the pauses that noise has drowned, not those that were merely poor")
    func drowned() throws {
        let noise: [String: JSONValue] = ["snrProxyDb": 15, "soundQuality": 0.2, "paceWordsPerMin": 215]
        // The sound costs 4 points, the pace 10 · 35/55 = 6.4, the drowned pauses 10 more.
        let poor = Self.sound.merging(noise) { $1 }.merging(["pauseEffectiveness": 0.1]) { $1 }
        #expect(try firstMeasures(poor).first?.contains("snrProxyDb") == false)
        let drowned = Self.sound.merging(noise) { $1 }.merging(["pauseEffectiveness": "too-noisy"]) { $1 }
        #expect(try firstMeasures(drowned).first?.contains("snrProxyDb") == true)
    }

    @Test("puts first what costs the score most")
    func order() throws {
        // Pace costs 10 points, contact at 60 % costs 14 · 0.47 = 6.5, volume 5 · 0.6 = 3.
        let values: [String: JSONValue] = ["paceWordsPerMin": 250, "cameraContactPct": 60, "volumeConsistency": 0.4]
        #expect(
            try firstMeasures(Self.sound.merging(values) { $1 })
                == [["paceWordsPerMin"], ["eyeContactPct"], ["volumeConsistency"]])
    }
}
