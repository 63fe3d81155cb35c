/// Which of the twenty impression tags a recording justifies: a tag is given if all its conditions hold.
///
/// Tags are tried in order, the most demanding first. `authentic`, `warm`, `friendly` and `approachable` have no rule,
/// because nothing that is measured supports them; statements about people are not made up.
package enum TagRules {
    /// The maximum number of tags in a report.
    static let limit = 5

    /// In the dark and in a blur, the picture's noise is taken for a lively face.
    private static let visible = Condition.within(.pictureQuality, 0.5...1)

    package static let table: [(tag: String, conditions: [Condition])] = [
        ("nervous", [.within(.headMovement, 0.12...10), .within(.fillersPer100Words, 6...100)]),
        (
            "persuasive",
            [
                .within(.eyeContactPct, 0.75...1), .within(.pauseEffectiveness, 0.7...1),
                .within(.tonalVariety, 0.6...1),
                .within(.faceLiveliness, 0.3...1), visible,
            ]
        ),
        (
            "polished",
            [
                .within(.paceWordsPerMin, 120...180), .within(.pauseEffectiveness, 0.6...1),
                .within(.volumeConsistency, 0.7...1), .within(.eyeContactPct, 0.8...1), .within(.soundQuality, 0.7...1),
                .within(.faceLiveliness, 0.3...1), visible,
            ]
        ),
        ("confident", [.within(.confidenceScore, 75...100), .within(.faceLiveliness, 0.3...1), visible]),
        (
            "engaging",
            [
                .within(.eyeContactPct, 0.75...1), .within(.tonalVariety, 0.6...1), .within(.faceLiveliness, 0.3...1),
                visible,
            ]
        ),
        (
            "enthusiastic",
            [
                .within(.tonalVariety, 0.8...1), .within(.paceWordsPerMin, 150...180),
                .within(.faceLiveliness, 0.5...1), visible,
            ]
        ),
        ("articulate", [.within(.clarity, 0.7...1), .within(.paceWordsPerMin, 110...170)]),
        ("energetic", [.within(.paceWordsPerMin, 160...220), .within(.tonalVariety, 0.6...1)]),
        ("dynamic", [.within(.tonalVariety, 0.8...1)]),
        (
            "composed",
            [
                .within(.pauseEffectiveness, 0.6...1), .within(.volumeConsistency, 0.6...1),
                .within(.headMovement, 0...0.08),
            ]
        ),
        ("poised", [.within(.headMovement, 0...0.08), .within(.eyeContactPct, 0.8...1)]),
        ("credible", [.within(.volumeConsistency, 0.7...1), .within(.eyeContactPct, 0.8...1)]),
        (
            "professional",
            [.within(.paceWordsPerMin, 120...180), .within(.eyeContactPct, 0.7...1), .within(.clarity, 0.6...1)]
        ),
        (
            "calm",
            [
                .within(.paceWordsPerMin, 90...150), .within(.volumeConsistency, 0.7...1),
                .within(.tonalVariety, 0...0.8),
            ]
        ),
        ("relaxed", [.within(.paceWordsPerMin, 90...150), .within(.pauseMeanSeconds, 0.4...1.5)]),
        ("natural", [.within(.headMovement, 0.01...0.08), .within(.tonalVariety, 0.35...0.85)]),
    ]

    /// All tags.
    package static let vocabulary: [String] = [
        "confident", "friendly", "nervous", "engaging", "professional", "approachable", "enthusiastic", "calm",
        "energetic", "articulate", "authentic", "polished", "relaxed", "poised", "warm", "natural", "credible",
        "composed", "dynamic", "persuasive",
    ]

    /// The justified tags, each with the figures that justify it.
    static func tags(_ figures: Figures) -> [(tag: String, figures: [Figure])] {
        let justified = table.filter { $0.conditions.allSatisfy { $0.holds(figures) } }
        return justified.prefix(limit).map { rule in (rule.tag, rule.conditions.map(\.figure)) }
    }
}
