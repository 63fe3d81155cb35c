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
        case .slumpedPosture: Self.slumpedPosture
        case .stiffGestures: Self.stiffGestures
        case .hedges: Self.hedges
        case .opinionPhrases: Self.opinionPhrases
        case .repeatedOpenings: Self.repeatedOpenings
        case .longSentences: Self.longSentences
        case .gettingFaster: Self.gettingFaster
        case .fadingEnd: Self.fadingEnd
        case .breathless: Self.breathless
        case .draggingPauses: Self.draggingPauses
        case .fillerStops: Self.fillerStops
        }
    }
}

/// Areas that lie with the way of speaking.
extension English {
    static let tooFast = AreaTexts(
        what: [
            "You spoke {paceWordsPerMin} words a minute; {paceLow} to {paceHigh} is easy to follow.",
            "At {paceWordsPerMin} words a minute you were faster than listeners like; {paceLow} to {paceHigh} is comfortable.",
        ],
        brief: [
            "You are fast, at {paceWordsPerMin} words a minute.",
            "{paceWordsPerMin} words a minute are a lot to take in.",
        ],
        why: [
            "Listeners need a moment to understand one sentence before they hear the next.",
            "At that speed the important words go by like all the others.",
        ],
        exercise: [
            "Read a paragraph aloud and stretch the most important word of each sentence to twice its length. Do that for two minutes a day.",
            "Read aloud a text that takes you one minute, then read it again and again, each time a little slower, until it takes you {slowed}.",
        ],
        own: [
            "Say “{sentence}” so that it takes about {sentenceTime}, three times; then go on from there at that speed.",
            "Take your own sentence “{sentence}” and stretch it to about {sentenceTime}; then read a text that takes you one minute so that it takes {slowed}.",
        ],
        sign: [
            "The next report should show fewer than {paceHigh} words a minute.",
            "It has worked when the next report counts fewer than {paceHigh} words a minute.",
        ],
        step: "slowing down")

    static let tooSlow = AreaTexts(
        what: [
            "You spoke {paceWordsPerMin} words a minute; {paceLow} to {paceHigh} keeps listeners with you.",
            "At {paceWordsPerMin} words a minute you were slower than listeners like; {paceLow} to {paceHigh} is comfortable.",
        ],
        brief: [
            "You are slow, at {paceWordsPerMin} words a minute.",
            "{paceWordsPerMin} words a minute leave listeners waiting.",
        ],
        why: [
            "When words come slowly, thoughts wander off between them.",
            "Listeners who wait for the next word begin to think of something else.",
        ],
        exercise: [
            "Tell the same one-minute story three times in a row, and try to finish a little earlier each time.",
            "Read a paragraph aloud with a timer, then read it again five seconds faster, until what took you a minute takes {quickened}.",
        ],
        own: [
            "Say “{sentence}” in one go, so that it takes about {sentenceTime}; then say the next sentence at the same speed.",
            "Read a paragraph aloud with a timer, then read it again five seconds faster. At a good pace your sentence “{sentence}” takes about {sentenceTime}.",
        ],
        sign: [
            "The next report should show at least {paceLow} words a minute.",
            "It has worked when the next report counts {paceLow} words a minute or more.",
        ],
        step: "picking up the pace")

    static let noPauses = AreaTexts(
        what: [
            "Listeners hardly got a break: {pauseCount:pauses} could be heard in {durationSec:length}.",
            "You gave listeners little time to think: {pauseCount:pauses} in {durationSec:length}.",
        ],
        brief: [
            "Your words come almost without a break.",
            "You leave listeners hardly a moment to think.",
        ],
        why: [
            "Without pauses your points run into each other, and none of them stays.",
            "A pause tells listeners that what you have just said matters.",
        ],
        exercise: [
            "Write down what you want to say, draw a line wherever a thought ends, and stay silent for one slow breath at each line.",
            "After every sentence close your mouth, breathe in through your nose, and only then go on.",
        ],
        sign: [
            "The next report should count a pause every ten seconds or so.",
            "It has worked when the next report finds about six pauses in a minute.",
        ],
        step: "making pauses")

    static let longPauses = AreaTexts(
        what: [
            "Your pauses are long, {pauseMeanSeconds:seconds} on average, and the longest lasts {pauseLongestSeconds:seconds}.",
            "Your silences last {pauseMeanSeconds:seconds} on average, {pauseLongestSeconds:seconds} at most.",
        ],
        brief: [
            "Your pauses go on too long, {pauseMeanSeconds:seconds} on average.",
            "On average you are silent for {pauseMeanSeconds:seconds} before you go on.",
        ],
        why: [
            "After two seconds of silence listeners wonder whether something has gone wrong.",
            "In a long silence listeners lose the thread that you are holding.",
        ],
        exercise: [
            "Write three key words on a card and put it below the lens, so that the next thought is at hand.",
            "Say the first word of your next sentence as soon as you have breathed in.",
        ],
        sign: [
            "The next report should show pauses of about one second.",
            "It has worked when your pauses in the next report last about one second.",
        ],
        step: "shortening your pauses")

    static let shortPauses = AreaTexts(
        what: [
            "Your pauses are short, {pauseMeanSeconds:seconds} on average.",
            "You do pause, but only for {pauseMeanSeconds:seconds} on average.",
        ],
        brief: [
            "Your pauses are over before listeners notice them.",
            "Your pauses are too short to be of use, {pauseMeanSeconds:seconds} on average.",
        ],
        why: [
            "A gap that short is not noticed as a pause.",
            "Less than half a second is too little time to take in what you said.",
        ],
        exercise: [
            "Count silently to two before each new thought.",
            "Read a paragraph aloud and take one slow breath at every full stop.",
        ],
        sign: [
            "The next report should show pauses of half a second or longer.",
            "It has worked when your pauses in the next report last half a second or longer.",
        ],
        step: "giving your pauses more time")

    static let restlessPauses = AreaTexts(
        what: [
            "You stopped {pauseCount:times}, for {pauseMeanSeconds:seconds} on average, and that chops up what you say.",
            "There are {pauseCount:pauses} in what you say, so many that your sentences fall apart.",
        ],
        brief: [
            "You stop and start a lot, {pauseCount:times} in all.",
            "Your stops come too often, {pauseCount:times} in all.",
        ],
        why: [
            "A few clear pauses say more than many small ones.",
            "Listeners take every stop for the end of a thought.",
        ],
        exercise: [
            "Speak for one minute and allow yourself to stop at the end of a sentence only.",
            "Think your sentence through to its end, then say it in one go.",
        ],
        sign: [
            "The next report should show fewer and longer pauses.",
            "It has worked when the next report finds fewer pauses, and longer ones.",
        ],
        step: "making fewer and clearer pauses")

    static let flatVoice = AreaTexts(
        what: [
            "Your voice ranges over {pitchRangeSemitones:keys}; lively voices use six or more.",
            "Your voice could rise and fall more: it ranges over {pitchRangeSemitones:keys}, and six or more sound lively.",
        ],
        brief: [
            "Your voice stays within {pitchRangeSemitones:keys}.",
            "The melody of your voice spans {pitchRangeSemitones:keys}.",
        ],
        why: [
            "When everything sounds the same, listeners cannot hear what matters to you.",
            "A voice that rises and falls keeps people listening.",
        ],
        exercise: [
            "Read a children's story aloud and give every character a voice of its own.",
            "Choose the most important word of each sentence and lift your voice on it.",
            "Say one sentence as a question, as a secret and as good news, then say it your own way.",
            "Hum the tune of a sentence, then say it with the same tune.",
        ],
        own: [
            "Say “{sentence}” as a question, as a secret and as good news, then say it your own way.",
            "Say “{sentence}” three times, and lift your voice on a different word each time.",
        ],
        sign: [
            "In the next report the melody of your voice should be among your strengths.",
            "It has worked when the next report praises the melody of your voice.",
        ],
        step: "putting more melody into your voice")

    static let waveringVolume = AreaTexts(
        what: [
            "Some of your words are much quieter than others.",
            "Your volume goes up and down, so that some words get lost.",
        ],
        brief: [
            "Your volume is uneven.",
            "You are loud in one place and quiet in another.",
        ],
        why: [
            "Viewers cannot ask you to say a word again that they missed.",
            "Listeners who miss a word begin to guess it, and miss the next ones as well.",
        ],
        exercise: [
            "Speak as if to somebody at the far wall, and carry the last word of each sentence as loudly as the first.",
            "Keep the phone in one place and say the same sentence five times at the same volume.",
        ],
        sign: [
            "In the next report your steady volume should be among your strengths.",
            "It has worked when the next report praises your steady volume.",
        ],
        step: "keeping your volume steady")

    static let fillers = AreaTexts(
        what: [
            "You used at least {fillerCount:fillers}: {fillerList}.",
            "At least {fillerCount:fillers} can be heard: {fillerList}.",
        ],
        brief: [
            "At least {fillerCount:fillers} slipped in.",
            "You filled gaps with at least {fillerCount:fillers}.",
        ],
        why: [
            "They draw attention to themselves, away from what you want to say.",
            "They sound as if you were not sure of what comes next.",
        ],
        exercise: [
            "Speak for one minute and replace every filler word with a silent breath.",
            "Let a friend clap at every filler word for one minute.",
            "Answer three questions aloud, and count silently to two before each answer.",
            "Record one minute, write down where each filler comes, and pause there in the next take.",
        ],
        sign: [
            "The next report should find at most {fewerFillers} in the same time.",
            "It has worked when the next report hears at most {fewerFillers} in the same time.",
        ],
        step: "leaving out filler words")

    static let restlessHead = AreaTexts(
        what: [
            "Your head moves a lot.",
            "Your head keeps moving while you speak.",
        ],
        brief: [
            "Your head is restless.",
            "You move your head more than viewers like.",
        ],
        why: [
            "A head that keeps moving draws the eye away from your face.",
            "Viewers follow the movement instead of your words.",
        ],
        exercise: [
            "Sit or stand with your back to a wall, and speak for one minute.",
            "Sit down, put both hands on the table, and speak for one minute into the lens.",
        ],
        sign: [
            "In the next report your natural head movement should be among your strengths.",
            "It has worked when the next report praises the natural way your head moves.",
        ],
        step: "holding your head calmly")

    static let stillFace = AreaTexts(
        what: [
            "Your face hardly moves while you speak.",
            "Whatever you say, your face stays almost the same.",
        ],
        brief: [
            "There is little movement in your face.",
            "Your face stays still.",
        ],
        why: [
            "Words are easier to believe when your face says the same.",
            "Viewers look at your face to see how you mean your words.",
        ],
        exercise: [
            "Tell the camera about the funniest thing that happened to you this week, and watch the take without sound: it should still look like a story.",
            "Say the same sentence once as good news and once as a surprise, and let the camera see the difference.",
            "Record one minute without sound, so that a friend can tell the mood from your face.",
        ],
        sign: [
            "The next report should no longer say that your face stays still.",
            "It has worked when the next report has no advice about a still face.",
        ],
        step: "letting your face speak too")

    static let slumpedPosture = AreaTexts(
        what: [
            "As far as it can be seen, you sink in or turn away while you speak.",
            "You look a little slumped, or turned away, in what can be seen of you.",
        ],
        brief: [
            "Your posture could be more upright and open.",
            "You hold yourself less upright than you could.",
        ],
        why: [
            "Viewers believe somebody sooner who stands or sits up and faces them.",
            "A chest that sinks in leaves less breath for your voice.",
        ],
        exercise: [
            "Put both feet on the ground, let your shoulders drop back, and speak for one minute as if a thread drew the top of your head upwards.",
            "Put the camera at the height of your eyes, sit on the front half of the chair, and speak for one minute without leaning back.",
        ],
        sign: [
            "The next report should give your posture a higher value.",
            "It has worked when your posture has a higher value in the next report.",
        ],
        step: "holding yourself upright and open")

    static let stiffGestures = AreaTexts(
        what: [
            "As far as they can be seen, your hands stay stiff or draw attention away from your words.",
            "What your hands do does not go with your words, as far as they can be seen.",
        ],
        brief: [
            "Your hands do not help your words yet.",
            "Your gestures do not look natural yet.",
        ],
        why: [
            "Hands that go with the words show what matters and what belongs together.",
            "Viewers watch hands that fidget, and wonder about hands that never move.",
        ],
        exercise: [
            "Explain to the camera how to tie a shoe, with your hands in the picture, and let them show each step.",
            "Rest your hands loosely in front of you and let them rise for the important words alone; speak like that for one minute.",
        ],
        sign: [
            "The next report should give your gestures a higher value.",
            "It has worked when your gestures have a higher value in the next report.",
        ],
        step: "letting your hands go with your words")
}

/// One fault that shows in two figures.
extension English {
    static let breathless = AreaTexts(
        what: [
            "You spoke {paceWordsPerMin} words a minute with hardly a break: {pauseCount:pauses} could be heard.",
            "With {pauseCount:pauses} from beginning to end, you reach {paceWordsPerMin} words a minute.",
        ],
        brief: [
            "You rush through it almost without a break, at {paceWordsPerMin} words a minute.",
            "At {paceWordsPerMin} words a minute, with {pauseCount:pauses}, listeners have no time to think.",
        ],
        why: noPauses.why, exercise: noPauses.exercise,
        sign: [
            "The next report should count about six pauses and fewer than {paceHigh} words in a minute.",
            "It has worked when the next report finds a pause every ten seconds or so, and fewer than {paceHigh} words a minute.",
        ],
        step: "making pauses, which also brings your pace down")

    static let draggingPauses = AreaTexts(
        what: [
            "Your pauses are long, {pauseMeanSeconds:seconds} on average and {pauseLongestSeconds:seconds} at most, and they leave you with {paceWordsPerMin} words a minute.",
            "Your silences last {pauseMeanSeconds:seconds} on average, {pauseLongestSeconds:seconds} at most, and slow you down to {paceWordsPerMin} words a minute.",
        ],
        brief: [
            "Long silences slow you down, to {paceWordsPerMin} words a minute.",
            "At {paceWordsPerMin} words a minute you are slow, because your pauses are long.",
        ],
        why: longPauses.why, exercise: longPauses.exercise,
        sign: [
            "The next report should show pauses of about one second, and at least {paceLow} words a minute.",
            "It has worked when your pauses in the next report last about one second, and it counts {paceLow} words a minute or more.",
        ],
        step: "shortening your pauses, which also brings your pace up")

    static let fillerStops = AreaTexts(
        what: [
            "You stopped {pauseCount:times}, and at least {fillerCount:fillers} can be heard between the stops: {fillerList}.",
            "There are {pauseCount:pauses} in what you say, and at least {fillerCount:fillers} around them: {fillerList}.",
        ],
        brief: [
            "Stops and filler words break up what you say.",
            "What you say comes in pieces, with filler words between them.",
        ],
        why: [
            "Stops and fillers together sound as if you were looking for every word.",
            "Listeners take every stop for the end of a thought, and a filler for doubt.",
        ],
        exercise: [
            "Speak for one minute and allow yourself to stop at the end of a sentence only, with your mouth closed.",
            "Think your sentence through to its end, say it in one go, and take a silent breath after it.",
        ],
        sign: [
            "The next report should find fewer stops, and at most {fewerFillers} in the same time.",
            "It has worked when the next report finds fewer stops, and at most {fewerFillers} in the same time.",
        ],
        step: "stopping only where a sentence ends, without a filler word")
}
