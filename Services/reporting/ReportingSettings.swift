import Configuration
import ObjectStorage

/// The variables of `reporting` besides those of every service: those of ``ObjectStoreSettings``, where analysis leaves its
/// documents.
struct ReportingSettings: Sendable {
    let objects: ObjectStoreSettings

    /// Reads the variables; problems stay in `environment` until it is finished.
    init(_ environment: Environment) { objects = ObjectStoreSettings(environment) }
}
