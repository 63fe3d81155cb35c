package import EventStore

extension Migration {
    /// The objects of nonces that were used and of providers' tokens; after the service's table `profiles`.
    package static let federation = Migration("federation", PackageResources.federation_sql)
}
