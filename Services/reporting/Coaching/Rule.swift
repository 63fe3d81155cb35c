/// A condition for a rule to apply.
package enum Condition: Sendable {
    /// The figure is valid and in the range.
    case within(Figure, ClosedRange<Double>)
    /// One figure is such a share of the other; both are valid, and the other is above 0.
    case share(Figure, of: Figure, ClosedRange<Double>)
    /// The figure has no value, for one of these reasons.
    case because(Figure, Set<Reason>)

    func holds(_ figures: Figures) -> Bool {
        switch self {
        case .within(let figure, let range): figures[figure].map(range.contains) ?? false
        case .share(let figure, let whole, let range):
            figures[figure].flatMap { part in figures[whole].map { $0 > 0 && range.contains(part / $0) } } ?? false
        case .because(let figure, let reasons):
            figures.code(figure).flatMap(Reason.init(rawValue:)).map(reasons.contains) ?? false
        }
    }

    /// The figure that it tests.
    package var figure: Figure {
        switch self {
        case .within(let figure, _), .share(let figure, _, _), .because(let figure, _): figure
        }
    }
}

/// What is about the same thing, so that it is said once at most, and not both praised and criticized.
package enum Topic: Sendable {
    case contact, picture, sound, speech, pace, pauses, melody, volume, fillers, head, expression, posture, gestures,
        phrasing,
        structure
}

/// When something is worth saying. The words are in the catalogues.
package struct Rule<Key: Sendable>: Sendable {
    package let key: Key
    package let topic: Topic
    /// What else it is about, where one fault shows in two.
    package let other: Topic?
    package let conditions: [Condition]

    init(_ key: Key, _ topic: Topic, _ conditions: Condition..., and others: [Condition] = []) {
        self.key = key
        self.topic = topic
        other = nil
        self.conditions = conditions + others
    }

    /// One that stands for two.
    init(_ key: Key, _ topic: Topic, also other: Topic, of conditions: [Condition], _ others: Condition...) {
        self.key = key
        self.topic = topic
        self.other = other
        self.conditions = conditions + others
    }

    /// What it is about.
    package var topics: [Topic] { [topic] + (other.map { [$0] } ?? []) }

    func holds(_ figures: Figures) -> Bool { conditions.allSatisfy { $0.holds(figures) } }

    /// The measures that it rests on, each once.
    var figures: [Figure] {
        conditions.reduce(into: []) { if !$0.contains($1.figure) { $0.append($1.figure) } }
    }
}
