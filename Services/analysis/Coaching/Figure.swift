/// A number that rules can use, named as in the report's `measures`.
package enum Figure: String, CaseIterable, Sendable {
    case confidenceScore, durationSec, wordCount, paceWordsPerMin
    case pauseCount, pauseMeanSeconds, pauseLongestSeconds, pauseEffectiveness
    case pitchMedianHz, pitchRangeSemitones, tonalVariety
    case loudnessLufs, truePeakDbfs, volumeConsistency, clarity, snrProxyDb
    case articulationWordsPerMin, hesitantPauseCount, strategicPauseCount, clippedPct, soundQuality
    case facePresencePct, facingCameraPct, eyeContactPct, faceWidthPx
    case turnedAwayPct, noFacePct, severalFacesPct, faceCutPct, faceLuma, backlight, faceSharpness, pictureQuality
    case headMovement, headStillness, faceLiveliness, smileLikePct, meanLuma
    case fillerCount, fillersPer100Words

    /// The number of decimals shown in sentences.
    var places: Int {
        switch self {
        case .pauseEffectiveness, .tonalVariety, .volumeConsistency, .clarity, .eyeContactPct, .headMovement,
            .headStillness, .soundQuality, .pictureQuality, .faceLiveliness:
            2
        case .pauseMeanSeconds, .pauseLongestSeconds, .pitchRangeSemitones, .loudnessLufs, .truePeakDbfs,
            .fillersPer100Words, .clippedPct:
            1
        default: 0
        }
    }
}

/// Whose doing it is that something could not be judged.
package enum Fault: Sendable {
    /// The speaker's, who can do something about it: the light, the place, the voice. It counts against the score.
    case speaker
    /// The machine's: it is left open how the part would have been.
    case machine

    /// - Parameter code: the media helper's reason; nil for a figure that it did not report.
    init(code: String?) {
        self = code.map(Self.speakers.contains) == true ? .speaker : .machine
    }

    private static let speakers: Set<String> = [
        "no-audio", "no-speech", "too-few-words", "too-little-speech", "too-noisy", "too-quiet", "too-short",
        "no-pauses",
        "too-dark", "no-face", "face-too-small",
    ]
}

/// The valid figures of one recording, and why the others are not.
package struct Figures: Sendable {
    private var values: [Figure: Double] = [:]
    private var reasons: [Figure: String] = [:]
    private var codes: [Figure: String] = [:]

    /// The value; nil unless it is valid.
    package subscript(_ figure: Figure) -> Double? { values[figure] }

    /// Why a figure has no value.
    package func reason(_ figure: Figure) -> String { reasons[figure] ?? "it was not measured" }

    /// Whose doing it is that a figure has no value; nil if it has one.
    package func fault(_ figure: Figure) -> Fault? {
        values[figure] == nil ? Fault(code: codes[figure]) : nil
    }

    package mutating func set(_ figure: Figure, _ value: Double?, reason: String? = nil, code: String? = nil) {
        values[figure] = value
        reasons[figure] = value == nil ? reason : nil
        codes[figure] = value == nil ? code : nil
    }

    /// The figures of a recording, without its score.
    package init(_ findings: Findings) {
        for (name, measure) in findings.measures {
            guard let figure = Figure(rawValue: name) else { continue }
            set(figure, measure.number, reason: measure.reason, code: measure.code)
        }
        set(.durationSec, (Double(findings.durationMs) / 1000).rounded())
        let contact = findings.measure("cameraContactPct")
        set(
            .eyeContactPct, contact.number.map { min(max($0 / 100, 0), 1) }, reason: contact.reason, code: contact.code)
        let problem = findings.transcriptProblem
        let words = Double(findings.words.count)
        let fillers = Double(findings.fillers.reduce(0) { $0 + $1.count })
        set(.wordCount, problem == nil ? words : nil, reason: problem)
        set(.fillerCount, findings.fillersProblem == nil ? fillers : nil, reason: findings.fillersProblem)
        // A rate over a handful of words is meaningless; pace has the same limit.
        let rateProblem = findings.fillersProblem ?? (words < 20 ? "fewer than 20 words were recognised" : nil)
        set(
            .fillersPer100Words, rateProblem == nil ? 100 * fillers / words : nil, reason: rateProblem,
            code: findings.fillersProblem == nil ? "too-few-words" : findings.fillersCode)
    }
}

/// Formats numbers for people.
enum NumberText {
    /// Rounds half away from zero.
    static func rounded(_ value: Double, places: Int) -> Double {
        let scale: Double = [1, 10, 100, 1000][places]
        return (value * scale).rounded() / scale
    }

    static func text(_ value: Double, places: Int) -> String {
        let rounded = rounded(value, places: places)
        return rounded == rounded.rounded() ? String(Int64(rounded)) : rounded.description
    }
}
