/// A number that rules can use, named as in the report's `measures`.
package enum Figure: String, CaseIterable, Sendable {
    case confidenceScore, durationSec, wordCount, paceWordsPerMin
    case pauseCount, pausesPerMin, pauseMeanSeconds, pauseLongestSeconds, pauseEffectiveness
    case pitchMedianHz, pitchRangeSemitones, tonalVariety
    case loudnessLufs, truePeakDbfs, volumeConsistency, clarity, snrProxyDb
    case articulationWordsPerMin, hesitantPauseCount, strategicPauseCount, clippedPct, soundQuality
    case facePresencePct, facingCameraPct, eyeContactPct, faceWidthPx
    case turnedAwayPct, noFacePct, severalFacesPct, faceCutPct, faceLuma, backlight, faceSharpness, pictureQuality
    case headMovement, headStillness, faceLiveliness, smileLikePct, meanLuma
    case postureScore, gestureNaturalness, facialExpressiveness
    case fillerCount, fillersPer100Words
    case sentenceLengthWords, repeatedOpeningPct, repeatedWordsPer100Words, wordVariety, hedgesPer100Words
    case opinionPhrasesPer100Words, passivePct, openingOnSubject, closingOnSubject
    case paceVariationPct, paceDriftPct, startEnergy, endEnergy
    /// How many sentences begin like the one right before: a part of `repeatedOpeningPct`.
    case adjacentOpenings
    /// How many words the sentence has of which `openingOnSubject` tells.
    case openingWords

    /// The entry of `measures` that says how far to trust it.
    package var measure: String {
        switch self {
        case .fillerCount: "fillerWords"
        case .adjacentOpenings: Figure.repeatedOpeningPct.rawValue
        case .openingWords: Figure.openingOnSubject.rawValue
        default: rawValue
        }
    }

    /// What it is about, where something can be said about that.
    var topic: Topic? {
        switch self {
        case .eyeContactPct, .facingCameraPct, .facePresencePct, .turnedAwayPct, .noFacePct, .severalFacesPct: .contact
        case .pictureQuality, .faceWidthPx, .faceCutPct, .faceLuma, .backlight, .faceSharpness, .meanLuma: .picture
        case .soundQuality, .loudnessLufs, .truePeakDbfs, .snrProxyDb, .clippedPct: .sound
        case .clarity, .wordCount: .speech
        case .paceWordsPerMin, .articulationWordsPerMin, .paceVariationPct, .paceDriftPct: .pace
        case .pauseCount, .pausesPerMin, .pauseMeanSeconds, .pauseLongestSeconds, .pauseEffectiveness,
            .hesitantPauseCount, .strategicPauseCount:
            .pauses
        case .pitchMedianHz, .pitchRangeSemitones, .tonalVariety: .melody
        case .volumeConsistency, .startEnergy, .endEnergy: .volume
        case .fillerCount, .fillersPer100Words: .fillers
        case .headMovement, .headStillness: .head
        case .faceLiveliness, .smileLikePct, .facialExpressiveness: .expression
        case .postureScore: .posture
        case .gestureNaturalness: .gestures
        case .sentenceLengthWords, .repeatedOpeningPct, .adjacentOpenings, .repeatedWordsPer100Words, .wordVariety,
            .hedgesPer100Words,
            .opinionPhrasesPer100Words, .passivePct:
            .phrasing
        case .openingOnSubject, .openingWords, .closingOnSubject: .structure
        case .confidenceScore, .durationSec: nil
        }
    }

    /// Whether its numbers go to 100; those of `eyeContactPct` go to 1, as the app's clients know it.
    var isPercentage: Bool { rawValue.hasSuffix("Pct") && self != .eyeContactPct }
}

/// Whose doing it is that something could not be judged.
package enum Fault: Sendable {
    /// The speaker's, who can do something about it: the light, the place, the voice. It counts against the score.
    case speaker
    /// The machine's: it is left open how the part would have been.
    case machine

    /// - Parameter code: the media helper's reason; nil for a figure that it did not report.
    init(code: String?) {
        self = code.flatMap(Reason.init(rawValue:)).map(Self.speakers.contains) == true ? .speaker : .machine
    }

    private static let speakers: Set<Reason> = [
        .noAudio, .noSpeech, .tooFewWords, .tooLittleSpeech, .tooNoisy, .tooQuiet, .tooShort, .noPauses, .tooDark,
        .picturePoor, .noFace, .faceTooSmall,
    ]
}

/// The valid figures of one recording, and why the others are not.
package struct Figures: Sendable {
    private var values: [Figure: Double] = [:]
    private var causes: [Figure: Cause] = [:]
    private var codes: [Figure: String] = [:]

    /// The value; nil unless it is valid.
    package subscript(_ figure: Figure) -> Double? { values[figure] }

    /// Why a figure has no value.
    package func cause(_ figure: Figure) -> Cause { causes[figure] ?? .known(.notMeasured) }

    /// The media helper's code for that; nil if it gave none.
    package func code(_ figure: Figure) -> String? { codes[figure] }

    /// Whose doing it is that a figure has no value; nil if it has one.
    package func fault(_ figure: Figure) -> Fault? {
        values[figure] == nil ? Fault(code: codes[figure]) : nil
    }

    package mutating func set(_ figure: Figure, _ value: Double?, cause: Cause? = nil, code: String? = nil) {
        values[figure] = value
        causes[figure] = value == nil ? cause : nil
        codes[figure] = value == nil ? code : nil
    }

    /// Takes the contact with the camera away where nobody can tell it: whose eyes are meant while another face is as large,
    /// and where a face is turned that is tiny, or in the dark, or blurred. What the score made of it stands.
    package mutating func leaveOutContact() {
        guard self[.eyeContactPct] != nil else { return }
        let width = self[.faceWidthPx]
        let reason: Reason? =
            if let width, width < Self.visibleWidth {
                .faceTooSmall
            } else if let quality = self[.pictureQuality], quality < Findings.visible {
                (self[.faceLuma] ?? 255) < Findings.lit ? .tooDark : .picturePoor
            } else if width != nil, let shared = self[.severalFacesPct], shared >= Self.shared {
                .secondFace
            } else {
                nil
            }
        guard let reason else { return }
        // Its own code would stand for a face that was never found.
        set(.eyeContactPct, nil, cause: .known(reason), code: nil)
    }

    /// The width of a face, of 640, from which it can be told where it is turned, and the percentage of the time from which
    /// another face shares the picture.
    static let visibleWidth = 70.0
    static let shared = 10.0

    /// The figures of a recording, without its score.
    package init(_ findings: Findings) {
        for (name, measure) in findings.measures {
            guard let figure = Figure(rawValue: name) else { continue }
            set(figure, measure.number, cause: measure.cause, code: measure.code)
        }
        set(.durationSec, (Double(findings.durationMs) / 1000).rounded())
        let contact = findings.measure("cameraContactPct")
        set(
            .eyeContactPct, contact.number.map { min(max($0 / 100, 0), 1) }, cause: contact.cause, code: contact.code)
        let minutes = Double(findings.durationMs) / 60_000
        let pauses = findings.measure("pauseCount")
        set(
            .pausesPerMin, minutes > 0 ? pauses.number.map { $0 / minutes } : nil, cause: pauses.cause,
            code: pauses.code)
        if findings.measure("repeatedOpeningPct").valid {
            set(.adjacentOpenings, Double(Vocabulary.adjacentOpenings(SpokenText(findings.text).sentences)))
        }
        if findings.measure("openingOnSubject").valid {
            let text = SpokenText(findings.text)
            set(.openingWords, text.opening.map { Double(text.sentences[$0].count) })
        }
        let problem = findings.transcriptProblem
        let words = Double(findings.words.count)
        let fillers = Double(findings.fillers.reduce(0) { $0 + $1.count })
        set(.wordCount, problem == nil ? words : nil, cause: problem)
        set(.fillerCount, findings.fillersProblem == nil ? fillers : nil, cause: findings.fillersProblem)
        // A rate over a handful of words is meaningless; pace has the same limit.
        let rateProblem = findings.fillersProblem ?? (words < 20 ? .known(.fewerThanTwentyWords) : nil)
        set(
            .fillersPer100Words, rateProblem == nil ? 100 * fillers / words : nil, cause: rateProblem,
            code: findings.fillersProblem == nil ? "too-few-words" : findings.fillersCode)
    }
}

/// Rounds numbers, and writes them.
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
