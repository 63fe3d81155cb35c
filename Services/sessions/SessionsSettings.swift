import Configuration
import ObjectStorage
import Uploads

/// The variables of `sessions` besides those of every service.
///
/// | Variable | Meaning |
/// |---|---|
/// | `OBJECT_STORE`, `S3_…` | where uploads lie, see ``ObjectStoreSettings`` |
/// | `UPLOAD_…` | how uploads come, see ``UploadSettings`` |
/// | `KINDS_FILE` | the kinds of session, see `docs/plans.md`; default: those that the service brings with it |
/// | `QUOTA_WAIT` | how long creation waits for quota's decision, default 2s |
/// | `SESSION_LIFETIME` | when a session expires that was not finalized, default 1h |
/// | `PROCESSING_DEADLINE` | when a finalized session fails that nobody answers, default 15m |
/// | `HEARTBEAT` | after so long without news an event stream carries a comment, default 15s |
struct SessionsSettings: Sendable {
    let objects: ObjectStoreSettings
    let uploads: UploadSettings
    let kinds: SessionKinds
    let quotaWait: Duration
    let sessionLifetime: Duration
    let processingDeadline: Duration
    let heartbeat: Duration

    init(_ environment: Environment) {
        objects = ObjectStoreSettings(environment)
        uploads = UploadSettings(environment)
        kinds = Self.kinds(environment)
        quotaWait = environment.duration("QUOTA_WAIT", default: .seconds(2))
        sessionLifetime = environment.duration("SESSION_LIFETIME", default: .seconds(3600))
        processingDeadline = environment.duration("PROCESSING_DEADLINE", default: .seconds(900))
        heartbeat = environment.duration("HEARTBEAT", default: .seconds(15))
    }

    private static func kinds(_ environment: Environment) -> SessionKinds {
        guard let bytes = environment.file("KINDS_FILE") else { return .builtIn }
        do throws(KindsFileError) { return try SessionKinds(file: bytes) } catch {
            for mistake in error.mistakes { environment.refuse("KINDS_FILE:", mistake) }
            return .builtIn
        }
    }
}
