/// Where a value of a report comes from.
public struct Measure: Decodable, Sendable {
    public let unit: String
    public let source: Source
    public let valid: Bool
    /// Why there is no value, for people.
    public let reason: String?
    public let code: String?
    public let lowConfidence: Bool?
    /// The percentage of the score that rests on it.
    public let weight: Double?

    public struct Source: OpenCode {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let measured = Self(rawValue: "measured")
        public static let model = Self(rawValue: "model")
        public static let estimated = Self(rawValue: "estimated")
        public static let notRated = Self(rawValue: "notRated")
    }
}

/// Between what the score lies.
public struct ScoreRange: Decodable, Sendable {
    public let low: Int
    public let high: Int
}
