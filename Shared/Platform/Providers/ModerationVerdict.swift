import JSON

/// A kind of text that hurts or harms. Servers have kinds of their own besides these.
package struct ModerationCategory: Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let harassment = ModerationCategory(rawValue: "harassment")
    package static let threat = ModerationCategory(rawValue: "harassment/threatening")
    package static let hate = ModerationCategory(rawValue: "hate")
    package static let hatefulThreat = ModerationCategory(rawValue: "hate/threatening")
    package static let illicit = ModerationCategory(rawValue: "illicit")
    package static let illicitViolence = ModerationCategory(rawValue: "illicit/violent")
    package static let selfHarm = ModerationCategory(rawValue: "self-harm")
    package static let selfHarmIntent = ModerationCategory(rawValue: "self-harm/intent")
    package static let selfHarmInstructions = ModerationCategory(rawValue: "self-harm/instructions")
    package static let sexual = ModerationCategory(rawValue: "sexual")
    package static let sexualOfMinors = ModerationCategory(rawValue: "sexual/minors")
    package static let violence = ModerationCategory(rawValue: "violence")
    package static let graphicViolence = ModerationCategory(rawValue: "violence/graphic")
}

/// What a provider finds wrong with one text.
package struct ModerationVerdict: Sendable, Equatable {
    /// Whether anything is.
    package var isFlagged: Bool
    /// The kinds that it is of.
    package var categories: Set<ModerationCategory>
    /// How sure the provider is of each kind, from 0 to 1; also of those that it is not of.
    package var scores: [ModerationCategory: Double]

    package init(isFlagged: Bool, categories: Set<ModerationCategory>, scores: [ModerationCategory: Double]) {
        self.isFlagged = isFlagged
        self.categories = categories
        self.scores = scores
    }
}

extension ModerationVerdict {
    private static let limits = JSONLimits(depth: 16, values: 50_000)
    private static let mostCategories = 100

    /// Reads an answer of the OpenAI API's moderations: a verdict for each text, in their order.
    ///
    /// - Parameter count: how many texts were sent.
    /// - Throws: ``AnswerFault``: what of it is missing, has another type, or lies where it cannot.
    static func read(_ bytes: [UInt8], count: Int) throws(AnswerFault) -> [ModerationVerdict] {
        guard let value = try? JSONValue.parse(bytes, limits: limits) else { throw .notJSON }
        guard let results = value.objectValue?["results"]?.arrayValue, results.count == count else { throw .form }
        var verdicts: [ModerationVerdict] = []
        for result in results { verdicts.append(try ModerationVerdict(result)) }
        return verdicts
    }

    private init(_ value: JSONValue) throws(AnswerFault) {
        guard let flag = value["flagged"]?.boolValue, let found = value["categories"]?.objectValue,
            let given = value["category_scores"]?.objectValue
        else { throw .form }
        guard max(found.keys.count, given.keys.count) <= Self.mostCategories else { throw .excess }
        var categories: Set<ModerationCategory> = []
        var scores: [ModerationCategory: Double] = [:]
        // A kind that a model does not know is null.
        for name in found.keys where found[name] != .null {
            guard let isOf = found[name]?.boolValue, let score = given[name]?.doubleValue else { throw .form }
            guard (0...1).contains(score) else { throw .range }
            if isOf { categories.insert(ModerationCategory(rawValue: name)) }
            scores[ModerationCategory(rawValue: name)] = score
        }
        // One that looked at nothing has found nothing, too.
        guard !scores.isEmpty else { throw .form }
        // Whatever it says of the whole, a part of it is enough.
        self.init(isFlagged: flag || !categories.isEmpty, categories: categories, scores: scores)
    }
}
