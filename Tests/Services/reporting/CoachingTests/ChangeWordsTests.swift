import Testing

@testable import Coaching

@Suite("What changed since the last report, in words") struct ChangeWordsTests {
    private static let pace = 120.0...180

    private static func words(_ turn: Int64 = 1) -> ChangeWords { ChangeWords(turn: turn, pace: pace) }

    private static func said(_ changes: MeasureChange..., turn: Int64 = 1) -> [ChangeWords.Sentence] {
        let words = words(turn)
        return words.sentences(changes)
    }

    private static func change(
        _ measure: ComparedMeasure, _ before: Double?, _ now: Double?, _ outcome: MeasureChange.Outcome,
        moved: Bool = false
    ) -> MeasureChange {
        MeasureChange(measure, before: before, now: now, outcome, hasMoved: moved)
    }

    private static let everyOutcome: [MeasureChange.Outcome] =
        [.better, .worse, .same] + ChangeObstacle.allCases.map { .incomparable($0) }

    /// Every sentence that can be said of one measure alone, in both of its variants.
    private static var everySentence: [String] {
        var all: [String] = []
        for turn in Int64(0)..<12 {
            for measure in ComparedMeasure.allCases {
                for outcome in everyOutcome {
                    for moved in [false, true] {
                        let change = change(measure, 0.4, 0.9, outcome, moved: moved)
                        let words = words(turn)
                        all += words.sentences([change]).map(\.text)
                        all.append(words.exercise(change))
                    }
                }
            }
            let words = words(turn)
            all.append(words.exercise(nil))
            for obstacle in ChangeObstacle.allCases { all.append(words.incomparable([obstacle]).text) }
        }
        return all
    }

    @Test("is one of these sentences of each measure, each with the values in units that people know")
    func changes() {
        let table: [(MeasureChange, Set<String>)] = [
            (
                Self.change(.confidenceScore, 62, 71, .better),
                ["Your score went up, from 62 to 71.", "Your score is 71, up from 62 last time."]
            ),
            (
                Self.change(.confidenceScore, 71, 62, .worse),
                ["Your score went down, from 71 to 62.", "Your score is 62, down from 71 last time."]
            ),
            (
                Self.change(.paceWordsPerMin, 195.4, 171.2, .better),
                [
                    "You went from 195 to 171 words a minute, which is easier to follow.",
                    "Your pace is easier to follow: 171 words a minute, after 195 last time.",
                ]
            ),
            (
                Self.change(.paceWordsPerMin, 150, 205, .worse),
                [
                    "You went from 150 to 205 words a minute, which is harder to follow.",
                    "Your pace is harder to follow: 205 words a minute, after 150 last time.",
                ]
            ),
            (
                Self.change(.fillersPer100Words, 9.2, 2.1, .better),
                [
                    "You used fewer filler words: about 2 in every hundred words, after about 9 last time.",
                    "Fewer filler words slipped in: about 2 in every hundred words, after about 9 last time.",
                ]
            ),
            (
                Self.change(.fillersPer100Words, 0, 7, .worse),
                [
                    "You used more filler words: about 7 in every hundred words, after hardly any last time.",
                    "More filler words slipped in: about 7 in every hundred words, after hardly any last time.",
                ]
            ),
            (
                Self.change(.eyeContactPct, 0.3, 0.65, .better),
                [
                    "You faced the camera about two thirds of the time (65 %), up from about a third of the time (30 %).",
                    "You turned to the camera more: about two thirds of the time (65 %), up from about a third of the time (30 %).",
                ]
            ),
            (
                Self.change(.tonalVariety, 0.3, 0.6, .better),
                ["There was more melody in your voice than last time.", "Your voice rose and fell more this time."]
            ),
            (
                Self.change(.soundQuality, 0.9, 0.5, .worse),
                ["The sound is poorer than last time.", "The sound was cleaner last time."]
            ),
            (
                Self.change(.pauseEffectiveness, 0.5, 0.52, .same),
                [
                    "No change is large enough to matter: your pauses stayed about the same.",
                    "This recording is much like your last one: there was no real change in your pauses.",
                ]
            ),
            (
                Self.change(.eyeContactPct, nil, 0.5, .incomparable(.validOnce)),
                [
                    "The time you faced the camera cannot be compared with last time, because only one of the two recordings has enough to go by.",
                    "Nothing can be said of a change in the time you faced the camera, because only one of the two recordings has enough to go by.",
                ]
            ),
        ]
        for (change, sentences) in table {
            let said = Set((0..<24).flatMap { Self.said(change, turn: $0).map(\.text) })
            #expect(said == sentences)
        }
    }

    @Test("tells what is better first, what stayed together, and of each sentence what it rests on")
    func order() {
        let said = Self.said(
            Self.change(.confidenceScore, 60, 50, .worse), Self.change(.paceWordsPerMin, 150, 152, .same),
            Self.change(.tonalVariety, 0.3, 0.6, .better), Self.change(.soundQuality, 0.9, 0.9, .same),
            Self.change(.eyeContactPct, nil, nil, .incomparable(.notValid)),
            Self.change(.faceLiveliness, nil, nil, .incomparable(.notValid)))
        #expect(
            said.map(\.measures) == [
                [.tonalVariety], [.confidenceScore], [.paceWordsPerMin, .soundQuality],
                [.eyeContactPct, .faceLiveliness],
            ])
        let stayed = [
            "Your pace and the sound stayed about the same.", "There was no real change in your pace and the sound.",
        ]
        #expect(stayed.contains(said[2].text))
        #expect(
            said[3].text.contains("the time you faced the camera and the life in your face")
                || said[3].text.contains("The time you faced the camera and the life in your face"))
    }

    @Test(
        "says of another pace that is as good that it is another one, and of one past the right one that it lies between"
    )
    func pace() {
        func said(_ before: Double, _ now: Double, moved: Bool = true) -> [String] {
            (0..<24).flatMap { turn in
                Self.said(Self.change(.paceWordsPerMin, before, now, .same, moved: moved), turn: turn).map(\.text)
            }
        }
        for text in said(125, 172) { #expect(text.contains("as easy to follow") && text.contains("172")) }
        for (before, now) in [(200.0, 100.0), (100, 200)] {
            for text in said(before, now) {
                #expect(
                    text.contains("past the pace that is easy to follow") || text.contains("lies between"), "\(text)")
            }
        }
        for text in said(150, 153, moved: false) { #expect(text.contains("your pace") || text.contains("Your pace")) }
    }

    @Test("has no names of measures, no bare shares and no open slots, whatever changed") func plain() {
        let all = Self.everySentence
        #expect(all.count > 1_000)
        for text in Set(all) {
            #expect(text.hasSuffix(".") && text.first?.isUppercase == true && !Prose.hasJargon(text), "\(text)")
            #expect(!text.contains(".."), "\(text)")
        }
    }

    @Test("never says that an exercise made a change") func causes() {
        for measure in ComparedMeasure.allCases {
            for outcome in [MeasureChange.Outcome.better, .worse] {
                for turn in Int64(0)..<8 {
                    let words = Self.words(turn)
                    let text = words.exercise(Self.change(measure, 1, 2, outcome))
                    let doubts = ["cannot show whether", "may be other reasons", "says little about an exercise"]
                    #expect(doubts.contains { text.contains($0) }, "\(text)")
                    #expect(!text.contains("because") && !text.contains("thanks to"), "\(text)")
                }
            }
        }
        let words = Self.words()
        #expect(words.exercise(nil).contains("no figure says what would be better there"))
    }

    @Test("says why two reports cannot be compared, and all reasons at once") func incomparable() {
        let words = Self.words()
        let said = words.incomparable([.rulesDiffer, .languagesDiffer])
        #expect(said.measures.isEmpty)
        #expect(said.text.hasSuffix("because the rules of judging have changed since and you spoke another language."))
    }

    @Test("is the same for the same report, and not for every report") func replays() {
        let changes = ComparedMeasure.allCases.map { Self.change($0, 0.4, 0.9, .better) }
        func texts(_ turn: Int64) -> [String] { Self.words(turn).sentences(changes).map(\.text) }
        #expect(texts(1) == texts(1))
        for turn in Int64(0)..<4 { #expect(Set(texts(turn)).isDisjoint(with: texts(turn + 1))) }
    }

    @Test("has two variants of every sentence", arguments: Language.allCases) func variants(language: Language) {
        let catalogue = language.catalogue
        var all = ChangeKey.allCases.map { catalogue.change($0) }
        for measure in ComparedMeasure.allCases {
            all += [true, false].map { catalogue.change(measure, isBetter: $0) }
        }
        for variants in all { #expect(variants.count >= 2 && Set(variants).count == variants.count, "\(variants)") }
    }
}

@Suite("A goal, in words") struct GoalWordsTests {
    private func said(
        _ measure: String, _ low: Double?, _ high: Double?, from: Double, recordings: Int64 = 5, days: Int64 = 7
    ) -> String? {
        GoalWords.sentence(measure, low: low, high: high, from: from, recordings: recordings, days: days)
    }

    @Test("is what a person would say") func goals() {
        #expect(
            said("paceWordsPerMin", 120, 200, from: 221.4)
                == "In five recordings within a week, speak at 120 to 200 words a minute. Lately it was 221.")
        #expect(
            said("fillersPer100Words", nil, 3, from: 5.2)
                == "In five recordings within a week, keep to at most three filler words in every hundred words. Lately it was about 5 in every hundred."
        )
        #expect(
            said("fillersPer100Words", nil, 4.5, from: 8)
                == "In five recordings within a week, keep to at most nine filler words in every two hundred words. Lately it was about 8 in every hundred."
        )
        #expect(
            said("eyeContactPct", 0.65, nil, from: 0.3)
                == "In five recordings within a week, face the camera about two thirds of the time (65 %) or more. Lately it was about a third of the time (30 %)."
        )
        #expect(
            said("tonalVariety", 0.7, nil, from: 0.4, recordings: 1, days: 14)
                == "In one recording within 14 days, reach 70 of 100 points for the melody of your voice. Lately it was about 40."
        )
        #expect(said("fillersPerMin", nil, 3, from: 5) == nil)
    }

    @Test("has words for every measure, without names and bare shares") func every() throws {
        for measure in ComparedMeasure.allCases {
            let isShare = measure != .confidenceScore && measure != .paceWordsPerMin
            let text = try #require(
                isShare
                    ? said(measure.rawValue, 0.5, 0.9, from: 0.3) : said(measure.rawValue, 60, 90, from: 45))
            #expect(text.hasSuffix(".") && !Prose.hasJargon(text), "\(text)")
        }
    }
}

@Suite("The lines of a shared card") struct SharedLineTests {
    @Test("are for others: no slots, no quotes of a speaker, nobody addressed", arguments: Language.allCases)
    func lines(language: Language) {
        let catalogue = language.catalogue
        let lines = Strength.allCases.map { catalogue.shared($0) } + Area.allCases.map { catalogue.shared($0) }
        for line in lines {
            #expect(!line.isEmpty && !line.hasSuffix(".") && !Prose.hasJargon(line), "\(line)")
            #expect(
                !line.lowercased().split(separator: " ").contains { $0.hasPrefix("your") || $0 == "you" }, "\(line)")
        }
    }
}
