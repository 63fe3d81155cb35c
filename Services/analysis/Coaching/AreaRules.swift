/// What to improve: what costs the score most comes first, at most one area of each topic.
///
/// What is good enough to be praised is no area, nor what costs the score next to nothing; a recording may have none.
package enum AreaRules {
    /// The maximum number of areas in a report, the one to work on first among them.
    static let limit = 3

    /// In the order in which they are asked within a topic.
    package static func table(_ scenario: Scenario) -> [Rule<Area>] {
        unjudgeable + picture + contact + sound + voice(scenario) + face
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
        Rule(.overdriven, .sound, .within(.clippedPct, 0.9...100)),
        Rule(.quiet, .sound, .within(.loudnessLufs, -100...(-39))),
        Rule(.noisy, .sound, .within(.snrProxyDb, 0...26), .within(.soundQuality, 0...0.75)),
    ]

    private static func voice(_ scenario: Scenario) -> [Rule<Area>] {
        let pace = scenario.comfortable
        return [
            Rule(.tooFast, .pace, .within(.paceWordsPerMin, (pace.upperBound + 14)...1000)),
            Rule(.tooSlow, .pace, .within(.paceWordsPerMin, 0...(pace.lowerBound - 10))),
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
            Rule(.shortPauses, .pauses, .within(.pauseEffectiveness, 0...0.599), .within(.pauseMeanSeconds, 0...0.7)),
            Rule(.flatVoice, .melody, .within(.tonalVariety, 0...0.599), .within(.pitchRangeSemitones, 0...60)),
            Rule(.waveringVolume, .volume, .within(.volumeConsistency, 0...0.65)),
            Rule(.fillers, .fillers, .within(.fillersPer100Words, 2.5...100), .within(.fillerCount, 2...10_000)),
        ]
    }

    private static let face: [Rule<Area>] = [
        Rule(.restlessHead, .head, .within(.headMovement, 0.12...10)),
        // In the dark and in a blur, the picture's noise or the lack of edges is taken for the face.
        Rule(.stillFace, .expression, .within(.faceLiveliness, 0...0.25), .within(.pictureQuality, 0.5...1)),
    ]

    /// What holds of a recording, most costly first.
    static func chosen(_ figures: Figures, _ scenario: Scenario, _ scoring: Scoring) -> [Rule<Area>] {
        var found: [(rule: Rule<Area>, cost: Double)] = []
        for rule in table(scenario)
        where rule.holds(figures) && !found.contains(where: { $0.rule.topic == rule.topic }) {
            found.append((rule, cost(of: rule, figures, scoring)))
        }
        // The sort is not stable, so the table's order decides among equals.
        let sorted = found.enumerated().sorted { ($1.element.cost, $0.offset) < ($0.element.cost, $1.offset) }
        return sorted.prefix(limit).map(\.element.rule)
    }

    /// The points of 100 that the score may gain.
    private static func cost(of rule: Rule<Area>, _ figures: Figures, _ scoring: Scoring) -> Double {
        switch rule.topic {
        case .speech: scoring.lost(.paceWordsPerMin, .pauseEffectiveness, .volumeConsistency, .tonalVariety)
        case .contact: scoring.lost(.eyeContactPct)
        // Light and size first, where they may be why nobody is seen to look.
        case .picture: scoring.lost(.pictureQuality, .eyeContactPct)
        // What the noise has drowned counts with it.
        case .sound:
            scoring.lost(.soundQuality) + (figures[.pauseEffectiveness] == nil ? scoring.lost(.pauseEffectiveness) : 0)
        case .pace: scoring.lost(.paceWordsPerMin)
        case .pauses: scoring.lost(.pauseEffectiveness)
        case .melody: scoring.lost(.tonalVariety)
        case .volume: scoring.lost(.volumeConsistency)
        case .fillers: scoring.deduction ?? 0
        // Not in the score, but seen at once.
        case .head: 3
        // A third, because its scale has not been tried on enough people to come before the others.
        case .expression: scoring.lost(.faceLiveliness) / 3
        }
    }
}
