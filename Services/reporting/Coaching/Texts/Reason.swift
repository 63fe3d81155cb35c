/// Why something could not be judged.
package enum Reason: String, CaseIterable, Sendable {
    // The media helper's codes.
    case noAudio = "no-audio"
    case noSpeech = "no-speech"
    case engineMissing = "engine-missing"
    case noiseUnknown = "noise-unknown"
    case tooNoisy = "too-noisy"
    case tooFewWords = "too-few-words"
    case tooLittleSpeech = "too-little-speech"
    case tooShort = "too-short"
    case tooQuiet = "too-quiet"
    case noPauses = "no-pauses"
    case tooFewSamples = "too-few-samples"
    case tooDark = "too-dark"
    case noFace = "no-face"
    case faceTooSmall = "face-too-small"
    case slowSampling = "slow-sampling"
    case wordsDoNotFit = "words-do-not-fit"
    case notMeasured = "not-measured"
    // What the rules find themselves.
    case otherLanguage = "other-language"
    case unlikeEnglish = "unlike-english"
    case secondVoice = "second-voice"
    case picturePoor = "picture-poor"
    case secondFace = "second-face"
    // Of what a provider sees.
    case notInPictures = "not-in-pictures"
    case picturesUnclear = "pictures-unclear"
    case consentRequired = "consent-required"
    case noAnswer = "no-answer"
    case fewerThanTenWords, fewerThanTwentyWords, fewerThanFiftyWords, uncertainWords, noValue
    case tooFewSentences, tooFewStretches, tooFewEnds, tooFewRuns, noSubject, melodyOverTime
    case confidenceOverTime, emotions, posture, gestures, expressiveness, movementPurpose
    case noStrength, noArea, noTag, noMoment, noEnergy
    case neitherVoiceNorFace, noVoiceValue, noRecordingValue
}

/// Reasons that contain another one, which is the slot `{reason}`.
package enum ReasonFrame: String, CaseIterable, Sendable {
    /// There is no score without both.
    case needsFace, needsVoice
    case contact, melody, fillers
}

/// Why something could not be judged, until it is put into words.
package indirect enum Cause: Sendable, Equatable {
    case known(Reason)
    /// In the media helper's own words.
    case told(String)
    case framed(ReasonFrame, Cause)
    /// Of the 100 points of a score.
    case tooFewPoints(judged: Int64, needed: Int64)

    /// - Parameter text: a code of the media helper, or its own words.
    init(_ text: String) {
        if let reason = Reason(rawValue: text) {
            self = .known(reason)
            return
        }
        // It becomes a part of sentences.
        var clause = text[...]
        while let last = clause.last, last == "." || last == " " { clause = clause.dropLast() }
        self = .told(String(clause))
    }

    /// A clause for use within a sentence.
    package func text(_ catalogue: any Catalogue) -> String {
        switch self {
        case .known(let reason): catalogue.reason(reason)
        case .told(let text): text
        case .framed(let frame, let cause):
            Template.fill(catalogue.reason(frame)) { name, _ in name == "reason" ? cause.text(catalogue) : nil } ?? ""
        case .tooFewPoints(let judged, let needed):
            Template.fill(catalogue.tooFewPoints) { name, form in
                switch name {
                case "judged": catalogue.amount(Double(judged), form)
                case "needed": catalogue.amount(Double(needed), form)
                default: nil
                }
            } ?? ""
        }
    }
}
