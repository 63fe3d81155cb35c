import JSON

/// What a report says in sentences: what went well, what to work on, and both in brief.
struct Advice {
    /// A sentence or more, and the measures that it rests on.
    struct Point: Sendable, Equatable {
        let text: String
        let figures: [Figure]
    }

    /// Something to work on.
    struct AreaPoint: Sendable, Equatable {
        let what: String
        let why: String
        let exercise: String
        /// How the next recording will show it.
        let sign: String
        /// The points that the score may gain; nil where they cannot be said or are too few to show.
        let gain: Int64?
        let figures: [Figure]
    }

    let strengths: [Point]
    /// The one to work on first, then at most two more.
    let areas: [AreaPoint]
    /// What the areas are about.
    let topics: [Topic]
    private let keys: [Area]
    let feedback: Point
    let moments: [(moment: KeyMoment, text: String)]

    init(
        _ findings: Findings, _ figures: Figures, _ scoring: Scoring, _ scenario: Scenario, _ writer: inout Writer
    ) {
        let areas = AreaRules.chosen(figures, scenario, scoring)
        // A topic is not both praised and criticized, and nothing is said of what could not be judged.
        topics = areas.flatMap { $0.topics + $0.unjudged }
        keys = areas.map(\.key)
        let before = AreaRules.table(scenario).filter { writer.wasTold($0.key) }.flatMap(\.topics)
        let strengths = StrengthRules.chosen(figures, scenario, without: topics, before: before)
        self.strengths = strengths.map { Point(text: writer.strength($0.key), figures: $0.figures) }
        self.areas = areas.map { rule in
            let texts = writer.area(rule.key)
            return AreaPoint(
                what: texts.what, why: texts.why, exercise: texts.exercise, sign: texts.sign,
                gain: AreaRules.gain(of: rule, figures, scoring), figures: rule.figures)
        }
        let tone = Tone(
            areas, self.areas.map(\.gain), pauses: StrengthRules.hasUsefulPauses(figures, scenario), figures)
        feedback = Self.feedback(figures, scoring, strengths, areas, tone, &writer)
        moments = KeyMoments.find(findings, figures, keys).map { ($0, writer.moment($0)) }
    }

    /// What the whole sounds like beside its score.
    struct Tone {
        /// What the first area may bring; nil where that is not said.
        let gain: Int64?
        /// Whether nothing is to be improved, the pauses among it.
        let isFlawless: Bool
        /// Whether nothing is to be improved, but pauses could be longer or more.
        let lacksPauses: Bool
        /// Whether viewers do not know where to look: then nothing is called good.
        let isUnseen: Bool
        /// Whether the recording itself costs much; and whether it alone is at fault.
        let isSpoiled: Bool
        let isRepairOnly: Bool

        /// - Parameter gains: what each of the areas may bring.
        init(_ areas: [Rule<Area>], _ gains: [Int64?], pauses areUseful: Bool, _ figures: Figures) {
            gain = gains.first ?? nil
            // What is said of a flawless recording is that nobody has judged these.
            let isSeen = figures[.postureScore] != nil || figures[.gestureNaturalness] != nil
            isFlawless = areas.isEmpty && areUseful && !isSeen
            lacksPauses =
                areas.isEmpty && !areUseful
                && ((figures[.pauseMeanSeconds] ?? 1) < 0.5 || (figures[.pausesPerMin] ?? 6) <= 5)
            isUnseen = [.outOfPicture, .secondFace].contains(areas.first?.key)
            isSpoiled = zip(areas, gains).contains { $0.isOfRecording && ($1 ?? 0) >= Writer.much }
            let unheard: [Topic] = [.expression, .head, .posture, .gestures, .phrasing]
            isRepairOnly =
                areas.first?.isOfRecording == true
                && areas.allSatisfy { $0.isOfRecording || unheard.contains($0.topic) }
        }
    }

    /// The whole in a few sentences.
    private static func feedback(
        _ figures: Figures, _ scoring: Scoring, _ strengths: [Rule<Strength>], _ areas: [Rule<Area>], _ tone: Tone,
        _ writer: inout Writer
    ) -> Point {
        var sentences = [writer.opening(scoring, tone)]
        var used: [Figure] = [.confidenceScore]
        let best = strengths.prefix(areas.isEmpty ? 2 : 1)
        if !best.isEmpty {
            sentences.append(writer.feedback(.strengths, ["strengths": writer.names(best.map(\.key))]))
            used += best.flatMap(\.figures)
        }
        // Without a score, its reason has been said; that too little was said, the first area says.
        if scoring.score != nil, figures[.paceWordsPerMin] == nil, areas.first?.topic != .speech {
            let reason = figures.cause(.paceWordsPerMin).text(writer.catalogue)
            sentences.append(writer.feedback(.unjudgedVoice, ["reason": reason]))
            used.append(.paceWordsPerMin)
        }
        if let first = areas.first {
            // Without a score, the first area is most often why.
            if scoring.score != nil { sentences.append(writer.brief(first.key)) }
            sentences.append(writer.step(first.key, tone.gain))
            if first.isOfRecording {
                sentences.append(writer.feedback(.closingRepair))
            } else if let repair = areas.dropFirst().first(where: \.isOfRecording) {
                // What spoils the next take as well cannot wait.
                sentences.append(writer.feedback(.alsoRepair, ["step": writer.catalogue.area(repair.key).step]))
                used += repair.figures
            } else if areas.count > 1 {
                sentences.append(writer.feedback(.closing))
            }
            used += first.figures
        } else if let score = scoring.score {
            let isStrong = score >= Writer.strong
            sentences.append(
                writer.feedback(
                    tone.lacksPauses ? .pausesHint : isStrong && tone.isFlawless ? .closingFlawless : .noStep))
            if tone.lacksPauses { used.append(.pauseCount) }
        }
        let measures = used.reduce(into: [Figure]()) { if !$0.contains($1) { $0.append($1) } }
        return Point(text: sentences.joined(separator: " "), figures: measures)
    }

    /// The warnings of a report: where the light comes from behind, a dark face is not told as if a lamp were missing.
    func shown(_ warnings: [String]) -> [String] {
        guard keys.contains(.backlight), let dark = warnings.firstIndex(of: Warning.tooDark.rawValue) else {
            return warnings
        }
        var shown = warnings
        shown[dark] = Warning.backlight.rawValue
        return shown.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension Advice {
    /// Adds the sentences to a report. What they rest on stands beside each list, in its order.
    func tell(in report: inout JSONObject) {
        report["strengths"] = .strings(strengths.map(\.text))
        report["strengthMeasures"] = .array(strengths.map { .names($0.figures) })
        report["areasForImprovement"] = .strings(areas.map { "\($0.what) \($0.why)" })
        report["improvementMeasures"] = .array(areas.map { .names($0.figures) })
        // How to see that it worked is said of the one to begin with.
        report["practiceExercises"] = .strings(
            areas.enumerated().map { $0 == 0 ? "\($1.exercise) \($1.sign)" : $1.exercise })
        report["exerciseMeasures"] = .array(areas.map { .names($0.figures) })
        report["firstStep"] =
            areas.first.map { area in
                [
                    "what": .string(area.what), "why": .string(area.why), "exercise": .string(area.exercise),
                    "nextRecording": .string(area.sign), "points": .optional(area.gain),
                    "measures": .names(area.figures),
                ]
            } ?? .null
        report["keyMoments"] = .array(
            moments.map { moment, text in
                [
                    "timestamp": .int(Int64(moment.start)),
                    "type": .string(moment.isStrength ? "strength" : "improvement"),
                    "description": .string(text), "start": .double(NumberText.rounded(moment.start, places: 2)),
                    "end": .double(NumberText.rounded(moment.end, places: 2)), "quote": .optional(moment.quote),
                    "measures": .names(moment.figures),
                ]
            })
        report["feedback"] = .string(feedback.text)
        report["feedbackMeasures"] = .names(feedback.figures)
    }
}

extension JSONValue {
    /// The names of measures.
    static func names(_ figures: [Figure]) -> JSONValue {
        .strings(figures.map(\.measure).reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    }
}

/// Chooses and fills the texts of one report.
struct Writer {
    /// The score from which a recording is called strong.
    static let strong: Int64 = 80

    let catalogue: any Catalogue
    private(set) var wording: Wording
    private let slots: Slots
    /// A sentence of theirs, for an exercise; nil where none is fit, and once it has been used.
    private var ownWords: [String: String]?

    init(
        _ findings: Findings, _ figures: Figures, _ scenario: Scenario, _ catalogue: any Catalogue, _ wording: Wording
    ) {
        self.catalogue = catalogue
        self.wording = wording
        let fillers = findings.fillers.filter { $0.count > 0 }.enumerated()
            .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }.map(\.element)
        let quote = Quote(findings)
        let comfortable = scenario.comfortable
        var words = [
            "fillerList": catalogue.fillers(fillers), "opening": quote.opening ?? "", "closing": quote.closing ?? "",
        ]
        if let pace = figures[.paceWordsPerMin] {
            // To where the next report finds nothing: the middle for who is fast, safely above the lower end for who is slow.
            let middle = (comfortable.lowerBound + comfortable.upperBound) / 2
            let slowed = (60 * pace / middle / 5).rounded(.up) * 5
            let quickened = (60 * pace / (comfortable.lowerBound + 10) / 5).rounded(.down) * 5
            words["slowed"] = catalogue.amount(slowed, .seconds)
            words["quickened"] = catalogue.amount(quickened, .seconds)
        }
        if let count = figures[.fillerCount] {
            words["fewerFillers"] = catalogue.amount((count / 2).rounded(.down), .fillers)
        }
        if figures[.repeatedOpeningPct] != nil {
            let sentences = SpokenText(findings.text).sentences
            words["alikeCount"] = catalogue.amount(Double(Vocabulary.repeatedOpenings(sentences)), .plain)
            words["alikeWords"] = Vocabulary.commonOpening(sentences)
            words["sentenceCount"] = catalogue.amount(Double(sentences.count), .plain)
        }
        ownWords = quote.sentence.map { own in
            let middle = (comfortable.lowerBound + comfortable.upperBound) / 2
            let seconds = max((60 * Double(own.words) / middle).rounded(), 2)
            return ["sentence": own.text, "sentenceTime": catalogue.amount(seconds, .seconds)]
        }
        slots = Slots(figures: figures, scenario: scenario, catalogue: catalogue, words: words)
    }

    /// Whether the owner's report before this had an area.
    func wasTold(_ key: Area) -> Bool { wording.wasUsed(Self.what(key)) }

    private static func what(_ key: Area) -> String { "area.\(key.rawValue).what" }

    mutating func strength(_ key: Strength) -> String { text("strength.\(key.rawValue)", catalogue.strength(key)) }

    /// What to improve, why, how, and how the next recording will show it.
    mutating func area(_ key: Area) -> (what: String, why: String, exercise: String, sign: String) {
        let texts = catalogue.area(key)
        let name = "area.\(key.rawValue)"
        let exercise: String
        if let ownWords, !texts.own.isEmpty {
            exercise = text("\(name).exercise.own", texts.own, ownWords)
            self.ownWords = nil
        } else {
            exercise = text("\(name).exercise", texts.exercise)
        }
        return (
            text(Self.what(key), texts.what), text("\(name).why", texts.why), exercise, text("\(name).sign", texts.sign)
        )
    }

    /// One sentence on the whole, by its score, that the next sentences do not contradict.
    mutating func opening(_ scoring: Scoring, _ tone: Advice.Tone) -> String {
        guard let score = scoring.score else {
            return feedback(.unscored, ["reason": scoring.cause?.text(catalogue) ?? ""])
        }
        // What the machine has left open is not told as if it had been poor.
        if let range = scoring.range, range.upperBound - range.lowerBound > Self.exact {
            let ends = [range.lowerBound, range.upperBound].map { catalogue.amount(Double($0), .plain) }
            return feedback(.fewerPoints, ["low": ends[0], "high": ends[1]])
        }
        switch score {
        case 60... where tone.isUnseen || tone.isSpoiled && !tone.isRepairOnly: return feedback(.mixed)
        case 60... where tone.isRepairOnly: return feedback(.hidden)
        case 60... where (tone.gain ?? 0) >= Self.tooMuch: return feedback(.mixed)
        case Self.strong... where tone.isFlawless: return feedback(.flawless)
        case Self.strong... where (tone.gain ?? 0) < Self.much: return feedback(.strong)
        case 60...: return feedback(.good)
        case 50...: return feedback(.halfway)
        case 40...: return feedback(.building)
        default: return feedback(.weak)
        }
    }

    /// The widest range of a score that says by itself how good a recording is.
    static let exact: Int64 = 10

    /// The points from which something is too much to call the rest as it should be.
    static let much: Int64 = 10

    /// The points from which something is too much to call the whole good.
    static let tooMuch: Int64 = 30

    /// What is to be improved, in other words than the area's own.
    mutating func brief(_ key: Area) -> String { text("area.\(key.rawValue).brief", catalogue.area(key).brief) }

    /// What to begin with, and what that may bring.
    mutating func step(_ key: Area, _ gain: Int64?) -> String {
        var words = ["step": catalogue.area(key).step]
        words["gain"] = gain.map { catalogue.amount(Double($0), .plain) }
        return feedback(gain == nil ? .plainStep : .step, words)
    }

    mutating func feedback(_ key: FeedbackKey, _ words: [String: String] = [:]) -> String {
        text("feedback.\(key.rawValue)", catalogue.feedback(key), words)
    }

    mutating func moment(_ moment: KeyMoment) -> String {
        var words = ["length": catalogue.amount(moment.seconds, .seconds)]
        words["quote"] = moment.quote
        if !moment.fillers.isEmpty {
            words["quote"] = catalogue.quoted(Array(moment.fillers.prefix(Quote.longest)))
            words["count"] = catalogue.amount(Double(moment.fillers.count), .fillers)
        }
        // Of ten seconds, tens are all that can be told.
        words["pace"] = moment.pace.map { catalogue.amount(($0 / 10).rounded() * 10, .plain) }
        let isQuoted = moment.quote != nil
        return text(
            "moment.\(moment.key.rawValue)\(isQuoted ? "" : ".plain")",
            catalogue.moment(moment.key, isQuoted: isQuoted), words)
    }

    /// One or two strengths as a noun phrase.
    func names(_ keys: [Strength]) -> String {
        let names = keys.map(catalogue.name)
        return names.count == 2 ? catalogue.both(names[0], names[1]) : names.first ?? ""
    }

    /// One of the variants with its slots filled in.
    private mutating func text(_ key: String, _ variants: [String], _ words: [String: String] = [:]) -> String {
        var slots = slots
        slots.words.merge(words) { $1 }
        return slots.fill(wording.choose(key, variants)) ?? ""
    }
}
