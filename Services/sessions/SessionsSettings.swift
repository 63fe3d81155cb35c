import Configuration
import ObjectStorage

/// The variables of `sessions` besides those of every service.
///
/// | Variable | Meaning |
/// |---|---|
/// | `OBJECT_STORE`, `S3_…` | where uploads lie, see ``ObjectStoreSettings`` |
/// | `UPLOAD_KEY` or `UPLOAD_KEY_FILE` | signs upload addresses |
/// | `QUOTA_WAIT` | how long creation waits for quota's decision, default 2s |
/// | `UPLOAD_ADDRESS_LIFETIME` | how long an upload address holds, default 15m |
/// | `SESSION_LIFETIME` | when a session expires that was not finalized, default 1h |
/// | `PROCESSING_DEADLINE` | when a finalized session fails that nobody answers, default 15m |
/// | `UPLOAD_LIMIT_BYTES` | the largest upload, default 104857600 (100 MiB) |
struct SessionsSettings: Sendable {
    let objects: ObjectStoreSettings
    let uploadKey: [UInt8]
    let quotaWait: Duration
    let addressLifetime: Duration
    let sessionLifetime: Duration
    let processingDeadline: Duration
    let uploadLimit: Int64

    init(_ environment: Environment) {
        objects = ObjectStoreSettings(environment)
        uploadKey = Array(environment.secret("UPLOAD_KEY").reveal().utf8)
        quotaWait = environment.duration("QUOTA_WAIT", default: .seconds(2))
        addressLifetime = environment.duration("UPLOAD_ADDRESS_LIFETIME", default: .seconds(900))
        sessionLifetime = environment.duration("SESSION_LIFETIME", default: .seconds(3600))
        processingDeadline = environment.duration("PROCESSING_DEADLINE", default: .seconds(900))
        uploadLimit = Int64(environment.int("UPLOAD_LIMIT_BYTES", default: 104_857_600))
    }
}
