import Primitives

/// A measure in the last report and in this one.
package struct MeasureChange: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        case better, worse
        /// No more than the repeatability lies between them, or both are as good as can be.
        case same
        case incomparable(ChangeObstacle)
    }

    package let measure: ComparedMeasure
    /// Nil where there is no valid value.
    package let before: Double?
    package let now: Double?
    package let outcome: Outcome
    /// Whether the values differ by more than the repeatability, though neither is better.
    package let hasMoved: Bool

    package init(
        _ measure: ComparedMeasure, before: Double?, now: Double?, _ outcome: Outcome, hasMoved: Bool = false
    ) {
        self.measure = measure
        self.before = before
        self.now = now
        self.outcome = outcome
        self.hasMoved = hasMoved
    }
}

/// What changed since the last report, for a person to read: pure, and the same for the same report.
package struct ChangeWords: Sendable {
    /// A sentence, and the measures that it rests on.
    package struct Sentence: Sendable, Equatable {
        package let text: String
        package let measures: [ComparedMeasure]
    }

    private let catalogue: any Catalogue
    private let pace: ClosedRange<Double>
    private let turn: Int64

    /// - Parameters:
    ///   - turn: which variant each sentence is; of another turn, it is another. See ``turn(of:)``.
    ///   - pace: the words a minute between which pace is right.
    package init(turn: Int64, pace: ClosedRange<Double>, _ language: Language = .english) {
        catalogue = language.catalogue
        self.pace = pace
        self.turn = turn
    }

    /// The variant of a report's first sentence: two reports in a row that begin with the same sentence have it in different
    /// variants, and so they have these.
    ///
    /// - Parameter variants: of the sentences of the report, by their keys.
    package static func turn(of variants: [String: Int64]) -> Int64 {
        FeedbackKey.openings.lazy.compactMap { variants["feedback.\($0.rawValue)"] }.first ?? 0
    }

    /// Why nothing of two reports is compared.
    package func incomparable(_ obstacles: [ChangeObstacle]) -> Sentence {
        Sentence(text: text(.incomparable, ["reason": reason(obstacles)]), measures: [])
    }

    /// What is better, what is worse, what stayed and what cannot be told.
    package func sentences(_ changes: [MeasureChange]) -> [Sentence] {
        var told: [Sentence] = []
        for isBetter in [true, false] {
            for change in changes where change.outcome == (isBetter ? .better : .worse) {
                told.append(sentence(change, isBetter: isBetter))
            }
        }
        var still: [ComparedMeasure] = []
        var isStill = told.isEmpty
        for change in changes where change.outcome == .same {
            if let moved = moved(change) {
                told.append(moved)
                isStill = false
            } else {
                still.append(change.measure)
            }
        }
        if !still.isEmpty {
            let key = isStill ? ChangeKey.nothingChanged : .stayed
            told.append(Sentence(text: text(key, names(still)), measures: still))
        }
        for obstacle in ChangeObstacle.allCases {
            let those = changes.filter { $0.outcome == .incomparable(obstacle) }.map(\.measure)
            if those.isEmpty { continue }
            let words = names(those).merging(["reason": catalogue.reason(obstacle)]) { $1 }
            told.append(Sentence(text: text(.partsIncomparable, words), measures: those))
        }
        return told
    }

    private func sentence(_ change: MeasureChange, isBetter: Bool) -> Sentence {
        let key = "change.\(change.measure.rawValue).\(isBetter ? "better" : "worse")"
        let variants = catalogue.change(change.measure, isBetter: isBetter)
        return Sentence(text: fill(chosen(key, variants), figures(change)), measures: [change.measure])
    }

    /// Of a pace that is another one, and neither better nor worse.
    private func moved(_ change: MeasureChange) -> Sentence? {
        guard change.measure == .paceWordsPerMin, change.hasMoved, let before = change.before, let now = change.now
        else { return nil }
        let isCrossed = min(before, now) < pace.lowerBound && max(before, now) > pace.upperBound
        return Sentence(
            text: text(isCrossed ? .paceCrossed : .paceMoved, figures(change)), measures: [change.measure])
    }

    /// Whether the last exercise was followed by a change; that it made it is never said.
    ///
    /// - Parameter change: of what the exercise was about; nil where that has no better and no worse.
    package func exercise(_ change: MeasureChange?) -> String {
        guard let change else { return text(.exerciseUnmeasured, [:]) }
        let words = ["names": catalogue.trained(change.measure)]
        switch change.outcome {
        case .better: return text(.exerciseBetter, words)
        case .worse: return text(.exerciseWorse, words)
        case .same: return text(.exerciseSame, words)
        case .incomparable(let obstacle):
            return text(.exerciseIncomparable, words.merging(["reason": catalogue.reason(obstacle)]) { $1 })
        }
    }

    private func reason(_ obstacles: [ChangeObstacle]) -> String { enumerated(obstacles.map(catalogue.reason)) }

    private func figures(_ change: MeasureChange) -> [String: String] {
        var words: [String: String] = [:]
        words["before"] = change.before.flatMap { catalogue.figure($0, of: change.measure) }
        words["now"] = change.now.flatMap { catalogue.figure($0, of: change.measure) }
        return words
    }

    private func names(_ measures: [ComparedMeasure]) -> [String: String] {
        let names = enumerated(measures.map(catalogue.name))
        return ["names": names, "Names": names.prefix(1).uppercased() + names.dropFirst()]
    }

    private func enumerated(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return catalogue.both(parts.dropLast().joined(separator: ", "), last)
    }

    private func text(_ key: ChangeKey, _ words: [String: String]) -> String {
        fill(chosen("change.\(key.rawValue)", catalogue.change(key)), words)
    }

    /// The turn alone would have the first variants of all sentences together, and then the second.
    private func chosen(_ key: String, _ variants: [String]) -> String {
        variants[Int((Int64(StableHash.fnv1a64(key) >> 32) + turn) % Int64(variants.count))]
    }

    private func fill(_ text: String, _ words: [String: String]) -> String {
        Template.fill(text) { name, _ in words[name] } ?? ""
    }
}

/// A goal as a person would say it.
package enum GoalWords {
    /// The goal, and from where it starts; nil of a measure that has no words.
    ///
    /// - Parameters:
    ///   - measure: by its name in reports.
    ///   - low: at least so much, in the measure's unit; nil where there is no such bound.
    ///   - high: at most so much.
    package static func sentence(
        _ measure: String, low: Double?, high: Double?, from: Double, recordings: Int64, days: Int64,
        _ language: Language = .english
    ) -> String? {
        guard let measure = ComparedMeasure(rawValue: measure) else { return nil }
        let catalogue = language.catalogue
        var words = ["recordings": catalogue.recordings(recordings), "days": catalogue.days(days)]
        words["low"] = low.map { catalogue.goal($0, of: measure) }
        words["high"] = high.map { catalogue.goal($0, of: measure) }
        words["from"] = catalogue.figure(from, of: measure) ?? catalogue.goal(from, of: measure)
        return Template.fill(catalogue.goal(measure)) { name, _ in words[name] }
    }
}
