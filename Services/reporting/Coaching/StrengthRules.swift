/// What to praise, best first.
///
/// Each range lies beyond that of the areas that judge the same figure (`AreaRules`), and a topic with an area is left out, so
/// nothing is both. Few fillers are not praised, because
/// recognizers miss more than half of all hesitations; nor is a lively face, whose scale has not been tried on
/// enough people; nor are posture and gestures, which a provider sees and nobody has held against what people see.
package enum StrengthRules {
    /// The maximum number of strengths in a report.
    static let limit = 3

    package static func table(_ scenario: Scenario) -> [Rule<Strength>] {
        [
            // In a tiny face, in the dark and in a blur nobody sees where it is turned.
            Rule(
                .facesCamera, .contact, .within(.eyeContactPct, 0.8...1), .within(.faceWidthPx, 70...640),
                .within(.pictureQuality, 0.5...1)),
            Rule(.comfortablePace, .pace, .within(.paceWordsPerMin, scenario.comfortable)),
            Rule(
                .usefulPauses, .pauses, .within(.pauseEffectiveness, 0.6...1), .within(.pauseMeanSeconds, 0.5...1.8),
                .within(.pauseLongestSeconds, 0...2.5), .within(.pauseCount, 2...10_000),
                .within(.pausesPerMin, 0...20),
                // Words that sink pass for pauses.
                .within(.volumeConsistency, AreaRules.steady...1)),
            Rule(.livelyMelody, .melody, .within(.tonalVariety, 0.6...1), .within(.pitchRangeSemitones, 0...60)),
            // Who takes longer to come to the point does not say at once what it is about.
            Rule(
                .clearOpening, .structure, .within(.openingOnSubject, 1...1),
                .within(.openingWords, 0...Double(Quote.longestOpening)),
                .within(.wordCount, 40...100_000), .within(.clarity, Quote.leastClarity...1)),
            Rule(
                .clearClosing, .structure, .within(.closingOnSubject, 1...1), .within(.wordCount, 40...100_000),
                .within(.clarity, Quote.leastClarity...1)),
            // Overdriven sound is even because it is cut off, and nobody is easy to hear in noise or from far away.
            Rule(
                .evenVolume, .volume, .within(.volumeConsistency, 0.7...1), .within(.clippedPct, 0...0.5),
                .within(.soundQuality, 0.8...1)),
            Rule(.calmHead, .head, .within(.headMovement, 0.01...0.08), and: TagRules.seen),
            Rule(.cleanSound, .sound, .within(.soundQuality, 0.8...1), .within(.clarity, 0.7...1)),
            Rule(
                .goodPicture, .picture, .within(.pictureQuality, 0.8...1), .within(.facePresencePct, 90...100),
                .within(.severalFacesPct, 0...10)),
        ]
    }

    /// Whether the pauses are as they should be.
    static func hasUsefulPauses(_ figures: Figures, _ scenario: Scenario) -> Bool {
        table(scenario).contains { $0.key == .usefulPauses && $0.holds(figures) }
    }

    /// What is true of a recording, without the topics of its areas.
    ///
    /// - Parameter before: the topics of the areas in the owner's report before this. Who has mended something reads that
    ///   first, as that report has promised.
    static func chosen(
        _ figures: Figures, _ scenario: Scenario, without topics: [Topic], before: [Topic] = []
    ) -> [Rule<Strength>] {
        let isHasty = (figures[.paceWordsPerMin] ?? 0) >= AreaRules.hasty(scenario)
        let holding = table(scenario).filter { rule in
            // The silences around fillers are no pauses that anybody praises, and none gives time to follow haste.
            rule.holds(figures) && !topics.contains(rule.topic)
                && !(rule.key == .usefulPauses && (topics.contains(.fillers) || isHasty))
        }
        let mended = holding.filter { before.contains($0.topic) }
        return Array((mended + holding.filter { !before.contains($0.topic) }).prefix(limit))
    }
}
