import Configuration
import ObjectStorage
import ServiceKit
import Uploads

/// The variables of `sessions` besides those of every service, of ``ObjectStoreSettings`` (where uploads lie), of
/// ``UploadSettings`` (how they come), of ``RetentionSettings`` (how long recordings are kept) and of ``PracticeSettings`` (what is
/// logged).
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `KINDS_FILE` | file | `Kinds/kinds.json` | the kinds of session, see `docs/plans.md` |
/// | `QUOTA_WAIT` | duration | 2s | how long creation waits for quota's decision |
/// | `SESSION_LIFETIME` | duration | 1h | when a session expires that was not finalized |
/// | `PROCESSING_DEADLINE` | duration | 15m | when a finalized session fails that nobody answers |
/// | `NETWORK_ANALYSES` | number | 20 | how many analyses one client network may begin in a day: an IPv4 address or a /64 of IPv6; a /56 four times as many, a /48 sixteen times |
/// | `REFUSED_CREATIONS` | number | 50 | how many sessions of one user quota may refuse in a day, of which one comes back every 29 minutes; all do when the hour or day is over for which quota said no |
/// | `CONFIRM_ADDRESS` | true or false | true | whether an account confirms its address before its second session |
/// | `HEARTBEAT` | duration | 15s | after so long without news an event stream carries a comment |
struct SessionsSettings: Sendable {
    let objects: ObjectStoreSettings
    let uploads: UploadSettings
    let kinds: SessionKinds
    let quotaWait: Duration
    let sessionLifetime: Duration
    let processingDeadline: Duration
    let networkAnalyses: Int
    let refusedCreations: Int
    let mustConfirmAddress: Bool
    let heartbeat: Duration
    let practice: PracticeSettings
    let retention: RetentionSettings

    /// Reads the variables; problems stay in `environment` until it is finished.
    init(_ environment: Environment) {
        objects = ObjectStoreSettings(environment)
        uploads = UploadSettings(environment)
        kinds = environment.settingsFile("KINDS_FILE", KindFile.read) ?? .builtIn
        quotaWait = environment.duration("QUOTA_WAIT", default: .seconds(2))
        sessionLifetime = environment.duration("SESSION_LIFETIME", default: .seconds(3600))
        processingDeadline = environment.duration("PROCESSING_DEADLINE", default: .seconds(900))
        networkAnalyses = environment.int("NETWORK_ANALYSES", default: 20, in: 1...1_000_000)
        refusedCreations = environment.int("REFUSED_CREATIONS", default: 50, in: 1...1_000_000)
        mustConfirmAddress = environment.bool("CONFIRM_ADDRESS", default: true)
        heartbeat = environment.duration("HEARTBEAT", default: .seconds(15))
        practice = PracticeSettings(environment)
        retention = RetentionSettings(environment)
    }
}
