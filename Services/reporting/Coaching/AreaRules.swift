/// What to improve: what costs the score most comes first, at most one area of each topic.
///
/// What is good enough to be praised is no area. An area costs the score something, or is plain and not scored (the head, how
/// things are put in words); a recording may have none.
package enum AreaRules {
    /// The maximum number of areas in a report, the one to work on first among them.
    static let limit = 3

    /// In the order in which they are asked within a topic.
    package static func table(_ scenario: Scenario) -> [Rule<Area>] {
        unjudgeable + picture + contact + sound + voice(scenario) + face + phrasing
    }

    /// Reasons why next to nothing can be judged.
    private static let unjudgeable: [Rule<Area>] = [
        Rule(.noSound, .speech, .because(.paceWordsPerMin, [.noAudio])),
        Rule(.noSpeech, .speech, .because(.paceWordsPerMin, [.noSpeech])),
        Rule(.littleSpeech, .speech, .because(.paceWordsPerMin, [.tooFewWords, .tooLittleSpeech, .tooShort])),
        Rule(.drownedVoice, .sound, .because(.pauseCount, [.tooNoisy])),
        Rule(.unlitFace, .contact, .because(.eyeContactPct, [.tooDark])),
        Rule(.unseenFace, .contact, .because(.eyeContactPct, [.noFace])),
    ]

    private static let picture: [Rule<Area>] = [
        Rule(.backlight, .picture, .within(.backlight, 70...255)),
        Rule(.darkFace, .picture, .within(.faceLuma, 0...55)),
        Rule(.smallFace, .picture, .within(.faceWidthPx, 0...70)),
        Rule(.blurredFace, .picture, .within(.faceSharpness, 0...12)),
        Rule(.cutFace, .picture, .within(.faceCutPct, 30...100)),
    ]

    private static let contact: [Rule<Area>] = [
        // In a tiny face, patterns beside it are taken for faces of its size.
        Rule(.secondFace, .contact, .within(.severalFacesPct, 10...100), .within(.faceWidthPx, 70...640)),
        Rule(.outOfPicture, .contact, .within(.noFacePct, 20...90), .within(.eyeContactPct, 0...0.799)),
        Rule(.turnedAway, .contact, .within(.eyeContactPct, 0...0.799)),
    ]

    private static let sound: [Rule<Area>] = [
        Rule(.overdriven, .sound, .within(.clippedPct, Scoring.overdriven...100)),
        Rule(.quiet, .sound, .within(.loudnessLufs, -100...(-39))),
        Rule(.noisy, .sound, .within(.snrProxyDb, 0...26), .within(.soundQuality, 0...0.75)),
    ]

    private static func voice(_ scenario: Scenario) -> [Rule<Area>] {
        let pace = scenario.comfortable
        return [
            Rule(.tooFast, .pace, .within(.paceWordsPerMin, (pace.upperBound + 14)...1000)),
            Rule(.tooSlow, .pace, .within(.paceWordsPerMin, 0...(pace.lowerBound - 10))),
            Rule(.gettingFaster, .pace, .within(.paceDriftPct, 25...1000)),
            Rule(
                .longPauses, .pauses, .within(.pauseEffectiveness, 0...0.599), .within(.pauseMeanSeconds, 2...60),
                .within(.pauseLongestSeconds, 0...600)),
            Rule(
                .noPauses, .pauses, .within(.pauseEffectiveness, 0...0.599), .within(.pausesPerMin, 0...5),
                .within(.pauseCount, 0...10_000)),
            Rule(
                .restlessPauses, .pauses, .within(.pauseEffectiveness, 0...0.599), .within(.pausesPerMin, 25...10_000),
                .within(.pauseCount, 0...10_000),
                .within(.pauseMeanSeconds, 0...0.7)),
            Rule(.shortPauses, .pauses, .within(.pauseEffectiveness, 0...0.599), .within(.pauseMeanSeconds, 0...0.45)),
            // Far enough below what is praised for the same recording, encoded again, not to be told the opposite.
            Rule(.flatVoice, .melody, .within(.tonalVariety, 0...0.54), .within(.pitchRangeSemitones, 0...60)),
            // A volume that wavers because the voice fades is told as that.
            Rule(
                .fadingEnd, .volume, .within(.endEnergy, 0...0.3), .within(.startEnergy, 0.45...1),
                .within(.volumeConsistency, 0...0.65)),
            Rule(.waveringVolume, .volume, .within(.volumeConsistency, 0...0.65)),
            Rule(.fillers, .fillers, .within(.fillersPer100Words, 2.5...100), .within(.fillerCount, 2...10_000)),
        ]
    }

    /// Of one face that is in the picture for most of the time.
    private static let face: [Rule<Area>] = [
        Rule(.restlessHead, .head, .within(.headMovement, 0.12...10), and: TagRules.seen),
        Rule(.stillFace, .expression, .within(.faceLiveliness, 0...0.25), and: TagRules.seen),
    ]

    /// How it is put in words: not scored, so each only shows where it is plain.
    private static let phrasing: [Rule<Area>] = [
        Rule(.hedges, .phrasing, .within(.hedgesPer100Words, 3...100), .within(.wordCount, 40...100_000)),
        Rule(
            .opinionPhrases, .phrasing, .within(.opinionPhrasesPer100Words, 3...100), .within(.wordCount, 40...100_000)),
        Rule(.repeatedOpenings, .phrasing, .within(.repeatedOpeningPct, 40...100)),
        Rule(.longSentences, .phrasing, .within(.sentenceLengthWords, 30...1000)),
    ]

    /// What holds of a recording, most costly first.
    static func chosen(_ figures: Figures, _ scenario: Scenario, _ scoring: Scoring) -> [Rule<Area>] {
        var found: [(rule: Rule<Area>, cost: Double)] = []
        for rule in table(scenario)
        where rule.holds(figures) && !found.contains(where: { $0.rule.topic == rule.topic }) {
            found.append((rule, cost(of: rule, figures, scoring)))
        }
        // Hesitations are pauses as well: who leaves out the words leaves out the stops around them.
        if figures[.fillersPer100Words] ?? 0 >= manyFillers,
            let pauses = found.first(where: { $0.rule.key == .restlessPauses }),
            let fillers = found.firstIndex(where: { $0.rule.key == .fillers })
        {
            found[fillers].cost = max(found[fillers].cost, pauses.cost + 0.1)
        }
        // The sort is not stable, so the table's order decides among equals.
        let sorted = found.enumerated().sorted { ($1.element.cost, $0.offset) < ($0.element.cost, $1.offset) }
        return sorted.prefix(limit).map(\.element.rule)
    }

    /// Fillers in a hundred words from which they come before the stops that they make.
    private static let manyFillers = 5.0

    /// What decides which comes first.
    private static func cost(of rule: Rule<Area>, _ figures: Figures, _ scoring: Scoring) -> Double {
        switch rule.topic {
        // Not in the score, but seen at once.
        case .head: 3
        // Not in the score, and seldom the first thing to work on.
        case .phrasing, .structure: 2
        // A third, because its scale has not been tried on enough people to come before the others.
        case .expression: lost(to: rule, figures, scoring) / 3
        case .fillers: scoring.deduction ?? 0
        default: lost(to: rule, figures, scoring)
        }
    }

    /// The points that the score may gain at most; nil where there is no score, and where they would not show.
    static func gain(of rule: Rule<Area>, _ figures: Figures, _ scoring: Scoring) -> Int64? {
        let points =
            rule.topic == .fillers
            ? scoring.gain(deducted: scoring.deduction ?? 0) : scoring.gain(lost(to: rule, figures, scoring))
        return points.map { Int64($0.rounded()) }.flatMap { $0 >= leastGain ? $0 : nil }
    }

    /// Fewer points than these are hardly more than what the same recording differs by.
    private static let leastGain: Int64 = 3

    /// The points of 100 that were not earned.
    private static func lost(to rule: Rule<Area>, _ figures: Figures, _ scoring: Scoring) -> Double {
        switch rule.topic {
        case .speech: scoring.lost(.paceWordsPerMin, .pauseEffectiveness, .volumeConsistency, .tonalVariety)
        case .contact: scoring.lost(.eyeContactPct)
        // Light and size first, where they may be why nobody is seen to look.
        case .picture:
            scoring.lost(.pictureQuality, .eyeContactPct)
                + (figures[.faceLiveliness] == nil ? scoring.lost(.faceLiveliness) : 0)
        // What the noise has drowned counts with it.
        case .sound:
            scoring.lost(.soundQuality) + (figures[.pauseEffectiveness] == nil ? scoring.lost(.pauseEffectiveness) : 0)
        case .pace: scoring.lost(.paceWordsPerMin)
        case .pauses: scoring.lost(.pauseEffectiveness)
        case .melody: scoring.lost(.tonalVariety)
        case .volume: scoring.lost(.volumeConsistency)
        case .expression: scoring.lost(.faceLiveliness)
        case .fillers, .head, .phrasing, .structure: 0
        }
    }
}
