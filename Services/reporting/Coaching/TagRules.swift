/// The impressions that a report may name: those that something measured supports. Nothing does that somebody is authentic,
/// warm, friendly or approachable; statements about people are not made up.
package enum Tag: String, CaseIterable, Sendable {
    case confident, nervous, engaging, professional, enthusiastic, calm, energetic, articulate
    case polished, relaxed, poised, natural, credible, composed, dynamic, persuasive
}

/// Which impression tags a recording justifies: a tag is given if all its conditions hold.
///
/// Tags are tried in order, the most demanding first.
package enum TagRules {
    /// One tag with its conditions.
    package struct Row: Sendable {
        package let tag: Tag
        package let conditions: [Condition]

        init(_ tag: Tag, _ conditions: Condition..., and others: [Condition] = []) {
            self.tag = tag
            self.conditions = conditions + others
        }

        /// The figures that justify it, each once.
        package var figures: [Figure] {
            conditions.reduce(into: []) { if !$0.contains($1.figure) { $0.append($1.figure) } }
        }
    }

    /// One face, in the picture for most of the time: of others' faces and of none nothing is said.
    static let seen: [Condition] = [.within(.severalFacesPct, 0...10), .within(.facePresencePct, 60...100)]
    private static let contact = Condition.within(.eyeContactPct, 0.8...1)
    private static let evenVolume = Condition.within(.volumeConsistency, 0.7...1)
    private static let pauses = Condition.within(.pauseEffectiveness, 0.6...1)
    private static let somePauses = Condition.within(.pauseEffectiveness, 0.4...1)
    private static let calmHead = Condition.within(.headMovement, 0...0.08)
    private static let lively = Condition.within(.faceLiveliness, 0.3...1)
    private static let alive = Condition.within(.faceLiveliness, 0.1...1)
    /// Where fillers could not be counted, nobody is flattered for having few.
    private static let fewFillers = Condition.within(.fillersPer100Words, 0...2.5)

    /// - Parameter scenario: what was spoken for; its comfortable pace is meant where no other is given.
    package static func table(_ scenario: Scenario) -> [Row] {
        let comfortable = Condition.within(.paceWordsPerMin, scenario.comfortable)
        // Who races through it is neither composed nor engaging, whatever else is true.
        let unhurried = Condition.within(.paceWordsPerMin, 80...(scenario.comfortable.upperBound + 14))
        return [
            Row(.nervous, .within(.headMovement, 0.12...10), .within(.fillersPer100Words, 6...100), and: seen),
            Row(
                .persuasive, contact, .within(.pauseEffectiveness, 0.7...1), .within(.tonalVariety, 0.6...1), unhurried,
                lively, fewFillers, and: seen),
            Row(
                .polished, comfortable, pauses, evenVolume, contact, .within(.soundQuality, 0.75...1),
                .within(.tonalVariety, 0.35...1), lively, fewFillers, and: seen),
            // A voice on one note sounds sure of nothing.
            Row(
                .confident, .within(.confidenceScore, 75...100), evenVolume, contact, .within(.tonalVariety, 0.35...1),
                lively, fewFillers, and: seen),
            Row(.engaging, contact, .within(.tonalVariety, 0.6...1), unhurried, lively, and: seen),
            Row(
                .enthusiastic, .within(.tonalVariety, 0.8...1),
                .within(.paceWordsPerMin, 150...scenario.comfortable.upperBound), .within(.faceLiveliness, 0.5...1),
                and: seen),
            Row(
                .articulate, .within(.clarity, 0.7...1), comfortable, pauses, .within(.soundQuality, 0.75...1),
                fewFillers),
            Row(
                .energetic, .within(.paceWordsPerMin, 150...185), .within(.tonalVariety, 0.6...1),
                somePauses, lively, and: seen),
            Row(.dynamic, .within(.tonalVariety, 0.8...1), unhurried, somePauses, lively, and: seen),
            Row(.composed, pauses, evenVolume, unhurried, calmHead, contact, alive, fewFillers, and: seen),
            Row(.poised, calmHead, contact, pauses, unhurried, alive, fewFillers, and: seen),
            Row(
                .credible, evenVolume, contact, .within(.tonalVariety, 0.35...1), unhurried, somePauses, lively,
                fewFillers,
                and: seen),
            Row(
                .professional, comfortable, contact, .within(.clarity, 0.7...1), .within(.soundQuality, 0.75...1),
                .within(.pictureQuality, 0.75...1), .within(.tonalVariety, 0.35...1), evenVolume, pauses, alive,
                fewFillers, and: seen),
            Row(.calm, .within(.paceWordsPerMin, 110...150), evenVolume, pauses, calmHead, fewFillers, and: seen),
            Row(
                .relaxed, .within(.paceWordsPerMin, 110...150), .within(.pauseMeanSeconds, 0.5...1.5), pauses, calmHead,
                fewFillers, and: seen),
            Row(.natural, .within(.headMovement, 0.01...0.08), .within(.tonalVariety, 0.35...0.85), lively, and: seen),
        ]
    }

    /// How many tags a score allows: who has much to improve is not flattered.
    private static func limit(_ score: Int64?) -> Int {
        switch score ?? 0 {
        case 80...: 5
        case 60...: 3
        case 40...: 1
        default: 0
        }
    }

    /// What is heard: nothing of it makes an impression through noise, crackling or from far away.
    private static let heard: [Topic] = [.speech, .pace, .pauses, .melody, .volume]

    /// The justified tags. What is to be improved justifies none, but that somebody seems nervous.
    static func chosen(
        _ figures: Figures, _ scenario: Scenario, _ score: Int64?, without topics: [Topic]
    ) -> [Row] {
        let topics = topics.contains(.sound) ? topics + heard : topics
        let justified = table(scenario).filter { row in
            row.conditions.allSatisfy { $0.holds(figures) }
                && (row.tag == .nervous || !row.figures.contains { $0.topic.map(topics.contains) ?? false })
        }
        return Array(justified.prefix(limit(score)))
    }
}
