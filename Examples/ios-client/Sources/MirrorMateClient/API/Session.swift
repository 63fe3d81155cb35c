import Foundation

/// A video on its way to a report.
public struct Session: Decodable, Sendable {
    public let id: UUID
    public let kind: String
    public let status: Status
    /// From 0 to 1.
    public let progress: Double
    /// What is under way, once the work has begun.
    public let stage: Stage?
    /// The place in line until then: 1 is next. An estimate.
    public let queuePosition: Int?
    public let createdAt: Date
    public let updatedAt: Date
    public let expiresAt: Date
    public let reportId: UUID?
    public let error: Failure?
    public let refusal: Refusal?
    /// Where the video may go with a single request; there while the session awaits one. `MirrorMate.upload` sends it in pieces.
    public let upload: UploadAddress?

    public struct Status: OpenCode {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Quota has not decided yet.
        public static let queued = Self(rawValue: "queued")
        public static let awaitingUpload = Self(rawValue: "awaitingUpload")
        public static let processing = Self(rawValue: "processing")
        public static let complete = Self(rawValue: "complete")
        public static let error = Self(rawValue: "error")
        public static let cancelled = Self(rawValue: "cancelled")
        public static let expired = Self(rawValue: "expired")
        public static let refused = Self(rawValue: "refused")

        /// Whether nothing follows.
        public var isOver: Bool { [.complete, .error, .cancelled, .expired, .refused].contains(self) }
    }

    /// What of the work is under way.
    public struct Stage: OpenCode {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let probe = Self(rawValue: "probe")
        public static let decode = Self(rawValue: "decode")
        public static let transcribe = Self(rawValue: "transcribe")
        public static let voice = Self(rawValue: "voice")
        public static let picture = Self(rawValue: "picture")
        public static let report = Self(rawValue: "report")
    }

    /// Why there is no report.
    public struct Failure: Decodable, Sendable {
        public let code: Code
        /// What went wrong and what to do, for people.
        public let title: String
        /// Whether the same recording may succeed another time.
        public let retryable: Bool

        public struct Code: OpenCode {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }

            public static let noSpeech = Self(rawValue: "no-speech")
            public static let noSound = Self(rawValue: "no-sound")
            public static let blackPicture = Self(rawValue: "black-picture")
            public static let tooShort = Self(rawValue: "too-short")
            public static let tooLong = Self(rawValue: "too-long")
            public static let noVideo = Self(rawValue: "no-video")
            public static let unreadable = Self(rawValue: "unreadable")
            public static let processingTimeout = Self(rawValue: "processing-timeout")
        }
    }

    /// Why it did not begin, and from when another one may.
    public struct Refusal: Decodable, Sendable {
        public let code: String
        public let window: String?
        public let resetsAt: Date
    }

    /// A signed address, which needs no token.
    public struct UploadAddress: Decodable, Sendable {
        public let method: String
        public let url: URL
        public let headers: [String: String]
        public let expiresAt: Date
    }
}
