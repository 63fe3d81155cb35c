import Configuration
import ObjectStorage
import Providers
import ServiceKit

/// The variables of `reporting` besides those of every service, of ``ObjectStoreSettings``, where analysis leaves its documents and the
/// parts of exports lie, and of ``ProviderSettings``: who may word reports.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `EXPORT_DEADLINE` | duration | 15m | how long an export waits for the parts of all services before it fails; at most a day |
/// | `EXPORT_LIFETIME` | duration | 1d | how long an export can be fetched once it is ready; at most three days, because the parts go then by themselves |
/// | `EXPORT_ADDRESS_LIFETIME` | duration | 15m | how long an address lasts from which it is fetched |
/// | `EXPORT_DOWNLOADS` | number | 32 | how many archives an instance sends at once |
/// | `EXPORT_DOWNLOADS_PER_USER` | number | 2 | how many of them are one user's |
/// | `EXPORT_DOWNLOADS_PER_ADDRESS` | number | 4 | how many of them go to one IPv4 address, or one /64 of IPv6; a /56 four times as many, a /48 sixteen times, as far as the others leave them |
/// | `EXPORT_BYTES_PER_SECOND` | number | 16384 | what whoever fetches an archive takes at least while it is waited for; one that falls half a minute behind is broken off |
/// | `EXPORT_DOWNLOAD_TIME` | duration | 4h | how long the fetching of an archive may take in all |
/// | `SHARED_LOOKUPS` | number | 300 | how many shared cards one client network may ask for in an hour: an IPv4 address or a /64 of IPv6; a /56 four times as many, a /48 sixteen times |
struct ReportingSettings: Sendable {
    let objects: ObjectStoreSettings
    let exportDeadline: Duration
    let exportLifetime: Duration
    let exportAddressLifetime: Duration
    /// How many archives are sent at once: in all, of one user, to one address.
    let exportDownloads: (all: Int, perUser: Int, perAddress: Int)
    let exportBytesPerSecond: Int64
    let exportDownloadTime: Duration
    let sharedLookups: Int
    let providers: ProviderSettings

    /// Reads the variables; problems stay in `environment` until it is finished.
    init(_ environment: Environment) {
        objects = ObjectStoreSettings(environment)
        exportDeadline = environment.duration("EXPORT_DEADLINE", default: .seconds(900))
        exportLifetime = environment.duration("EXPORT_LIFETIME", default: .seconds(86_400))
        if exportDeadline > ExportWriter.longestWait { environment.refuse("EXPORT_DEADLINE", "must be at most 1d.") }
        if exportLifetime > ExportWriter.longestLife { environment.refuse("EXPORT_LIFETIME", "must be at most 3d.") }
        exportAddressLifetime = environment.duration("EXPORT_ADDRESS_LIFETIME", default: .seconds(900))
        exportDownloads = (
            environment.int("EXPORT_DOWNLOADS", default: 32, in: 1...500),
            environment.int("EXPORT_DOWNLOADS_PER_USER", default: 2, in: 1...500),
            environment.int("EXPORT_DOWNLOADS_PER_ADDRESS", default: 4, in: 1...500)
        )
        exportBytesPerSecond = Int64(environment.int("EXPORT_BYTES_PER_SECOND", default: 16_384, in: 1...(1 << 30)))
        exportDownloadTime = environment.duration("EXPORT_DOWNLOAD_TIME", default: .seconds(14_400))
        providers = ProviderSettings(environment)
        sharedLookups = environment.int("SHARED_LOOKUPS", default: 300, in: 1...1_000_000)
    }
}
