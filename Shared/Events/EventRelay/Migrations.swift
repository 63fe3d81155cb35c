package import EventStore

extension Migration {
    /// The relay's objects, behind ``eventStore``.
    package static let relay: [Migration] = [
        Migration("relay", PackageResources.relay_sql),
        Migration("incarnation", PackageResources.incarnation_sql),
    ]
}
