import Foundation

/// A coaching report. What could not be judged is nil, and ``measures`` says why.
public struct Report: Decodable, Sendable {
    public let sessionId: UUID
    public let reportId: UUID
    public let createdAt: Date
    public let durationSec: Int
    /// From 0 to 100; nil if too little could be judged.
    public let confidenceScore: Int?
    /// How many of the 100 points could be judged.
    public let scoreCoverage: Int?
    public let scoreRange: ScoreRange?
    public let scoreParts: [ScorePart]?
    public let rulesVersion: Int?
    public let scenario: String?
    public let impressionTags: [String]
    /// The headline, in two or three sentences.
    public let feedback: String?
    public let strengths: [String]?
    public let firstStep: FirstStep?
    /// The one to work on first, then at most two more.
    public let areasForImprovement: [String]?
    /// One for each of ``areasForImprovement``.
    public let practiceExercises: [String]?
    public let keyMoments: [Moment]?
    public let vocalAnalysis: Voice?
    public let bodyLanguageAnalysis: Body?
    /// Lower bounds.
    public let fillerWords: [String: Int]?
    public let fillerTimes: [SpokenWord]?
    public let pauses: [Pause]?
    public let toneTimeline: [Tone]?
    public let paceTimeline: [Pace]?
    public let pitchTimeline: [Pitch]?
    public let warnings: [String]?
    /// What each of ``warnings`` means and what to do about it.
    public let warningTexts: [String]?
    public let transcript: Transcript?
    /// Where each value comes from and whether it holds, by name.
    public let measures: [String: Measure]?
    /// What changed since the last report; nil of the first one.
    public let sinceLast: SinceLast?
    public let nextGoal: GoalProposal?

    /// What the score is made of.
    public struct ScorePart: Decodable, Sendable {
        public let part: String
        /// Points of 100.
        public let weight: Int
        /// The percentage of this score that rests on it.
        public let share: Double
        /// From 0 to 1; nil unless ``valid``.
        public let value: Double?
        public let valid: Bool
        public let reason: String?
        /// The points that it takes away.
        public let deduction: Double?
    }

    /// What to work on first.
    public struct FirstStep: Decodable, Sendable {
        public let what: String
        public let why: String
        public let exercise: String
        /// How the next recording will show it.
        public let nextRecording: String
        /// What the score may gain at most.
        public let points: Int?
    }

    /// A moment to look at again.
    public struct Moment: Decodable, Sendable {
        /// Whole seconds from the start.
        public let timestamp: Int
        public let type: Kind
        public let description: String
        public let start: Double?
        public let end: Double?
        public let quote: String?

        public struct Kind: OpenCode {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }

            public static let strength = Self(rawValue: "strength")
            public static let improvement = Self(rawValue: "improvement")
        }
    }

    /// Shares are from 0 to 1.
    public struct Voice: Decodable, Sendable {
        public let paceWordsPerMin: Int?
        public let volumeConsistency: Double?
        public let tonalVariety: Double?
        public let clarity: Double?
        public let pauseEffectiveness: Double?
    }

    /// Shares are from 0 to 1; most are not judged so far.
    public struct Body: Decodable, Sendable {
        public let eyeContactPct: Double?
        public let facialExpressiveness: Double?
        public let postureScore: Double?
        public let gestureNaturalness: Double?
        public let movementPurpose: Double?
    }

    /// Seconds from the start.
    public struct SpokenWord: Decodable, Sendable {
        public let word: String
        public let start: Double
        public let end: Double
    }

    /// Seconds from the start.
    public struct Pause: Decodable, Sendable {
        public let start: Double
        public let end: Double
        public let kind: String?
    }

    /// How loud it is at a second.
    public struct Tone: Decodable, Sendable {
        public let t: Double
        public let energy: Double?
    }

    /// How fast it is at a second.
    public struct Pace: Decodable, Sendable {
        public let t: Double
        public let wordsPerMin: Int
    }

    /// How high the voice is in a second, against its own median; nil where too little is voiced.
    public struct Pitch: Decodable, Sendable {
        public let t: Double
        public let semitones: Double?
    }

    public struct Transcript: Decodable, Sendable {
        public let text: String
        public let lowConfidence: Bool?
        public let words: [Word]

        /// Seconds from the start.
        public struct Word: Decodable, Sendable {
            public let w: String
            public let start: Double
            public let end: Double
        }
    }
}
