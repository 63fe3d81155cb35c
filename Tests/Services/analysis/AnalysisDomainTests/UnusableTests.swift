import Contracts
import JSON
import Measuring
import Testing

@Suite("A recording") struct UnusableTests {
    private static let faceless: [String: JSONValue] = [
        "cameraContactPct": "no-face", "facePresencePct": "no-face", "meanLuma": 90,
    ]
    private static let black: [String: JSONValue] = [
        "cameraContactPct": "too-dark", "facePresencePct": "too-dark", "meanLuma": 0,
    ]

    /// A recording in which all is well.
    private static let good: [String: JSONValue] = [
        "cameraContactPct": 90, "facePresencePct": 100, "meanLuma": 120, "loudnessLufs": -24.3,
    ]

    /// Why one cannot be used, of which everything is good but these figures; a string is the reason for which there is none.
    private func problem(
        _ figures: [String: JSONValue], words: Int = 0, promisesSound: Bool = true
    ) throws -> FailureCode? {
        let measures = Self.good.merging(figures) { $1 }.map { name, value -> (String, JSONValue) in
            let reason = value.stringValue
            return (
                name,
                [
                    "value": reason == nil ? value : .null, "valid": .bool(reason == nil),
                    "reason": .optional(reason),
                ]
            )
        }
        let word: JSONValue = ["w": "word", "start": 0, "end": 0.3]
        return try AnalysisDocument([
            "durationMs": 28_320, "soundPromised": .bool(promisesSound),
            "transcript": ["words": .array(Array(repeating: word, count: words))],
            "measures": .object(JSONObject(measures)),
        ]).unusable
    }

    @Test("with speech can be used, also by somebody who cannot be seen")
    func spoken() throws {
        #expect(try problem([:], words: 60) == nil)
        #expect(try problem([:], words: 1) == nil)
        #expect(try problem(Self.faceless, words: 60) == nil)
        #expect(try problem(["soundQuality": "too-noisy"], words: 9) == nil)
    }

    @Test("in which nobody speaks cannot be used, with a face or without")
    func noSpeech() throws {
        #expect(try problem(["wordCount": "no-speech"]) == .noSpeech)
        #expect(try problem(Self.faceless.merging(["wordCount": "no-speech"]) { $1 }) == .noSpeech)
    }

    @Test("whose sound track is silent or empty has no sound")
    func noSound() throws {
        #expect(try problem(["wordCount": "no-speech", "loudnessLufs": "too-quiet"]) == .noSound)
        #expect(try problem(["wordCount": "no-audio", "loudnessLufs": "no-audio"]) == .noSound)
    }

    @Test("without a sound track is judged by its face, and cannot be used without one")
    func noTrack() throws {
        let mute: [String: JSONValue] = ["wordCount": "no-audio", "loudnessLufs": "no-audio"]
        #expect(try problem(mute, promisesSound: false) == nil)
        #expect(try problem(mute.merging(Self.faceless) { $1 }, promisesSound: false) == .noSound)
        #expect(try problem(mute.merging(Self.black) { $1 }, promisesSound: false) == .blackPicture)
    }

    @Test("that is black cannot be used, whatever is said in it; one that is dark can")
    func dark() throws {
        #expect(try problem(Self.black, words: 60) == .blackPicture)
        #expect(try problem(Self.black.merging(["meanLuma": 5]) { $1 }, words: 60) == .blackPicture)
        #expect(try problem(Self.black.merging(["meanLuma": 6]) { $1 }, words: 60) == nil)
        // Whoever is seen is not in the dark.
        #expect(try problem(["meanLuma": 2], words: 60) == nil)
    }

    @Test("is not blamed for a recogniser that is missing, nor for what an older helper does not say")
    func machine() throws {
        #expect(try problem(["wordCount": "engine-missing"]) == nil)
        #expect(try problem([:]) == nil)
    }

    @Test("that cannot be used has a code of its own, which quota knows")
    func codes() {
        let codes: [FailureCode] = [.tooShort, .noSpeech, .noSound, .blackPicture]
        #expect(Set(codes).count == 4)
        #expect(codes.allSatisfy { $0.isOfUnusableRecording })
        #expect(!FailureCode.processingTimeout.isOfUnusableRecording)
        #expect(!FailureCode(rawValue: "no-video").isOfUnusableRecording)
    }
}
