/// A number that rules can use, named as in the report's `measures`.
package enum Figure: String, CaseIterable, Sendable {
    case confidenceScore, durationSec, wordCount, paceWordsPerMin
    case pauseCount, pauseMeanSeconds, pauseLongestSeconds, pauseEffectiveness
    case pitchMedianHz, pitchRangeSemitones, tonalVariety
    case loudnessLufs, truePeakDbfs, volumeConsistency, clarity, snrProxyDb
    case facePresencePct, facingCameraPct, eyeContactPct, faceWidthPx
    case headMovement, headStillness, smileLikePct, severalFacesPct, meanLuma
    case fillerCount, fillersPer100Words

    /// The number of decimals shown in sentences.
    var places: Int {
        switch self {
        case .pauseEffectiveness, .tonalVariety, .volumeConsistency, .clarity, .eyeContactPct, .headMovement,
            .headStillness:
            2
        case .pauseMeanSeconds, .pauseLongestSeconds, .pitchRangeSemitones, .loudnessLufs, .truePeakDbfs,
            .fillersPer100Words:
            1
        default: 0
        }
    }
}

/// The valid figures of one recording, and why the others are not.
package struct Figures: Sendable {
    private var values: [Figure: Double] = [:]
    private var reasons: [Figure: String] = [:]

    /// The value; nil unless it is valid.
    package subscript(_ figure: Figure) -> Double? { values[figure] }

    /// Why a figure has no value.
    package func reason(_ figure: Figure) -> String { reasons[figure] ?? "it was not measured" }

    package mutating func set(_ figure: Figure, _ value: Double?, reason: String? = nil) {
        values[figure] = value
        reasons[figure] = value == nil ? reason : nil
    }

    /// The figures of a recording, without its score.
    package init(_ findings: Findings) {
        for (name, measure) in findings.measures {
            guard let figure = Figure(rawValue: name) else { continue }
            set(figure, measure.number, reason: measure.reason)
        }
        set(.durationSec, (Double(findings.durationMs) / 1000).rounded())
        let facing = findings.measure(Figure.facingCameraPct.rawValue)
        set(.eyeContactPct, facing.number.map { min(max($0 / 100, 0), 1) }, reason: facing.reason)
        let problem = findings.transcriptProblem
        let words = Double(findings.words.count)
        let fillers = Double(findings.fillers.reduce(0) { $0 + $1.count })
        set(.wordCount, problem == nil ? words : nil, reason: problem)
        set(.fillerCount, findings.fillersProblem == nil ? fillers : nil, reason: findings.fillersProblem)
        // A rate over a handful of words is meaningless; pace has the same limit.
        let rateProblem = findings.fillersProblem ?? (words < 20 ? "fewer than 20 words were recognised" : nil)
        set(.fillersPer100Words, rateProblem == nil ? 100 * fillers / words : nil, reason: rateProblem)
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
