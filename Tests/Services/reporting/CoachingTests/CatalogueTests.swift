import JSON
import Primitives
import Testing

@testable import Coaching

@Suite("The catalogue of a language") struct CatalogueTests {
    private static let figures = Set(Figure.allCases.map(\.rawValue))

    /// Every text with the slots that it may have besides figures.
    private func texts(_ catalogue: any Catalogue) -> [(key: String, text: String, slots: Set<String>)] {
        var texts: [(String, String, Set<String>)] = []
        func add(_ key: String, _ variants: [String], _ slots: Set<String> = []) {
            texts += variants.map { (key, $0, slots) }
        }
        for key in Strength.allCases { add(key.rawValue, catalogue.strength(key), ["opening", "closing"]) }
        for key in Area.allCases {
            let area = catalogue.area(key)
            for variants in [area.what, area.brief, area.why, area.exercise, area.sign] {
                add(
                    key.rawValue, variants,
                    [
                        "paceLow", "paceHigh", "fillerList", "fewerFillers", "slowed", "quickened", "alikeCount",
                        "sentenceCount", "alikeWords",
                    ])
            }
            add(key.rawValue, area.own, ["sentence", "sentenceTime", "slowed", "quickened"])
        }
        for key in FeedbackKey.allCases {
            add(key.rawValue, catalogue.feedback(key), ["reason", "strengths", "step", "gain", "low", "high"])
        }
        for key in Warning.allCases { add(key.rawValue, [catalogue.warning(key)]) }
        for key in MomentKey.allCases {
            add(key.rawValue, catalogue.moment(key, isQuoted: true), ["quote", "length", "count", "pace"])
            add(key.rawValue, catalogue.moment(key, isQuoted: false), ["length", "count", "pace"])
        }
        return texts
    }

    @Test(
        "has sentences for every key, with slots that can be filled and nothing that only specialists read",
        arguments: Language.allCases)
    func complete(language: Language) throws {
        for (key, text, slots) in texts(language.catalogue) {
            #expect(text.hasSuffix("."), "\(key): \(text)")
            var unknown: [String] = []
            let filled = Template.fill(text) { name, _ in
                if !slots.contains(name), !Self.figures.contains(name) { unknown.append(name) }
                return "7"
            }
            #expect(unknown.isEmpty, "\(key): \(unknown)")
            let prose = try #require(filled, "\(key): \(text)")
            #expect(!Prose.hasJargon(prose), "\(key): \(text)")
        }
    }

    @Test(
        "has two or more variants of every sentence, which differ, and names that are no sentences",
        arguments: Language.allCases)
    func variants(language: Language) {
        let catalogue = language.catalogue
        // Who reads report after report never reads the same sentence twice in a row.
        func differ(_ key: String, _ variants: [String]) {
            #expect(variants.count >= 2 && Set(variants).count == variants.count, "\(key)")
        }
        for key in Strength.allCases {
            differ(key.rawValue, catalogue.strength(key))
            #expect(!catalogue.name(key).hasSuffix("."))
        }
        for key in Area.allCases {
            let area = catalogue.area(key)
            for variants in [area.what, area.why, area.exercise, area.sign] { differ(key.rawValue, variants) }
            // A report has one of each, and the next one as well.
            differ("\(key) in brief", area.brief + area.what)
            if !area.own.isEmpty { differ("\(key) of one's own", area.own) }
            #expect(!area.step.hasSuffix(".") && !area.step.contains("{"), "\(key)")
        }
        for key in FeedbackKey.allCases { differ(key.rawValue, catalogue.feedback(key)) }
        for key in MomentKey.allCases {
            for isQuoted in [true, false] { differ(key.rawValue, catalogue.moment(key, isQuoted: isQuoted)) }
        }
        for key in Reason.allCases { #expect(!catalogue.reason(key).hasSuffix("."), "\(key)") }
        for frame in ReasonFrame.allCases { #expect(catalogue.reason(frame).contains("{reason}"), "\(frame)") }
    }

    @Test("uses in a sentence only figures that its rule has made sure of", arguments: Language.allCases)
    func assured(language: Language) {
        func used(_ text: String) -> [String] {
            var names: [String] = []
            _ = Template.fill(text) { name, _ in
                names.append(name)
                return ""
            }
            return names.filter(Self.figures.contains)
        }
        for rule in StrengthRules.table(.general) {
            for text in language.catalogue.strength(rule.key) {
                // Who has a mean pause has a count of them.
                let assured = rule.figures.map(\.rawValue) + ["pauseCount"]
                #expect(used(text).allSatisfy(assured.contains), "\(rule.key): \(text)")
            }
        }
        for rule in AreaRules.table(.general) {
            let area = language.catalogue.area(rule.key)
            for text in area.what + area.brief + area.why + area.exercise + area.sign {
                // Every recording has a length.
                let assured = rule.figures.map(\.rawValue) + ["durationSec"]
                #expect(used(text).allSatisfy(assured.contains), "\(rule.key): \(text)")
            }
        }
    }

    @Test("tells no sign by pointing at nothing", arguments: Language.allCases)
    func signs(language: Language) {
        for key in Area.allCases {
            for sign in language.catalogue.area(key).sign { #expect(!sign.contains("says so"), "\(key): \(sign)") }
        }
    }

    @Test("speaks of the light on a face, and calls no face dark", arguments: Language.allCases)
    func light(language: Language) {
        for (key, text, _) in texts(language.catalogue) {
            let words = text.lowercased()
            for hurtful in ["dark face", "face is dark", "face dark", "face is too dark", "bright enough"] {
                #expect(!words.contains(hurtful), "\(key): \(text)")
            }
        }
    }

    @Test("has a rule for every strength and every area")
    func rules() {
        #expect(Set(StrengthRules.table(.general).map(\.key)) == Set(Strength.allCases))
        #expect(Set(AreaRules.table(.general).map(\.key)) == Set(Area.allCases))
    }
}

@Suite("A number in English") struct EnglishAmountTests {
    @Test(
        "has a singular and a plural",
        arguments: [
            (1.0, AmountForm.seconds, "one second"), (1.04, .seconds, "one second"), (1.45, .seconds, "1.5 seconds"),
            (12.3, .seconds, "12 seconds"), (0, .times, "not once"), (1, .times, "once"), (2, .times, "twice"),
            (4, .times, "four times"), (17, .times, "17 times"), (1, .fillers, "one filler word"),
            (6, .fillers, "six filler words"), (0, .pauses, "not one pause"), (1, .pauses, "one pause"),
            (11, .pauses, "11 pauses"),
            (0.4, .keys, "less than one piano key"), (1.2, .keys, "about one piano key"),
            (8.4, .keys, "about eight piano keys"),
            (150.4, .plain, "150"), (28, .length, "28 seconds"), (100, .length, "about two minutes"),
            (751, .length, "about 13 minutes"),
        ])
    func forms(value: Double, form: AmountForm, text: String) { #expect(English().amount(value, form) == text) }

    @Test(
        "that is a share promises no more than there is",
        arguments: [
            (1.0, "the whole time"), (0.994, "almost the whole time (99 %)"), (0.94, "almost the whole time (94 %)"),
            (0.93, "about nine tenths of the time (93 %)"), (0.8, "about four fifths of the time (80 %)"),
            (0.34, "about a third of the time (34 %)"), (0.05, "about a tenth of the time (5 %)"),
            (0.04, "hardly any of the time (4 %)"), (0.6, "more than half of the time (60 %)"),
            (0.45, "about half of the time (45 %)"), (0.44, "less than half of the time (44 %)"),
        ])
    func shares(share: Double, text: String) { #expect(English().amount(share, .time) == text) }

    @Test("counts each filler")
    func fillers() {
        #expect(English().fillers([]) == "")
        #expect(English().fillers([("um", 3)]) == "“um” three times")
        #expect(
            English().fillers([("um", 3), ("you know", 2), ("uh", 1)])
                == "“um” three times, “you know” twice and “uh” once")
    }
}

@Suite("The wording of a report") struct WordingTests {
    private let variants = ["a", "b", "c"]

    @Test("follows from the session, and is the same every time")
    func deterministic() {
        var seen: Set<String> = []
        for low in 0..<40 {
            let session = UUID(high: 7, low: UInt64(low))
            var one = Wording(session: session)
            var other = Wording(session: session)
            let text = one.choose("key", variants)
            #expect(other.choose("key", variants) == text)
            #expect(one == other)
            seen.insert(text)
        }
        #expect(seen == Set(variants))
    }

    @Test("never takes the variant that the owner's report before took")
    func notTwice() {
        var previous: [String: Int64] = [:]
        var last: String?
        for low in 0..<40 {
            var wording = Wording(session: UUID(high: 7, low: UInt64(low)), previous: previous)
            let text = wording.choose("key", variants)
            #expect(text != last)
            last = text
            previous = Dictionary(uniqueKeysWithValues: wording.chosen.map { ($0.key, $0.variant) })
        }
    }

    @Test("has no choice where there is one text, and none where there is no text")
    func few() {
        var wording = Wording(session: .zero, previous: ["one": 0])
        #expect(wording.choose("one", ["a"]) == "a")
        #expect(wording.choose("none", []) == "")
        #expect(wording.chosen.map(\.key) == ["one"])
    }

    /// Recordings with all kinds of sentences: what went well, what to work on, moments, and words of the speaker's own.
    private static let recordings: [[String: JSONValue]] = [
        [:], ["paceWordsPerMin": 230, "tonalVariety": 0.1, "cameraContactPct": 30],
        ["pauseCount": 1, "pauseEffectiveness": 0.1, "snrProxyDb": 15, "soundQuality": 0.2],
        ["volumeConsistency": 0.3, "faceLiveliness": 0.1, "paceWordsPerMin": 90], ["cameraContactPct": "no-face"],
        ["postureScore": 0.2, "gestureNaturalness": 0.2, "facialExpressiveness": 0.1, "faceLiveliness": 0.4],
    ]

    /// All sentences of a report, wherever they stand.
    private func sentences(_ report: JSONObject) throws -> Set<String> {
        let lists = try ["strengths", "areasForImprovement", "practiceExercises"].flatMap {
            try report.array($0).compactMap(\.stringValue)
        }
        let moments = try report.array("keyMoments").compactMap { $0["description"]?.stringValue }
        let texts = try lists + moments + [report.string("feedback")]
        return Set(texts.flatMap { $0.replacing(". ", with: ".\n").split(separator: "\n").map(String.init) })
    }

    @Test("of two reports about the same figures shares no sentence, wherever it stands", arguments: recordings.indices)
    func wholeReport(index: Int) throws {
        let findings = try Findings(MeasuredDocument.json(MeasuredDocument.without(Self.recordings[index])))
        func report(_ low: UInt64, _ previous: [String: Int64]) -> JSONObject {
            ReportBuilder.report(
                findings, session: UUID(high: 1, low: low), previous: previous)
        }
        var previous: [String: Int64] = [:]
        var before: Set<String> = []
        for low in 0..<20 {
            let report = report(UInt64(low), previous)
            let told = try sentences(report)
            #expect(told.isDisjoint(with: before), "\(told.intersection(before))")
            before = told
            let variants = try report.object("wording").object("variants")
            previous = Dictionary(uniqueKeysWithValues: variants.members.map { ($0.key, $0.value.intValue ?? 0) })
        }
    }
}
