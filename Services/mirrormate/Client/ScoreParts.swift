import JSON

/// One part of the confidence score.
struct ScorePart: Equatable {
    let name: String
    /// How good it was, from 0 to 1; nil when it could not be judged.
    let share: Double?
    /// How much of the score it makes, in percent.
    let weight: Double?
    let reason: String?
    /// The points that it takes away, for a part that only does that.
    var deduction: Double?
}

/// Reads the member `scoreParts`.
enum ScoreParts {
    static func rows(_ json: JSONValue?) -> [ScorePart] {
        (json?.arrayValue ?? []).compactMap { part in
            guard let name = part["part"]?.stringValue else { return nil }
            return ScorePart(
                name: spoken(name), share: part["value"]?.doubleValue,
                weight: part["share"]?.doubleValue,
                reason: part["reason"]?.stringValue, deduction: part["deduction"]?.doubleValue)
        }
    }

    /// Measures whose own name is no word that people use.
    private static let names = [
        "smileLikePct": "Smiles", "toneTimeline.confidence": "Confidence over time",
        "closingOnSubject": "Closing sentence",
        "openingOnSubject": "Opening sentence", "emotionBreakdown": "Emotions", "postureScore": "Posture",
        "gestureNaturalness": "Gestures", "facialExpressiveness": "What the face expresses",
        "movementPurpose": "Movements", "eyeContactPct": "Eye contact", "asrConfidence": "How sure the words are",
    ]

    /// `eyeContact` as "Eye contact".
    static func spoken(_ name: String) -> String {
        if let name = names[name] { return name }
        var words = ""
        for letter in name {
            words += letter.isUppercase && !words.isEmpty ? " \(letter.lowercased())" : String(letter)
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
