import Coaching
import JSON
import Testing

private typealias Document = MeasuredDocument

private func scoring(
    _ values: [String: JSONValue], fillers: JSONObject = [:], words: Int = 60, scenario: Scenario = .general
) throws -> Scoring {
    Scoring(Figures(try Findings(Document.json(values, words: words, fillers: fillers))), scenario: scenario)
}

@Suite("The confidence score") struct ScoringTests {
    @Test("is the published sum, stretched: the example of docs/scoring.md")
    func example() throws {
        // Voice 10 + 6 + 4, contact 14 · 0.933 + 6 · 0.8, variety 5, recording 10: 52.87 of 65; (0.8133 − 0.46) / 0.5 = 0.707
        let scoring = try scoring(Document.good)
        #expect(scoring.score == 71)
        #expect(scoring.range == 69...73)
        #expect(scoring.coverage == 65)
        #expect(
            scoring.parts.map(\.name) == ["voice", "posture", "eyeContact", "gestures", "vocalVariety", "recording"])
        #expect(scoring.parts.map(\.weight) == [25, 20, 20, 15, 10, 10])
        #expect(scoring.parts.reduce(0) { $0 + $1.weight } == 100)
        #expect(abs(scoring.parts.map(\.share).reduce(0, +) - 100) < 1e-9)
    }

    @Test("reaches 100 and 0")
    func ends() throws {
        let best = Document.without([
            "pauseEffectiveness": 1, "volumeConsistency": 1, "tonalVariety": 1, "cameraContactPct": 100,
            "faceLiveliness": 1,
        ])
        #expect(try scoring(best).score == 100)
        let worst = Document.without([
            "paceWordsPerMin": 300, "pauseEffectiveness": 0, "volumeConsistency": 0, "tonalVariety": 0,
            "cameraContactPct": 0, "faceLiveliness": 0, "soundQuality": 0, "pictureQuality": 0,
        ])
        #expect(try scoring(worst).score == 0)
    }

    /// Every figure that the score judges, with the worst value that it can have.
    private static let judged: [(name: String, worst: JSONValue)] = [
        ("paceWordsPerMin", 300), ("pauseEffectiveness", 0), ("volumeConsistency", 0), ("tonalVariety", 0),
        ("faceLiveliness", 0), ("soundQuality", 0), ("pictureQuality", 0),
    ]

    @Test("is never raised by a part that is missing, not even a bad one", arguments: judged.map(\.name))
    func missing(name: String) throws {
        let worst = try #require(Self.judged.first { $0.name == name }?.worst)
        let known = try #require(try scoring(Document.without([name: worst])).score)
        for code in ["too-noisy", "slow-sampling", "no reason at all"] {
            #expect(try #require(try scoring(Document.without([name: .string(code)])).score) <= known, "\(code)")
        }
    }

    @Test(
        "counts against a speaker what the speaker made impossible to judge, and opens the range for a machine's failure"
    )
    func faults() throws {
        // Without variety 42.87 + 5 of 65: (0.7364 − 0.46) / 0.5 = 0.553; with all of it 0.861
        let speaker = try scoring(Document.without(["tonalVariety": "too-little-speech"]))
        #expect(speaker.score == 55)
        #expect(speaker.coverage == 65)
        #expect(speaker.range == 53...57)
        let machine = try scoring(Document.without(["tonalVariety": "engine-missing"]))
        #expect(machine.score == 55)
        #expect(machine.coverage == 55)
        #expect(machine.range == 53...88)
    }

    @Test("is made of posture and gestures, too, with their published weights, where somebody has seen them")
    func seen() throws {
        // 52.87 of 65, and 20 · 0.9 + 15 · 0.2 of 35: 73.87 of 100; (0.7387 − 0.46) / 0.5 = 0.557
        let both = try scoring(Document.without(["postureScore": 0.9, "gestureNaturalness": 0.2]))
        #expect(both.score == 56 && both.range == 54...58 && both.coverage == 100)
        #expect(both.weight(of: .postureScore) == 20 && both.weight(of: .gestureNaturalness) == 15)
        #expect(abs(both.parts.map(\.share).reduce(0, +) - 100) < 1e-9)
        // 70.87 of 85: (0.8337 − 0.46) / 0.5 = 0.747
        let one = try scoring(Document.without(["postureScore": 0.9, "gestureNaturalness": "not-in-pictures"]))
        #expect(one.score == 75 && one.range == 73...77 && one.coverage == 85)
        #expect(one.parts.first { $0.name == "gestures" }?.cause == .known(.notInPictures))
        // Whatever a provider says of the rest changes nothing.
        let none = try scoring(
            Document.without([
                "postureScore": "no-answer", "gestureNaturalness": "no-answer", "facialExpressiveness": 1,
            ]))
        #expect(none.score == 71 && none.range == 69...73 && none.coverage == 65)
        #expect(none.parts.first { $0.name == "posture" }?.share == 0)
    }

    @Test("is not given for what a provider has seen alone")
    func seenAlone() throws {
        let gone: [String: JSONValue] = [
            "paceWordsPerMin": "engine-missing", "pauseEffectiveness": "engine-missing",
            "faceLiveliness": "slow-sampling", "soundQuality": "engine-missing", "postureScore": 1,
            "gestureNaturalness": 1,
        ]
        let scoring = try scoring(Document.without(gone))
        #expect(scoring.score == nil && scoring.cause == .tooFewPoints(judged: 34, needed: 39))
    }

    @Test("is not given under 39 of the 65 points that can be judged here")
    func coverage() throws {
        let gone: [String: JSONValue] = [
            "paceWordsPerMin": "engine-missing", "pauseEffectiveness": "engine-missing",
            "faceLiveliness": "slow-sampling",
        ]
        // 65 − 26 = 39
        #expect(try scoring(Document.without(gone)).score != nil)
        let more = gone.merging(["soundQuality": "engine-missing"]) { $1 }
        let none = try scoring(Document.without(more))
        #expect(none.score == nil)
        #expect(none.cause == .tooFewPoints(judged: 34, needed: 39))
    }

    @Test("only falls with fillers, by ten points at most, and finding none adds nothing")
    func fillers() throws {
        // 3 in 60 are 5 in a hundred: 10 · 4/7 = 5.7 points of 70.7
        #expect(try scoring(Document.good, fillers: ["like": 3]).score == 65)
        #expect(try scoring(Document.good, fillers: ["like": 5, "um": 1]).score == 61)
        #expect(try scoring(Document.good, fillers: ["um": 40]).score == 61)
        #expect(try scoring(Document.good).deduction == 0)
        // What was not counted is not forgiven: too few words are the speaker's.
        let few = try scoring(Document.good, words: 8)
        #expect(few.score == 61)
        #expect(few.deduction == nil)
    }

    @Test("earns nothing with a face that moves only because the picture is poor, and says whose doing it is")
    func pictureNoise() throws {
        func report(_ quality: Double, luma: Double) throws -> JSONObject {
            let values: [String: JSONValue] = [
                "faceLiveliness": 1, "pictureQuality": .double(quality), "faceLuma": .double(luma),
            ]
            return try ReportBuilder.report(Findings(Document.json(Document.without(values))), session: Fixture.id)
        }
        func liveliness(_ quality: Double, luma: Double) throws -> JSONValue? {
            try report(quality, luma: luma)["measures"]?["faceLiveliness"]
        }
        #expect(try liveliness(0.5, luma: 40)?["value"] == 1)
        let dark = try liveliness(0.49, luma: 54)
        #expect(dark?["value"] == .null && dark?["code"] == "too-dark" && dark?["weight"] == 9.2)
        let poor = try liveliness(0.49, luma: 55)
        #expect(poor?["code"] == "picture-poor" && poor?["reason"] == "the picture of your face is too poor")
        #expect(try report(0.49, luma: 55)["scoreCoverage"] == 65)
        // 6 points of 65, and the picture's own 0.05.
        let seen = try #require(try report(0.5, luma: 55)["confidenceScore"]?.intValue)
        #expect(try report(0.49, luma: 55)["confidenceScore"] == .int(seen - 19))
    }

    @Test("counts the volume of overdriven sound no more than its sound")
    func overdriven() throws {
        func volume(_ clipped: Double, _ sound: JSONValue = 0.3) throws -> ScorePart.Value? {
            try scoring(Document.without(["clippedPct": .double(clipped), "soundQuality": sound])).parts[0].values.last
        }
        #expect(try volume(0.89)?.value == 0.8)
        #expect(try volume(0.9)?.value == 0.3)
        #expect(try volume(0.9, 0.9)?.value == 0.8)
        #expect(try volume(0.9, "noise-unknown")?.fault == .machine)
    }

    @Test("asks for a voice and a face figure")
    func bothSides() throws {
        #expect(try scoring(Document.silent, words: 0).score == nil)
        #expect(try scoring(Document.faceless).score == nil)
        #expect(try scoring([:], words: 0).cause == .known(.neitherVoiceNorFace))
        #expect(try scoring(Document.faceless).parts.allSatisfy { $0.share == 0 })
    }

    @Test(
        "judges pace by the published trapezium",
        arguments: [(80, 0), (100, 50), (120, 100), (180, 100), (235, 0)])
    func pace(words: Int64, percent: Int64) throws {
        let judged = try scoring(Document.without(["paceWordsPerMin": .int(words)])).parts[0].values[0]
        #expect(judged.value == Double(percent) / 100)
    }

    @Test(
        "has another comfortable pace for each scenario",
        arguments: [(Scenario.general, 1.0), (.interview, 1.0), (.pitch, 0.875), (.casual, 1.0)])
    func scenarios(scenario: Scenario, value: Double) throws {
        let slow = Document.without(["paceWordsPerMin": 125])
        #expect(try scoring(slow, scenario: scenario).parts[0].values[0].value == value)
    }

    @Test("says of each measure how much of the score rests on it")
    func weights() throws {
        let scoring = try scoring(Document.good)
        #expect(scoring.weight(of: .eyeContactPct) == 21.5)
        #expect(scoring.weight(of: .paceWordsPerMin) == 15.4)
        #expect(scoring.weight(of: .clarity) == nil)
    }

    @Test("gives a weight to what counts against the speaker, and none to what is left open")
    func weightsOfWhatIsMissing() throws {
        let speaker = try scoring(Document.without(["tonalVariety": "too-little-speech", "soundQuality": "too-quiet"]))
        #expect(speaker.weight(of: .tonalVariety) == 15.4)
        #expect(speaker.weight(of: .soundQuality) == 7.7)
        #expect(speaker.parts.map(\.share) == [38.5, 0, 30.7, 0, 15.4, 15.4])
        let machine = try scoring(Document.without(["tonalVariety": "engine-missing"]))
        #expect(machine.weight(of: .tonalVariety) == nil)
        #expect(machine.parts[4].share == 0)
        #expect(machine.weight(of: .paceWordsPerMin) == 18.2)
    }

    @Test("rests on weights and shares that add up to 100, whatever is missing and whoever is at fault")
    func everyCombination() throws {
        let weighed: [Figure] = [
            .paceWordsPerMin, .pauseEffectiveness, .volumeConsistency, .eyeContactPct, .faceLiveliness, .tonalVariety,
            .soundQuality, .pictureQuality,
        ]
        let faults: [String?] = [nil, "too-little-speech", "engine-missing"]
        let good = Figures(try Findings(Document.json()))
        var combinations = [good]
        for figure in weighed {
            combinations = combinations.flatMap { figures in
                faults.map { code in
                    guard let code else { return figures }
                    var missing = figures
                    missing.set(figure, nil, code: code)
                    return missing
                }
            }
        }
        var scored = 0
        for figures in combinations {
            let scoring = Scoring(figures)
            let missing = weighed.map { figures.code($0) ?? "judged" }
            let weights = Figure.allCases.compactMap { scoring.weight(of: $0) }
            guard scoring.score != nil else {
                #expect(weights.isEmpty && scoring.parts.allSatisfy { $0.share == 0 }, "\(missing)")
                continue
            }
            scored += 1
            #expect(abs(weights.reduce(0, +) - 100) < 1e-9, "\(missing)")
            #expect(abs(scoring.parts.map(\.share).reduce(0, +) - 100) < 1e-9, "\(missing)")
            for figure in weighed {
                #expect(
                    (scoring.weight(of: figure) != nil) == (figures.fault(figure) != .machine), "\(figure) \(missing)")
            }
            for part in scoring.parts {
                let sum = part.figures.compactMap { scoring.weight(of: $0) }.reduce(0, +)
                #expect(abs(part.share - sum) < 1e-9, "\(part.name) \(missing)")
                for value in part.values where value.share > 0 {
                    let exact = 100 * value.weight / Double(scoring.coverage)
                    #expect(abs(value.share - exact) < 0.1, "\(value.name) \(missing)")
                }
            }
        }
        #expect(combinations.count == 6_561 && scored > 1_000, "\(scored)")
    }
}
