/// A condition for a rule to apply.
package enum Condition: Sendable {
    /// The figure is valid and in the range.
    case within(Figure, ClosedRange<Double>)
    /// The figure has no valid value.
    case notRated(Figure)

    func holds(_ figures: Figures) -> Bool {
        switch self {
        case .within(let figure, let range): figures[figure].map(range.contains) ?? false
        case .notRated(let figure): figures[figure] == nil
        }
    }

    /// The figure that it tests.
    var figure: Figure {
        switch self {
        case .within(let figure, _), .notRated(let figure): figure
        }
    }
}

/// A sentence and when it applies. Placeholders: `{figure}` is the value, `{figure%}` a share as a percentage, `{figure?}`
/// the reason why it was not rated. A sentence with a placeholder that cannot be filled does not apply.
package struct Rule: Sendable {
    let conditions: [Condition]
    let text: String
    /// What to practice; only areas for improvement have one.
    let exercise: String?

    init(_ conditions: Condition..., say text: String, practice exercise: String? = nil) {
        self.conditions = conditions
        self.text = text
        self.exercise = exercise
    }

    /// The figure that the rule is about; a table contributes at most one sentence per figure.
    var figure: Figure? { conditions.first?.figure }

    /// The sentence for a recording; nil if the rule does not apply.
    func sentence(_ figures: Figures) -> String? {
        conditions.allSatisfy { $0.holds(figures) } ? Template.fill(text, figures) : nil
    }
}

/// Sentences with placeholders.
enum Template {
    /// The text with its placeholders filled in; nil if one of its figures is not valid.
    static func fill(_ text: String, _ figures: Figures) -> String? {
        var filled = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            filled += rest[..<open]
            guard let value = value(of: rest[rest.index(after: open)..<close], figures) else { return nil }
            filled += value
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }

    private static func value(of hole: Substring, _ figures: Figures) -> String? {
        let name = hole.last == "%" || hole.last == "?" ? hole.dropLast() : hole
        guard let figure = Figure(rawValue: String(name)) else { return nil }
        if hole.last == "?" { return figures.reason(figure) }
        guard let value = figures[figure] else { return nil }
        return hole.last == "%"
            ? NumberText.text(value * 100, places: 0) : NumberText.text(value, places: figure.places)
    }
}
