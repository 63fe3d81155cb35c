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
        (.waveringVolume, "volumeConsistency", .volumeConsistency, 0.65, 0.66),
        (.turnedAway, "cameraContactPct", .eyeContactPct, 79, 80),
        (.secondFace, "severalFacesPct", .severalFacesPct, 10, 9),
        (.backlight, "backlight", .backlight, 70, 69), (.darkFace, "faceLuma", .faceLuma, 55, 56),
        (.smallFace, "faceWidthPx", .faceWidthPx, 70, 71), (.blurredFace, "faceSharpness", .faceSharpness, 12, 12.1),
        (.cutFace, "faceCutPct", .faceCutPct, 30, 29), (.overdriven, "clippedPct", .clippedPct, 0.9, 0.89),
        (.quiet, "loudnessLufs", .loudnessLufs, -39, -38.9),
        (.restlessHead, "headMovement", .headMovement, 0.12, 0.119),
        (.stillFace, "faceLiveliness", .faceLiveliness, 0.25, 0.26),
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
            ([("pauseCount", 12), ("pauseMeanSeconds", 0.5)], "12"),
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
                "pauseCount": .int(count), "pauseMeanSeconds": 0.45, "pauseEffectiveness": 0.4,
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
        for face in [["faceLiveliness": 0.1], ["headMovement": 0.2]] as [[String: JSONValue]] {
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

    @Test("about fillers comes before the stops that they make, from five in a hundred words on")
    func fillersBeforeStops() throws {
        let stops: [String: JSONValue] = ["pauseCount": 14, "pauseMeanSeconds": 0.5, "pauseEffectiveness": 0.1]
        func first(_ fillers: Int64) throws -> [JSONValue]? {
            try firstMeasures(Self.sound.merging(stops) { $1 }, fillers: ["um": .int(fillers)]).first
        }
        // Of 60 words 3 are 5 %, and 2 are 3.3 %; the stops cost 9 points.
        #expect(try first(3)?.contains("fillerWords") == true)
        #expect(try first(2)?.contains("pausesPerMin") == true)
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
