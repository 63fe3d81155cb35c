/// What changed since the last report, and the next goal.
extension English {
    func name(_ measure: ComparedMeasure) -> String {
        switch measure {
        case .confidenceScore: "your score"
        case .paceWordsPerMin: "your pace"
        case .fillersPer100Words: "your filler words"
        case .pauseEffectiveness: "your pauses"
        case .volumeConsistency: "the steadiness of your volume"
        case .tonalVariety: "the melody of your voice"
        case .eyeContactPct: "the time you faced the camera"
        case .faceLiveliness: "the life in your face"
        case .soundQuality: "the sound"
        case .pictureQuality: "the picture"
        }
    }

    func trained(_ measure: ComparedMeasure) -> String {
        switch measure {
        case .eyeContactPct: "facing the camera"
        case .volumeConsistency: "a steady volume"
        case .faceLiveliness: "a livelier face"
        case .soundQuality: "cleaner sound"
        case .pictureQuality: "a better picture"
        case .confidenceScore, .paceWordsPerMin, .fillersPer100Words, .pauseEffectiveness, .tonalVariety: name(measure)
        }
    }

    func figure(_ value: Double, of measure: ComparedMeasure) -> String? {
        switch measure {
        case .confidenceScore, .paceWordsPerMin: amount(value, .plain)
        case .fillersPer100Words: value < 0.5 ? "hardly any" : "about \(amount(value, .plain))"
        case .eyeContactPct: amount(value, .time)
        case .pauseEffectiveness, .volumeConsistency, .tonalVariety, .faceLiveliness, .soundQuality, .pictureQuality:
            nil
        }
    }

    func change(_ measure: ComparedMeasure, isBetter: Bool) -> [String] {
        switch (measure, isBetter) {
        case (.confidenceScore, true):
            ["Your score went up, from {before} to {now}.", "Your score is {now}, up from {before} last time."]
        case (.confidenceScore, false):
            ["Your score went down, from {before} to {now}.", "Your score is {now}, down from {before} last time."]
        case (.paceWordsPerMin, true):
            [
                "You went from {before} to {now} words a minute, which is easier to follow.",
                "Your pace is easier to follow: {now} words a minute, after {before} last time.",
            ]
        case (.paceWordsPerMin, false):
            [
                "You went from {before} to {now} words a minute, which is harder to follow.",
                "Your pace is harder to follow: {now} words a minute, after {before} last time.",
            ]
        case (.fillersPer100Words, true):
            [
                "You used fewer filler words: {now} in every hundred words, after {before} last time.",
                "Fewer filler words slipped in: {now} in every hundred words, after {before} last time.",
            ]
        case (.fillersPer100Words, false):
            [
                "You used more filler words: {now} in every hundred words, after {before} last time.",
                "More filler words slipped in: {now} in every hundred words, after {before} last time.",
            ]
        case (.eyeContactPct, true):
            [
                "You faced the camera {now}, up from {before}.",
                "You turned to the camera more: {now}, up from {before}.",
            ]
        case (.eyeContactPct, false):
            [
                "You faced the camera {now}, down from {before}.",
                "You turned to the camera less: {now}, down from {before}.",
            ]
        case (.pauseEffectiveness, true):
            ["Your pauses help listeners more than last time.", "You placed your pauses better than last time."]
        case (.pauseEffectiveness, false):
            ["Your pauses help listeners less than last time.", "Your pauses worked better last time."]
        case (.volumeConsistency, true):
            ["Your volume was steadier than last time.", "You kept a steadier volume this time."]
        case (.volumeConsistency, false):
            ["Your volume wavered more than last time.", "Your volume was less steady this time."]
        case (.tonalVariety, true):
            ["There was more melody in your voice than last time.", "Your voice rose and fell more this time."]
        case (.tonalVariety, false):
            ["There was less melody in your voice than last time.", "Your voice was flatter this time."]
        case (.faceLiveliness, true):
            ["Your face was livelier than last time.", "There was more life in your face this time."]
        case (.faceLiveliness, false):
            ["Your face was stiller than last time.", "There was less life in your face this time."]
        case (.soundQuality, true):
            ["The sound is cleaner than last time.", "You recorded cleaner sound this time."]
        case (.soundQuality, false):
            ["The sound is poorer than last time.", "The sound was cleaner last time."]
        case (.pictureQuality, true):
            ["The picture is better than last time.", "You recorded a better picture this time."]
        case (.pictureQuality, false):
            ["The picture is poorer than last time.", "The picture was better last time."]
        }
    }

    func change(_ key: ChangeKey) -> [String] {
        switch key {
        case .stayed: ["{Names} stayed about the same.", "There was no real change in {names}."]
        case .nothingChanged:
            [
                "No change is large enough to matter: {names} stayed about the same.",
                "This recording is much like your last one: there was no real change in {names}.",
            ]
        case .paceMoved:
            [
                "You went from {before} to {now} words a minute; one is about as easy to follow as the other.",
                "Your pace was {now} words a minute, after {before} last time, and about as easy to follow.",
            ]
        case .paceCrossed:
            [
                "You went from {before} to {now} words a minute, past the pace that is easy to follow.",
                "Your pace was {now} words a minute, after {before} last time: what is easy to follow lies between.",
            ]
        case .incomparable:
            [
                "This report cannot be compared with your last one, because {reason}.",
                "Nothing is said of what changed since your last report, because {reason}.",
            ]
        case .partsIncomparable:
            [
                "{Names} cannot be compared with last time, because {reason}.",
                "Nothing can be said of a change in {names}, because {reason}.",
            ]
        case .exerciseBetter:
            [
                "Last time you were given an exercise for {names}, and that is better this time. Two recordings cannot show whether the exercise did it.",
                "After an exercise for {names}, this recording is better there. There may be other reasons than the exercise.",
            ]
        case .exerciseWorse:
            [
                "Last time you were given an exercise for {names}, and that went less well this time. One recording says little about an exercise.",
                "After an exercise for {names}, this recording is less good there. There may be other reasons than the exercise.",
            ]
        case .exerciseSame:
            [
                "Last time you were given an exercise for {names}, and that stayed about the same. One recording says little about an exercise.",
                "After an exercise for {names}, nothing there has changed by enough to matter. Give it a few more recordings.",
            ]
        case .exerciseIncomparable:
            [
                "Whether a change followed the exercise for {names} cannot be told, because {reason}.",
                "Nothing can be said of your last exercise, for {names}, because {reason}.",
            ]
        case .exerciseUnmeasured:
            [
                "Whether a change followed your last exercise cannot be told: no figure says what would be better there.",
                "Nothing can be said of your last exercise, because no figure says what would be better there.",
            ]
        }
    }

    func reason(_ obstacle: ChangeObstacle) -> String {
        switch obstacle {
        case .rulesUnknown: "the last report does not say by which rules it was judged"
        case .rulesDiffer: "the rules of judging have changed since"
        case .kindsDiffer: "the two recordings are of different kinds"
        case .languagesDiffer: "you spoke another language"
        case .scenariosDiffer: "the two recordings were for different occasions"
        case .enginesDiffer: "the software that measures has changed since"
        case .definitionsDiffer: "the way of measuring has changed since"
        case .validOnce: "only one of the two recordings has enough to go by"
        case .notValid: "neither recording has enough to go by"
        }
    }

    func goal(_ measure: ComparedMeasure) -> String {
        switch measure {
        case .confidenceScore: "In {recordings} within {days}, reach a score of {low} or more. Lately it was {from}."
        case .paceWordsPerMin:
            "In {recordings} within {days}, speak at {low} to {high} words a minute. Lately it was {from}."
        case .fillersPer100Words:
            "In {recordings} within {days}, keep to {high}. Lately it was {from} in every hundred."
        case .eyeContactPct: "In {recordings} within {days}, face the camera {low} or more. Lately it was {from}."
        case .pauseEffectiveness: Self.points("your pauses")
        case .volumeConsistency: Self.points("a steady volume")
        case .tonalVariety: Self.points("the melody of your voice")
        case .faceLiveliness: Self.points("a lively face")
        case .soundQuality: Self.points("the sound")
        case .pictureQuality: Self.points("the picture")
        }
    }

    private static func points(_ what: String) -> String {
        "In {recordings} within {days}, reach {low} of 100 points for \(what). Lately it was about {from}."
    }

    func goal(_ value: Double, of measure: ComparedMeasure) -> String {
        switch measure {
        case .confidenceScore, .paceWordsPerMin: amount(value, .plain)
        case .fillersPer100Words:
            // Half a word is nobody's.
            value == value.rounded()
                ? "at most \(amount(value, .fillers)) in every hundred words"
                : "at most \(amount(2 * value, .fillers)) in every two hundred words"
        case .eyeContactPct: amount(value, .time)
        case .pauseEffectiveness, .volumeConsistency, .tonalVariety, .faceLiveliness, .soundQuality, .pictureQuality:
            amount(100 * value, .plain)
        }
    }

    func recordings(_ count: Int64) -> String { count == 1 ? "one recording" : "\(Self.number(count)) recordings" }

    func days(_ count: Int64) -> String {
        switch count {
        case 1: "a day"
        case 7: "a week"
        default: "\(Self.number(count)) days"
        }
    }
}
