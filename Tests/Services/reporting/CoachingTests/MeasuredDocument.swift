import Coaching
import Contracts
import JSON
import Primitives

/// A session whose reports are made.
enum Fixture {
    static let id = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0001)
}

extension Findings {
    /// What the media helper measured.
    init(_ document: JSONObject) throws(JSONError) { self.init(try Measurements(document)) }
}

/// Documents as the media helper writes them, with figures of one's choice.
enum MeasuredDocument {
    /// A good recording: pace 150, volume 0.8, pauses 0.6, contact 90 %, a face that is alive at 0.8, variety 0.5, sound and
    /// picture without fault, 60 words without a filler.
    static let good: [String: JSONValue] = [
        "paceWordsPerMin": 150.4, "pauseCount": 4, "pauseMeanSeconds": 0.84, "pauseLongestSeconds": 1.2,
        "pauseEffectiveness": 0.6, "tonalVariety": 0.5, "pitchRangeSemitones": 4.7, "pitchMedianHz": 121,
        "volumeConsistency": 0.8, "clarity": 0.834, "loudnessLufs": -24.3, "truePeakDbfs": -4.7, "snrProxyDb": 38,
        "clippedPct": 0.03, "soundQuality": 1.0, "facePresencePct": 100, "noFacePct": 0, "severalFacesPct": 0,
        "cameraContactPct": 90, "facingCameraPct": 90, "faceLiveliness": 0.8, "pictureQuality": 1.0,
        "headMovement": 0.036, "faceWidthPx": 150,
        "smileLikePct": "not-measured",
    ]

    /// - Parameter values: by name; a string is the reason for which there is no value.
    static func json(
        _ values: [String: JSONValue] = good, words: Int = 60, fillers: JSONObject = [:], lowConfidence: Bool = false
    ) -> JSONObject {
        var measures = JSONObject()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            measures[name] =
                value.stringValue.map { reason in
                    ["value": .null, "unit": "u", "source": "measured", "valid": false, "reason": .string(reason)]
                } ?? ["value": value, "unit": "u", "source": "measured", "valid": true]
        }
        if words > 0 {
            measures["wordCount"] = ["value": .int(Int64(words)), "unit": "words", "source": "model", "valid": true]
        }
        let spoken: [JSONValue] = (0..<words).map { index in
            ["w": "word", "start": .double(Double(index) * 0.4), "end": .double(Double(index) * 0.4 + 0.3)]
        }
        return [
            "durationMs": 28_320, "video": ["width": 1280, "height": 720], "engines": ["speech": "moonshine"],
            "transcript": [
                "text": .string(words > 0 ? "word word" : ""), "words": .array(spoken),
                "lowConfidence": .bool(lowConfidence),
            ],
            "measures": .object(measures), "fillers": .object(fillers), "fillersAtLeast": true,
            "toneTimeline": words > 0
                ? [
                    ["t": 0, "energy": 0.5], ["t": 5, "energy": 0.82], ["t": 10, "energy": .null],
                    ["t": 15, "energy": 0.21],
                ] : [["t": 0, "energy": .null]],
            "pauses": words > 0 ? [["start": 6.75, "end": 7.65], ["start": 16, "end": 18.6]] : [], "warnings": [],
        ]
    }

    static func without(_ reasons: [String: JSONValue]) -> [String: JSONValue] {
        good.merging(reasons) { _, reason in reason }
    }

    /// No figure of the voice.
    static let silent = without([
        "paceWordsPerMin": "the video has no sound", "pauseCount": "the video has no sound.",
        "pauseMeanSeconds": "the video has no sound", "pauseLongestSeconds": "the video has no sound",
        "pauseEffectiveness": "the video has no sound", "tonalVariety": "the video has no sound",
        "pitchRangeSemitones": "the video has no sound", "pitchMedianHz": "the video has no sound",
        "volumeConsistency": "the video has no sound", "clarity": "the video has no sound",
        "loudnessLufs": "the video has no sound", "truePeakDbfs": "the video has no sound",
        "snrProxyDb": "the video has no sound", "clippedPct": "the video has no sound",
        "soundQuality": "the video has no sound",
    ])

    /// No figure of the face.
    static let faceless = without([
        "facePresencePct": "too-dark", "noFacePct": "too-dark", "severalFacesPct": "too-dark",
        "cameraContactPct": "too-dark", "facingCameraPct": "too-dark", "faceLiveliness": "too-dark",
        "pictureQuality": "too-dark", "headMovement": "too-dark",
    ])
}
