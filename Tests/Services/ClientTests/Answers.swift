import Foundation

struct ProblemAnswer: Decodable, Error {
    struct Holder: Decodable {
        let sessionId: UUID
        let expiresAt: Date
    }

    let type: String
    let title: String
    let status: Int
    let detail: String
    let code: String
    let resetsAt: Date?
    let heldBy: Holder?
}

struct Nothing: Decodable {}

struct UserAnswer: Decodable {
    let id: UUID
    let email: String?
    let displayName: String?
    let createdAt: Date?
}

struct MeAnswer: Decodable { let user: UserAnswer }

struct SignInAnswer: Decodable {
    let user: UserAnswer
    let accessToken: String
    let refreshToken: String
    let expiresIn: Int
    let tokenType: String
}

struct RefreshAnswer: Decodable {
    let accessToken: String
    let refreshToken: String
    let expiresIn: Int
    let tokenType: String
}

struct KeysAnswer: Decodable {
    struct Key: Decodable {
        let kid: String
        let kty: String
        let crv: String
        let x: String
        let y: String
    }

    let keys: [Key]
}

struct SessionAnswer: Decodable {
    enum Status: String, Decodable {
        case queued, awaitingUpload, processing, complete, error, cancelled, expired, refused
    }

    struct Upload: Decodable {
        let method: String
        let url: String
        let headers: [String: String]
        let expiresAt: Date
    }

    struct Failure: Decodable {
        let code: String
        let title: String
        let retryable: Bool
    }

    struct Refusal: Decodable {
        let code: String
        let resetsAt: Date
    }

    let id: UUID
    let kind: String
    let status: Status
    let progress: Double
    let createdAt: Date
    let upload: Upload?
    let error: Failure?
    let refusal: Refusal?
}

struct UploadAnswer: Decodable {
    let sha256: String
    let sizeBytes: Int
}

struct PageAnswer<Item: Decodable>: Decodable {
    let items: [Item]
    let nextCursor: String?
}

struct QuotaAnswer: Decodable {
    let kind: String
    let plan: String
    let limit: Int?
    let used: Int
    let reserved: Int
    let remaining: Int?
    let resetsAt: Date?
}

struct ScoreRange: Decodable {
    let low: Int
    let high: Int
}

struct ReportLine: Decodable {
    let sessionId: UUID
    let reportId: UUID
    let createdAt: Date
    let confidenceScore: Int?
    let scoreCoverage: Int?
    let scoreRange: ScoreRange?
    let paceWordsPerMin: Int?
    let eyeContactPct: Double?
    let fillerCount: Int?
    let durationSec: Int
    let tags: [String]
}

struct ReportAnswer: Decodable {
    struct Tone: Decodable {
        let t: Double
        let energy: Double?
        let confidence: Double?
    }

    struct Gaze: Decodable { let eyeContactPct: Double? }

    struct Voice: Decodable {
        let paceWordsPerMin: Int?
        let volumeConsistency: Double?
        let tonalVariety: Double?
        let clarity: Double?
        let pauseEffectiveness: Double?
    }

    struct Body: Decodable {
        let postureScore: Double?
        let gestureNaturalness: Double?
        let facialExpressiveness: Double?
        let eyeContactPct: Double?
        let movementPurpose: Double?
    }

    struct Moment: Decodable {
        let timestamp: Int
        let type: String
        let description: String
    }

    struct Transcript: Decodable {
        struct Word: Decodable {
            let w: String
            let start: Double
            let end: Double
        }

        let text: String
        let words: [Word]
    }

    let sessionId: UUID
    let reportId: UUID
    let createdAt: Date
    let durationSec: Int
    let confidenceScore: Int?
    let impressionTags: [String]
    let fillerWords: [String: Int]
    let toneTimeline: [Tone]
    let emotionBreakdown: [String: Double]?
    let gaze: Gaze
    let vocalAnalysis: Voice
    let bodyLanguageAnalysis: Body
    let strengths: [String]
    let areasForImprovement: [String]
    let practiceExercises: [String]
    let keyMoments: [Moment]
    let feedback: String
    let transcript: Transcript
}

// What is sent.

struct Credentials: Encodable, Sendable {
    var email = "ada@example.org"
    var password = "a long enough one"
    var displayName: String?
}

struct SessionWish: Encodable, Sendable {
    var kind = "mirrormate"
    var contentType = "video/mp4"
    var contentLength: Int
    var replaces: UUID?
}

struct Refreshing: Encodable, Sendable { var refreshToken: String }
