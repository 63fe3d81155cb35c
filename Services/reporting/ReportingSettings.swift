import Configuration
import ObjectStorage

/// The variables of `reporting` besides those of every service, and of ``ObjectStoreSettings``, where analysis leaves its documents.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `SHARED_LOOKUPS` | number | 300 | how many shared cards one client network may ask for in an hour: an IPv4 address or a /64 of IPv6; a /56 four times as many, a /48 sixteen times |
struct ReportingSettings: Sendable {
    let objects: ObjectStoreSettings
    let sharedLookups: Int

    /// Reads the variables; problems stay in `environment` until it is finished.
    init(_ environment: Environment) {
        objects = ObjectStoreSettings(environment)
        sharedLookups = environment.int("SHARED_LOOKUPS", default: 300, in: 1...1_000_000)
    }
}
