package import EventStore

extension Migration {
    /// The objects of nonces that were used and of providers' tokens; after the service's table `profiles`.
    package static let federation = Migration("federation", PackageResources.federation_sql)
    /// Tokens that belong to nobody, to be revoked; after ``federation``.
    package static let tokensGivenBack = Migration("tokens_given_back", PackageResources.tokens_given_back_sql)
}
