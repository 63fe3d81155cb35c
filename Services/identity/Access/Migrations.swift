package import EventStore

extension Migration {
    /// The objects of credentials, devices, rate limits, login sessions and one-time codes; after the service's table
    /// `profiles`.
    package static let access = [
        Migration("credentials", PackageResources.credentials_sql), Migration("devices", PackageResources.devices_sql),
        Migration("attempts", PackageResources.attempts_sql), Migration("logins", PackageResources.logins_sql),
        Migration("one_time_codes", PackageResources.one_time_codes_sql),
    ]
}
