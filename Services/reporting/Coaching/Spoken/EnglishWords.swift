/// What is known of English words. Only English is recognized.
enum EnglishWords {
    /// Behind their dot a sentence goes on.
    static let abbreviations: Set<String> = [
        "mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "eg", "ie", "jr", "sr", "inc",
    ]

    /// What takes a statement back a little.
    static let hedges = [
        "maybe", "perhaps", "probably", "possibly", "somewhat", "somehow", "hopefully", "kind of", "sort of", "a bit",
        "a little bit", "i guess", "i suppose", "i would say", "more or less", "pretty much", "or something",
        "or whatever", "and stuff", "not sure", "not really sure",
    ]

    /// "a kind of music", "what sort of": no hedge behind these.
    static let determiners: Set<String> = [
        "a", "an", "the", "this", "that", "what", "which", "some", "any", "every", "each", "same", "new", "other",
        "another", "one", "different", "certain", "special", "first", "best", "right", "wrong",
    ]

    static let opinions = ["i think", "i believe", "i feel like", "i feel that", "in my opinion"]

    /// Behind "I think" these make it a thought, not an opinion.
    static let objects: Set<String> = ["of", "about", "in"]

    static let formsOfBe: Set<String> = [
        "am", "is", "are", "was", "were", "be", "been", "being", "isn't", "aren't", "wasn't", "weren't", "i'm",
        "you're",
        "we're", "they're",
    ]

    /// Words that may stand between a form of be and its participle.
    static let adverbs: Set<String> = [
        "not", "never", "always", "also", "just", "still", "already", "often", "being", "been", "now", "then", "again",
        "all",
        "both", "soon", "ever", "even", "only",
    ]

    /// Participles that do not end in -ed.
    static let participles: Set<String> = [
        "made", "done", "given", "taken", "seen", "known", "shown", "written", "told", "said", "found", "kept", "left",
        "built", "sent", "brought", "bought", "taught", "thought", "caught", "held", "heard", "led", "lost", "met",
        "paid",
        "put", "read", "run", "sold", "set", "spent", "understood", "won", "chosen", "driven", "eaten", "fallen",
        "forgotten",
        "hidden", "spoken", "stolen", "thrown", "worn", "broken", "drawn", "grown", "begun", "sung", "hit", "cut",
        "shut",
    ]

    /// What ends in -ed and says how somebody or something is.
    static let states: Set<String> = [
        "tired", "excited", "interested", "bored", "married", "worried", "pleased", "surprised", "concerned", "used",
        "supposed", "scared", "confused", "disappointed", "amazed", "delighted", "satisfied", "convinced", "prepared",
        "dedicated", "experienced", "committed", "qualified", "motivated", "relaxed", "stressed", "embarrassed",
        "determined", "limited", "complicated", "advanced", "need", "indeed", "speed", "red", "bed", "hundred", "ahead",
        "finished", "retired", "related", "located", "detailed", "talented", "gifted", "ashamed", "frightened",
        "shocked",
        "thrilled", "annoyed", "frustrated", "exhausted", "engaged", "divorced", "blessed", "naked", "wicked", "sacred",
    ]

    /// What somebody says who begins with what it will be about.
    static let announcements = [
        "today i", "today we", "today's", "today it is about", "today it's about", "i want to", "i would like to",
        "i'd like to", "i'm going to",
        "i am going to", "let me", "let's talk",
        "my name is", "this is about", "this video", "in this video", "in the next",
        "welcome to", "here is", "here's", "the question is", "my topic", "imagine", "have you ever", "did you know",
    ]

    /// How a greeting begins: the sentence behind it is the opening.
    static let greetings = [
        "good morning", "good afternoon", "good evening", "good day", "hello", "hi", "thank you",
    ]

    /// What somebody says who closes.
    static let closings = [
        "thank you", "thanks", "to sum up", "in summary", "in short", "in conclusion", "to conclude", "finally",
        "that's why", "that is why", "this is why", "that's it", "that's all", "so remember", "the point is",
        "looking forward", "see you", "let me know", "bye", "goodbye", "in the end", "all in all",
        "at the end of the day",
        "my message", "what i want you to", "i hope",
    ]

    /// Words that say nothing of what a sentence is about.
    static let common: Set<String> = Set(
        """
        a about above after again against all almost also although always am among an and another any anybody anyone anything are
        aren't around as ask at away back be because been before being below between both but by call came can can't cannot
        come could couldn't did didn't do does doesn't doing don't done down during each either else enough even ever every
        everybody everyone everything far few find first for from further get gets getting give go goes going gone gonna good
        got great had has hasn't have haven't having he he's hello her here hers herself hi him himself his how however i i'd
        i'll i'm i've if in instead into is isn't it it's its itself just keep kind know last later least less let like little
        look lot lots made make makes making many may maybe me mean might mine more most much must my myself need needs never
        new next no nobody none nor not nothing now of off often oh okay on once one only onto or other others our ours
        ourselves out over own people perhaps place put quite rather really right said same say says see she should since so
        some somebody someone something sometimes soon sort still such take takes tell than that that's the their theirs them
        themselves then there there's these they they're thing things think this those though three through thus till time to
        today together too took toward towards try two under until up upon us use used very want wants was wasn't way we we'll
        we're we've well went were weren't what whatever when where whether which while who whole whom whose why will with
        within without won't would wouldn't yeah year years yes yet you you'll you're you've your yours yourself
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Words that join the same thing to itself: "again and again and", "step by step by".
    static let joints: Set<String> = ["and", "or", "by", "to"]

    /// Words that lead to something: no quote ends with them.
    static let leads: Set<String> = [
        "a", "an", "the", "and", "or", "but", "of", "to", "in", "on", "at", "for", "with", "was", "is", "are", "were",
        "be",
        "there", "it", "that", "if", "my", "your", "his", "her", "their", "our",
    ]

    /// Words that may be said twice in a row on purpose or by grammar.
    static let doubles: Set<String> = [
        "had", "that", "very", "so", "no", "yes", "bye", "really", "many", "never", "again", "wait", "ha", "far",
        "much",
        "more", "now", "there", "okay", "go",
    ]
}
