package import EventStore

extension Migration {
    /// The photos of accounts; after the service's table `profiles`.
    package static let photos = Migration("photos", PackageResources.photos_sql)
}
