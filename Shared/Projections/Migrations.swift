package import EventStore

extension Migration {
    /// The projections' objects, behind ``eventStore``.
    package static let projections: [Migration] = [Migration("projections", PackageResources.projections_sql)]
}
