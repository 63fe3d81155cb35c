extension English {
    func area(_ key: Area) -> AreaTexts {
        switch key {
        case .noSound: Self.noSound
        case .noSpeech: Self.noSpeech
        case .littleSpeech: Self.littleSpeech
        case .drownedVoice: Self.drownedVoice
        case .unseenFace: Self.unseenFace
        case .unlitFace: Self.unlitFace
        case .secondFace: Self.secondFace
        case .outOfPicture: Self.outOfPicture
        case .turnedAway: Self.turnedAway
        case .backlight: Self.backlight
        case .darkFace: Self.darkFace
        case .smallFace: Self.smallFace
        case .blurredFace: Self.blurredFace
        case .cutFace: Self.cutFace
        case .overdriven: Self.overdriven
        case .noisy: Self.noisy
        case .quiet: Self.quiet
        case .tooFast: Self.tooFast
        case .tooSlow: Self.tooSlow
        case .noPauses: Self.noPauses
        case .longPauses: Self.longPauses
        case .shortPauses: Self.shortPauses
        case .restlessPauses: Self.restlessPauses
        case .flatVoice: Self.flatVoice
        case .waveringVolume: Self.waveringVolume
        case .fillers: Self.fillers
        case .restlessHead: Self.restlessHead
        case .stillFace: Self.stillFace
        }
    }
}

/// Areas that lie with the way of speaking.
extension English {
    static let tooFast = AreaTexts(
        what: [
            "You spoke {paceWordsPerMin} words a minute; {paceLow} to {paceHigh} are easy to follow.",
            "At {paceWordsPerMin} words a minute you were faster than most people can follow; {paceLow} to {paceHigh} is comfortable.",
        ],
        why: [
            "Listeners need a moment to understand one sentence before they hear the next.",
            "At that speed the important words go by like all the others.",
        ],
        exercise: [
            "Say one sentence, breathe out, and only then start the next. Do that for a minute, twice a day.",
            "Read a short text aloud in one minute, then take ten seconds longer for the same text, and then ten more.",
        ],
        sign: "The next report should show fewer than {paceHigh} words a minute.",
        step: "slowing down")

    static let tooSlow = AreaTexts(
        what: [
            "You spoke {paceWordsPerMin} words a minute; {paceLow} to {paceHigh} keep listeners with you.",
            "At {paceWordsPerMin} words a minute you were slower than listeners like; {paceLow} to {paceHigh} is comfortable.",
        ],
        why: ["When words come slowly, thoughts wander off between them."],
        exercise: [
            "Tell the same one-minute story three times in a row, and try to finish a little earlier each time.",
            "Note three key words before you start, so that the next sentence is ready when you need it.",
        ],
        sign: "The next report should show at least {paceLow} words a minute.",
        step: "picking up the pace")

    static let noPauses = AreaTexts(
        what: [
            "Listeners got hardly a break: {pauseCount:pauses} could be heard.",
            "You gave listeners little time to think: {pauseCount:pauses} from beginning to end.",
        ],
        why: [
            "Without pauses your points run into each other, and none of them stays.",
            "A pause tells listeners that what you have just said matters.",
        ],
        exercise: [
            "Mark three places in your text and stay silent there for one slow breath each.",
            "After every sentence close your mouth, breathe in through your nose, and only then go on.",
        ],
        sign: "The next report should count a pause every ten seconds or so.",
        step: "making pauses")

    static let longPauses = AreaTexts(
        what: [
            "Your pauses are long, {pauseMeanSeconds:seconds} on average, and the longest lasts {pauseLongestSeconds:seconds}.",
            "Between your sentences there are {pauseMeanSeconds:seconds} of silence on average, at most {pauseLongestSeconds:seconds}.",
        ],
        why: ["After two seconds of silence listeners wonder whether something has gone wrong."],
        exercise: [
            "Write three key words on a card and put it below the lens, so that the next thought is at hand.",
            "Say the first word of your next sentence as soon as you have breathed in.",
        ],
        sign: "The next report should show pauses of about one second.",
        step: "shortening your pauses")

    static let shortPauses = AreaTexts(
        what: [
            "Your pauses are short, {pauseMeanSeconds:seconds} on average.",
            "You do pause, but only for {pauseMeanSeconds:seconds} on average.",
        ],
        why: ["A thought needs about a second to sink in."],
        exercise: [
            "Count silently to two before each new thought.",
            "Read a paragraph aloud and take one slow breath at every full stop.",
        ],
        sign: "The next report should show pauses of about one second.",
        step: "giving your pauses more time")

    static let restlessPauses = AreaTexts(
        what: [
            "You stopped {pauseCount:times}, for {pauseMeanSeconds:seconds} on average, and that chops up what you say.",
            "There are {pauseCount:pauses} in what you say, so many that your sentences fall apart.",
        ],
        why: ["A few clear pauses say more than many small ones."],
        exercise: [
            "Speak for one minute and allow yourself to stop at the end of a sentence only.",
            "Think your sentence through to its end, then say it in one go.",
        ],
        sign: "The next report should show fewer and longer pauses.",
        step: "making fewer and clearer pauses")

    static let flatVoice = AreaTexts(
        what: [
            "Your voice moves over about {pitchRangeSemitones:keys} of a piano; seven or more sound lively.",
            "Your voice rises and falls little: its tones lie about {pitchRangeSemitones:keys} of a piano apart, and lively voices use seven or more.",
        ],
        why: [
            "When everything sounds the same, listeners cannot hear what matters to you.",
            "A voice that moves keeps people awake.",
        ],
        exercise: [
            "Read a children's story aloud and give every figure a voice of its own.",
            "Choose the most important word of each sentence and lift your voice on it.",
        ],
        sign: "In the next report the melody of your voice should be among what went well.",
        step: "putting more melody into your voice")

    static let waveringVolume = AreaTexts(
        what: [
            "Some of your words are much quieter than others.",
            "Your volume goes up and down, so that some words get lost.",
        ],
        why: ["Nobody can ask a video to say it again."],
        exercise: [
            "Speak to the far wall and carry the last word of each sentence as loudly as the first.",
            "Keep the phone in one place and say the same sentence five times at the same volume.",
        ],
        sign: "In the next report your steady volume should be among what went well.",
        step: "keeping your volume steady")

    static let fillers = AreaTexts(
        what: [
            "You used at least {fillerCount:fillers}.",
            "At least {fillerCount:fillers} can be heard.",
        ],
        why: ["They draw attention to themselves, away from what you want to say."],
        exercise: [
            "Speak for one minute and replace every filler word with a silent breath.",
            "Let a friend clap at every filler word for one minute.",
        ],
        sign: "The next report should find half as many.",
        step: "leaving out filler words")

    static let restlessHead = AreaTexts(
        what: ["Your head moves a lot."],
        why: ["It looks as if you wanted to be somewhere else."],
        exercise: ["Stand with both feet on the ground and your back to a wall, and speak for one minute."],
        sign: "In the next report your calm head should be among what went well.",
        step: "holding your head calmly")

    static let stillFace = AreaTexts(
        what: ["Your face hardly moves while you speak."],
        why: ["Words are easier to believe when your face says the same."],
        exercise: [
            "Tell the camera about the funniest thing that happened to you this week, and watch the take without sound: it should still look like a story.",
            "Say the same sentence once gladly and once in surprise, and let the camera see the difference.",
        ],
        sign: "The next report should no longer mention your face.",
        step: "letting your face speak too")
}
