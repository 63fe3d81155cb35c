import Foundation

/// What changed over all reports. (Foundation has a `Progress` of its own.)
public struct OverallProgress: Decodable, Sendable {
    public let kind: String
    public let timeZone: String
    /// A local day such as `2026-11-25`.
    public let today: String
    public let totals: Totals
    public let best: Best?
    /// By the measure's name.
    public let measures: [String: Trend]
    public let nextGoal: GoalProposal?
    public let weeks: [Week]
    public let streak: Streak

    public struct Totals: Decodable, Sendable {
        public let reports: Int
        public let scored: Int
        public let seconds: Int
        public let days: Int
    }

    /// The highest score that can be compared with the newest.
    public struct Best: Decodable, Sendable {
        public let confidenceScore: Int
        public let sessionId: UUID
        public let createdAt: Date
    }

    public struct Trend: Decodable, Sendable {
        public let unit: String
        public let better: Direction
        public let trend: Verdict
        /// How many reports the trend looked at, and how many it takes.
        public let reports: Int
        public let needed: Int
        public let change: Double?
        public let first: Double?
        public let last: Double?

        public struct Direction: OpenCode {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }

            public static let higher = Self(rawValue: "higher")
            public static let lower = Self(rawValue: "lower")
            public static let within = Self(rawValue: "within")
        }

        public struct Verdict: OpenCode {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }

            public static let notEnoughYet = Self(rawValue: "not-enough-yet")
            public static let steady = Self(rawValue: "steady")
            public static let improved = Self(rawValue: "improved")
            public static let declined = Self(rawValue: "declined")
        }
    }

    public struct Week: Decodable, Sendable {
        /// Of ISO 8601, such as `2026-W48`.
        public let week: String
        public let recordings: Int
        public let seconds: Int
        public let days: Int
    }

    public struct Streak: Decodable, Sendable {
        public let currentStreak: Int
        public let longestStreak: Int
        /// When it ends unless a recording begins before.
        public let atRiskUntil: Date?
        public let recordedToday: Bool
    }
}
