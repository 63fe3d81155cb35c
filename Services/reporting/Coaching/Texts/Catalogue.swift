/// All words of a report in one language. Another language is another type that conforms to it, and a case of
/// ``Language``; rules know keys only.
///
/// Where several texts are given, they are variants of each other: any of them may be used. Slots are written
/// `{figure}` or `{figure:form}` with the name of a ``Figure`` and of an ``AmountForm``; what else can be filled in is said
/// at each key.
package protocol Catalogue: ChangeCatalogue {
    /// What somebody did well: sentences. Slots: `{opening}` and `{closing}` are what was said first and last.
    func strength(_ key: Strength) -> [String]
    /// The same as a noun phrase for use within a sentence, without slots.
    func name(_ key: Strength) -> String
    /// What to improve. Slots: `{paceLow}` and `{paceHigh}` are the comfortable pace, and `{slowed}` and `{quickened}` how long
    /// a text that takes a minute now takes at it; `{fillerList}` says which fillers, `{fewerFillers}` half as many;
    /// `{alikeCount}` of `{sentenceCount}` sentences begin alike, most often with `{alikeWords}`; in exercises on own words
    /// `{sentence}` is one of the speaker's, and `{sentenceTime}` how long it takes at a comfortable pace.
    func area(_ key: Area) -> AreaTexts
    /// What somebody did well, as somebody else reads it on a card that was shared: a line without slots, quotes and figures.
    func shared(_ key: Strength) -> String
    /// What somebody works on, as somebody else reads it there.
    func shared(_ key: Area) -> String
    /// Overall feedback. Slots: `{strengths}` and `{step}` are noun phrases, `{gain}` a number of points, `{reason}` a clause.
    /// `{step}` of `alsoRepair` is what comes second.
    func feedback(_ key: FeedbackKey) -> [String]
    /// What happened at a moment. Slots: `{quote}`, `{length:seconds}`, `{count}`, `{pace}`. Of fillers, the quote has its
    /// own marks.
    func moment(_ key: MomentKey, isQuoted: Bool) -> [String]
    /// What a warning means and what to do about it, for the media helper's code.
    func warning(_ key: Warning) -> String
    /// Why something could not be judged: a clause.
    func reason(_ key: Reason) -> String
    /// The same around another reason. Slot: `{reason}`.
    func reason(_ frame: ReasonFrame) -> String
    /// Why there is no score. Slots: `{judged}` and `{needed}`, of 100 points.
    var tooFewPoints: String { get }
    /// Two things, as one noun phrase.
    func both(_ first: String, _ second: String) -> String
    /// How often each filler was said.
    func fillers(_ counts: [(word: String, count: Int64)]) -> String
    /// Words, each in its own marks.
    func quoted(_ words: [String]) -> String
    /// A number with what it counts. Slots have the form's name.
    func amount(_ value: Double, _ form: AmountForm) -> String
}

/// The texts of an area for improvement: sentences.
package struct AreaTexts: Sendable {
    /// What was seen or heard.
    let what: [String]
    /// The same for the feedback, in brief and in other words: the report has both.
    let brief: [String]
    /// Why it matters.
    let why: [String]
    let exercise: [String]
    /// The same with a sentence that the speaker has said, where one is known; empty where there is none.
    var own: [String] = []
    /// How the next recording will show that it worked.
    let sign: [String]
    /// What to do about it, as a noun phrase for use within a sentence.
    let step: String
}

/// The languages that reports are written in.
package enum Language: String, CaseIterable, Sendable {
    case english = "en"

    package var catalogue: any Catalogue {
        switch self {
        case .english: English()
        }
    }
}

/// What can be praised.
package enum Strength: String, CaseIterable, Sendable {
    case facesCamera, comfortablePace, usefulPauses, livelyMelody, clearOpening, clearClosing, evenVolume, calmHead,
        cleanSound, goodPicture
}

/// What can be improved.
package enum Area: String, CaseIterable, Sendable {
    /// Reasons why next to nothing can be judged.
    case noSound, noSpeech, littleSpeech, drownedVoice, unseenFace, unlitFace
    case secondFace, outOfPicture, turnedAway
    case backlight, darkFace, smallFace, blurredFace, cutFace
    case overdriven, noisy, quiet
    case tooFast, tooSlow, noPauses, longPauses, shortPauses, restlessPauses
    case flatVoice, waveringVolume, fillers, restlessHead, stillFace
    /// Of what a provider has seen.
    case slumpedPosture, stiffGestures
    case hedges, opinionPhrases, repeatedOpenings, longSentences, gettingFaster, fadingEnd
    /// One fault that shows in two figures: too few pauses make fast, too long ones slow, and fillers make many.
    case breathless, draggingPauses, fillerStops
}

/// The sentences of the feedback.
package enum FeedbackKey: String, CaseIterable, Sendable {
    /// By the score, best first; `flawless` has nothing to improve, and `hidden` nothing but the recording.
    case flawless, strong, hidden, good, mixed, halfway, building, weak
    /// Without a score, and with one that may lie far higher.
    case unscored, fewerPoints
    case strengths
    /// With what it may bring, and without.
    case step, plainStep
    /// Nothing to improve.
    case noStep
    case unjudgedVoice
    /// After the step: there is more advice; or the recording itself is at fault.
    case closing, closingRepair
    /// Something else spoils the next recording as well.
    case alsoRepair
    /// Nothing to improve, but the pauses could be longer.
    case pausesHint
    case closingFlawless

    /// With one of these a report begins.
    package static let openings: [FeedbackKey] = [
        .flawless, .strong, .hidden, .good, .mixed, .halfway, .building, .weak, .unscored, .fewerPoints,
    ]
}

/// The kinds of key moments.
package enum MomentKey: String, CaseIterable, Sendable {
    case liveliest, flattest, monotone, clearPause, hesitation, longPause, longRun, fillers, fastest
}

/// The media helper's warnings, by their codes.
package enum Warning: String, CaseIterable, Sendable {
    case fileIncomplete = "file-incomplete"
    case fileDamaged = "file-damaged"
    case noAudio = "no-audio"
    case noSpeech = "no-speech"
    case noRecogniser = "no-recogniser"
    case roughRecogniser = "rough-recogniser"
    case tooNoisy = "too-noisy"
    case tooQuiet = "recording-too-quiet"
    case clipping
    case tooDark = "too-dark"
    case noFace = "no-face"
    case blurred, backlight
    case faceSmall = "face-small"
    case oftenOutOfPicture = "often-out-of-picture"
    case severalFaces = "several-faces"
    case faceCut = "face-cut"
    case stillPicture = "still-picture"
    /// Found by the rules, not by the helper: the words are not English, as the client says, or as they sound.
    case otherLanguage = "other-language"
    case unlikeEnglish = "unlike-english"
    /// Found by the rules: two people can be heard.
    case secondVoice = "second-voice"
    /// A code that these rules do not know.
    case other
}

/// How a number is told.
package enum AmountForm: String, CaseIterable, Sendable {
    /// The number alone, rounded.
    case plain
    case seconds
    /// How often.
    case times
    case pauses, fillers
    /// A share as one of time.
    case time
    /// How long a recording is, from seconds.
    case length
    /// A pitch range, in keys of a piano.
    case keys
}

/// Shares as people say them.
package enum SpokenShare: CaseIterable, Sendable {
    case all, almostAll, nineTenths, fourFifths, threeQuarters, twoThirds, threeFifths, half, twoFifths, third, quarter,
        fifth, tenth, hardlyAny

    /// The nearest to a share of 0 to 1; "all" and "almost all" promise no more than there is.
    package init(_ share: Double) {
        switch share {
        case 0.995...: self = .all
        case 0.94...: self = .almostAll
        case ..<0.05: self = .hardlyAny
        default: self = Self.parts.min { abs($0.share - share) < abs($1.share - share) }?.spoken ?? .half
        }
    }

    private static let parts: [(share: Double, spoken: SpokenShare)] = [
        (0.9, .nineTenths), (0.8, .fourFifths), (0.75, .threeQuarters), (2.0 / 3, .twoThirds), (0.6, .threeFifths),
        (0.5, .half), (0.4, .twoFifths), (1.0 / 3, .third), (0.25, .quarter), (0.2, .fifth), (0.1, .tenth),
    ]
}
