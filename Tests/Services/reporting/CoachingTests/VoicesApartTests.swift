import Contracts
import JSON
import Testing

@testable import Coaching

/// What is said from pause to pause, each at a pitch of its own.
private struct Turns {
    /// Semitones above the voice's median, and seconds, of each.
    var turns: [(pitch: Double, seconds: Double)]

    private static let step = 0.1
    private static let silence = 5

    var melody: [Double?] {
        turns.flatMap { turn in
            // A voice moves by a semitone or so around its pitch.
            let voice = (0..<Int((turn.seconds / Self.step).rounded())).map { turn.pitch + Double($0 % 3) - 1 }
            return voice.map(Optional.some) + Array(repeating: nil, count: Self.silence)
        }
    }

    var pauses: [(start: Double, end: Double)] {
        var time = 0.0
        return turns.dropLast().map { turn in
            let start = time + turn.seconds
            time = start + Double(Self.silence) * Self.step
            return (start, time)
        }
    }

    func share() throws -> Double? {
        let values = melody.map { $0.map(JSONValue.double) ?? .null }
        let document = MeasuredDocument.json().adding([
            "melody": ["stepSec": .double(Self.step), "semitones": .array(values)],
            "pauses": .array(pauses.map { ["start": .double($0.start), "end": .double($0.end)] }),
        ])
        return try Findings(document).secondVoiceShare
    }
}

@Suite("A second voice") struct VoicesApartTests {
    private func alternating(_ low: Double, _ high: Double, _ count: Int = 6) -> Turns {
        Turns(turns: (0..<count).map { ($0 % 2 == 0 ? low : high, 3) })
    }

    @Test("is heard where two people take turns")
    func two() throws {
        let share = try #require(try alternating(-6, 6).share())
        #expect(abs(share - 0.5) < 0.01)
    }

    @Test(
        "is not heard in one voice that moves",
        arguments: [
            [0, 0, 0, 0, 0, 0], [-2, 2, -1.5, 1.5, 0, 1], [-3, -1, 1, 3, 0, 2], [-6, -3, 0, 3, 6, 1],
        ] as [[Double]])
    func one(pitches: [Double]) throws {
        #expect(try Turns(turns: pitches.map { ($0, 3) }).share() == 0)
    }

    @Test("lies at least 6.5 semitones away", arguments: [(6.4, false), (6.6, true)] as [(Double, Bool)])
    func distance(distance: Double, isHeard: Bool) throws {
        #expect((try #require(try alternating(0, distance).share()) > 0) == isHeard)
    }

    @Test("leaves a hole of 4.5 semitones", arguments: [(-5.6, true), (-5.4, false)] as [(Double, Bool)])
    func gap(nearest: Double, isHeard: Bool) throws {
        // The means are far enough apart, but one of the lower ones comes near.
        let turns = [-9.0, -9, nearest, -1, 1, 1].map { (pitch: $0, seconds: 3.0) }
        #expect((try #require(try Turns(turns: turns).share()) > 0) == isHeard)
    }

    @Test("speaks for a fifth of the time", arguments: [(1.4, false), (1.6, true)] as [(Double, Bool)])
    func share(seconds: Double, isHeard: Bool) throws {
        let turns = [(0.0, 3.0), (0, 3), (0, 3), (0, 3), (10, seconds), (10, seconds)]
        #expect((try #require(try Turns(turns: turns).share()) > 0) == isHeard)
    }

    @Test("says more than one thing, so that a laugh or a shout is none")
    func once() throws {
        #expect(try Turns(turns: [(0, 3), (0, 3), (0, 3), (0, 3), (10, 5)]).share() == 0)
    }

    @Test("cannot be told from fewer than four stretches, nor without a melody")
    func few() throws {
        #expect(try alternating(-6, 6, 3).share() == nil)
        #expect(try alternating(-6, 6, 4).share() != nil)
        // Too short to have a pitch.
        #expect(try Turns(turns: Array(repeating: (0, 0.4), count: 6)).share() == nil)
        #expect(try Findings(MeasuredDocument.json()).secondVoiceShare == nil)
    }

    private func report(_ turns: Turns) throws -> JSONObject {
        var talk = Talk(text: String(repeating: "We say something about the garden here. ", count: 8))
        talk.values = ["tonalVariety": 1.0, "pitchRangeSemitones": 13]
        talk.pauses = turns.pauses
        talk.melody = turns.melody
        return try talk.report()
    }

    @Test("takes the melody away, because two voices are not one that is lively")
    func left() throws {
        let report = try report(alternating(-6, 6))
        #expect(report["vocalAnalysis"]?["tonalVariety"] == .null)
        #expect(report["warnings"] == ["second-voice"])
        let measures = try report.object("measures")
        #expect(measures["secondVoicePct"]?["value"] == 50)
        for name in ["tonalVariety", "pitchRangeSemitones", "sentenceEndMelody", "monotoneStretchCount"] {
            #expect(measures[name]?["code"] == "second-voice", "\(name)")
            #expect(measures[name]?["reason"] == "two voices can be heard", "\(name)")
        }
        for names in try report.array("strengthMeasures") {
            #expect(names.arrayValue?.contains("tonalVariety") == false)
        }
        // Left open: it is neither earned nor held against anybody.
        #expect(report["scoreCoverage"] == 55)
        let alone = try self.report(alternating(-1, 1))
        #expect(alone["vocalAnalysis"]?["tonalVariety"] == 1.0)
        #expect(alone["warnings"] == [])
        #expect(alone["measures"]?["secondVoicePct"]?["value"] == 0)
        let score = try #require(alone["confidenceScore"]?.intValue)
        #expect(try #require(report["confidenceScore"]?.intValue) < score)
    }
}
