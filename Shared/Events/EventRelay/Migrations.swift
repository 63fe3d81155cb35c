package import EventStore

extension Migration {
    /// The relay's objects; applied after ``eventStore``.
    package static let relay: [Migration] = [
        Migration("relay", PackageResources.relay_sql),
        Migration("incarnation", PackageResources.incarnation_sql),
        Migration("refuse_appends_fenced", PackageResources.refuse_appends_fenced_sql),
        Migration("disowned_records", PackageResources.disowned_records_sql),
    ]
}
