import Contracts
import Crypto
import JSON
import Primitives

/// The people, sessions and times of all stories: every story is about the same ones, so that what one publishes is what
/// another reads.
enum World {
    static let namespace = UUID.v5(namespace: .urlNamespace, name: "mirrormate/contracts")

    static let ada = person("ada")
    static let grace = person("grace")
    static let signingKey = person("signing-key")
    /// A key whose announcement was signed from the start.
    static let signedKey = person("signed-key")
    /// The key with which announcements are signed.
    static let announcementKey = person("announcement-key")
    /// A login session of Grace.
    static let login = person("login-session")
    /// The login session of an app's token, of Grace.
    static let appLogin = person("app-login-session")
    /// An anonymous device that was handed over to Grace.
    static let device = person("device")
    /// An API key that is made, and revoked.
    static let apiKey = person("api-key")
    /// An export of which every service has something.
    static let export = person("export")
    /// One that nobody goes on with.
    static let exportInVain = person("export-in-vain")
    /// A goal of Grace's that is met.
    static let goal = UUID.v5(namespace: grace, name: "goal 2")
    /// Stands in released records for signatures, each of which is another.
    static let signature = "signature"

    /// Ada's first session; it is completed.
    static let completed = session(1)
    /// Refused while the first is open.
    static let refusedOpen = session(2)
    /// Refused when the day's unit is used up.
    static let refusedUsedUp = session(3)
    /// Cancelled after its analysis began.
    static let cancelled = session(4)
    /// Grace's; replaced by ``expired``.
    static let replaced = session(5)
    static let expired = session(6)
    /// Its analysis fails.
    static let failed = session(7)
    /// Its report fails.
    static let unreported = session(8)
    /// Deleted before it ended.
    static let deletedOpen = session(9)
    /// Completed, then deleted.
    static let deletedComplete = session(10)
    /// Its creation reaches no service before its ending.
    static let unheardOf = session(11)
    /// Open when Ada is erased.
    static let erasedOpen = session(12)
    /// Of a kind that no service knows by name, with several windows.
    static let danced = session(13)
    /// Refused because the hour is used up.
    static let refusedDance = session(14)

    /// Analyzed since analysis hands in what it measured and makes no report.
    static let measured = session(15)

    /// Whose words a provider has written down; Grace's.
    static let transcribed = session(21)

    /// Begun without a word of its file, which came twice; Grace's.
    static let resent = session(22)

    /// Grace's meditations: one that was corrected, one that moved to another day, one that was deleted.
    static let sat = session(16)
    static let satOtherDay = session(17)
    static let satInVain = session(18)
    /// Sat on the device, before it was handed over.
    static let satOnDevice = session(19)
    /// Sat on it later, before it was handed over again.
    static let satOnDeviceLater = session(20)

    static let dance = SessionKind(rawValue: "dance")

    static let morning = Timestamp(rfc3339: "2026-01-15T09:00:00.000000Z")!
    static func minutes(_ count: Int64) -> Timestamp { morning.adding(seconds: count * 60) }

    /// The trace that every command carries.
    static let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    static func owner(of session: UUID) -> UUID {
        [
            replaced, expired, failed, unreported, deletedOpen, unheardOf, danced, refusedDance, measured, transcribed,
            resent, sat,
            satOtherDay,
            satInVain,
        ].contains(session)
            ? grace : ada
    }

    static func reportID(of session: UUID) -> UUID { .v5(namespace: session, name: "report") }

    /// The document that analysis made of every recording when it made reports.
    static let documentBytes = JSONValue.object([
        "report": [
            "durationSec": 28, "confidenceScore": 82, "impressionTags": ["confident"], "fillerWords": ["um": 3],
            "gaze": ["eyeContactPct": 0.75], "vocalAnalysis": ["paceWordsPerMin": 150],
        ]
    ]).bytes

    /// The document with what it measures since.
    static let measuredBytes = JSONValue.object([
        "brief": ["scenario": "pitch"],
        "measured": [
            "durationMs": 28_300,
            "measures": [
                "paceWordsPerMin": ["value": 150, "unit": "words/min", "source": "model", "valid": true],
                "cameraContactPct": ["value": 75, "unit": "%", "source": "measured", "valid": true],
                "volumeConsistency": ["value": 0.8, "unit": "0-1", "source": "measured", "valid": true],
            ],
        ],
    ]).bytes

    static func bytes(of session: UUID) -> [UInt8] { session == measured ? measuredBytes : documentBytes }

    static func document(of session: UUID) -> DocumentReference {
        DocumentReference(
            key: "documents/\(session)", sha256: Hex.encode(SHA256.digest(bytes(of: session))),
            sizeBytes: Int64(bytes(of: session).count))
    }

    static func media(_ key: String) -> MediaReference {
        MediaReference(
            key: key, sha256: String(repeating: "5a", count: 32), sizeBytes: 1_048_576, contentType: "video/mp4")
    }

    /// A meditation of twenty minutes with a pause, so many minutes after the morning of all stories.
    static func practice(at minute: Int64, activeSeconds: Int64 = 1_080) -> PracticeTime {
        PracticeTime(
            startedAt: minutes(minute), endedAt: minutes(minute + 20), activeSeconds: activeSeconds,
            timeZone: "Asia/Tokyo", utcOffsetSeconds: 32_400)
    }

    /// The life of a service's store in golden records.
    static func incarnation(of service: ServiceName) -> UUID {
        .v5(namespace: namespace, name: "incarnation/\(service.rawValue)")
    }

    private static func person(_ name: String) -> UUID { .v5(namespace: namespace, name: name) }
    private static func session(_ number: Int) -> UUID { .v5(namespace: namespace, name: "session/\(number)") }
}
