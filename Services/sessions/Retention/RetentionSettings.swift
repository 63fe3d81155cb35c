import Configuration
import Contracts
import Primitives

/// What an operator allows of kept recordings.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `MEDIA_RETENTION_MAX_DAYS` | number | 30 | for how many days after its session a recording can be kept at most; 0 keeps none, whatever was chosen |
/// | `MEDIA_RETENTION_DAY` | duration | 24h | how long such a day is; shorter ones are for trying it |
/// | `MEDIA_ADDRESS_LIFETIME` | duration | 15m | how long the address of a kept recording holds |
/// | `MEDIA_DOWNLOAD_TIME` | duration | 1h | how long one answer with a kept recording may take in all; a player asks for the rest by itself |
/// | `MEDIA_DOWNLOADS` | number | 32 | how many recordings an instance sends at once |
/// | `MEDIA_DOWNLOADS_PER_USER` | number | 4 | how many of them are one user's |
/// | `MEDIA_DOWNLOADS_PER_ADDRESS` | number | 8 | how many of them go to one IPv4 address, or one /64 of IPv6; a /56 four times as many, a /48 sixteen times, as far as the others leave them |
struct RetentionSettings: Sendable {
    let mostDays: Int64
    let day: Duration
    let addressLifetime: Duration
    let downloadTime: Duration
    let downloads: (all: Int, perUser: Int, perAddress: Int)

    /// Reads the variables; problems stay in `environment` until it is finished.
    init(_ environment: Environment) {
        mostDays = Int64(environment.int("MEDIA_RETENTION_MAX_DAYS", default: 30, in: 0...3_650))
        day = environment.duration("MEDIA_RETENTION_DAY", default: .seconds(86_400))
        if day < .seconds(1) || day > .seconds(86_400) {
            environment.refuse("MEDIA_RETENTION_DAY", "must be between 1s and 24h.")
        }
        addressLifetime = environment.duration("MEDIA_ADDRESS_LIFETIME", default: .seconds(900))
        downloadTime = environment.duration("MEDIA_DOWNLOAD_TIME", default: .seconds(3_600))
        downloads = (
            environment.int("MEDIA_DOWNLOADS", default: 32, in: 1...500),
            environment.int("MEDIA_DOWNLOADS_PER_USER", default: 4, in: 1...500),
            environment.int("MEDIA_DOWNLOADS_PER_ADDRESS", default: 8, in: 1...500)
        )
    }

    /// For how long a recording is kept whose owner keeps recordings for so many days.
    ///
    /// - Parameter limit: what its kind allows, in days; nil for no other limit than the operator's.
    func period(of days: Int64, limit: Int64?, since: Timestamp) -> MediaPeriod {
        let days = min(days, mostDays, limit ?? mostDays)
        return MediaPeriod(since: since, until: since.adding(seconds: days * day.components.seconds))
    }
}
