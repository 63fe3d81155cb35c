package import JSON

/// Which emotions somebody who looked at pictures of a recording found in them: shares that add up to 1, no word of theirs.
package struct SeenEmotions: Sendable, Equatable {
    /// What they are asked about. The raw values stand in their answer, in the stored one, and in reports.
    package enum Emotion: String, Sendable, CaseIterable { case joy, neutral, anxious, engaged, surprise }

    /// Who looked, and with what, such as `openai/gpt-4o`.
    package let engine: String
    package let shares: [Emotion: Double]

    /// How far the sum may be from 1: every share may be rounded.
    private static let slack = 0.02

    /// - Returns: nil for shares that are none, or do not add up.
    package init?(engine: String, shares: [Emotion: Double]) {
        guard Emotion.allCases.allSatisfy({ shares[$0].map((0...1).contains) ?? false }),
            abs(shares.values.reduce(0, +) - 1) <= Self.slack
        else { return nil }
        self.engine = engine
        self.shares = shares
    }

    /// What the helper has measured, with this.
    package func added(to measured: JSONObject) -> JSONObject {
        var all = measured
        all["emotions"] = .object(json)
        all["engines"] = .object((measured["engines"]?.objectValue ?? [:]).adding(["emotions": .string(engine)]))
        return all
    }

    /// What is stored before anything is made of it, and what stands in the document.
    package var json: JSONObject {
        let given = Emotion.allCases.map { ($0.rawValue, JSONValue.optional(shares[$0])) }
        return ["engine": .string(engine), "shares": .object(JSONObject(given))]
    }

    /// - Throws: `JSONError` when a member is missing or has another form.
    package init(_ object: JSONObject) throws(JSONError) {
        let given = try object.object("shares")
        var shares: [Emotion: Double] = [:]
        for emotion in Emotion.allCases { shares[emotion] = try given.optionalDouble(emotion.rawValue) }
        guard let read = SeenEmotions(engine: try object.string("engine"), shares: shares) else {
            throw JSONError(.type, at: "shares", "must add up to 1")
        }
        self = read
    }
}
