package import EventStore

extension Migration {
    /// The objects of rate limits, login sessions and one-time codes; behind the service's tables `profiles` and
    /// `credentials`.
    package static let access = [
        Migration("attempts", PackageResources.attempts_sql), Migration("logins", PackageResources.logins_sql),
        Migration("one_time_codes", PackageResources.one_time_codes_sql),
    ]
}
