/// The words by which a sentence of somebody else is judged. Lower case; a `*` at the end stands for any ending.
enum SentenceWords {
    /// What English sentences are held together by.
    static let english: Set<String> = [
        "a", "about", "after", "all", "an", "and", "any", "are", "as", "at", "be", "because", "been", "before", "both",
        "but", "by", "can", "could", "did", "do", "does", "each", "every", "for", "from", "give", "had", "has", "have",
        "here", "how", "if", "in", "into", "is", "it", "its", "just", "keep", "kept", "let", "like", "made", "make",
        "more", "most", "much", "next", "no", "not", "now", "of", "on", "once", "one", "only", "or", "out", "over",
        "own", "read", "same", "should", "so", "some", "take", "than", "that", "the", "their", "them", "then", "there",
        "these", "they", "this", "those", "through", "to", "too", "try", "until", "up", "was", "well", "were", "what",
        "when", "where", "which", "while", "who", "will", "with", "within", "without", "would", "you", "your",
    ]

    /// What other languages are held together by, and English is not.
    static let foreign: Set<String> = [
        // German, Dutch
        "der", "das", "und", "ist", "nicht", "sie", "dein", "deine", "ihre", "ihr", "sehr", "mit", "auf", "ein", "eine",
        "du", "sind", "het", "een", "je", "van", "niet", "jouw",
        // French, Spanish, Portuguese, Italian
        "le", "la", "les", "des", "est", "votre", "vous", "une", "et", "avec", "pour", "tu", "el", "los", "las", "que",
        "una", "muy", "con", "para", "es", "y", "su", "seu", "sua", "uma", "voce", "muito", "il", "che", "di", "molto",
        "sei", "della", "tua",
    ]

    /// By what each topic is known.
    static let topics: [(topic: Topic, words: [String])] = [
        (.pace, ["pace", "speed*", "fast*", "slow*", "quick*", "rush*", "tempo", "hurr*", "racing"]),
        (.pauses, ["pause*", "silence*", "silent*", "breath*"]),
        (.fillers, ["filler*", "um", "uh", "ums", "uhs", "basically", "literally"]),
        (.melody, ["melod*", "pitch*", "monoton*", "intonation", "flat", "tone", "tonal"]),
        (.volume, ["volume", "loud*", "quiet*", "energy", "fade*", "fading"]),
        (.contact, ["eye", "eyes", "camera", "gaze", "lens"]),
        (.picture, ["light*", "lamp*", "window*", "picture", "background", "dark*", "blur*", "backlight*"]),
        (.sound, ["noise*", "noisy", "microphone*", "mic", "echo*", "audio", "distort*"]),
        (.head, ["head", "nod*"]),
        (.expression, ["smil*", "facial", "expression*", "expressive*"]),
        (.phrasing, ["hedg*", "phras*", "vocabulary", "wording"]),
        (.structure, ["opening", "opener", "closing", "ending"]),
    ]

    /// What nobody has measured.
    static let unmeasured = [
        "posture*", "gestur*", "hand", "hands", "shoulder*", "emotion*", "nervous*", "anxi*", "anger", "angry", "sad*",
        "happy", "happiness", "joy*", "mood*", "honest*", "intelligen*", "smart", "accent*", "cloth*", "hair*", "age",
        "gender*",
        "personalit*", "attractive*", "beautiful*", "weight", "health*", "diagnos*", "disorder*", "adhd", "autis*",
        "depress*", "medic*", "therap*",
    ]

    /// What says that all is well; of a bad measure "always" and "the whole time" say so, too.
    static let praise = [
        "always", "whole", "entire*", "complete*", "fully", "constant*", "throughout",
        "great*", "excellent*", "good", "well", "perfect*", "wonderful*", "impressive*", "fantastic*", "amazing*",
        "brilliant*", "strong*", "superb*", "ideal*", "flawless*", "outstanding", "comfortabl*", "pleasant*", "best",
        "nice*", "remarkabl*", "confident*", "professional*", "congratulation*", "bravo", "love*", "lovely", "solid*",
        "steady", "natural*", "awesome*", "terrific*", "magnificent*", "marvel*", "exceptional*", "stunning*",
        "incredibl*", "masterful*", "masterly", "polished", "smooth*", "engaging*", "compelling*", "captivat*",
        "charm*", "effortless*", "elegant*", "graceful*", "admirabl*", "delight*", "enjoy*", "pleasure", "pleasing*",
        "proud*", "super", "fine",
    ]

    static let blame = [
        "away", "missing", "missed",
        "bad*", "poor*", "weak*", "terribl*", "awful*", "worse*", "worst", "lack*", "fail*", "unfortunate*", "mistake*",
        "wrong*", "problem*", "too", "hardly", "barely", "sloppy", "boring", "flaw", "flaws", "flawed", "horribl*",
        "dreadful*", "lousy", "mediocre", "disappoint*", "insufficient*", "inadequate*", "unclear*", "tedious*",
    ]

    /// What turns a statement round, so that no list can tell what it says; the beginnings of "don't" and the like among them.
    static let denials = [
        "not", "no", "never", "none", "nothing", "nobody", "neither", "nor", "without", "rarely", "seldom", "cannot",
        "don", "didn", "doesn", "isn", "wasn", "weren", "aren", "hasn", "haven", "couldn", "wouldn", "shouldn", "won",
    ]

    /// What no advice for a speaker has: talk of machines and instructions, of money and addresses, and what hurts.
    static let unfit = [
        "ai", "model", "models", "assistant*", "prompt*", "instruction*", "instruct*", "system", "ignore*", "password*",
        "token*", "click*", "visit*", "website*", "link*", "download*", "subscribe*", "buy*", "pay*", "price*", "money",
        "account*", "email*", "mail", "phone*", "call", "json", "schema*", "database*", "stupid*", "idiot*", "ugly",
        "worthless*", "dumb*", "loser*", "hate*", "kill*", "die", "dies", "dead", "death", "suicid*", "sex*", "naked",
        "fuck*", "shit*", "damn*", "racis*", "nazi*", "drug*", "weapon*", "politic*", "relig*", "lawyer*", "sue",
        "hire*", "hired", "job", "guarantee*", "certif*", "www", "http*", "url*", "com", "online",
        "internet", "google*", "youtube*", "instagram*", "tiktok*", "telegram*", "whatsapp*", "crypto*", "bitcoin*",
        "donat*",
        "cash", "bank*", "dollar*", "vote*", "pathetic*", "fool*", "moron*", "clown*", "disgust*", "disgrac*",
        "ridicul*",
        "embarrass*", "asham*", "shame*", "useless*", "hopeless*", "incompeten*", "laughable", "annoying*", "cring*",
        "trash*", "garbage", "rubbish", "crap*", "suck*", "bitch*", "bastard*", "whore*", "slut*", "retard*",
        "coward*", "freak*", "creep*", "lazy", "fat", "despis*", "terroris*", "murder*", "rape*", "poison*", "blood*",
        "bleed*", "starv*", "hurt*", "harm", "harms", "harmful*", "gun", "guns", "knife", "knives", "alcohol*", "beer*",
        "wine", "vodka", "drunk*", "smok*", "cigar*",
    ]

    /// Numbers in words.
    static let numbers = [
        "zero", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "dozen*",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty*", "thirty*",
        "forty*", "fifty*", "sixty*", "seventy*", "eighty*", "ninety*", "hundred*", "thousand*", "million*", "half",
        "twice", "double*", "triple*", "quarter*",
    ]

    /// Whether a word is one of a list.
    static func matches(_ word: String, _ list: [String]) -> Bool {
        list.contains { entry in
            entry.hasSuffix("*") ? word.hasPrefix(entry.dropLast()) : word == entry
        }
    }
}
