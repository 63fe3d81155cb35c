/// What to improve: what costs the score most comes first, at most one area of each topic.
///
/// What is good enough to be praised is no area. An area costs the score something, or is plain and not scored (the head, how
/// things are put in words); a recording may have none.
package enum AreaRules {
    /// The volume below which words that sink pass for pauses.
    static let steady = 0.65

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
        Rule(
            .secondFace, .contact, .within(.severalFacesPct, Figures.shared...100),
            .within(.faceWidthPx, Figures.visibleWidth...640)),
        Rule(.outOfPicture, .contact, .within(.noFacePct, 20...90), .within(.eyeContactPct, 0...0.799)),
        Rule(.turnedAway, .contact, .within(.eyeContactPct, 0...0.799)),
    ]

    private static let sound: [Rule<Area>] = [
        Rule(.overdriven, .sound, .within(.clippedPct, Scoring.overdriven...100)),
        Rule(.quiet, .sound, .within(.loudnessLufs, -100...(-39))),
        Rule(.noisy, .sound, .within(.snrProxyDb, 0...26), .within(.soundQuality, 0...0.75)),
    ]

    /// The words per minute from which somebody is too fast.
    static func hasty(_ scenario: Scenario) -> Double { scenario.comfortable.upperBound + 14 }

    private static func voice(_ scenario: Scenario) -> [Rule<Area>] {
        let pace = scenario.comfortable
        // Where a voice that wavers sinks, no silence is to be blamed for it.
        let poor: [Condition] = [.within(.pauseEffectiveness, 0...0.599)]
        let many: [Condition] =
            poor + [
                .within(.pausesPerMin, 25...10_000), .within(.pauseCount, 0...10_000),
                .within(.pauseMeanSeconds, 0...0.7),
                .within(.volumeConsistency, steady...1),
            ]
        let few: [Condition] = poor + [.within(.pausesPerMin, 0...5), .within(.pauseCount, 0...10_000)]
        let long: [Condition] =
            poor + [.within(.pauseMeanSeconds, 2...60), .within(.pauseLongestSeconds, 0...600)]
        let tooFast = Condition.within(.paceWordsPerMin, hasty(scenario)...1000)
        let tooSlow = Condition.within(.paceWordsPerMin, 0...(pace.lowerBound - 10))
        return [
            // One fault that shows in two figures is one area: each of these stands for two of those below. Of a minute, pauses take
            // about a fifth.
            Rule(
                .breathless, .pauses, also: .pace, of: few,
                tooFast, .within(.articulationWordsPerMin, 0...(hasty(scenario) / 0.8))),
            Rule(
                .draggingPauses, .pauses, also: .pace, of: long,
                tooSlow, .within(.articulationWordsPerMin, (pace.lowerBound + 1)...1000)),
            Rule(
                .fillerStops, .pauses, also: .fillers, of: many,
                .within(.fillerCount, 2...10_000), .within(.fillersPer100Words, 1...100)),
            Rule(.tooFast, .pace, tooFast), Rule(.tooSlow, .pace, tooSlow),
            Rule(.gettingFaster, .pace, .within(.paceDriftPct, 25...1000)),
            Rule(.longPauses, .pauses, and: long), Rule(.noPauses, .pauses, and: few),
            // Many stops chop up what is said where they stand inside of thoughts.
            Rule(
                .restlessPauses, .pauses, and: many + [.share(.hesitantPauseCount, of: .pauseCount, 0.5...1)]),
            Rule(
                .shortPauses, .pauses,
                and: poor + [.within(.pauseMeanSeconds, 0...0.45), .within(.volumeConsistency, steady...1)]),
            // Far enough below what is praised for the same recording, encoded again, not to be told the opposite.
            Rule(.flatVoice, .melody, .within(.tonalVariety, 0...0.54), .within(.pitchRangeSemitones, 0...60)),
            // A volume that wavers because the voice fades is told as that.
            Rule(
                .fadingEnd, .volume, .within(.endEnergy, 0...0.3), .within(.startEnergy, 0.45...1),
                .within(.volumeConsistency, 0...0.65)),
            Rule(.waveringVolume, .volume, .within(.volumeConsistency, 0...0.55)),
            Rule(.fillers, .fillers, .within(.fillersPer100Words, 2.5...100), .within(.fillerCount, 2...10_000)),
            // In a longer recording, three are told as soon as they cost something.
            Rule(.fillers, .fillers, .within(.fillersPer100Words, 1...100), .within(.fillerCount, 3...10_000)),
        ]
    }

    /// Of one face that is in the picture for most of the time.
    private static let face: [Rule<Area>] = [
        Rule(.restlessHead, .head, .within(.headMovement, 0.12...10), and: TagRules.seen),
        Rule(.stillFace, .expression, .within(.faceLiveliness, 0...0.25), and: TagRules.seen),
        // Two who agree are believed where each alone would not be.
        Rule(
            .stillFace, .expression, .within(.facialExpressiveness, 0...0.25), .within(.faceLiveliness, 0...0.5),
            and: TagRules.seen),
        Rule(.slumpedPosture, .posture, .within(.postureScore, 0...0.4), and: TagRules.seen),
        Rule(.stiffGestures, .gestures, .within(.gestureNaturalness, 0...0.4), and: TagRules.seen),
    ]

    /// How it is put in words: not scored, so each only shows where it is plain.
    private static let phrasing: [Rule<Area>] = [
        Rule(.hedges, .phrasing, .within(.hedgesPer100Words, 3...100), .within(.wordCount, 40...100_000)),
        Rule(
            .opinionPhrases, .phrasing, .within(.opinionPhrasesPer100Words, 3...100), .within(.wordCount, 40...100_000)),
        // Where sentences that begin alike stand apart, nobody notices.
        Rule(
            .repeatedOpenings, .phrasing, .within(.repeatedOpeningPct, 40...100), .within(.adjacentOpenings, 2...10_000)
        ),
        Rule(.longSentences, .phrasing, .within(.sentenceLengthWords, 30...1000)),
    ]

    /// What holds of a recording, most costly first.
    static func chosen(_ figures: Figures, _ scenario: Scenario, _ scoring: Scoring) -> [Rule<Area>] {
        var found: [(rule: Rule<Area>, cost: Double)] = []
        for rule in table(scenario)
        where rule.holds(figures) && !found.contains(where: { $0.rule.topics.contains(where: rule.topics.contains) }) {
            // Without a score, why there is none comes first: nothing else brings one.
            let isWhy = scoring.score == nil && unjudgeable.contains { $0.key == rule.key }
            found.append((rule, cost(of: rule, figures, scoring) + (isWhy ? 100 : 0)))
        }
        // What could not be judged is not blamed as well.
        let unjudged = found.flatMap(\.rule.unjudged)
        found.removeAll { unjudged.contains($0.rule.topic) }
        // Who races has no time to pause: the stops follow from the speed.
        if found.contains(where: { $0.rule.key == .tooFast }) { found.removeAll { $0.rule.key == .restlessPauses } }
        // The sort is not stable, so the table's order decides among equals.
        let sorted = found.enumerated().sorted { ($1.element.cost, $0.offset) < ($0.element.cost, $1.offset) }
            .map(\.element.rule)
        // How it is put in words is not scored: of nearly all points, it is not the first thing to work on.
        if let score = scoring.score, score >= nearlyAll, sorted.first?.topic == .phrasing { return [] }
        // What is put right in a moment spoils the next take if nobody says it.
        let repairs = sorted.dropFirst(limit).filter(\.isOfRecording).prefix(limit - 1)
        var told = Array(sorted.prefix(limit))
        for repair in repairs {
            guard let last = told.dropFirst().lastIndex(where: { !$0.isOfRecording }) else { break }
            told.remove(at: last)
            told.append(repair)
        }
        return told
    }

    /// The score from which nothing unscored is the first thing to work on.
    private static let nearlyAll: Int64 = 90

    /// What decides which comes first.
    private static func cost(of rule: Rule<Area>, _ figures: Figures, _ scoring: Scoring) -> Double {
        switch rule.topic {
        // Not in the score, but seen at once.
        case .head: 3
        // Not in the score, and seldom the first thing to work on.
        case .phrasing, .structure: 2
        // A third, because its scale has not been tried on enough people to come before the others.
        case .expression: scoring.lost(.faceLiveliness) / 3
        // Likewise, because nobody has held what a provider sees against what people see.
        case .posture, .gestures: lost(to: rule, figures, scoring) / 3
        // Light and size first, where they may be why nothing can be said of the face.
        case .picture:
            lost(to: rule, figures, scoring) + (figures[.faceLiveliness] == nil ? scoring.lost(.faceLiveliness) : 0)
        default: lost(to: rule, figures, scoring) + deducted(by: rule, scoring)
        }
    }

    /// The points that the score may gain at most; nil where there is no score, where they would not show, and where next to
    /// nothing was said: nobody knows how that will be.
    static func gain(of rule: Rule<Area>, _ figures: Figures, _ scoring: Scoring) -> Int64? {
        guard rule.topic != .speech else { return nil }
        let points = scoring.gain(lost(to: rule, figures, scoring), deducted: deducted(by: rule, scoring))
        return points.map { Int64($0.rounded()) }.flatMap { $0 >= leastGain ? $0 : nil }
    }

    /// Fewer points than these are hardly more than what the same recording differs by.
    private static let leastGain: Int64 = 3

    /// What fillers take away.
    private static func deducted(by rule: Rule<Area>, _ scoring: Scoring) -> Double {
        rule.topics.contains(.fillers) ? scoring.deduction ?? 0 : 0
    }

    /// The points of 100 that were not earned.
    private static func lost(to rule: Rule<Area>, _ figures: Figures, _ scoring: Scoring) -> Double {
        rule.topics.reduce(0) { $0 + lost($1, figures, scoring) }
    }

    private static func lost(_ topic: Topic, _ figures: Figures, _ scoring: Scoring) -> Double {
        switch topic {
        case .speech: scoring.lost(.paceWordsPerMin, .pauseEffectiveness, .volumeConsistency, .tonalVariety)
        case .contact: scoring.lost(.eyeContactPct)
        // A face that cannot be seen is not seen to look. How alive it is, nobody knows, so nothing is promised for that.
        case .picture: scoring.lost(.pictureQuality, .eyeContactPct)
        // What the noise has drowned counts with it, and what cut peaks take from the volume.
        case .sound:
            scoring.lost(.soundQuality) + scoring.volumeCut(figures)
                + (figures[.pauseEffectiveness] == nil ? scoring.lost(.pauseEffectiveness) : 0)
        case .pace: scoring.lost(.paceWordsPerMin)
        case .pauses: scoring.lost(.pauseEffectiveness)
        case .melody: scoring.lost(.tonalVariety)
        // Words that sink have been taken for pauses, where there are too many of those.
        case .volume:
            scoring.lost(.volumeConsistency) - scoring.volumeCut(figures)
                + (isSinking(figures) ? scoring.lost(.pauseEffectiveness) : 0)
        case .expression: scoring.lost(.faceLiveliness)
        case .posture: scoring.lost(.postureScore)
        case .gestures: scoring.lost(.gestureNaturalness)
        case .fillers, .head, .phrasing, .structure: 0
        }
    }

    private static func isSinking(_ figures: Figures) -> Bool {
        (figures[.volumeConsistency] ?? 1) < steady && (figures[.pausesPerMin] ?? 0) >= 25
    }
}

extension Rule<Area> {
    /// Whether it is put right before speaking, not by practice.
    var isOfRecording: Bool {
        topic == .picture || topic == .sound || [.secondFace, .unseenFace, .unlitFace, .noSound].contains(key)
    }

    /// What it says could not be judged, so that nothing else is said of that.
    var unjudged: [Topic] {
        switch key {
        // A face that has nothing to say may be still.
        case .noSound, .noSpeech, .littleSpeech: [.pace, .pauses, .melody, .volume, .structure, .expression]
        case .drownedVoice: [.pace, .pauses, .melody, .volume]
        default: []
        }
    }
}
