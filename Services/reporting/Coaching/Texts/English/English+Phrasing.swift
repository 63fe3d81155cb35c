/// Areas that lie with what is said, and with how it goes on from beginning to end.
extension English {
    static let hedges = AreaTexts(
        what: [
            "About {hedgesPer100Words} in 100 of your words are “maybe”, “kind of” and the like.",
            "You soften what you say with words such as “maybe” or “a bit”, about {hedgesPer100Words} times in 100 words.",
        ],
        brief: [
            "You take back some of what you say with words such as “maybe”.",
            "Words such as “perhaps” soften what you say.",
        ],
        why: [
            "Each of them makes the statement that follows a little smaller.",
            "Listeners believe a plain statement sooner than a careful one.",
        ],
        exercise: [
            "Say your three main points again without any of these words.",
            "Write down three sentences that you mean, read them aloud, and add nothing to them.",
        ],
        sign: [
            "The next report should find fewer of these words; this time there were about {hedgesPer100Words} in 100.",
            "It has worked when the next report counts fewer than {hedgesPer100Words} of them in 100 words.",
        ],
        step: "saying plainly what you mean")

    static let opinionPhrases = AreaTexts(
        what: [
            "You say “I think” or “I believe” about {opinionPhrasesPer100Words} times in 100 words.",
            "Phrases such as “I think” come about {opinionPhrasesPer100Words} times in 100 words.",
        ],
        brief: [
            "You say “I think” more often than you need to.",
            "“I think” comes up a lot.",
        ],
        why: [
            "Everybody knows that you are saying what you think; the words only delay it.",
            "What you know sounds like a guess when it begins like one.",
        ],
        exercise: [
            "Give your opinion on something for one minute, and begin each sentence with what it is about.",
            "Say five sentences that begin with “I think”, then say each of them again without it.",
        ],
        sign: [
            "The next report should find fewer of these phrases; this time there were about {opinionPhrasesPer100Words} in 100 words.",
            "It has worked when the next report counts fewer than {opinionPhrasesPer100Words} of them in 100 words.",
        ],
        step: "leaving out “I think”")

    static let repeatedOpenings = AreaTexts(
        what: [
            "Many of your sentences begin with the same two words as an earlier one, most often with “{alikeWords}”.",
            "Sentence after sentence begins in the same way, “{alikeWords}” above all.",
        ],
        brief: [
            "Several of your sentences start alike.",
            "You often start a sentence with the same words.",
        ],
        why: [
            "When every sentence starts alike, listeners stop noticing that a new one has begun.",
            "The same beginning again and again sounds like a list.",
        ],
        exercise: [
            "Tell what you did yesterday in ten sentences, each with a different first word. Where you repeat on purpose, keep it.",
            "Take three of your sentences and begin each of them with its most important word. Where you repeat on purpose, keep it.",
        ],
        sign: [
            "The next report should find fewer sentences that begin alike; this time it was {alikeCount} of {sentenceCount}.",
            "It has worked when fewer of your sentences begin alike; this time {alikeCount} of {sentenceCount} did.",
        ],
        step: "varying how your sentences begin")

    static let longSentences = AreaTexts(
        what: [
            "Your sentences have {sentenceLengthWords} words on average.",
            "On average it takes you {sentenceLengthWords} words to come to the end of a sentence.",
        ],
        brief: [
            "Your sentences are long.",
            "You pack a lot into each sentence.",
        ],
        why: [
            "Listeners cannot turn back a page, and a long sentence makes them forget how it began.",
            "One thought in one sentence is what an ear can keep.",
        ],
        exercise: [
            "Explain your subject in one minute, and end every sentence before your second breath.",
            "Cut your longest sentence into three, and pause where each of them ends.",
        ],
        sign: [
            "The next report should count fewer than 20 words in a sentence.",
            "It has worked when your sentences in the next report have fewer than 20 words.",
        ],
        step: "making your sentences shorter")

    static let gettingFaster = AreaTexts(
        what: [
            "You get faster as you go on: at the end you speak much faster than at the beginning.",
            "Towards the end you speak much faster than at the start.",
        ],
        brief: [
            "You speed up as you go on.",
            "Your pace rises from beginning to end.",
        ],
        why: [
            "It sounds as if you wanted to be done, just where your last point should stay.",
            "The end is what listeners take home, and there they can follow you least.",
        ],
        exercise: [
            "Speak for one minute, and say the last three sentences as slowly as the first.",
            "Practise your last sentence alone, five times, with a breath before it.",
        ],
        sign: [
            "The next report should find less of a difference; this time the end was {paceDriftPct} percent faster than the beginning.",
            "It has worked when the next report finds less of a difference; this time it was {paceDriftPct} percent.",
        ],
        step: "keeping your pace to the end")

    static let fadingEnd = AreaTexts(
        what: [
            "Your voice has less energy at the end than at the beginning.",
            "Towards the end your voice loses the energy that it had at the start.",
        ],
        brief: [
            "Your voice fades towards the end.",
            "You finish with less energy than you begin with.",
        ],
        why: [
            "A voice that fades tells listeners that the matter is not that important.",
            "Your last words are the ones that people remember.",
        ],
        exercise: [
            "Begin with your last sentence, say it with all the energy you have, and only then start from the beginning.",
            "Practise only the last third of your talk, as if it were the beginning.",
        ],
        sign: [
            "In the next report, the line of your energy over time should end about as high as it begins.",
            "It has worked when your energy in the next report no longer falls at the end.",
        ],
        step: "keeping your energy to the last word")
}
