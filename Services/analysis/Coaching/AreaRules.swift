/// What to improve and how to practice it, most urgent first; at most one area per figure.
enum AreaRules {
    static let table: [Rule] = urgent + RecordingRules.table + moderate + unrated + stretch

    private static let urgent: [Rule] = [
        Rule(
            .within(.eyeContactPct, 0...0.5),
            say: """
                Your face was turned to the camera in only {eyeContactPct%} % of the sampled pictures, so viewers lose \
                contact (eyeContactPct)
                """,
            practice: """
                Put a sticker beside the lens and tell it one minute of your day without notes, three times, until \
                eyeContactPct passes 0.80
                """),
        Rule(
            .within(.paceWordsPerMin, 0...105),
            say: """
                At {paceWordsPerMin} words per minute you spoke slowly; 120 to 180 keeps listeners with you \
                (paceWordsPerMin)
                """,
            practice: """
                Read 140 words aloud against a one-minute timer, then say the same freely, until paceWordsPerMin \
                reaches 130
                """),
        Rule(
            .within(.paceWordsPerMin, 195...1000),
            say: """
                At {paceWordsPerMin} words per minute you spoke fast; 120 to 180 lets listeners follow (paceWordsPerMin)
                """,
            practice: """
                Say each sentence in one breath and breathe out before the next, until paceWordsPerMin falls under 180
                """),
        Rule(
            .within(.fillersPer100Words, 6...100),
            say: """
                At least {fillerCount} filler words were found in {wordCount} words, {fillersPer100Words} in a hundred \
                (fillersPer100Words)
                """,
            practice: """
                Speak for one minute and replace every filler by a silent breath; count again until \
                fillersPer100Words is below 3
                """),
        Rule(
            .within(.tonalVariety, 0...0.35), .within(.pitchRangeSemitones, 0...60),
            say: """
                Your pitch moved over only {pitchRangeSemitones} semitones, which sounds flat and rates {tonalVariety} \
                of 1 (tonalVariety)
                """,
            practice: """
                Read a children's story aloud and give every figure a voice of its own, until tonalVariety passes 0.50
                """),
        Rule(
            .within(.pauseEffectiveness, 0...0.35),
            say: "Your pauses rate {pauseEffectiveness} of 1, so points run together or stall (pauseEffectiveness)",
            practice: """
                Mark three places in your text, and stay silent for one slow breath at each, until pauseEffectiveness \
                passes 0.50
                """),
        Rule(
            .within(.headMovement, 0.12...10),
            say: "Your head moved by {headMovement} face widths per 0.2 s, which looks restless (headMovement)",
            practice: """
                Stand with both feet on the ground and your back at a wall for one minute of speech, until \
                headMovement falls under 0.08
                """),
    ]

    private static let moderate: [Rule] = [
        Rule(
            .within(.volumeConsistency, 0...0.6),
            say: "Your volume wavered and rates {volumeConsistency} of 1 (volumeConsistency)",
            practice: """
                Speak to the far wall and carry the last word of each sentence as loud as the first, until \
                volumeConsistency passes 0.70
                """),
        Rule(
            .within(.eyeContactPct, 0.5...0.8),
            say: """
                Your face was turned to the camera in {eyeContactPct%} % of the sampled pictures; from 80 % on it feels \
                like a conversation (eyeContactPct)
                """,
            practice: """
                Finish each sentence into the lens before you look away, until eyeContactPct passes 0.80
                """),
        Rule(
            .within(.tonalVariety, 0.35...0.6),
            say: "The melody of your voice rates {tonalVariety} of 1 and could stress what matters (tonalVariety)",
            practice: """
                Choose one word in each sentence and lift your voice on it, until tonalVariety passes 0.60
                """),
        Rule(
            .within(.pauseEffectiveness, 0.35...0.6),
            say: "Your pauses rate {pauseEffectiveness} of 1; a few clear ones would carry more (pauseEffectiveness)",
            practice: """
                Before each new thought count silently to two, until pauseEffectiveness passes 0.60
                """),
        Rule(
            .within(.fillersPer100Words, 2...6),
            say: """
                At least {fillerCount} filler words were found in {wordCount} words (fillersPer100Words \
                {fillersPer100Words})
                """,
            practice: """
                Let a friend clap at each filler for one minute, until fillersPer100Words is below 2
                """),
        Rule(
            .within(.clarity, 0...0.5),
            say: "The recording of your voice is hard to recognise, at {clarity} of 1 (clarity)",
            practice: """
                Record in a quiet room an arm's length from the phone, until clarity passes 0.60
                """),
        Rule(
            .within(.loudnessLufs, -70...(-35)),
            say: "The recording is quiet at {loudnessLufs} LUFS (loudnessLufs)",
            practice: """
                Bring the phone closer or speak up, until loudnessLufs lies above -30
                """),
    ]

    private static let stretch: [Rule] = [
        Rule(
            .within(.pauseLongestSeconds, 2.5...60),
            say: "Your longest pause lasted {pauseLongestSeconds} s, longer than it needs (pauseLongestSeconds)",
            practice: """
                Note three key words on a card so that the next thought is at hand, until pauseLongestSeconds is \
                below 2
                """),
        Rule(
            .within(.headMovement, 0...0.01),
            say: "Your head hardly moved, by {headMovement} face widths per 0.2 s, which can look stiff (headMovement)",
            practice: """
                Nod where you agree with yourself and tilt your head at a question, until headMovement lies between \
                0.01 and 0.08
                """),
        Rule(
            .within(.volumeConsistency, 0.6...1),
            say: """
                Your volume is even at {volumeConsistency} of 1; the next step is to vary it on purpose \
                (volumeConsistency)
                """,
            practice: """
                Say one sentence of each take almost in a whisper and the next in full voice, and watch toneTimeline \
                answer
                """),
        Rule(
            .within(.tonalVariety, 0.6...1),
            say: """
                Your melody rates {tonalVariety} of 1; the next step is to let it fall at the end of each statement \
                (tonalVariety)
                """,
            practice: """
                Record five statements and let your voice go down on the last word, keeping tonalVariety above 0.60
                """),
        Rule(
            .within(.paceWordsPerMin, 105...195),
            say: """
                Your pace averages {paceWordsPerMin} words per minute; the next step is to slow down for the main point \
                (paceWordsPerMin)
                """,
            practice: """
                Say the main sentence of your talk at half speed, keeping paceWordsPerMin between 120 and 180 overall
                """),
    ]

    /// What could not be rated and how to record so that it can.
    private static let unrated: [Rule] = [
        notRated(.eyeContactPct, "Facing the camera", "record in bright light from the front with your face large"),
        notRated(.paceWordsPerMin, "Your pace", "speak for at least 15 s in a quiet room"),
        notRated(.tonalVariety, "The melody of your voice", "speak for at least 15 s close to the microphone"),
        notRated(.pauseEffectiveness, "Your pauses", "switch off music and other noise"),
    ]

    private static func notRated(_ figure: Figure, _ what: String, _ remedy: String) -> Rule {
        Rule(
            .notRated(figure), say: "\(what) could not be rated, because {\(figure)?} (\(figure))",
            practice: "For the next recording, \(remedy), so that \(figure) can be rated")
    }
}
