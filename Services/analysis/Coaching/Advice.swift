/// The sentences of a report: rules over figures, so the same figures always give the same sentences.
struct Advice {
    let strengths: [String]
    let areas: [String]
    let exercises: [String]
    let feedback: String

    init(_ figures: Figures) {
        let areas = Self.choose(AreaRules.table, figures, without: [])
        // A figure is not both praised and criticized, except for a next step from what is already good.
        let strengths = Self.choose(StrengthRules.table, figures, without: Self.blamed(areas, figures))
        self.strengths = strengths.compactMap { Self.sentence($0.sentence(figures)) }
        self.areas = areas.compactMap { Self.sentence($0.sentence(figures)) }
        exercises = areas.compactMap { Self.sentence($0.exercise) }
        let groups = [FeedbackRules.opening, FeedbackRules.voice, FeedbackRules.face, FeedbackRules.closing]
        feedback = groups.compactMap { group in
            Self.sentence(group.lazy.compactMap { $0.sentence(figures) }.first)
        }.joined(separator: " ")
    }

    private static func choose(_ table: [Rule], _ figures: Figures, without excluded: Set<Figure>) -> [Rule] {
        var chosen: [Rule] = []
        var used = excluded
        for rule in table where chosen.count < 3 && rule.sentence(figures) != nil {
            if let figure = rule.figure, used.insert(figure).inserted { chosen.append(rule) }
        }
        return chosen
    }

    private static func blamed(_ areas: [Rule], _ figures: Figures) -> Set<Figure> {
        let praiseworthy = Set(StrengthRules.table.prefix(9).filter { $0.sentence(figures) != nil }.map(\.figure))
        return Set(areas.compactMap(\.figure).filter { !praiseworthy.contains($0) })
    }

    private static func sentence(_ text: String?) -> String? { text.map { $0 + "." } }
}
