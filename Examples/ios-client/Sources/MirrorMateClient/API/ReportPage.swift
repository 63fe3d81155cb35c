import Foundation

/// A part of the history, the newest first.
public struct ReportPage: Decodable, Sendable {
    public let items: [Item]
    /// For the next part; nil of the last one.
    public let nextCursor: String?

    /// A report as numbers.
    public struct Item: Decodable, Sendable {
        public let sessionId: UUID
        public let reportId: UUID
        public let createdAt: Date
        public let durationSec: Int
        public let confidenceScore: Int?
        public let scoreCoverage: Int?
        public let scoreRange: ScoreRange?
        public let paceWordsPerMin: Int?
        public let eyeContactPct: Double?
        public let fillerCount: Int?
        public let tags: [String]
    }
}
