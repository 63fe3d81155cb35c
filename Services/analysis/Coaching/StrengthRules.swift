/// What to praise, best first; each sentence names the measure it is based on. At most one sentence per figure.
///
/// A low filler count is praised only if some were found: recognizers miss more than half of all hesitations, so a count
/// of zero proves nothing.
enum StrengthRules {
    static let table: [Rule] = [
        Rule(
            .within(.eyeContactPct, 0.8...1),
            say: """
                Your face was turned to the camera in {eyeContactPct%} % of the sampled pictures, so viewers feel \
                addressed (eyeContactPct)
                """),
        Rule(
            .within(.paceWordsPerMin, 120...180), .within(.durationSec, 1...600),
            say: """
                You spoke at {paceWordsPerMin} words per minute, inside the 120 to 180 that listeners follow easily \
                (paceWordsPerMin)
                """),
        Rule(
            .within(.pauseEffectiveness, 0.6...1), .within(.pauseMeanSeconds, 0...60),
            say: """
                Your pauses, {pauseMeanSeconds} s long on average, give listeners time to think, which rates \
                {pauseEffectiveness} of 1 (pauseEffectiveness)
                """),
        Rule(
            .within(.tonalVariety, 0.6...1), .within(.pitchRangeSemitones, 0...60),
            say: """
                Your pitch moved over {pitchRangeSemitones} semitones, which keeps a voice lively and rates \
                {tonalVariety} of 1 (tonalVariety)
                """),
        Rule(
            .within(.volumeConsistency, 0.7...1), .within(.clippedPct, 0...0.5),
            say: "Your volume stayed even and rates {volumeConsistency} of 1 (volumeConsistency)"),
        Rule(
            .within(.headMovement, 0.01...0.08),
            say: """
                Your head moved naturally, by {headMovement} face widths per 0.2 s, neither frozen nor restless \
                (headMovement)
                """),
        Rule(
            .within(.clarity, 0.7...1), .within(.soundQuality, 0.8...1),
            say: "The recording of your voice is clean and easy to recognise, at {clarity} of 1 (clarity)"),
        Rule(
            .within(.fillersPer100Words, 0.1...2), .within(.fillerCount, 1...1000),
            say: """
                At least {fillerCount} filler words were found in {wordCount} words, and that is few \
                (fillersPer100Words)
                """),
        Rule(
            .within(.facePresencePct, 90...100), .within(.pictureQuality, 0.7...1), .within(.severalFacesPct, 0...10),
            say: "Your face was found in {facePresencePct} % of the sampled pictures: well framed (facePresencePct)"),
        Rule(
            .within(.volumeConsistency, 0.5...0.7),
            say: "Your volume is fairly even, at {volumeConsistency} of 1, a base to build on (volumeConsistency)"),
        Rule(
            .within(.tonalVariety, 0.4...0.6),
            say: "Your voice has some melody, at {tonalVariety} of 1, a base to build on (tonalVariety)"),
        Rule(
            .within(.wordCount, 20...1000),
            say: "You spoke {wordCount} words in {durationSec} s, enough to judge a voice by (wordCount)"),
    ]
}

/// Overall feedback: from each group, the first sentence that applies.
enum FeedbackRules {
    static let opening: [Rule] = [
        Rule(
            .within(.confidenceScore, 80...100),
            say: """
                With {confidenceScore} of 100 points this is an excellent recording of {durationSec} s (confidenceScore)
                """),
        Rule(
            .within(.confidenceScore, 60...79),
            say: "With {confidenceScore} of 100 points this is a good recording of {durationSec} s (confidenceScore)"),
        Rule(
            .within(.confidenceScore, 40...59),
            say: """
                With {confidenceScore} of 100 points this recording of {durationSec} s has a moderate effect and clear \
                room to grow (confidenceScore)
                """),
        Rule(
            .within(.confidenceScore, 0...39),
            say: """
                With {confidenceScore} of 100 points this recording of {durationSec} s is a starting point \
                (confidenceScore)
                """),
        Rule(
            .notRated(.confidenceScore),
            say: """
                This recording of {durationSec} s has no score, because {confidenceScore?} (confidenceScore)
                """),
    ]

    static let voice: [Rule] = [
        Rule(
            .within(.paceWordsPerMin, 0...600), .within(.pauseMeanSeconds, 0...60),
            say: """
                You spoke {paceWordsPerMin} words per minute and paused {pauseCount} times for {pauseMeanSeconds} s on \
                average (paceWordsPerMin, pauseMeanSeconds)
                """),
        Rule(
            .within(.paceWordsPerMin, 0...600),
            say: "You spoke {paceWordsPerMin} words per minute, where 120 to 180 is comfortable (paceWordsPerMin)"),
        Rule(
            .within(.tonalVariety, 0...1),
            say: "The melody of your voice rates {tonalVariety} of 1 (tonalVariety)"),
        Rule(
            .notRated(.paceWordsPerMin),
            say: "Your pace could not be rated, because {paceWordsPerMin?} (paceWordsPerMin)"),
    ]

    static let face: [Rule] = [
        Rule(
            .within(.eyeContactPct, 0...1),
            say: "Your face was turned to the camera in {eyeContactPct%} % of the sampled pictures (eyeContactPct)"),
        Rule(
            .notRated(.eyeContactPct),
            say: "Facing the camera could not be rated, because {eyeContactPct?} (eyeContactPct)"),
    ]

    static let closing: [Rule] = [
        Rule(
            .within(.confidenceScore, 70...100), .within(.eyeContactPct, 0.8...1),
            say: """
                Keep looking at the camera as you do, and take up one exercise at a time: you are on a very good way \
                (eyeContactPct {eyeContactPct})
                """),
        Rule(
            .within(.paceWordsPerMin, 120...180),
            say: """
                Your pace of {paceWordsPerMin} is already right, so build on it with one exercise at a time: the next \
                recording will show it (paceWordsPerMin)
                """),
        Rule(
            .within(.volumeConsistency, 0.6...1),
            say: """
                Your even volume of {volumeConsistency} is a good base, so go on with one exercise at a time: the next \
                recording will show it (volumeConsistency)
                """),
        Rule(
            .within(.durationSec, 0...100_000),
            say: """
                Every recording makes the next one easier, and these {durationSec} s are a good beginning, so do try \
                again (durationSec)
                """),
    ]
}
