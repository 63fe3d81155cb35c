import Foundation

/// The caller's goals, and the one that is worth most next.
public struct Goals: Decodable, Sendable {
    public let items: [Goal]
    public let proposal: GoalProposal?
}

/// A measure at least or at most so much, in so many recordings of the next days.
public struct Goal: Decodable, Sendable {
    public let goalId: UUID
    public let kind: String
    public let measure: GoalMeasure
    /// In ``unit``.
    public let atLeast: Double?
    /// In ``unit``.
    public let atMost: Double?
    public let recordings: Int
    public let days: Int
    public let setAt: Date
    public let endsAt: Date
    public let unit: String
    public let standing: Standing
    /// The recordings that are as it wants them.
    public let counted: [Counted]

    public struct Standing: OpenCode {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let open = Self(rawValue: "open")
        public static let met = Self(rawValue: "met")
        public static let missed = Self(rawValue: "missed")
    }

    public struct Counted: Decodable, Sendable {
        public let sessionId: UUID
        public let value: Double
    }
}

/// A goal that may be set.
public struct GoalProposal: Decodable, Sendable {
    public let measure: GoalMeasure
    public let atLeast: Double?
    public let atMost: Double?
    public let recordings: Int
    public let days: Int
    public let unit: String
    /// The median of the newest values.
    public let from: Double
    /// What the score may gain by it, about.
    public let points: Int
}

/// What a goal is set with; what is left out is as the server proposes.
public struct GoalSetting: Encodable, Sendable {
    public let measure: GoalMeasure
    public let atLeast: Double?
    public let atMost: Double?
    public let recordings: Int?
    public let days: Int?

    public init(
        _ measure: GoalMeasure, atLeast: Double? = nil, atMost: Double? = nil, recordings: Int? = nil, days: Int? = nil
    ) {
        self.measure = measure
        self.atLeast = atLeast
        self.atMost = atMost
        self.recordings = recordings
        self.days = days
    }

    /// What the server proposes, taken up.
    public init(_ proposal: GoalProposal) {
        self.init(
            proposal.measure, atLeast: proposal.atLeast, atMost: proposal.atMost, recordings: proposal.recordings,
            days: proposal.days)
    }
}

/// What a goal may be about.
public struct GoalMeasure: OpenCode {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let confidenceScore = Self(rawValue: "confidenceScore")
    public static let paceWordsPerMin = Self(rawValue: "paceWordsPerMin")
    public static let fillersPer100Words = Self(rawValue: "fillersPer100Words")
    public static let fillersPerMin = Self(rawValue: "fillersPerMin")
    public static let pauseEffectiveness = Self(rawValue: "pauseEffectiveness")
    public static let volumeConsistency = Self(rawValue: "volumeConsistency")
    public static let tonalVariety = Self(rawValue: "tonalVariety")
    public static let eyeContactPct = Self(rawValue: "eyeContactPct")
    public static let faceLiveliness = Self(rawValue: "faceLiveliness")
    public static let soundQuality = Self(rawValue: "soundQuality")
    public static let pictureQuality = Self(rawValue: "pictureQuality")
}
