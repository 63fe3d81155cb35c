package import EventStore

extension Migration {
    /// The private keys' objects.
    package static let signingKeys = [
        Migration("signing_private_keys", PackageResources.signing_private_keys_sql)
    ]
}
